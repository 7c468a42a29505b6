package discord

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
)

// withPicture returns a reply of two lines. A picture shows the second one.
func withPicture(text string, draw func(bool) []byte) bot.Reply {
	return public(text).Add(&bot.Picture{Name: "table.png", Alt: "A table", Draw: draw, Instead: []bot.Line{bot.Text("in words")}})
}

// TestPicture draws pictures in time, too late and not at all: then the lines say what the picture would.
func TestPicture(t *testing.T) {
	drawn := func(d time.Duration) bot.Picture {
		return bot.Picture{Draw: func(bool) []byte { time.Sleep(d); return []byte("PNG") }}
	}
	drawing := func(png []byte) bot.Picture {
		return bot.Picture{Draw: func(bool) []byte { return png }}
	}
	with := func(p bot.Picture) bot.Reply {
		r := withPicture("hi", p.Draw)
		r.InPlace = true
		r.Picture().Name, r.Picture().Alt = cmp.Or(p.Name, "table.png"), cmp.Or(p.Alt, "A table")
		return r
	}
	named := func(name, alt string) bot.Reply {
		p := drawn(0)
		p.Name, p.Alt = name, alt
		return with(p)
	}
	panicking := bot.Picture{Draw: func(bool) []byte { panic("of the test") }}
	undrawn := bot.Picture{Draw: func(bool) []byte { t.Error("it is drawn"); return nil }}
	checkAnswers(t, map[string]answering{
		"at once":        {asked, bot.Everyone, 0, with(drawn(0)), nil, "message hi [table.png A table]"},
		"pressed":        {component("hint", false), bot.Everyone, 0, with(drawn(0)), nil, "update hi [table.png A table]"},
		"takes time":     {asked, bot.Everyone, time.Second, with(drawn(deferAfter - time.Second - 1)), nil, "1.499999999s message hi [table.png A table]"},
		"late":           {asked, bot.Everyone, 2 * time.Second, with(drawn(deferAfter - 1)), nil, "1.5s defer, edit hi [table.png A table]"},
		"late, pressed":  {component("hint", true), bot.Everyone, 2 * time.Second, with(drawn(0)), nil, "1.5s acknowledge, edit hi [table.png A table]"},
		"panics":         {asked, bot.Everyone, 0, with(panicking), nil, "message hi\nin words"},
		"draws nothing":  {asked, bot.Everyone, 0, with(drawing(nil)), nil, "message hi\nin words"},
		"draws too much": {asked, bot.Everyone, 0, with(drawing(make([]byte, 4<<20+1))), nil, "message hi\nin words"},
		"has no words":   {asked, bot.Everyone, 0, named("", " "), nil, "message hi\nin words"},
		"has no name":    {asked, bot.Everyone, 0, named(" ", ""), nil, "message hi\nin words"},
		"has many words": {asked, bot.Everyone, 0, named("", strings.Repeat("a", 1025)), nil, "message hi [table.png " + strings.Repeat("a", 1023) + "…]"},
		"behind a form":  {asked, bot.Everyone, 0, withForm(with(undrawn)), nil, "form"},
	})
}

// TestKeptPicture: an edit that leaves the table as it is keeps its picture, and any other
// one uploads the next.
func TestKeptPicture(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"", " mode:solo"} {
		t.Run("mode"+mode, func(t *testing.T) {
			t.Parallel()
			s := newRunner(t, false)
			for _, test := range []struct {
				line    string
				uploads int
			}{
				{"ana in general: /pokle start" + mode, 1},
				{"ana in general presses: Hint", 0},
				{"ana in general presses: Guess", 0},
				{"ana in general enters: cards:2c 3d 10s 4s ks", 1},
				{"restart", 0},
				{"ana in general presses: Hint", 0},
				{"ana in general presses: Guess", 0},
				{"ana in general enters: cards:5c 3d 10s 4s ks", 1},
				{"ana in general presses: Hint", 0},
			} {
				before := len(s.discord.Requests())
				got := s.play(test.line + "\n")
				if strings.Contains(got, "**A hint?**") { // it says first what that costs
					got = s.play("ana in general presses: Take a hint\n")
				}
				uploads := 0
				for _, r := range s.discord.Requests()[before:] {
					uploads += len(r.Files)
				}
				if uploads != test.uploads {
					t.Errorf("%s: %d uploads, want %d", test.line, uploads, test.uploads)
				}
				if test.uploads == 0 && strings.HasSuffix(test.line, "Hint") && (strings.Count(got, "(picture ") != 1 || !strings.Contains(got, "**Hint:**")) {
					t.Errorf("%s: got %s", test.line, got)
				}
			}
		})
	}
}
