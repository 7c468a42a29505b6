package bolt

import (
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// TestMigratesFormat3 opens a file of the last release before the poker game: a
// match that was stopped and reviewed, one that is being played, and a puzzle. The
// sample may never change.
func TestMigratesFormat3(t *testing.T) {
	s := mustOpen(t, mustUnpack(t, "format-3.db.gz"))
	defer s.Close()
	ctx := t.Context()
	if err := view(s.db, func(tx *bbolt.Tx) error {
		if format, err := formatOf(tx); format != newestFormat || err != nil {
			t.Errorf("the file has format %d, %v, want %d", format, err, newestFormat)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	place := game.Location{Guild: "local", Channel: "local"}
	m, err := s.Load(ctx, game.ChannelSlot(game.Wordle, place.Channel))
	if err != nil || m.Status() != game.Playing || m.Used() != 1 || m.Kind != game.Wordle {
		t.Fatalf("the channel plays %v, %v", m, err)
	}
	entries, err := s.History(ctx, game.Filter{Kind: game.Wordle, Community: place.Community(), Limit: 10})
	if err != nil || len(entries) != 1 || entries[0].Result.Status != game.Stopped || entries[0].Result.Kind != game.Wordle {
		t.Fatalf("the history is %+v, %v", entries, err)
	}
	finished, err := s.Finished(ctx, entries[0].Result.Match)
	if err != nil || finished.Match.Status() != game.Stopped {
		t.Fatalf("the finished match is %+v, %v", finished, err)
	}
	if r, ok, err := s.Review(ctx, finished.Match); err != nil || !ok || len(r.Grades()) != 1 {
		t.Errorf("the review is %+v, %t, %v", r, ok, err)
	}
	if n, err := s.Session(ctx, m.Starter); err != nil || len(n.Words.Turns) != 1 {
		t.Errorf("the session is %+v, %v", n, err)
	}
	poker := storagetest.Pokle.Match("p", place, m.Starter, storagetest.Pokle.Answers[0])
	storagetest.MustCommit(t, s, poker)
	if got, err := s.Load(ctx, poker.Slot()); err != nil || got.ID != "p" {
		t.Errorf("the slot of the poker game has %v, %v", got, err)
	}
}
