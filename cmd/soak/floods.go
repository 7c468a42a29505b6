package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/bot/discord/discordtest"
)

const (
	// crowd is how many interactions of a flood come in a second, whoever sends them, as long as
	// each is answered within a second.
	crowd = 600
	// channels is over how many channels of one server the users of a flood are spread.
	channels = 12
	// floodTime is the shortest that shows anything: a player waits for an answer for three seconds.
	floodTime = 3 * time.Second
)

// The most that the players elsewhere and the machine may notice of a flood. The time is
// generous, since the flood and the fake Discord need the same processors.
const (
	maxWait   = 2 * time.Second // for 99 of 100 answers
	maxMemory = 300 << 20       // bytes, anonymous
)

// flood is a kind of interaction that comes in great numbers.
type flood struct {
	name string
	// prepare is asked once in each channel before the flood; it may be nil.
	prepare []discordtest.Interaction
	next    func(n int) discordtest.Interaction
}

// command returns a function that always returns the same interaction.
func command(name string, options map[string]any) func(int) discordtest.Interaction {
	return func(int) discordtest.Interaction { return discordtest.Interaction{Command: name, Options: options} }
}

var floodPlan = []flood{
	{"solve next", nil, func(n int) discordtest.Interaction {
		if n%3 == 2 {
			return discordtest.Interaction{Command: "solve new"}
		}
		return discordtest.Interaction{Command: "solve next", Options: map[string]any{"guess": poorGuess(n), "feedback": "bbbbb"}}
	}},
	{"pokle start and stop", nil, func(n int) discordtest.Interaction {
		return discordtest.Interaction{Command: []string{"pokle start", "pokle stop"}[n%2]}
	}},
	{"completions of solve next", nil, func(n int) discordtest.Interaction {
		return discordtest.Interaction{
			Type: discordtest.TypeAutocomplete, Command: "solve next", Focused: "guess", Options: map[string]any{"guess": poorGuess(n)[:1+n%3]},
		}
	}},
	{"pokle solve with a deal", nil, func(n int) discordtest.Interaction {
		return discordtest.Interaction{Command: "pokle solve", Options: map[string]any{"deal": someDeal(n)}}
	}},
	{"hint", []discordtest.Interaction{{Command: "wordle start"}, {Command: "guess", Options: map[string]any{"word": "fuzzy"}}}, command("hint", nil)},
	{"pokle hint", []discordtest.Interaction{{Command: "pokle start"}}, command("pokle hint", nil)},
	{"guess", []discordtest.Interaction{{Command: "wordle start"}}, func(n int) discordtest.Interaction {
		return discordtest.Interaction{Command: "guess", Options: map[string]any{"word": poorGuess(n)}}
	}},
	{"review game", []discordtest.Interaction{
		{Command: "wordle start"}, {Command: "guess", Options: map[string]any{"word": "fuzzy"}},
		{Command: "guess", Options: map[string]any{"word": "vivid"}}, {Command: "wordle stop"},
	}, command("review game", nil)},
	{"pokle board", []discordtest.Interaction{{Command: "pokle start"}}, command("pokle board", nil)},
	{"buttons", nil, func(n int) discordtest.Interaction {
		return discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "solve next?guess=" + poorGuess(n) + "&feedback=bbbbb"}
	}},
}

// poorGuess returns a word after which many are left.
func poorGuess(n int) string {
	words := []string{"fuzzy", "vivid", "mummy", "civic", "puppy", "jazzy", "kayak", "queue", "bobby", "mamma", "nanny", "puffy"}
	return words[n%len(words)]
}

// someDeal returns one of 144 deals for puzzles of the poker game: an example with other
// suits, and players in another order.
func someDeal(n int) string {
	cards := []string{"QD QC", "10H 2H", "9H KH"}
	places := []string{"2 1 3", "1 3 2", "2 1 3"}
	suits := permutations[n%len(permutations)]
	order := permutations[n/24%6]
	text := ""
	for _, at := range order[:3] {
		for _, c := range strings.Fields(cards[at]) {
			suit := suits[strings.IndexByte("CDHS", c[len(c)-1])]
			text += c[:len(c)-1] + "CDHS"[suit:suit+1] + " "
		}
	}
	for _, street := range places {
		all := strings.Fields(street)
		for _, at := range order[:3] {
			text += all[at] + " "
		}
	}
	return strings.TrimSpace(text)
}

