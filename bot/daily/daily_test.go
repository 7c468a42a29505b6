package daily

import (
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/toy"
	"fivefold/game"
	"fivefold/game/matches"
)

var toyFace = toy.Game{}.Face()

// of returns a player's state in a puzzle that hides m, after these guesses.
func of(number int, guesses string, hints int, err error) played {
	m := game.Match{Kind: toy.Kind, Mode: game.Daily, Starter: "ana", State: toy.New("m"), Version: 1}
	for _, letter := range guesses {
		m.State, _ = toy.Game{}.Guess(m.State, string(letter))
	}
	m.Hints = make([]game.Hint, hints)
	return played{toyFace, number, matches.Loaded{Match: m, Err: err}}
}

// TestPlayed: a puzzle in words, and in a few characters. Only one that is over has a result.
func TestPlayed(t *testing.T) {
	stopped := of(3, "a", 0, nil)
	stopped.Match.Mode, stopped.Match.Stop = game.Practice, &game.Stop{Player: "ana", At: time.Now(), Version: 2}
	for _, c := range []struct {
		p            played
		words, short string
	}{
		{of(3, "am", 0, nil), "solved in 2", "2"},
		{of(3, "abm", 1, nil), "solved in 3 with 1 hint", "3*"},
		{of(3, "abcdef", 0, nil), "lost", "X"},
		{of(3, "ab", 0, nil), "playing, 2 of 6 used", "–"},
		{stopped, "stopped", "X"},
		{of(3, "", 0, game.ErrNoMatch), "not played", "–"},
		{of(3, "", 0, game.ErrCleared), "played; you have cleared your history since", "–"},
		{of(3, "", 0, game.ErrUnreadable), "its data is damaged", "–"},
	} {
		if words, short := c.p.words(), c.p.short(); words != c.words || short != c.short {
			t.Errorf("got %q, %q, want %q, %q", words, short, c.words, c.short)
		}
	}
}

// TestCalendar: weeks that end today, each with its results in a line that the picture stands for, and with a button. A week
// in which nothing was played has only the button.
func TestCalendar(t *testing.T) {
	var days []played
	for number := 1; number <= 9; number++ {
		days = append(days, of(number, "", 0, game.ErrNoMatch))
	}
	days[8] = of(9, "am", 0, nil)
	reply := new(Handlers).calendar(bot.Reply{}, [][]played{days})
	text := reply.String()
	if name := toyFace.Name(); !strings.Contains(text, name+" – – – – – – 2.") || strings.Count(text, name) != 1 {
		t.Errorf("got\n%s", text)
	}
	if len(reply.Buttons()) != 2 || reply.Buttons()[1].Args[argNumber] != "9" || reply.Picture() == nil {
		t.Errorf("got %+v under %+v", reply.Buttons(), reply)
	}
	if b := button("Play", showDay, face.Face{}, 3); b.Args[argGame] != "" || b.Command != bot.NameDaily {
		t.Errorf("a button of no kind: %+v", b)
	}
}
