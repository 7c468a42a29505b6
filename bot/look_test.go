package bot

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/game/marks"
)

func TestSquare(t *testing.T) {
	for want, l := range map[string]Look{
		"🔳🟨🟩": {}, "🔳🟦🟧": {Colours: ContrastColours}, "🔳🟡🟩": {Shapes: SignShapes}, "🔳🔵🟧": {Colours: ContrastColours, Shapes: SignShapes},
	} {
		got := ""
		for m := range marks.Mark(3) {
			got += l.Square(m)
		}
		if got != want {
			t.Errorf("%+v has %s, want %s", l, got, want)
		}
		// Copied marks can be pasted into a command.
		if f, err := marks.Parse(got + l.Square(marks.Black) + l.Square(marks.Green)); err != nil || f.String() != "BYGBG" {
			t.Errorf("%s is read as %v, %v", got, f, err)
		}
	}
}

// TestIn: a reply in words has no tiles, picture or medals, and its original stays unchanged.
func TestIn(t *testing.T) {
	letters := Line{Tiles: []Tile{{Text: "A", Mark: marks.Green}, {Text: "B"}, {Text: "C", Mark: marks.Yellow}}}
	cards := Line{Tiles: []Tile{{Text: "10♥", Mark: marks.Green}, {Text: "2♣", Apart: true}}}
	reply := Reply{Blocks: Lines(letters.With(" gby"), Line{Tiles: make([]Tile, 3)})}.Add(&Keyboard{Words: []Line{Text("A is there")}}, &Picture{Instead: []Line{cards}}).Say(Text(Bold("flop "), Emoji("🥈 "), Bold("2nd"), " 🟩"))
	got := reply.In(Look{Text: true})
	if want := "ABC: A green, B grey, C yellow gby\nA is there\n10♥ green, 2♣ grey\nflop 2nd 🟩\n"; got.String() != want || got.Picture() != nil || got.Lines()[3].Text[0].Style != StyleBold {
		t.Errorf("got %q and a picture: %t, want %q", got, got.Picture() != nil, want)
	}
	if !strings.Contains(reply.String(), "🥈") || len(reply.Lines()[0].Tiles) != 3 || reply.Picture() == nil {
		t.Errorf("the reply is now %+v", reply)
	}
	reply.Form = &Form{About: reply.Blocks}
	if got := reply.In(Look{Text: true}).Form; (Reply{Blocks: got.About}).String() != reply.In(Look{Text: true}).String() || reply.Form.About[0].(Line).Tiles == nil {
		t.Errorf("the form shows %v", got.About)
	}
	own := Look{Colours: ContrastColours}
	if got := reply.In(own); got.Look != own || got.Picture() == nil || len(got.Lines()[0].Tiles) != 3 {
		t.Errorf("in other colours: %+v", got)
	}
}

// TestWords: lines are sentences, in words, with known names.
func TestWords(t *testing.T) {
	cards := Line{Tiles: []Tile{{Text: "10♥", Mark: marks.Green}, {Text: "2♣", Apart: true}}}
	got := Words(game.Names{"1": "ana"}, Text(Emoji("🥇 "), game.PlayerID("1"), ": done."), cards.With(" · ", game.PlayerID("2")), Line{Tiles: make([]Tile, 5)}, Text("Now"), Text("Then."))
	if want := "ana: done. 10♥ green, 2♣ grey · somebody. Now. Then."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestOwnLook: only replies for a player alone have the player's look.
func TestOwnLook(t *testing.T) {
	own := Look{Colours: ContrastColours}
	broken := errors.New("of the test")
	var log strings.Builder
	b := &Bot{
		Table: Table{Commands: []Command{
			{Name: "aloud", Run: func(context.Context, Request) (Reply, error) { return Reply{}, nil }},
			{Name: "alone", Audience: Asker, Run: func(context.Context, Request) (Reply, error) { return Reply{}, nil }},
		}},
		Log: slog.New(slog.NewTextHandler(&log, nil)),
		Look: func(_ context.Context, player game.PlayerID) (Look, error) {
			return map[game.PlayerID]Look{"ana": own}[player], map[game.PlayerID]error{"eve": broken}[player]
		},
	}
	for _, c := range []struct {
		command, player string
		want            Look
	}{
		{"alone", "ana", own}, {"aloud", "ana", Look{}}, {"no such command", "ana", own}, {"alone", "ben", Look{}}, {"alone", "eve", Look{}},
	} {
		command, _ := b.Table.Find(c.command)
		if got := b.Handle(t.Context(), command, Request{Player: game.PlayerID(c.player), Command: c.command}).Look; got != c.want {
			t.Errorf("/%s by %s is in %+v, want %+v", c.command, c.player, got, c.want)
		}
	}
	if !strings.Contains(log.String(), "of the test") {
		t.Errorf("the log does not say why a look is not known: %s", log.String())
	}
}
