package postgres_test

import (
	"errors"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// TestUnreplicated: a guess that only the primary has is not acknowledged, even if the next try finds it
// there: a replica that is promoted would not have it.
func TestUnreplicated(t *testing.T) {
	server := postgrestest.Start(t)
	url := server.Database(t)
	calm := mustOpen(t, url)
	m := storagetest.Wordle.Match("100", game.Location{Guild: "5", Channel: "6"}, "7", "CRANE")
	storagetest.MustCommit(t, calm, m)
	if err := calm.Close(); err != nil {
		t.Fatal(err)
	}
	server.MissReplica(t)
	var s *postgres.Store
	for {
		var err error
		s, err = postgres.Open(t.Context(), url, testCodecs, postgres.Options{}.Quiet().WithPatience(3*time.Second))
		if err == nil {
			break
		}
		if !errors.Is(err, postgres.ErrUnreachable) { // three seconds may be too short on a slow machine
			t.Fatal(err)
		}
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	m = storagetest.Wordle.Guess(t, m, "7", "SLATE")
	if err := s.Commit(t.Context(), storagetest.Change(m)); err == nil {
		t.Error("a guess was acknowledged that no replica has")
	}
}
