package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/wordle"
	"fivefold/storage"
)

// discordEpoch is the first millisecond of 2015, from which Discord's ids count.
const discordEpoch = 1420070400000

// TestCheck compares a store with journals that differ from it in one thing.
func TestCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	store, err := storage.Open(t.Context(), "bolt:"+path, kinds.Codecs(), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	id := fmt.Sprint((asked.UnixMilli() - discordEpoch) << 22)
	state := wordle.NewState(wordle.MustParse("crane"), false)
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
		"one more": {func(m *match) {
			m.guesses = append(m.guesses, &guess{id: id, word: "SHAVE", outcome: acknowledged})
		}, lost},
		"another match":         {func(m *match) { m.id, m.channel = "1", "8" }, lost},
		"another match unknown": {func(m *match) { m.id, m.channel, m.start = "1", "8", unknown }, ""},
		"refused":               {func(m *match) { m.guesses[0].outcome = refused }, "refused and counted"},
		"never asked":           {func(m *match) { m.guesses = m.guesses[1:] }, "never asked for"},
		"asked long before":     {func(m *match) { m.guesses[0].id = fmt.Sprint((asked.UnixMilli() - 5000 - discordEpoch) << 22) }, late},
	} {
		t.Run(name, func(t *testing.T) {
			known := &match{id: id, guild: "5", channel: "6", user: "7", start: acknowledged}
			for _, word := range []string{"SLATE", "BRICK", "CRANE"} {
				known.guesses = append(known.guesses, &guess{id: id, word: word, outcome: acknowledged})
			}
			c.change(known)
			var v verdict
			v.begin("test")
			check := &checking{verdict: &v, store: "bolt:" + path, matches: []*match{known}}
			check.run(t.Context())
			if len(v.found) > 1 || c.want != "" && v.found[c.want] != 1 {
				t.Errorf("found %v, want one %q: %q", v.found, c.want, v.lines)
			}
			if all := v.conclude(new(bytes.Buffer), 0); all != (c.want == "") {
				t.Errorf("all is well: %v", all)
			}
		})
	}
}

// TestRead reads what players see.
func TestRead(t *testing.T) {
	for text, want := range map[string]outcome{
		"🔳🟨🔳🔳🔳 SLATE\nNot tried: B C":                                                               acknowledged,
		"<:S_black1:11>🔳<:L_yellow1:12>\n":                                                          unknown,
		"**A**\n<:S_black1:1><:L_yellow1:2><:A_black1:3><:T_black1:4><:E_green1:5>\nNot tried: B C": acknowledged,
		"🔳🟨🔳🔳🔳 BRICK\nNot tried: B C":                                                               unknown, // a board without the guess
		"SLATE is not in the word list. No attempt was used.":                                       refused,
		"I cannot save at the moment; your guess was not counted.":                                  refused,
		"Something went wrong on our side; nothing that was accepted is lost":                       unknown,
		"": unknown,
	} {
		if got := read(&guess{word: "SLATE"}, text, true); got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
	if got := read(&guess{word: "SLATE"}, "🔳🟨🔳🔳🔳 SLATE", false); got != unknown {
		t.Errorf("no answer is %d", got)
	}
}

// TestViolations: answers may come too late or too early, and nothing else may be refused.
func TestViolations(t *testing.T) {
	for text, want := range map[string]int{
		"POST /callback: 10062 Unknown interaction":                 0,
		"POST /webhooks/1/t: 0 this bot edits what it has deferred": 0,
		"PATCH /channels/1/messages/2: 50001 Missing Access":        1,
		"mentions: POST /callback has no parse list":                1,
	} {
		var v verdict
		v.begin("violations")
		if v.violation(text); len(v.found) != want {
			t.Errorf("%q: %v", text, v.found)
		}
	}
}

// TestChoose: what is asked for happens, and nothing else.
func TestChoose(t *testing.T) {
	for only, want := range map[string]string{
		"":               "file[kill freeze gateway response power] processes[kill freeze database] ",
		"power|kill":     "file[kill power] processes[kill] ",
		"processes":      "processes[kill freeze database] ",
		"file/(kill|po)": "file[kill power] ",
		"kills":          "",
	} {
		got := ""
		for _, k := range choose(regexp.MustCompile(only)) {
			var names []string
			for _, d := range k.disasters {
				names = append(names, d.name)
			}
			got += fmt.Sprint(k.name, names, " ")
		}
		if got != want {
			t.Errorf("%q: %s", only, got)
		}
	}
}
