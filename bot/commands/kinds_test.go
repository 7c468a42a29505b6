package commands_test

import (
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"fivefold/bot"
)

// TestEveryKindIsWhole: every kind of game has all phrases.
func TestEveryKindIsWhole(t *testing.T) {
	b := newBot(t, nil)
	faces := b.parts.Kinds.Faces()
	for i, f := range faces {
		// The first kind needs no title.
		optional := []string{"HintKindsHelp", "StartOptions", "Search", "LeftWhilePlaying", "NotFound", "ShowsAnswer", "PlaysOn", "Dealt", "Headings"}
		if i == 0 {
			optional = append(optional, "Title")
		}
		mustBeWhole(t, string(f.Kind), reflect.ValueOf(f.Phrases), optional...)
		mustBeWhole(t, string(f.Kind), reflect.ValueOf(f.Commands), "Race", "Challenge")
		for _, text := range []string{f.About, f.StartHelp, f.GuessHelp, f.HintHelp, f.HintKindsHelp, f.BoardHelp, f.StopHelp, f.StatsHelp, f.RulesHelp} {
			if n := utf8.RuneCountInString(text); n > 100 {
				t.Errorf("%s: %q has %d characters", f.Kind, text, n)
			}
		}
	}
	for _, c := range b.Bot.Table.Commands {
		if c.Run == nil || c.Audience == bot.Everyone {
			t.Errorf("%s has nothing to run, or would show late refusals to everyone", c.Name)
		}
	}
}

// mustBeWhole fails the test for each field of a struct that is zero and not optional.
func mustBeWhole(t *testing.T, kind string, v reflect.Value, optional ...string) {
	t.Helper()
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && !slices.Contains(optional, name) {
			t.Errorf("%s: %v has no %s", kind, v.Type(), name)
		}
	}
}
