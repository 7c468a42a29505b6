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

// crowd is how many interactions of a flood come in a second, whoever sends them, as long as
// each is answered within a second.
const crowd = 600

// The most that the player elsewhere and the machine may notice of a flood. The time is
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

const (
	// channels is over how many channels of one server the users of a flood are spread.
	channels = 12
	// leastFlood is the shortest flood that shows anything: a player waits for an answer
	// for three seconds.
	leastFlood = 3 * time.Second
)

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

// floods has each kind of flood come from one user and from as many as there are interactions,
// and times a player in another server. If there is not enough time for all, the seed chooses
// some.
func floods(ctx context.Context, s *soak) error {
	type form struct {
		flood
		users int
	}
	var forms []form
	for _, f := range floodPlan {
		forms = append(forms, form{f, 1}, form{f, crowd})
	}
	if fit := max(1, int(s.lasting/leastFlood)); fit < len(forms) {
		s.random("floods").Shuffle(len(forms), func(i, j int) { forms[i], forms[j] = forms[j], forms[i] })
		forms = forms[:fit]
	}
	for i, f := range forms {
		s.progress.now("%s by %d", f.name, f.users)
		if err := s.flood(ctx, fmt.Sprint("flood-", i), f.flood, f.users, s.lasting/time.Duration(len(forms))); err != nil {
			return fmt.Errorf("%s by %d: %w", f.name, f.users, err)
		}
	}
	return nil
}

func (s *soak) flood(ctx context.Context, folder string, f flood, users int, lasts time.Duration) error {
	w, err := s.newWorld(ctx, folder, setup{allWords: true, keep: 4 * crowd})
	if err != nil {
		return err
	}
	w.quiet = true
	defer w.end(ctx)
	from := func(user int, i discordtest.Interaction) discordtest.Interaction {
		i.ID, i.Guild, i.Channel, i.User = w.newID(), "71", fmt.Sprintf("1371%04d", user%channels), fmt.Sprintf("1271%04d", user)
		return i
	}
	var preparing sync.WaitGroup
	for user := range min(users, channels) {
		preparing.Go(func() {
			for _, i := range f.prepare {
				w.ask(ctx, from(user, i))
			}
		})
	}
	preparing.Wait()
	elsewhere := &bystander{player: &player{world: w, number: 999, random: s.random(folder)}}
	elsewhere.play(ctx, time.Now().Add(300*time.Millisecond)) // some things are slow only the first time
	elsewhere.times, elsewhere.missed = nil, 0

	flooding, stop := context.WithTimeout(ctx, lasts)
	defer stop()
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
					s.progress.answered.Add(1)
				}
				select {
				case <-tick.C:
				case <-flooding.Done():
				}
			}
		})
	}
	peak := watchMemory(w.bot, flooding)
	elsewhere.play(ctx, time.Now().Add(lasts))
	all.Wait()
	what := fmt.Sprintf("%s by %d", f.name, users)
	p50, p99 := elsewhere.percentile(50), elsewhere.percentile(99)
	memory := <-peak
	s.verdict.figure("%-32s %6d sent %6d answered; elsewhere p50 %6v p99 %6v, %d of %d missed; %4d MiB", what+":", sent.Load(), answered.Load(),
		p50.Round(time.Millisecond), p99.Round(time.Millisecond), elsewhere.missed, elsewhere.missed+len(elsewhere.times), memory>>20)
	if elsewhere.missed > 0 {
		s.verdict.slow("no answer elsewhere", "%s: %d of %d", what, elsewhere.missed, elsewhere.missed+len(elsewhere.times))
	}
	if p99 > maxWait {
		s.verdict.slow("slow elsewhere", "%s: p99 %v", what, p99)
	}
	if memory > maxMemory {
		s.verdict.finding("memory", "%s: %d MiB", what, memory>>20)
	}
	return nil
}

// watchMemory returns a channel that gets, when ctx ends, the most anonymous memory that the
// program had until then, in bytes.
func watchMemory(b *supervised, ctx context.Context) <-chan int {
	peak := make(chan int, 1)
	go func() {
		most := 0
		for ctx.Err() == nil {
			memory, _ := b.anonymous()
			most = max(most, memory)
			time.Sleep(10 * time.Millisecond)
		}
		peak <- most
	}()
	return peak
}

// bystander is an honest player in another server, who is timed.
type bystander struct {
	*player
	times  []time.Duration // from asking to what the player finally sees
	missed int
}

// play plays game after game until a deadline, at a human's pace but without much thought.
func (b *bystander) play(ctx context.Context, until time.Time) {
	for ctx.Err() == nil && time.Now().Before(until) {
		b.game(ctx, until)
	}
}

func (b *bystander) game(ctx context.Context, until time.Time) {
	b.games++
	place := fmt.Sprintf("9%09d", b.games)
	m := &match{id: b.newID(), guild: "79", channel: "13" + place, user: "12" + place}
	b.journal.begin(m)
	text, ok := b.timed(ctx, m, m.id, "wordle start", nil)
	if !ok || !strings.Contains(text, "6 attempts left") {
		return
	}
	m.start = acknowledged
	for _, word := range guessed {
		if ctx.Err() != nil || time.Now().After(until) {
			return
		}
		g := &guess{id: b.newID(), word: strings.ToUpper(word), asked: time.Now()}
		m.guesses = append(m.guesses, g)
		text, ok := b.timed(ctx, m, g.id, "guess", map[string]any{"word": word})
		b.learn(g, text, ok)
		b.timed(ctx, m, b.newID(), "wordle board", nil)
		time.Sleep(rand.N(40 * time.Millisecond))
	}
}

func (b *bystander) timed(ctx context.Context, m *match, id, command string, options map[string]any) (string, bool) {
	began := time.Now()
	answer, ok := b.ask(ctx, discordtest.Interaction{ID: id, Guild: m.guild, Channel: m.channel, User: m.user, Command: command, Options: options})
	switch {
	case ok:
		b.times = append(b.times, time.Since(began))
	case ctx.Err() == nil:
		b.missed++
	}
	return answer.Content, ok
}

// percentile returns the time within which p of 100 answers came.
func (b *bystander) percentile(p int) time.Duration {
	if len(b.times) == 0 {
		return 0
	}
	sorted := slices.Clone(b.times)
	slices.Sort(sorted)
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}