// permutations are those of four numbers; the first six leave the last one in its place.
var permutations = permute([]int{0, 1, 2, 3}, 3)

func permute(p []int, last int) [][]int {
	if last == 0 {
		return [][]int{slices.Clone(p)}
	}
	var all [][]int
	for i := last; i >= 0; i-- {
		p[i], p[last] = p[last], p[i]
		all = append(all, permute(p, last-1)...)
		p[i], p[last] = p[last], p[i]
	}
	return all
}

// waits are how long answers took, while somebody wants to know. They are safe for concurrent use.
type waits struct {
	mu      sync.Mutex // protects the fields below
	wanted  bool
	answers []time.Duration
}

func (w *waits) add(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.wanted {
		w.answers = append(w.answers, d)
	}
}

// want begins or ends the time in which they are wanted, and returns those until now, in order.
func (w *waits) want(wanted bool) []time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.answers
	w.wanted, w.answers = wanted, nil
	slices.Sort(all)
	return all
}

// percentile returns the time within which p of 100 answers came.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*p/100)].Round(100 * time.Microsecond)
}

// flooding has a kind of flood come from one user or from as many as there are interactions, in a
// server without players, who are timed.
func flooding(ctx context.Context, w *world, random *rand.Rand) error {
	f := floodPlan[random.IntN(len(floodPlan))]
	users := []int{1, crowd}[random.IntN(2)]
	from := func(user int, i discordtest.Interaction) discordtest.Interaction {
		i.ID, i.Guild, i.Channel, i.User = w.newID(), "79", fmt.Sprintf("1971%04d", user%channels), fmt.Sprintf("1971%04d", user)
		return i
	}
	var preparing sync.WaitGroup
	for user := range min(users, channels) {
		preparing.Go(func() {
			for _, i := range f.prepare {
				w.ask(ctx, from(user, i), trouble{})
			}
		})
	}
	preparing.Wait()
	flooding, stop := context.WithTimeout(ctx, floodTime)
	defer stop()
	unanswered := w.unanswered.Load()
	w.waits.want(true)
	var sent, answered atomic.Int64
	var all sync.WaitGroup
	for k := range crowd {
		all.Go(func() {
			// A flooder that is refused at once does not try again at once: otherwise the fake
			// Discord would be flooded.
			tick := time.NewTicker(time.Second)
			defer tick.Stop()
			for n := k; flooding.Err() == nil; n++ {
				sent.Add(1)
				if _, err := await(flooding, firstWait, w.discord.Invoke(from(k%users, f.next(n))).First); err == nil {
					answered.Add(1)
				}
				select {
				case <-tick.C:
				case <-flooding.Done():
				}
			}
		})
	}
	memory := 0
	for flooding.Err() == nil {
		memory = max(memory, w.bots[0].anonymous())
		time.Sleep(10 * time.Millisecond)
	}
	all.Wait()
	waits, missed := w.waits.want(false), w.unanswered.Load()-unanswered
	what := fmt.Sprintf("%s by %d", f.name, users)
	p99 := percentile(waits, 99)
	w.verdict.figure("%-32s %6d sent %6d answered; elsewhere p50 %6v p99 %6v, %d of %d missed; %4d MiB", what+":", sent.Load(), answered.Load(),
		percentile(waits, 50), p99, missed, missed+int64(len(waits)), memory>>20)
	if missed > 0 {
		w.verdict.slow("no answer elsewhere", "%s: %d of %d", what, missed, missed+int64(len(waits)))
	}
	if p99 > maxWait {
		w.verdict.slow("slow elsewhere", "%s: p99 %v", what, p99)
	}
	if memory > maxMemory {
		w.verdict.finding("memory", "%s: %d MiB", what, memory>>20)
	}
	return nil
}
