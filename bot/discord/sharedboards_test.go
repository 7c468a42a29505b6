package discord

import (
	"context"
	"log/slog"
	"testing"

	"fivefold/bot"
	"fivefold/game"
)

// oneBoard is a store of one board message, and counts how often it is asked.
type oneBoard struct {
	at    game.BoardMessage
	reads int
}

func (o *oneBoard) BoardMessage(context.Context, game.Slot) (game.BoardMessage, bool, error) {
	o.reads++
	return o.at, o.at.Match != "", nil
}

func (o *oneBoard) SaveBoardMessage(context.Context, game.Slot, game.BoardMessage) error { return nil }

// TestSharedBoards: where other processes post boards too, the youngest message is the board;
// otherwise the store is asked once for each match.
func TestSharedBoards(t *testing.T) {
	const older, younger = "1100000000000000001", "1100000000000000002"
	for _, shared := range []bool{false, true} {
		store := &oneBoard{}
		k := &boardKeeper{store: store, shared: shared, log: slog.New(slog.DiscardHandler), all: map[game.MatchID]*board{}, channels: map[string]*channel{}}
		about := &bot.Board{Match: "m1", Kind: game.Wordle, Version: 1}
		open := func() string {
			var i interaction
			i.ChannelID = "c"
			return k.open(i, about, &state{version: 1}, k.find(i, about)).at.id
		}
		want := func(step, message string) {
			t.Helper()
			if got := open(); got != message {
				t.Errorf("shared %t, %s: the board is %q, want %q", shared, step, got, message)
			}
		}
		ifShared := func(message string) string {
			if shared {
				return message
			}
			return ""
		}
		want("nobody has posted it", "")
		store.at = game.BoardMessage{Match: "m1", Message: younger}
		want("another process has", ifShared(younger))
		store.at.Message = older
		want("the store has an older one", ifShared(younger))
		store.at = game.BoardMessage{Match: "m2", Message: younger + "0"}
		want("the store has that of another match", ifShared(younger))
		if reads := map[bool]int{false: 1, true: 4}[shared]; store.reads != reads {
			t.Errorf("shared %t: the store was asked %d times, want %d", shared, store.reads, reads)
		}
	}
}
