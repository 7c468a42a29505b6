package bolt

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage/storagetest"
)

// TestFileWithoutSessions opens a file of the format before there were any.
func TestFileWithoutSessions(t *testing.T) {
	path := mustUnpack(t, "format-1.db.gz")
	s := mustOpen(t, path)
	if got, err := s.Session(t.Context(), "ana"); err != nil || !reflect.DeepEqual(got, solve.Session{Player: "ana"}) {
		t.Errorf("before the first one the session is %+v, %v", got, err)
	}
	want := storagetest.Session("ana", 1)
	if err := s.CommitSession(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, path)
	if got, err := s.Session(t.Context(), "ana"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the session is %+v, %v, want %+v", got, err, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestDamagedSession: a session that cannot be read is set aside when its player makes the
// next request, which is refused once.
func TestDamagedSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpen(t, path)
	defer s.Close()
	for version := uint64(1); version <= 3; version++ {
		if err := s.CommitSession(t.Context(), storagetest.Session("ana", version)); err != nil {
			t.Fatal(err)
		}
	}
	spoil(t, s, bucketSessions)
	if _, err := s.Session(t.Context(), "ana"); !errors.Is(err, solve.ErrUnreadable) || !errors.Is(err, game.ErrDamaged) {
		t.Errorf("the damaged session: %v", err)
	}
	if err := s.CommitSession(t.Context(), storagetest.Session("ana", 4)); !errors.Is(err, game.ErrDamaged) {
		t.Errorf("going on with it: %v", err)
	}
	boards := &solve.Boards{Store: s}
	o := game.Origin{Request: "r1", Location: game.Location{Channel: "c"}, Player: "ana"}
	if _, err := boards.Show(t.Context(), o); !errors.Is(err, solve.ErrUnreadable) {
		t.Errorf("the first request: %v", err)
	}
	o.Request = "r2"
	if _, err := boards.Show(t.Context(), o); err != nil {
		t.Errorf("the next request: %v", err)
	}
	got, err := s.Session(t.Context(), "ana")
	if want := (solve.Session{Player: "ana", Version: 1, Requests: []game.RequestID{"r1"}}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the session is %+v, %v, want %+v", got, err, want)
	}
	if value := asideValue(t, s, bucketSessions, []byte("ana")); len(value) == 0 {
		t.Error("the damaged one was not kept")
	}
}

// asideValue returns a record that was set aside, nil if there is none.
func asideValue(t *testing.T, s *Store, name, key []byte) (value []byte) {
	t.Helper()
	if err := view(s.db, func(tx *bbolt.Tx) error {
		value = bytes.Clone(buckets{tx, s.codecs}.Bucket(bucketDamaged).Get(asideKey(name, key)))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return value
}

// TestDamagedSecret: daily puzzles go on with a new secret, which stays.
func TestDamagedSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpen(t, path)
	before, err := s.Secret(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := update(s.db, func(tx *bbolt.Tx) error { return tx.Bucket(bucketMeta).Put(keySecret, make([]byte, 36)) }); err != nil {
		t.Fatal(err)
	}
	after, err := s.Secret(t.Context())
	if err != nil || len(after) != secretSize || bytes.Equal(before, after) || bytes.Equal(after, make([]byte, secretSize)) {
		t.Fatalf("the secret is %x, %v; it was %x", after, err, before)
	}
	if value := asideValue(t, s, bucketMeta, keySecret); !bytes.Equal(value, make([]byte, 36)) {
		t.Errorf("kept aside is %x", value)
	}
	mustClose(t, s)
	s = mustOpen(t, path)
	if again, err := s.Secret(t.Context()); err != nil || !bytes.Equal(again, after) {
		t.Errorf("later the secret is %x, %v; it was %x", again, err, after)
	}
	mustClose(t, s)
}
