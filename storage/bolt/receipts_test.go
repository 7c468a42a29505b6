package bolt

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// TestReceiptsAreForgotten: what a busy server's requests led to must not pile
// up for ever.
func TestReceiptsAreForgotten(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "test.db"))
	defer s.Close()
	const perDay, days = 12, 5
	for i := range perDay * days {
		at := storagetest.Epoch.Add(time.Duration(i) * 24 * time.Hour / perDay)
		m := storagetest.Wordle.Match(fmt.Sprint("m", 1000+i), game.Location{Channel: "c"}, "ana", "crane")
		for _, next := range []func(){
			func() {},
			func() { m = storagetest.Wordle.Guess(t, m, "ana", "slate") },
			func() { m = storagetest.Wordle.Guess(t, m, "ana", "crane") },
		} {
			next()
			c := game.Change{Match: m, Request: game.RequestID(fmt.Sprint(m.ID, "/", m.Version)), At: at}
			if err := s.Commit(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
	}
	receipts := 0
	if err := s.db.View(func(tx *bbolt.Tx) error {
		receipts = tx.Bucket(bucketReceipts).Stats().KeyN
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := 3 * perDay; receipts != want {
		t.Errorf("%d receipts, want those of one day: %d", receipts, want)
	}
}

func FuzzDecodeMatchEntry(f *testing.F) {
	f.Add(matchEntry{[]game.RequestID{"a", "bcd"}, []byte("{}")}.encode())
	f.Add([]byte{0})
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := decodeMatchEntry(b)
		if err != nil {
			return
		}
		back, err := decodeMatchEntry(e.encode())
		if err != nil || back.version() == 0 || !reflect.DeepEqual(back.requests, e.requests) || string(back.record) != string(e.record) {
			t.Errorf("%q is read as %v, which reads back as %v, %v", b, e, back, err)
		}
	})
}

// TestReceiptsGoByDiscordsClock: ours may be wrong for a while.
func TestReceiptsGoByDiscordsClock(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "test.db"))
	defer s.Close()
	s.db.NoSync = true
	const perDay, days = 12, 5
	for i := range perDay * days {
		at := storagetest.Epoch.Add(time.Duration(i) * 24 * time.Hour / perDay)
		snowflake := uint64(at.UnixMilli()-1_420_070_400_000) << 22
		switch i {
		case 2:
			at = at.AddDate(1, 0, 0)
		case perDay * (days - 1):
			at = at.AddDate(0, 0, -3)
		}
		m := storagetest.Wordle.Match(fmt.Sprint(snowflake), game.Location{Channel: "c"}, "ana", "crane")
		for n := range uint64(2) {
			if n == 1 {
				m = storagetest.Wordle.Guess(t, m, "ana", "crane")
			}
			if err := s.Commit(t.Context(), game.Change{Match: m, Request: game.RequestID(fmt.Sprint(snowflake + n)), At: at}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.db.View(func(tx *bbolt.Tx) error {
		if got, want := tx.Bucket(bucketReceipts).Stats().KeyN, 2*perDay; got != want {
			t.Errorf("%d receipts, want those of one day: %d", got, want)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
