package race

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
)

var (
	begins = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	words  = wordgame.New(nil, nil).Face()
)

// racer returns the standing of a player whose guesses came at these times, of whom the place is given, 0 for none.
func racer(name game.PlayerID, place int, guesses string, at ...time.Duration) game.Standing {
	s := wordle.NewState(wordle.MustParse("crane"), marks.Off)
	m := game.Match{Version: 1, Mode: game.Racing, Starter: name}
	for i, word := range strings.Fields(guesses) {
		s, _ = s.Guess(wordle.MustParse(word))
		m.Version++
		m.Moves = append(m.Moves, game.Move{Player: name, At: begins.Add(at[i]), Version: m.Version})
	}
	m.State = s
	return game.Standing{Player: name, Match: m, Rank: place}
}

// TestResult: the board says how far a racer is.
func TestResult(t *testing.T) {
	run := game.Race{Begins: begins}
	stopped := racer("dan", 0, "")
	stopped.Match.Stop = &game.Stop{Player: "dan", Version: 2}
	for _, c := range []struct {
		race game.Race
		s    game.Standing
		want string
	}{
		{run, racer("ana", 1, "slate crane", 3*time.Second, 83*time.Second), "2 guesses · 1:23"},
		{run, racer("eve", 2, "crane", 3601*time.Second), "1 guess · 60:01"},
		{run, racer("ben", 0, "trace", time.Second), "playing"},
		{run, stopped, "not this time"},
		{game.Race{}, racer("cleo", 0, ""), "joined"},
	} {
		if got := result(c.race, c.s.Match); got != c.want {
			t.Errorf("%s: got %q, want %q", c.s.Player, got, c.want)
		}
	}
}

// TestOutcome: the end of a race names who was first, or the word.
func TestOutcome(t *testing.T) {
	ana, ben := racer("ana", 1, "crane", time.Second), racer("ben", 2, "slate crane", time.Second, 2*time.Second)
	level, dan := racer("eve", 1, "crane", time.Second), racer("dan", 0, "slate", time.Second)
	run, never := game.Race{Begins: begins, Over: begins.Add(time.Minute), Ends: begins.Add(time.Minute)}, game.Race{Over: begins}
	challenge := run
	challenge.Challenge = &game.Challenge{}
	for _, c := range []struct {
		name string
		race game.Race
		all  []game.Standing
		want string
		tone bot.Tone
	}{
		{"won", run, []game.Standing{ana, ben, dan}, "🏁 ana wins!\nCRANE in 1, 0:01\n", bot.Happy},
		{"level", run, []game.Standing{ana, level, dan}, "🏁 ana and eve win!\nCRANE in 1, 0:01\n", bot.Happy},
		{"lost", run, []game.Standing{dan}, "🏁 It got away!\nThe word was CRANE.\n", bot.Sad},
		{"never started", never, []game.Standing{dan}, "This race never started\n", bot.Calm},
		{"challenge", challenge, []game.Standing{ana}, "The challenge is over!\nThe word was CRANE.\n", bot.Calm},
	} {
		heading, subtext, tone := outcome(words, c.race, c.all, "CRANE")
		if got := (bot.Reply{Heading: heading, Subtext: subtext}).String(); got != c.want || tone != c.tone {
			t.Errorf("%s: got %q, %d", c.name, got, tone)
		}
	}
}

// TestDraft: what cannot be a challenge is refused with what to change.
func TestDraft(t *testing.T) {
	for _, c := range []struct{ puzzle, clue, want string }{
		{"crane", "a bird", ""},
		{"zonky", "not a word", ""},
		{"cranes", "birds", "Your word needs five letters; “cranes” won't do."},
		{"crane", strings.Repeat("a", maxClue+1), "A clue has at most 100 characters."},
		{"crane", "It is CRANE", "Your clue has the word in it. Pick another."},
		{"crane", "see https://example.com", "A clue can't have a link. Pick another."},
	} {
		got := ""
		if err := (&draft{c.puzzle, c.clue}).check(words); err != nil {
			got = strings.TrimSpace(fmt.Sprint(err.(bot.Refusal).Reply))
		}
		if got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.puzzle, c.clue, got, c.want)
		}
	}
}

// TestForm: a form holds what was typed before, as far as there is room.
func TestForm(t *testing.T) {
	form := (&draft{strings.Repeat("z", 99), strings.Repeat("é", 999)}).form(words, game.Solo).Form
	if got := form.Args["mode"]; got != "solo" {
		t.Errorf("the mode is %q", got)
	}
	for _, f := range form.Fields {
		if n := len([]rune(f.Value)); n != f.Max {
			t.Errorf("%s has %d characters of %d", f.Name, n, f.Max)
		}
	}
}

// TestRematch: a rematch is like the race before.
func TestRematch(t *testing.T) {
	b := rematch(words, game.Race{Hard: marks.Ultra, Time: 5 * time.Minute})
	if b.Command != "wordle race" || b.Args["minutes"] != "5" || b.Args["hard"] != "ultra" {
		t.Errorf("got %+v", b)
	}
}
