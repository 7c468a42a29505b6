package terminal

import (
	"context"
	"io"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/game"
)

// TestWaitsOnce: what a line asks of a store waits no longer, together, than one operation: the last to ask
// knows how long the others have waited.
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
	m := &model{person: p, ctx: t.Context(), input: newInput(), look: coloursLook, screen: drawnScreen{out: io.Discard}}
	m.answer("/stats", false)
	if want := time.Second + 3*time.Minute; waited != want {
		t.Errorf("a line waited for %v, want %v", waited, want)
	}
}
