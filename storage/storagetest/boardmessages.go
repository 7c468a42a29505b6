package storagetest

import (
	"context"
	"io"
	"strings"
	"testing"

	"fivefold/game"
)

// BoardMessageStore is a [game.BoardStore] that can be closed and opened again.
type BoardMessageStore interface {
	game.BoardStore
	io.Closer
}

// RunBoardMessages runs the suite of a [game.BoardStore]. Open opens the store of the test,
// the same one each time.
func RunBoardMessages(t *testing.T, open func(t *testing.T) BoardMessageStore) {
	t.Run("BoardMessages", func(t *testing.T) { testBoardMessages(t, open) })
}

func testBoardMessages(t *testing.T, open func(*testing.T) BoardMessageStore) {
	s := open(t)
	here, there := game.ChannelSlot(game.Wordle, "c1"), game.ChannelSlot(game.Pokle, "c1")
	check := func(slot game.Slot, want game.BoardMessage) {
		t.Helper()
		got, ok, err := s.BoardMessage(t.Context(), slot)
		if got != want || ok != (want.Match != "") || err != nil {
			t.Errorf("the message is %+v, %t, %v; want %+v", got, ok, err, want)
		}
	}
	first, second := game.BoardMessage{Match: "m1", Message: "101"}, game.BoardMessage{Match: "m2", Message: "102"}
	check(here, game.BoardMessage{})
	for _, m := range []game.BoardMessage{first, first, second} {
		if err := s.SaveBoardMessage(t.Context(), here, m); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil { // what is under way is saved first
		t.Fatal(err)
	}
	s = open(t)
	check(here, second)
	check(there, game.BoardMessage{})
	for _, bad := range []string{"", "a\x00b", strings.Repeat("1", 101)} {
		if err := s.SaveBoardMessage(t.Context(), there, game.BoardMessage{Match: "m1", Message: bad}); err == nil {
			t.Errorf("a message %q was saved", bad)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.SaveBoardMessage(ended, there, first); err == nil {
		t.Error("saved after the end of the context")
	}
	if _, _, err := s.BoardMessage(ended, here); err == nil {
		t.Error("read after the end of the context")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
