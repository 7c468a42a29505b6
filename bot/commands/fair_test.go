package commands_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/racetest"
	"fivefold/game/wordle"
)

// Whoever plays honestly here wins 18 games of 20 in four guesses, and loses two.
const honestGames, honestLost = 20, 2

// TestCheats plays honestly and by tricks in the same server, and compares what both are worth
// on the leaderboard: no trick but one may be worth as much. The log has the table of
// docs/decisions/games.md.
func TestCheats(t *testing.T) {
	racetest.Skip(t)
	for _, c := range []struct {
		name string
		play func(c *cheat)
		left bool // it is worth something, as docs/decisions/games.md says
	}{
		{"five hints and one guess", func(c *cheat) { c.hinted(20, "cal") }, false},
		{"an accomplice takes the hints", func(c *cheat) { c.hinted(20, "ben") }, false},
		{"hints only where a game goes badly", func(c *cheat) {
			for range 20 {
				c.start("cal")
				c.miss("cal", 3)
				c.ask("cal", wordgame.Commands.Hint, "kind", "letter")
				c.win("cal")
			}
		}, false},
		{"stopping every second solo game, before it is lost", func(c *cheat) {
			c.mode = "solo"
			c.won(10, 3)
			c.stopped(10, 5)
		}, false},
		{"stopping every second game played together, after five guesses", func(c *cheat) { c.won(10, 3); c.stopped(10, 5) }, false},
		{"stopping every second game played together, after two guesses", func(c *cheat) { c.won(20, 3); c.stopped(20, 2) }, true},
		{"one late guess in the games of others", func(c *cheat) { c.late(20) }, false},
		{"a late guess next to the own games", func(c *cheat) { c.won(15, 3); c.lost(2); c.late(20) }, false},
		{"playing a lot and losing most", func(c *cheat) { c.won(20, 3); c.lost(40) }, false},
		{"one lucky game", func(c *cheat) { c.won(1, 0) }, false},
		{"the daily puzzle first in direct messages", func(c *cheat) { c.daily(20, dm) }, false},
		{"the daily puzzle twice", func(c *cheat) { c.daily(20, server) }, false},
	} {
		trick := newCheat(t)
		for i := range honestGames {
			trick.start("hana")
			trick.miss("hana", 3)
			if i < honestLost {
				trick.miss("hana", 3)
			} else {
				trick.win("hana")
			}
		}
		c.play(trick)
		board, err := trick.b.parts.Statistics.Leaderboard(t.Context(), game.Scope{Kind: wordgame.Kind, Guild: server.Guild}, "cal", 10)
		if err != nil {
			t.Fatal(err)
		}
		row := "no place"
		for _, line := range strings.Split(trick.ask("cal", wordgame.Commands.Stats).String(), "\n") {
			if strings.Contains(line, ". cal ") {
				row = line
			}
		}
		honest := slices.IndexFunc(board.Top, func(r game.Row) bool { return r.Player == "hana" })
		if honest < 0 {
			t.Fatalf("%s: hana has no place in %+v", c.name, board)
		}
		t.Logf("| %s | %s |", c.name, row)
		if own := board.Own.Place; !c.left && own > 0 && own <= board.Top[honest].Place {
			t.Errorf("%s: that is worth place %d, and honest games place %d", c.name, own, board.Top[honest].Place)
		}
	}
}

// cheat plays games of words in a server.
type cheat struct {
	t    *testing.T
	b    *testBot
	mode string
}

