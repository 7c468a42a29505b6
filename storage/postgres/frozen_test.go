package postgres_test

import (
	"context"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// freezer is a tracer that halts its store after the first batch, in the middle of a transaction.
type freezer struct {
	statements
	once         sync.Once
	frozen, thaw chan struct{}
}

func (f *freezer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {
	f.once.Do(func() {
		close(f.frozen)
		<-f.thaw
	})
}

// TestFrozenProcess: if a process hangs or its machine is gone in the middle of a transaction, what the
// transaction has locked is released.
func TestFrozenProcess(t *testing.T) {
	url := postgrestest.Database(t)
	s := mustOpen(t, url)
	var last []game.Match // the last versions of two matches
	for _, id := range []string{"100", "101"} {
		m := storagetest.Wordle.Match(id, game.Location{Guild: "5", Channel: game.ChannelID(id)}, "7", "CRANE")
		storagetest.MustCommit(t, s, m)
		last = append(last, storagetest.Wordle.Guess(t, m, "7", "CRANE"))
	}
	f := &freezer{statements: statements{all: map[string][]any{}}, frozen: make(chan struct{}), thaw: make(chan struct{})}
	frozen := mustOpenWith(t, url, postgres.Traced(f).Quiet())
	done := make(chan error, 1)
	go func() { done <- frozen.Commit(t.Context(), storagetest.Change(last[0])) }()
	<-f.frozen
	storagetest.MustCommit(t, s, last[1])
	close(f.thaw)
	if err := <-done; err != nil {
		t.Errorf("when the process goes on: %v", err)
	}
	if totals, err := s.Totals(t.Context(), game.Scope{Kind: game.Wordle, Guild: "5"}, "7"); err != nil || totals.Played != 2 {
		t.Errorf("%+v, %v", totals, err)
	}
	for _, s := range []*postgres.Store{s, frozen} {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
