package commands_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/statistics"
	"fivefold/game/wordle"
)

// TestCheats plays daily puzzles honestly and by tricks in one server. No trick ranks above an honest player with four
// guesses a puzzle.
func TestCheats(t *testing.T) {
	for _, c := range []struct {
		name string
		play func(c *cheat)
		want string // cal's average in the leaderboard
	}{
		{"five hints and one guess", func(c *cheat) {
			c.days(func() {
				for range 5 {
					c.ask("cal", wordgame.Commands.Hint, "mode", "daily", "kind", "position")
				}
				c.win("cal")
			})
		}, "6.00"},
		{"hints only where it goes badly", func(c *cheat) {
			c.days(func() {
				c.miss("cal", 3)
				c.ask("cal", wordgame.Commands.Hint, "mode", "daily", "kind", "letter")
				c.win("cal")
			})
		}, "5.00"},
		{"stopping before a loss", func(c *cheat) {
			c.days(func() { c.miss("cal", 5); c.ask("cal", wordgame.Commands.Stop, "mode", "daily", "sure", "true") })
		}, "7.00"},
		{"help with lines that say nearly the same", func(c *cheat) { c.days(c.helped) }, "7.00"},
		{"first in direct messages, then here", func(c *cheat) { c.twice(dm) }, "no place"},
		{"twice", func(c *cheat) { c.twice(server) }, "7.00"},
		{"four lucky puzzles", func(c *cheat) {
			for range 4 {
				c.day()
				c.win("cal")
			}
		}, "no place"},
		{"good days of direct messages shared", func(c *cheat) {
			c.b.now = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
			for i := range 9 {
				c.b.now = c.b.now.Add(24 * time.Hour)
				if c.b.mustDaily(c.t, dm, "cal", 1+5*(i%2)); i%2 == 0 {
					c.share()
				}
			}
		}, "4.22"},
		{"five misses, and then left open", func(c *cheat) {
			c.days(func() { c.miss("cal", 5) })
			c.b.now = c.b.now.Add(48 * time.Hour)
			if ended, err := c.b.games.EndIdle(c.t.Context(), 0); ended == 0 || err != nil {
				c.t.Fatalf("%d closed, %v", ended, err)
			}
		}, "7.00"},
		{"a history cleared after six losses", func(c *cheat) {
			c.days(func() { c.miss("cal", 6) })
			c.ask("cal", bot.NamePrivacy, "action", "delete", "sure", "true")
			c.days(func() { c.win("cal") })
		}, "no place"},
		{"a puzzle shared once its month is closed", func(c *cheat) {
			c.b.now = time.Date(2026, 12, 20, 12, 0, 0, 0, time.UTC)
			for range 12 { // the last day is 1 January
				c.b.now = c.b.now.Add(24 * time.Hour)
				c.b.mustDaily(c.t, dm, "cal", 0)
			}
			c.b.now = c.b.now.Add(24 * time.Hour)
			c.b.Ask(server, "cal", bot.NameDaily, "show", "share", "number", fmt.Sprint(c.b.games.Today()-2), "game", string(wordgame.Kind))
		}, "no place"},
		{"solo games", func(c *cheat) { c.mode = "solo"; c.won(20) }, "no place"},
		{"games played together", func(c *cheat) { c.mode = "together"; c.won(20) }, "no place"},
	} {
		trick := newCheat(t)
		for range 6 {
			trick.b.now = trick.b.now.Add(24 * time.Hour)
			trick.b.mustDaily(t, server, "hana", 3)
		}
		c.play(trick)
		board, err := trick.b.parts.Statistics.Leaderboard(t.Context(), statistics.Scope{Kind: wordgame.Kind, Guild: server.Guild}, "cal", statistics.Rows{RankedFrom: statistics.RankedFrom, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		row := "no place"
		for _, line := range strings.Split(trick.ask("cal", wordgame.Commands.Stats, "when", "all").String(), "\n") {
			if _, after, found := strings.Cut(line, ". cal · "); found {
				row = after
			}
		}
		if row != c.want {
			t.Errorf("%s: cal has %q, want %q", c.name, row, c.want)
		}
		if first := board.Rows[0]; first.Player != "hana" || first.Daily.Average() != 4 {
			t.Errorf("%s: the first place is %+v", c.name, first)
		}
	}
}

// cheat plays word games in a server. Its player is cal.
type cheat struct {
	t    *testing.T
	b    *testBot
	mode string
}

func newCheat(t *testing.T) *cheat {
	c := &cheat{t, newBot(t, nil), "daily"}
	next := 0
	c.b.games.Pick = func(n int) int {
		next = (next + 7) % n
		return next
	}
	return c
}

func (c *cheat) ask(player, command string, args ...string) bot.Reply {
	return c.b.Ask(server, player, command, args...)
}

func (c *cheat) start(player string) { c.ask(player, wordgame.Commands.Start, "mode", c.mode) }

func (c *cheat) match(player string) game.Match {
	c.t.Helper()
	return c.b.match(c.t, server, player, wordgame.Kind, face.ReadMode(c.mode, game.Current))
}

func (c *cheat) guess(player, answer string) {
	c.ask(player, wordgame.Commands.Guess, "word", answer, "mode", c.mode)
}

func (c *cheat) win(player string) { c.guess(player, c.match(player).State.Answer()) }

func (c *cheat) share() {
	c.t.Helper()
	if reply := c.ask("cal", bot.NameDaily, "show", "share", "number", fmt.Sprint(c.b.games.Today()), "game", string(wordgame.Kind)); reply.Audience == bot.Asker {
		c.t.Fatalf("sharing: %s", reply)
	}
}

func (c *cheat) day() {
	c.b.now = c.b.now.Add(24 * time.Hour)
	c.start("cal")
}

// days plays six daily puzzles.
func (c *cheat) days(play func()) {
	for range 6 {
		c.day()
		play()
	}
}

func (c *cheat) won(n int) {
	for range n {
		c.start("cal")
		c.miss("cal", 1)
		c.win("cal")
	}
}

// helped guesses the words that help with puzzles from elsewhere proposes. The help is asked in direct messages, where
// each guess is reported with another last letter.
func (c *cheat) helped() {
	hidden := wordle.MustParse(c.match("cal").State.Answer())
	shown := c.b.Ask(dm, "cal", bot.NameSolveNew)
	for c.match("cal").Status() == game.Playing {
		_, rest, found := strings.Cut(shown.String(), "try ")
		if !found {
			c.miss("cal", 1)
			continue
		}
		c.guess("cal", rest[:wordle.Length])
		lines := c.match("cal").State.(wordle.State).Turns()
		last := lines[len(lines)-1].Guess.String()
		for _, letter := range []string{"Q", "J", "X"} {
			if typed, err := wordle.ParseWord(last[:wordle.Length-1] + letter); err == nil && letter != last[wordle.Length-1:] {
				shown = c.b.Ask(dm, "cal", bot.NameSolveNext, "guess", typed.String(), "feedback", wordle.Score(typed, hidden).String())
				break
			}
		}
	}
}

// twice loses six daily puzzles at the first location, and then solves them in the server.
func (c *cheat) twice(first game.Location) {
	for range 6 {
		c.b.now = c.b.now.Add(24 * time.Hour)
		c.b.Ask(first, "cal", wordgame.Commands.Start, "mode", "daily")
		answer := c.b.answer(c.t, first, "cal", wordgame.Kind, game.Daily)
		for _, word := range missing(answer, 6) {
			c.b.Ask(first, "cal", wordgame.Commands.Guess, "word", word, "mode", "daily")
		}
		c.start("cal")
		c.guess("cal", answer)
	}
}

// miss makes n wrong guesses, each a new one.
func (c *cheat) miss(player string, n int) {
	c.t.Helper()
	m := c.match(player)
	used := m.Used()
	for _, word := range missing(m.State.Answer(), used+n)[used:] {
		c.guess(player, word)
	}
	if got := c.match(player).Used(); got != used+n {
		c.t.Fatalf("%d guesses were made, want %d", got-used, n)
	}
}

// missing returns n words other than the answer.
func missing(answer string, n int) []string {
	words := slices.DeleteFunc(strings.Fields("FUZZY VIVID MAMMA PUPPY KAYAK CIVIC JAZZY"), func(w string) bool { return w == answer })
	return words[:n]
}
