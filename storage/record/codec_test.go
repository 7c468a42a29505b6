package record_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/solver/rules"
	"fivefold/storage/record"
)

// kept is what stores contain of each kind apart from its name; it must never change.
var kept = map[game.Kind]byte{game.Wordle: 'w', game.Pokle: 'p'}

// TestCodecs: every kind of game that can be played has a codec with all that is in
// one, and no two look alike in a file.
func TestCodecs(t *testing.T) {
	all := record.All()
	var kinds []game.Kind
	bytes := map[byte]game.Kind{}
	for _, c := range all {
		kinds = append(kinds, c.Kind)
		v := reflect.ValueOf(c)
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.Func && v.Field(i).IsNil() {
				t.Errorf("%s has no %s", c.Kind, v.Type().Field(i).Name)
			}
		}
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
	lists, err := wordle.ReadLists(
		wordle.Source{Name: "answers", Reader: strings.NewReader("crane")},
		wordle.Source{Name: "guesses", Reader: strings.NewReader("crane")})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules.All(lists, solver.New(lists), new(boards.Solver)) {
		if !slices.Contains(kinds, r.Kind) {
			t.Errorf("%s can be played, but not stored", r.Kind)
		}
	}
	if _, err := all.Of("chess"); !errors.Is(err, game.ErrDamaged) {
		t.Errorf("the codec of a kind that nobody knows: %v", err)
	}
}
