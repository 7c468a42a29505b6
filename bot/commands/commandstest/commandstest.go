// Package commandstest makes the commands for tests, as cmd/fivefold/app does for the program.
package commandstest

import (
	"log/slog"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"fivefold/bot/commands"
	"fivefold/bot/kinds"
	"fivefold/bot/preferences"
	botsolve "fivefold/bot/solve"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/wordle"
	"fivefold/solver/dodge"
	"fivefold/solver/multi"
	"fivefold/solver/optimal"
	"fivefold/solver/poker"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
	"fivefold/storage"
)

// quickDeal is the number of a Pokle deal that is made and listed within a few milliseconds. All deals in tests have
// this number or one of the next.
const quickDeal = 51

var embedded = sync.OnceValues(wordle.Embedded)

// Dependencies returns the commands' dependencies on a store, with the program's kinds of games and more. Solvers find
// the same on a slow machine. Games hide the words from hidden, or the first allowed word for "".
func Dependencies(tb testing.TB, store *storage.Store, log *slog.Logger, hidden func() string, more ...kinds.Kind) commands.Dependencies {
	tb.Helper()
	lists, err := embedded()
	if err != nil {
		tb.Fatal(err)
	}
	words := optimal.New(lists)
	words.SuggestTime, words.ReviewTime = time.Minute, time.Minute
	elsewhere := weighted.New(lists)
	elsewhere.SuggestTime = 0
	cards := &poker.Solver{SuggestTime: time.Minute}
	evil := dodge.New(lists)
	evil.EndTime = time.Minute
	help := botsolve.Handlers{
		Lists: lists, Log: log, Words: &solve.Words{Store: store, Solver: elsewhere, Boards: multi.New(lists)}, Cards: &solve.Cards{Store: store, Solver: cards},
	}
	all := append(kinds.All(kinds.Parts{Lists: lists, Words: words, Boards: multi.New(lists), Cards: cards, Dodge: evil, Elsewhere: help}), more...)
	games := &matches.Manager{Store: store, Rules: all.Rules(), Pick: func(n int) int {
		switch n {
		case len(lists.Answers()):
			if word := hidden(); word != "" {
				return slices.Index(lists.Answers(), wordle.MustParse(word))
			}
		case math.MaxInt:
			return quickDeal
		}
		return 0
	}}
	return commands.Dependencies{
		Kinds: all, Games: games, Finished: &finished.Matches{Games: games, Store: store, PerformanceTime: time.Minute}, Statistics: store, Log: log,
		Preferences: preferences.Store{Records: store}, Settings: store, DayPosts: store, League: store, Reminders: store,
	}
}
