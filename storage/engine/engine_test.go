package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fivefold/storage/bolt"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

func TestBadURLs(t *testing.T) {
	for _, url := range []string{
		"", "bolt", "bolt:", ":", "fivefold.db", "/var/lib/fivefold.db", "file:fivefold.db",
		"BOLT:fivefold.db", " bolt:fivefold.db", "memory:",
	} {
		if _, err := Path(url); !errors.Is(err, ErrURL) || !strings.Contains(err.Error(), url) {
			t.Errorf("Path(%q): %v, want ErrURL with the text", url, err)
		}
		s, err := Open(t.Context(), url, Options{})
		if err == nil {
			s.Close()
		}
		if !errors.Is(err, ErrURL) {
			t.Errorf("Open(%q) = %v, %v; want ErrURL", url, s, err)
		}
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new folder", "a:b.db")
	url := "bolt:" + path
	if got, err := Path(url); got != path || err != nil {
		t.Errorf("Path(%q) = %q, %v", url, got, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Path made a file: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Open(ctx, url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	cancel()
	if s, err := Open(ctx, url, Options{}); !errors.Is(err, context.Canceled) || s != nil {
		t.Errorf("after the context's end: %v, %v", s, err)
	}
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	// A nil *bolt.Store in the interface would not be nil.
	if s, err := Open(t.Context(), url, Options{}); !errors.Is(err, bolt.ErrForeign) || s != nil {
		t.Errorf("a text file: %v, %v; want ErrForeign", s, err)
	}
}

// TestDatabases: no text has what may be a password, even if the setting is wrong.
func TestDatabases(t *testing.T) {
	if path, err := Path("postgres://localhost/fivefold"); path != "" || !errors.Is(err, ErrNoFile) {
		t.Errorf("the path of a database is %q, %v", path, err)
	}
	for _, url := range []string{
		"postgres://ana:hush@127.0.0.1:1/fivefold?sslmode=disable&connect_timeout=1", "postgresql://127.0.0.1:1/fivefold?password=hush&sslmode=disable",
		"postgres://ana:hush@127.0.0.1:x/fivefold", "postgres://ana:hush@h/%zz", "postgres:ana:hush@h/fivefold?sslmode=maybe", "postgres://ana:hush@h/f?pool_max_conns=many",
		"postgers://ana:hush@h/fivefold", "ana:hush@h/fivefold",
	} {
		_, err := Open(t.Context(), url, Options{})
		if err == nil || strings.Contains(err.Error(), "hush") || strings.Contains(Name(url), "hush") {
			t.Errorf("%s is %s: %v", url, Name(url), err)
		}
		if bad := Check(url); bad != nil && (!errors.Is(bad, ErrURL) && !errors.Is(bad, postgres.ErrURL) || strings.Contains(bad.Error(), "hush")) {
			t.Errorf("%s: %v", url, bad)
		}
	}
	if _, err := Migrate(t.Context(), "bolt:fivefold.db", Options{}); err == nil {
		t.Error("a file was migrated")
	}
}
