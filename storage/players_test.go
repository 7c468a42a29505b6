package storage_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/wordle"
	"fivefold/solver/multi"
	"fivefold/solver/optimal"
	"fivefold/solver/poker"
	"fivefold/storage"
)

// wrongWords are guesses that [players] make, none of which ends a match before the sixth.
var wrongWords = []string{"slate", "brick", "mound", "shave", "grape", "fuzzy"}

// players guess in a channel each, match after match. Several goroutines may play at
// once, each in channels of its own.
type players struct {
	*matches.Manager
	guild func(channel int) game.GuildID

	turns    []int // by channel: how many requests there have been
	requests atomic.Int64
}

// newPlayers returns players in so many channels.
func newPlayers(tb testing.TB, s *storage.Store, channels int, guild func(channel int) game.GuildID) *players {
	tb.Helper()
	lists, err := wordle.ReadLists(
		wordle.Source{Name: "answers", Reader: strings.NewReader("crane\nhover")},
		wordle.Source{Name: "guesses", Reader: strings.NewReader("crane\nhover\n" + strings.Join(wrongWords, "\n"))})
	if err != nil {
		tb.Fatal(err)
	}
	rules := kinds.All(kinds.Parts{Lists: lists, Words: optimal.New(lists), Boards: multi.New(lists), Cards: new(poker.Solver)}).Rules()
	return &players{Manager: &matches.Manager{Store: s, Rules: rules}, guild: guild, turns: make([]int, channels)}
}

// starts reports whether the next turn in a channel starts a match.
func (p *players) starts(channel int) bool { return p.turns[channel]%(len(wrongWords)+1) == 0 }

// play starts a match in channel i if the last one there has ended, and otherwise makes a guess.
func (p *players) play(tb testing.TB, i int) {
	o := game.Origin{
		// Like Discord's: they grow with time.
		Request:  game.RequestID(fmt.Sprint(1_300_000_000_000_000_000 + p.requests.Add(1))),
		Location: game.Location{Guild: p.guild(i), Channel: game.ChannelID(fmt.Sprint("c", i))},
		Player:   game.PlayerID(fmt.Sprint(700_000_000_000_000_000 + i)),
		Name:     "A display name",
	}
	var err error
	if p.starts(i) {
		_, err = p.Start(tb.Context(), o, matches.StartOptions{Kind: wordgame.Kind})
	} else {
		_, err = p.Move(tb.Context(), o, matches.Target{Kind: wordgame.Kind}, wrongWords[p.turns[i]%(len(wrongWords)+1)-1])
	}
	p.turns[i]++
	if err != nil {
		tb.Error(err)
	}
}
