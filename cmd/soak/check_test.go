package main

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"testing"
	"time"

	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/matches"
	"fivefold/game/wordle"
	"fivefold/storage"
)

// snowflake returns the id of something that happens at a time: Discord counts milliseconds from 2015.
func snowflake(at time.Time) string { return fmt.Sprint((at.UnixMilli() - 1420070400000) << 22) }

// TestCheck compares a store with journals that differ from it in one thing.
func TestCheck(t *testing.T) {
	url := "bolt:" + filepath.Join(t.TempDir(), "test.db")
	store, err := storage.Open(t.Context(), url, kinds.Codecs(), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	id := snowflake(asked)
	state := wordle.NewState(wordle.MustParse("crane"), marks.Off)
	m := game.Match{ID: game.MatchID(id), Location: game.Location{Guild: "5", Channel: "6"}, Starter: "7", Started: asked, Kind: wordgame.Kind}
	for _, word := range []string{"", "slate", "brick", "crane"} {
		m.Version++
		if word != "" {
			if state, err = state.Guess(wordle.MustParse(word)); err != nil {
				t.Fatal(err)
			}
			m.Moves = append(m.Moves, game.Move{Player: "7", At: asked.Add(time.Second), Version: m.Version})
		}
		m.State = state
		if err := store.Commit(t.Context(), matches.Change{Match: m, Request: game.RequestID(fmt.Sprint("r", m.Version)), At: asked}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*match)
		want   string // the kind of finding, "" for none
	}{
		"nothing":           {func(*match) {}, ""},
		"unknown":           {func(m *match) { m.guesses[1].outcome = unknown }, ""},
		"one more, unknown": {func(m *match) { m.guesses = append(m.guesses, &guess{id: id, word: "SHAVE"}) }, ""},
		"one more":          {func(m *match) { m.guesses = append(m.guesses, &guess{id: id, word: "SHAVE", outcome: acknowledged}) }, lost},
		"another match":     {func(m *match) { m.id, m.channel = "1", "8" }, lost},
		"refused":           {func(m *match) { m.guesses[0].outcome = refused }, "refused and counted"},
		"never asked":       {func(m *match) { m.guesses = m.guesses[1:] }, "never asked for"},
		"asked long before": {func(m *match) { m.guesses[0].id = snowflake(asked.Add(-5 * time.Second)) }, late},
	} {
		t.Run(name, func(t *testing.T) {
			known := &match{id: id, guild: "5", channel: "6", user: "7", started: true}
			for _, word := range []string{"SLATE", "BRICK", "CRANE"} {
				known.guesses = append(known.guesses, &guess{id: id, word: word, outcome: acknowledged})
			}
			c.change(known)
			want := map[string]int{c.want: 1}
			delete(want, "")
			check := checking{verdict: &verdict{out: io.Discard, found: map[string]int{}}}
			if err := check.run(t.Context(), url, []*match{known}); err != nil || !maps.Equal(check.found, want) {
				t.Errorf("found %v, %v, want %v", check.found, err, want)
			}
			if well := check.conclude(0); well != (c.want == "") {
				t.Errorf("all is well: %t", well)
			}
		})
	}
}

// TestRead reads what players see.
func TestRead(t *testing.T) {
	for text, want := range map[string]outcome{
		"🔳🟨🔳🔳🔳 SLATE · SLATE\nNot tried: B C":                             acknowledged,
		"**A**\n<:Sx1:1><:Ly1:2><:Ax1:3><:Tx1:4><:Eg1:5>\nNot tried: B C": acknowledged,
		"🔳🟨🔳🔳🔳 BRICK\nNot tried: B C":                                     unknown, // a board without the guess
		"SLATE isn't in my word list. No guess was used.":                 refused,
		"I can't save right now; your guess was not counted.":             refused,
		"": unknown,
	} {
		if got := read("SLATE", text); got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
}
