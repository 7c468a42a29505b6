package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/bot/discord/discordtest"
)

const (
	// atOnce is how many interactions are under way, and inChannels in how many channels.
	atOnce     = 64
	inChannels = 256
	// mayGrow is by how many percent the anonymous memory of the last tenth may be above that
	// of the second tenth; the first is the warm-up. enough is how many interactions that
	// needs, since the memory of a program that has just started grows.
	mayGrow = 5
	enough  = 500_000
)

// manifold returns interaction n of the part memory: one after another, all that is asked
// often.
func manifold(n int) discordtest.Interaction {
	i := discordtest.Interaction{Guild: "71", Channel: fmt.Sprintf("1371%04d", n%inChannels), User: fmt.Sprintf("1271%04d", n%inChannels)}
	switch n / inChannels % 12 {
	case 0:
		i.Command = "wordle start"
	case 1, 2, 3:
		i.Command, i.Options = "guess", map[string]any{"word": poorGuess(n / inChannels)}
	case 4:
		i.Command = "wordle board"
	case 5:
		i.Command = "stats"
	case 6:
		i.Type, i.Command, i.Focused, i.Options = discordtest.TypeAutocomplete, "guess", "word", map[string]any{"word": "cra"}
	case 7:
		i.Type, i.CustomID = discordtest.TypeComponent, "wordle board"
	case 8:
		i.Type, i.CustomID, i.Options = discordtest.TypeModal, "guess", map[string]any{"word": "aaaaa"}
	case 9:
		i.Command = "review list"
	case 10:
		i.Command = "pokle rules"
	case 11:
		i.Command = "wordle stop"
	}
	return i
}

// memory sends many interactions of every kind, and compares the memory near the beginning and
// at the end.
func memory(ctx context.Context, s *soak) error {
	w, err := s.newWorld(ctx, "memory", setup{allWords: true, keep: 256 * atOnce})
	if err != nil {
		return err
	}
	w.quiet = true
	defer w.end(ctx)
	var samples []sample
	sending, stop := context.WithCancel(ctx)
	defer stop()
	if s.interactions == 0 {
		time.AfterFunc(s.lasting, stop)
	}
	var sent, answered atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range atOnce {
		all.Go(func() {
			for sending.Err() == nil {
				n := int(sent.Add(1)) - 1
				if s.interactions > 0 && n >= s.interactions {
					return
				}
				// What was not answered in time is counted, not waited for.
				if _, ok := w.ask(ctx, manifold(n)); ok {
					answered.Add(1)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-tick.C:
			bytes, threads := w.bot.anonymous()
			samples = append(samples, sample{int(answered.Load()), bytes, threads, w.goroutines()})
		}
	}
	took := time.Since(began)
	w.discord.Violations() // answers that came too late
	if len(samples) < 20 {
		return nil // it was stopped
	}
	total := int(answered.Load())
	first, last := average(samples, total/10, total/5), average(samples, total-total/10, total)
	grown := 100 * (last.bytes - first.bytes) / max(1, first.bytes)
	s.verdict.figure("%d interactions answered in %v, %d a second", total, took.Round(time.Second), int(float64(total)/took.Seconds()))
	s.verdict.figure("anonymous memory %d MiB in the second tenth, %d MiB in the last (%+d %%), %d MiB at most", first.bytes>>20, last.bytes>>20, grown, most(samples)>>20)
	s.verdict.figure("by tenths: %s MiB", tenths(samples, total))
	s.verdict.figure("threads %d, then %d; goroutines %s, then %s", first.threads, last.threads, goroutines(first.goroutines), goroutines(last.goroutines))
	if total >= enough && grown > mayGrow {
		s.verdict.finding("memory", "it grew by %d %%, at most %d", grown, mayGrow)
	}
	if most(samples) > maxMemory {
		s.verdict.finding("memory", "%d MiB", most(samples)>>20)
	}
	if first.goroutines > 0 && last.goroutines > first.goroutines+2*atOnce {
		s.verdict.finding("goroutines", "%d, then %d", first.goroutines, last.goroutines)
	}
	return nil
}

// sample is what the program used after so many interactions.
type sample struct{ answered, bytes, threads, goroutines int }

// average returns the mean of the samples between two numbers of interactions.
func average(samples []sample, from, to int) sample {
	var sum sample
	n := 0
	for _, s := range samples {
		if s.answered >= from && s.answered <= to {
			sum.bytes, sum.threads, sum.goroutines = sum.bytes+s.bytes, sum.threads+s.threads, sum.goroutines+s.goroutines
			n++
		}
	}
	if n == 0 {
		return sum
	}
	return sample{to, sum.bytes / n, sum.threads / n, sum.goroutines / n}
}

// tenths returns the anonymous memory of every tenth, in MiB.
func tenths(samples []sample, total int) string {
	var all []string
	for n := range 10 {
		tenth := average(samples, n*total/10, (n+1)*total/10)
		all = append(all, fmt.Sprintf("%.1f", float64(tenth.bytes)/(1<<20)))
	}
	return strings.Join(all, ", ")
}

func most(samples []sample) int {
	most := 0
	for _, s := range samples {
		most = max(most, s.bytes)
	}
	return most
}

func goroutines(n int) string {
	if n == 0 {
		return "not known"
	}
	return fmt.Sprint(n)
}
