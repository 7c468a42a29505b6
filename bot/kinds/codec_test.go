package kinds_test

import (
	"errors"
	"strings"
	"testing"

	"fivefold/bot/kinds"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
)

// kept is what stores contain of each kind apart from its name; it must never change.
var kept = map[game.Kind]byte{wordgame.Kind: 'w', pokergame.Kind: 'p'}

// TestCodecs: no two kinds look alike in a file, now or later.
func TestCodecs(t *testing.T) {
	all := kinds.Codecs()
	bytes := map[byte]game.Kind{}
	for _, c := range all {
		if strings.Trim(string(c.Kind), "abcdefghijklmnopqrstuvwxyz") != "" || c.Kind == "" {
			t.Errorf("%q is not a name from a to z", c.Kind)
		}
		if other, ok := bytes[c.Byte]; ok || c.Byte == 0 {
			t.Errorf("%s has the byte %q of %q", c.Kind, c.Byte, other)
		}
		bytes[c.Byte] = c.Kind
		want, ok := kept[c.Kind]
		if !ok {
			t.Errorf("%s is in no list of what must stay", c.Kind)
		}
		if c.Byte != want {
			t.Errorf("%s has the byte %q, want %q", c.Kind, c.Byte, want)
		}
		if got, err := all.Of(c.Kind); err != nil || got.Kind != c.Kind {
			t.Errorf("the codec of %s is that of %s, %v", c.Kind, got.Kind, err)
		}
	}
	if len(all) != len(kept) {
		t.Errorf("%d kinds, want %d", len(all), len(kept))
	}
	if _, err := all.Of("chess"); !errors.Is(err, game.ErrDamaged) {
		t.Errorf("the codec of a kind that nobody knows: %v", err)
	}
}
