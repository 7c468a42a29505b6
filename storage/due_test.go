package storage_test

import (
	"testing"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
	"fivefold/storage/schema"
)

// TestDeadline: a match in turns has one deadline at a time, that of its latest turn, and none once it has ended.
func TestDeadline(t *testing.T) {
	s, m := onMap(t, &orderedtest.Memory{})
	match := wordGame.match("in turns", game.Location{Guild: "g", Channel: "c"}, "ana")
	match.Mode = game.Turns
	match = called(match.WithCall(game.Call{Player: "ben", At: epoch}), "ben")
	match.Version++
	match = wordGame.win(t, wordGame.guess(t, match, "ana", wordGame.answers[0]), "ben")
	for version, want := range []int{1: 0, 2: 1, 3: 1, 4: 0} {
		if version == 0 {
			continue
		}
		mustCommit(t, s, match.Rewind(uint64(version)))
		due, err := ordered.Scan(t.Context(), m, ordered.Prefix(schema.TopicDue))
		if err != nil || len(due) != want {
			t.Errorf("version %d has deadlines %v, %v, want %d", version, due, err, want)
		}
		if found := mustCheck(t, s, false); found != nil {
			t.Errorf("after version %d a check finds %v", version, found)
		}
	}
}
