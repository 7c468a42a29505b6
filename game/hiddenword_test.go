package game_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/game/matches"
)

// TestPrintsWithoutHiddenWord prints a match with every kind of hint, and all that comes back with it, in every way that a log or
// a message could.
func TestPrintsWithoutHiddenWord(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate brick"))
	match := mustPlay(t, m, place,
		"ana start hard; ana suggestion; ana guess slate; ana letter; ana letter; ana letter; ana position; ana position; ana position")
	if len(match.Hints) < 6 {
		t.Fatalf("only %d hints", len(match.Hints))
	}
	values := map[string]any{
		"match": match, "pointer": &match, "matches": []game.Match{match}, "state": match.State,
		"change": matches.Change{Match: match, Request: "r"}, "by name": map[string]game.Match{"m": match},
	}
	for i, text := range []string{"ben guess brick", "ben guess slate", "ben guess zzzzz", "ben stop", "ben start"} {
		_, err := parse(place, fmt.Sprint("r", i), text).run(t.Context(), m)
		if err == nil {
			t.Fatalf("%s was accepted", text)
		}
		values[text] = fmt.Errorf("%v: %w", match, errors.Join(err, err))
	}
	// A list of the hints would give it away as well.
	secrets := []string{"crane", "hints", fmt.Sprint(uint64(hiddenIn(match))), fmt.Sprintf("%x", uint64(hiddenIn(match)))}
	for name, v := range values {
		var printed bytes.Buffer
		for _, verb := range []string{"%v\n", "%+v\n", "%#v\n", "%s\n", "%q\n"} {
			fmt.Fprintf(&printed, verb, v)
		}
		slog.New(slog.NewTextHandler(&printed, nil)).Info("m", "v", v, slog.Group("g", "v", v))
		slog.New(slog.NewJSONHandler(&printed, nil)).Info("m", "v", v, slog.Group("g", "v", v))
		for _, secret := range secrets {
			if strings.Contains(strings.ToLower(printed.String()), secret) {
				t.Errorf("%s shows the hidden word: %s", name, &printed)
			}
		}
	}
}
