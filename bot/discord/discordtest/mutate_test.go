package discordtest

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// TestMutate: what comes out is JSON, the same for the same seed, and hardly ever what went
// in; the id and the token are nearly always still there.
func TestMutate(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	event := s.Event(Interaction{
		Type: TypeCommand, Guild: "5", Command: "solve next", Options: map[string]any{"guess": "crane", "flag": true, "who": UserOption("7"), "n": 3},
	})
	const n = 500
	unchanged, known := 0, 0
	for seed := range uint64(n) {
		mutated := Mutate(rand.New(rand.NewPCG(seed, 0)), event)
		if again := Mutate(rand.New(rand.NewPCG(seed, 0)), event); !bytes.Equal(mutated, again) {
			t.Fatalf("seed %d gives\n%s\nand\n%s", seed, mutated, again)
		}
		if !json.Valid(mutated) {
			t.Fatalf("seed %d gives no JSON: %s", seed, mutated)
		}
		if bytes.Equal(mutated, event) {
			unchanged++
		}
		var ids struct {
			ID    string `json:"id"`
			Token string `json:"token"`
		}
		if json.Unmarshal(mutated, &ids) == nil && ids.ID != "" && ids.Token == "interaction-token-"+ids.ID {
			known++
		}
	}
	if unchanged > n/10 || known < n*3/4 {
		t.Errorf("%d of %d are unchanged, %d can be answered", unchanged, n, known)
	}
}
