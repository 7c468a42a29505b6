package terminal

import (
	"context"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/game"
)

// TestSpeaker finds the player of a line. The ace of spades at its beginning names no player.
func TestSpeaker(t *testing.T) {
	for _, c := range []struct{ line, player, rest string }{
		{"guess crane", "ana", "guess crane"},
		{"as ben", "ben", ""},
		{"/as ben", "ben", ""},
		{"/as ben /guess crane", "ben", "/guess crane"},
		{"AS ben guess crane", "ben", "guess crane"},
		{"as js", "js", ""},
		{"as js guess crane", "js", "guess crane"},
		{"as js 2c 3d 10h 4s ks", "js", "2c 3d 10h 4s ks"},
		{"as kd 2c 3h 4s", "ana", "as kd 2c 3h 4s"},
		{"As 4h", "4h", ""},
	} {
		s := somebody()
		if player, rest, said := s.speaker(c.line); string(player) != c.player || rest != c.rest {
			t.Errorf("%q is %q by %s, want %q by %s\n%v", c.line, rest, player, c.rest, c.player, said.Text)
		}
	}
}

// TestWaitsOnce: all reads of a line together wait for a store no longer than one operation. The last read knows how
// long the others have waited.
func TestWaitsOnce(t *testing.T) {
	p := somebody()
	var waited time.Duration
	p.Bot.Table.Commands = []bot.Command{{Name: "stats", Audience: bot.Asker, Run: func(ctx context.Context, _ bot.Request) (bot.Reply, error) {
		game.Waited(ctx).Add(int64(time.Second))
		return bot.Ephemeral(bot.Text("hi")), nil
	}}}
	p.Bot.Look = func(ctx context.Context, _ game.PlayerID) (bot.Look, error) {
		waited = time.Duration(game.Waited(ctx).Add(int64(time.Minute)))
		return bot.Look{}, nil
	}
	m := newModel(t.Context(), p.Terminal)
	m.send(m.ask(question{line: "/stats"}))
	if want := time.Second + 2*time.Minute; waited != want {
		t.Errorf("a line waited for %v, want %v", waited, want)
	}
}

// TestInvalidText: bytes of another encoding are read as replacement characters.
func TestInvalidText(t *testing.T) {
	p := somebody()
	clue := ""
	p.Bot.Table.Commands = []bot.Command{{Name: "stats", Options: []bot.Option{{Name: "clue"}}, Audience: bot.Asker, Run: func(_ context.Context, r bot.Request) (bot.Reply, error) {
		clue = r.Args["clue"]
		return bot.Ephemeral(bot.Text("hi")), nil
	}}}
	if p.respond(t.Context(), "/stats caf\xe9"); clue != "caf\ufffd" {
		t.Errorf("read %q", clue)
	}
}
