package main

import (
	"context"
	"fmt"
	"math/rand/v2"
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
	// maxMemory is the most anonymous memory that a process may use, in bytes.
	maxMemory = 300 << 20
)

// flood is a kind of interaction that comes in great numbers.
type flood struct {
	name string
	next func(n int) discordtest.Interaction
}

// command is an interaction, with options in pairs of name and value.
func command(name string, options ...string) discordtest.Interaction {
	i := discordtest.Interaction{Command: name, Options: map[string]any{}}
	for n := 0; n < len(options); n += 2 {
		i.Options[options[n]] = options[n+1]
	}
	return i
}

var floodPlan = []flood{
	{"solve next", func(n int) discordtest.Interaction {
		if n%3 == 2 {
			return command("solve new")
		}
		return command("solve next", "guess", poorGuess(n), "feedback", "bbbbb")
	}},
	{"pokle start and stop", func(n int) discordtest.Interaction {
		return command([]string{"pokle start", "pokle stop"}[n%2])
	}},
	{"completions of solve next", func(n int) discordtest.Interaction {
		i := command("solve next", "guess", poorGuess(n)[:1+n%3])
		i.Type, i.Focused = discordtest.TypeAutocomplete, "guess"
		return i
	}},
	{"pokle solve with a deal", func(n int) discordtest.Interaction {
		return command("pokle solve", "deal", someDeal(n))
	}},
	{"hint", func(n int) discordtest.Interaction {
		return command([]string{"wordle start", "hint", "hint", "hint"}[n%4])
	}},
	{"games", gameStep},
	{"buttons", func(n int) discordtest.Interaction {
		return discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "solve next?guess=" + poorGuess(n) + "&feedback=bbbbb"}
	}},
}

// gameStep is a start of a game, or one of six guesses in it.
func gameStep(n int) discordtest.Interaction {
	if n%7 == 0 {
		return command("wordle start")
	}
	return command("guess", "word", poorGuess(n))
}

// poorGuess returns a word after which many are left.
func poorGuess(n int) string {
	words := []string{"fuzzy", "vivid", "mummy", "civic", "puppy", "jazzy", "kayak", "queue", "bobby", "mamma", "nanny", "puffy"}
	return words[n%len(words)]
}

// someDeal returns a deal for puzzles of the poker game: an example with suits that n chooses.
func someDeal(n int) string {
	suits := rand.New(rand.NewPCG(uint64(n), 0)).Perm(4)
	to := func(suit int) string { return "CDHS"[suits[suit] : suits[suit]+1] }
	return strings.NewReplacer("C", to(0), "D", to(1), "H", to(2), "S", to(3)).Replace("QD QC 10H 2H 9H KH 2 1 3 1 3 2 2 1 3")
}

// flooding has a kind of flood come from one user or from as many as there are interactions, in a
// server without players, who must get their answers all the same.
func flooding(ctx context.Context, w *world, random *rand.Rand) error {
	f := floodPlan[random.IntN(len(floodPlan))]
	users := []int{1, crowd}[random.IntN(2)]
	began, halted := time.Now(), w.verdict.halted.Load()
	flooding, stop := context.WithTimeout(ctx, floodTime)
	defer stop()
	var all sync.WaitGroup
	var sent, answered atomic.Int64
	for k := range crowd {
		all.Go(func() {
			// A flooder that is refused at once does not try again at once: otherwise the fake
			// Discord would be flooded.
			tick := time.NewTicker(time.Second)
			defer tick.Stop()
			for n := k; flooding.Err() == nil; n++ {
				i := f.next(n)
				i.Guild, i.Channel, i.User = "79", fmt.Sprintf("1971%04d", k%users%channels), fmt.Sprintf("1971%04d", k%users)
				sent.Add(1)
				if _, err := await(flooding, firstWait, w.discord.Invoke(i).First); err == nil {
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
		for _, b := range w.bots {
			memory = max(memory, b.anonymous())
		}
		time.Sleep(10 * time.Millisecond)
	}
	all.Wait()
	what := fmt.Sprintf("%s by %d", f.name, users)
	w.verdict.figure("%-32s %6d sent %6d answered; %4d MiB", what+":", sent.Load(), answered.Load(), memory>>20)
	ended := time.Now()
	time.Sleep(firstWait) // until it is known what was not answered
	if missed := w.unanswered(began, ended); missed > 0 {
		w.verdict.slow(halted, "no answer elsewhere", "%s: %d", what, missed)
	}
	if memory > maxMemory {
		w.verdict.finding("memory", "%s: %d MiB", what, memory>>20)
	}
	return nil
}
