package bot_test

import (
	"errors"
	"fmt"
	"testing"

	"fivefold/bot"
	"fivefold/game"
)

// TestRefuseAs: the most specific cause chooses the line; an error without a line stays unchanged.
func TestRefuseAs(t *testing.T) {
	lines := map[error]bot.Line{game.ErrNotInHistory: bot.Text("not there"), game.ErrForgotten: bot.Text("forgotten"), game.ErrRemoved: bot.Text("removed")}
	for err, want := range map[error]string{
		game.ErrForgotten: "forgotten\n", game.ErrNotInHistory: "not there\n", fmt.Errorf("3: %w", game.ErrRemoved): "removed\n", game.ErrBusy: "",
	} {
		for range 50 { // maps have a random order
			refusal, _ := errors.AsType[bot.Refusal](bot.RefuseAs(err, lines))
			if got := refusal.Reply.String(); got != want {
				t.Fatalf("%v: %q, want %q", err, got, want)
			}
		}
	}
	if err := bot.RefuseAs(nil, lines); err != nil {
		t.Error(err)
	}
}
