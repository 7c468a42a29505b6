package storagetest

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
)

// WrongWords are guesses that [Players] make, none of which ends a match before the sixth.
var WrongWords = []string{"slate", "brick", "mound", "shave", "grape", "fuzzy"}

// Players guess in a channel each, match after match. Several goroutines may play at
// once, each in channels of its own.
type Players struct {
	Manager *game.Manager
	Guild   func(channel int) game.GuildID // nil for direct messages

	lists    *wordle.Lists
	turns    []int // by channel: how many requests there have been
	requests atomic.Int64
}

// NewPlayers returns players in so many channels.
func NewPlayers(b testing.TB, s game.Store, channels int) *Players {
	b.Helper()
	list := strings.Join(append([]string{"crane"}, WrongWords...), "\n")
	lists, err := wordle.ReadLists(
		wordle.Source{Name: "answers", Reader: strings.NewReader("crane\nhover")},
		wordle.Source{Name: "guesses", Reader: strings.NewReader(list + "\nhover")})
	if err != nil {
		b.Fatal(err)
	}
	return &Players{
		Manager: &game.Manager{Store: s, Rules: kinds.All(kinds.Parts{Lists: lists, Words: solver.New(lists), Cards: new(boards.Solver)}).Rules()},
		lists:   lists,
		turns:   make([]int, channels),
	}
}

// Play starts a match in channel i if the last one there has ended, and otherwise makes a
// guess.
func (p *Players) Play(b testing.TB, i int) {
	turn := p.turns[i] % (len(WrongWords) + 1)
	p.turns[i]++
	var guild game.GuildID
	if p.Guild != nil {
		guild = p.Guild(i)
	}
	o := game.Origin{
		// Like Discord's: they grow with time.
		Request:  game.RequestID(fmt.Sprint(1_300_000_000_000_000_000 + p.requests.Add(1))),
		Location: game.Location{Guild: guild, Channel: game.ChannelID(fmt.Sprint("c", i))},
		Player:   game.PlayerID(fmt.Sprint(700_000_000_000_000_000 + i)),
	}
	var err error
	if turn == 0 {
		_, err = p.Manager.Start(context.Background(), o, game.StartOptions{Kind: Wordle.Kind()})
	} else {
		_, err = p.Manager.Move(context.Background(), o, game.Target{Kind: Wordle.Kind()}, wordgame.Move(p.lists, wordle.MustParse(WrongWords[turn-1])))
	}
	if err != nil {
		b.Error(err)
	}
}

// Starts reports whether Play is to start a match next in channel 0.
func (p *Players) Starts() bool { return p.turns[0]%(len(WrongWords)+1) == 0 }
