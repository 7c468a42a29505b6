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

// TestPrintsWithoutHiddenWord prints a match with every kind of hint, and all
// that comes back with it, in every way that a log or a message could.
func TestPrintsWithoutHiddenWord(t *testing.T) {
	lists := mustLists(t, "crane", "slate brick")
	s := newMemory()
	m := newManager(s, lists)
	match := mustPlay(t, m, place,
		"ana start hard; ana suggestion; ana guess slate; ana letter; ana letter; ana letter; ana position; ana position; ana position")
	if len(match.Hints) < 6 {
		t.Fatalf("only %d hints", len(match.Hints))
	}
	values := map[string]any{
		"match": match, "pointer": &match, "matches": []game.Match{match}, "state": match.State,
		"change":  matches.Change{Match: match, Request: "r"},
		"pair":    struct{ Match game.Match }{match},
		"by name": map[string]game.Match{"m": match},
	}
	for i, text := range []string{"ben guess brick", "ben guess slate", "ben guess zzzzz", "ben stop", "ben start", "ben letter"} {
		m := newManager(s, lists)
		if text == "ben letter" {
			mustPlay(t, m, place, "ana stop")
		}
		_, err := parse(place, fmt.Sprint("r", i), text).run(t.Context(), m)
		if err == nil {
			t.Fatalf("%s was accepted", text)
		}
		values[text] = err
		values[text+", wrapped"] = fmt.Errorf("%v: %w", match, errors.Join(err, err))
	}
	// A list of the hints would give it away as well.
	secrets := []string{"crane", "hints", fmt.Sprint(uint64(hiddenIn(match))), fmt.Sprintf("%x", uint64(hiddenIn(match)))}
	for name, v := range values {
		printed := map[string]string{}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
			printed[verb] = fmt.Sprintf(verb, v)
		}
		var text, json bytes.Buffer
		slog.New(slog.NewTextHandler(&text, nil)).Info("m", "v", v, slog.Group("g", "v", v))
		slog.New(slog.NewJSONHandler(&json, nil)).Info("m", "v", v, slog.Group("g", "v", v))
		printed["slog as text"], printed["slog as JSON"] = text.String(), json.String()
		for how, got := range printed {
			for _, secret := range secrets {
				if strings.Contains(strings.ToLower(got), secret) {
					t.Errorf("%s printed with %s shows the hidden word: %.300s", name, how, got)
				}
			}
		}
	}
}
