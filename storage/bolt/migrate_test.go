package bolt

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"
)

// putInMeta is a migration that leaves a key behind, and notes that it ran.
func putInMeta(ran *[]string, key string, err error) migration {
	return func(tx *bbolt.Tx) error {
		*ran = append(*ran, key)
		return errors.Join(tx.Bucket(bucketMeta).Put([]byte(key), nothing), err)
	}
}

// metaKeys returns the keys of a closed file's meta bucket, sorted.
func metaKeys(t *testing.T, path string) (keys []string) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketMeta).ForEach(func(k, _ []byte) error {
			keys = append(keys, string(k))
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// TestMigrations brings an old file up to date: each step once, in order, all in
// one transaction, which is taken back whole when one fails.
func TestMigrations(t *testing.T) {
	var ran []string
	broken := errors.New("broken")
	step := func(key string, err error) migration { return putInMeta(&ran, key, err) }
	path := filepath.Join(t.TempDir(), "test.db")
	makeFile(t, path)
	for _, c := range []struct {
		name  string
		later []migration
		want  error
		ran   []string
		keys  []string // left in the file
	}{
		{"nothing new", nil, nil, nil, []string{"format", "secret"}},
		{"the second fails", []migration{step("a", nil), step("b", broken)}, broken, []string{"a", "b"}, []string{"format", "secret"}},
		{"two", []migration{step("a", nil), step("b", nil)}, nil, []string{"a", "b"}, []string{"a", "b", "format", "secret"}},
		{"the same again", []migration{step("a", nil), step("b", nil)}, nil, nil, []string{"a", "b", "format", "secret"}},
		{"one more", []migration{step("a", nil), step("b", nil), step("c", nil)}, nil, []string{"c"}, []string{"a", "b", "c", "format", "secret"}},
	} {
		ran = nil
		s, err := open(path, testCodecs, Options{}.withDefaults(), append(slices.Clip(migrations), c.later...))
		if err == nil {
			checkContent(t, s, c.name, false)
			err = s.Close()
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if !slices.Equal(ran, c.ran) {
			t.Errorf("%s: ran %v, want %v", c.name, ran, c.ran)
		}
		if keys := metaKeys(t, path); !slices.Equal(keys, c.keys) {
			t.Errorf("%s: the file has %v, want %v", c.name, keys, c.keys)
		}
	}
}

// TestMigrationsOfNewFile: a new file has them all.
func TestMigrationsOfNewFile(t *testing.T) {
	var ran []string
	path := filepath.Join(t.TempDir(), "test.db")
	for range 2 {
		s, err := open(path, testCodecs, Options{}.withDefaults(), append(slices.Clip(migrations), putInMeta(&ran, "a", nil)))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(ran, []string{"a"}) {
		t.Errorf("ran %v, want it once", ran)
	}
}
