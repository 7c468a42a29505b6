package bolt

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// mustUnpack writes a sample of an old file to a new place.
func mustUnpack(t *testing.T, sample string) (path string) {
	t.Helper()
	packed, err := os.Open(filepath.Join("testdata", sample))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "old.db")
	mustWrite(t, path, data)
	return path
}

// TestMigratesFormat1 opens a file of the release before histories: everything
// that was played is in them. The sample may never change.
func TestMigratesFormat1(t *testing.T) {
	path := mustUnpack(t, "format-1.db.gz")
	ctx := t.Context()
	for range 2 {
		s := mustOpen(t, path)
		for _, c := range []struct {
			name string
			f    game.Filter
			want []string // number and match
		}{
			{"a server's", game.Filter{Community: "guild/g"}, []string{"3 m4 stopped", "2 m3 lost", "1 m1 won"}},
			{"another server's", game.Filter{Community: "guild/h"}, []string{"1 m5 won"}},
			{"direct messages", game.Filter{Community: "channel/dm"}, []string{"1 m2 won"}},
			{"a player who guessed", game.Filter{Community: "guild/g", Player: "ben"}, []string{"2 m3 lost", "1 m1 won"}},
			{"a player who started", game.Filter{Community: "guild/g", Player: "cleo"}, []string{"2 m3 lost"}},
			{"a player who stopped", game.Filter{Community: "guild/g", Player: "mia"}, []string{"3 m4 stopped"}},
			{"everywhere", game.Filter{Player: "ana"}, []string{"5 m5 won", "4 m4 stopped", "2 m2 won", "1 m1 won"}},
			{"a word", game.Filter{Player: "ana", Answer: "CRANE"}, []string{"5 m5 won", "1 m1 won"}},
		} {
			c.f.Limit, c.f.Viewer = 10, c.f.Player
			entries, err := s.History(ctx, c.f)
			var got []string
			for _, e := range entries {
				got = append(got, fmt.Sprint(e.Number, " ", e.Result.Match, " ", e.Result.Status))
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
			}
		}
		if f, err := s.Finished(ctx, "m3"); err != nil || f.Number != 2 || f.Match.Used() != 6 {
			t.Errorf("m3 is %v, %v", f, err)
		}
		if got, err := s.Totals(ctx, game.Scope{Kind: game.Wordle, Guild: "g"}, "ana"); err != nil || got.Won != 1 {
			t.Errorf("ana's totals are %+v, %v", got, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		mustCheck(t, path)
	}
	// What was being played goes on, and has the next number at its end.
	s := mustOpen(t, path)
	defer s.Close()
	m, err := s.Load(ctx, game.ChannelSlot(game.Wordle, "c2"))
	if err != nil {
		t.Fatal(err)
	}
	storagetest.MustCommit(t, s, storagetest.Wordle.Guess(t, m, "ben", "grape"))
	if f, err := s.Finished(ctx, "m6"); err != nil || f.Number != 4 {
		t.Errorf("the next match of the server has number %d, %v, want 4", f.Number, err)
	}
}
