package storage

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/storage/bolt"
)

func TestBadURLs(t *testing.T) {
	for _, url := range []string{
		"", "bolt", "bolt:", ":", "fivefold.db", "/var/lib/fivefold.db", "file:fivefold.db",
		"BOLT:fivefold.db", " bolt:fivefold.db", "postgres://localhost/fivefold", "memory:",
	} {
		if _, err := Path(url); !errors.Is(err, ErrURL) || !strings.Contains(err.Error(), url) {
			t.Errorf("Path(%q): %v, want ErrURL with the text", url, err)
		}
		s, err := Open(t.Context(), url, bolt.Options{})
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
	s, err := Open(ctx, url, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	cancel()
	if s, err := Open(ctx, url, bolt.Options{}); !errors.Is(err, context.Canceled) || s != nil {
		t.Errorf("after the context's end: %v, %v", s, err)
	}
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	// A nil *bolt.Store in the interface would not be nil.
	if s, err := Open(t.Context(), url, bolt.Options{}); !errors.Is(err, game.ErrDamaged) || s != nil {
		t.Errorf("a text file: %v, %v; want ErrDamaged", s, err)
	}
}
