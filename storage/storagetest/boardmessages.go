package storagetest

import (
	"strings"
	"testing"

	"fivefold/game"
)

func testBoardMessages(t *testing.T, _ []Game, open opener) {
	s := open(t)
	here, there := game.ChannelSlot("one", "c1"), game.ChannelSlot("two", "c1")
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
	closeStore(t, s) // what is under way is saved first
	s = open(t)
	defer closeStore(t, s)
	check(here, second)
	check(there, game.BoardMessage{})
	for _, bad := range []string{"", "a\x00b", strings.Repeat("1", 101)} {
		if err := s.SaveBoardMessage(t.Context(), there, game.BoardMessage{Match: "m1", Message: bad}); err == nil {
			t.Errorf("a message %q was saved", bad)
		}
	}
}