func newCheat(t *testing.T) *cheat {
	c := &cheat{t, newBot(t, nil), "together"}
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

// won has cal win some games after so many wrong guesses, lost has cal lose them, and stopped gives them up.
func (c *cheat) won(n, misses int) {
	for range n {
		c.start("cal")
		c.miss("cal", misses)
		c.win("cal")
	}
}

func (c *cheat) lost(n int) {
	for range n {
		c.start("cal")
		c.miss("cal", 6)
	}
}

func (c *cheat) stopped(n, misses int) {
	for range n {
		c.start("cal")
		c.miss("cal", misses)
		c.ask("cal", wordgame.Commands.Stop, "mode", c.mode)
	}
}

// hinted has cal win some games by a single guess after five hints that the helper took.
func (c *cheat) hinted(n int, helper string) {
	for range n {
		c.start("cal")
		for range 5 {
			c.ask(helper, wordgame.Commands.Hint, "kind", "position")
		}
		c.win("cal")
	}
}

// late has cal make the last guess of some games of ben.
func (c *cheat) late(n int) {
	for range n {
		c.start("cal")
		c.narrow("ben")
		c.win("cal")
	}
}

// daily has cal lose some daily puzzles in a place, and then play them in the server.
func (c *cheat) daily(n int, first game.Location) {
	for range n {
		c.b.now = c.b.now.Add(24 * time.Hour)
		c.b.Ask(first, "cal", wordgame.Commands.Start, "mode", "daily")
		answer := c.b.answer(c.t, first, "cal", wordgame.Kind, game.Daily)
		for _, word := range missing(answer, 6) {
			c.b.Ask(first, "cal", wordgame.Commands.Guess, "word", word, "mode", "daily")
		}
		c.ask("cal", wordgame.Commands.Start, "mode", "daily")
		c.ask("cal", wordgame.Commands.Guess, "word", answer, "mode", "daily")
	}
}

// miss makes some guesses that are not the answer, and that nobody has made.
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

// missing returns some words other than the answer.
func missing(answer string, n int) []string {
	words := slices.DeleteFunc(strings.Fields("FUZZY VIVID MAMMA PUPPY KAYAK CIVIC JAZZY"), func(w string) bool { return w == answer })
	return words[:n]
}

// narrow has a player guess what the solver would, until one word is left.
func (c *cheat) narrow(player string) {
	c.t.Helper()
	for {
		m := c.match(player)
		left, err := c.b.games.Remaining(c.t.Context(), m, m.Used())
		if err != nil {
			c.t.Fatal(err)
		}
		if left == 1 || m.Used() == 5 {
			return
		}
		words := m.State.(wordgame.State)
		for _, w := range strings.Fields("SLATE CRONY HUMID BEFOG PUPPY") {
			if !slices.ContainsFunc(words.Turns(), func(turn wordle.Turn) bool { return turn.Guess.String() == w }) && w != m.State.Answer() {
				c.guess(player, w)
				break
			}
		}
		if c.match(player).Used() == m.Used() {
			return
		}
	}
}

// playProposals makes one guess after another from the first cards that completion proposes,
// until the game is over. It returns whether the game was won, and how many guesses that took.
// If a guess is refused, the next proposal replaces its last card.
func (b *testBot) playProposals(t *testing.T, l game.Location, player string) (won bool, guesses int) {
	t.Helper()
	ask := func(typed string) []bot.Choice {
		return b.Bot.Complete(t.Context(), bot.Request{Location: l, Player: game.PlayerID(player), Command: pokergame.Commands.Guess}, "cards", typed)
	}
	// first types what the first proposal says until there are n cards or nothing follows.
	first := func(typed string, n int) string {
		for {
			cards, err := pokle.ParseCards(typed)
			if err == nil && len(cards) == n {
				return typed
			}
			choices := ask(typed)
			if len(choices) == 0 || len(choices[0].Value) <= len(strings.TrimSpace(typed)) {
				t.Fatalf("after %q there is %v", typed, choices)
			}
			typed = choices[0].Value
		}
	}
	for {
		m := b.match(t, l, player, pokergame.Kind, game.Together)
		if m.Status() != game.Playing {
			return m.Status() == game.Won, m.Used()
		}
		four := first("", 4)
		last := ask(four)
		if len(last) == 0 {
			t.Fatalf("after %q there is nothing", four)
		}
		made := false
		for _, c := range last {
			b.Ask(l, player, pokergame.Commands.Guess, "cards", first(c.Value, 5))
			if made = b.match(t, l, player, pokergame.Kind, game.Together).Used() > m.Used(); made {
				break
			}
		}
		if !made {
			t.Fatalf("none of %v can be guessed", last)
		}
	}
}

// TestProposalsDoNotWin plays games of Pokle by the first cards that completion proposes.
func TestProposalsDoNotWin(t *testing.T) {
	b := newBot(t, nil)
	deal := quickDeal
	b.games.Pick = func(n int) int { return min(n-1, deal) }
	games := racetest.Cases(20)
	for ; deal < quickDeal+games; deal++ {
		b.Ask(server, "hana", pokergame.Commands.Start)
		if won, guesses := b.playProposals(t, server, "hana"); won {
			t.Errorf("the first proposals win deal %d in %d guesses", deal, guesses)
		}
	}
}
