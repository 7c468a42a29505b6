package wordgame

import (
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/game/wordle"
)

func FuzzCompleteWord(f *testing.F) {
	lists, err := wordle.Embedded()
	if err != nil {
		f.Fatal(err)
	}
	for _, typed := range []string{"c", "crane", "cr4ne", "\xff\xfe", "ßßßßß", strings.Repeat("x", 6000)} {
		f.Add(typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		choices := CompleteWord(lists, typed)
		if len(choices) > bot.MaxChoices {
			t.Fatalf("%d choices", len(choices))
		}
		for _, c := range choices {
			// Discord's limits for both.
			if n := len([]rune(c.Name)); n < 1 || n > 100 {
				t.Errorf("%q: a name of %d characters", typed, n)
			}
			if n := len([]rune(c.Value)); n < 1 || n > 100 {
				t.Errorf("%q: a value of %d characters", typed, n)
			}
		}
	})
}
