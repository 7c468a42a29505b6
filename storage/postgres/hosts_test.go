package postgres_test

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// TestHosts: if the first server of a URL does not answer, the store uses the next one.
func TestHosts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	u, err := url.Parse(postgrestest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("target_session_attrs", "read-write")
	query.Set("pool_max_conns", "1")
	u.Host = l.Addr().String() + "," + u.Host
	var s *postgres.Store
	for seconds := 1; s == nil; seconds *= 2 { // a slow machine needs more for the second server
		query.Set("connect_timeout", strconv.Itoa(seconds))
		u.RawQuery = query.Encode()
		s, err = postgres.Open(t.Context(), u.String(), testCodecs, postgres.Options{}.WithPatience(10*time.Minute))
		if err != nil && (seconds > 60 || !errors.Is(err, postgres.ErrUnreachable)) {
			t.Fatal(err)
		}
	}
	m := storagetest.Wordle.Match("100", game.Location{Guild: "5", Channel: "6"}, "7", "CRANE")
	storagetest.MustCommit(t, s, m)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestConnectTimeout: the store gives up a server that is gone in time to ask the next one.
func TestConnectTimeout(t *testing.T) {
	for url, want := range map[string]time.Duration{
		"postgres://u@a,b,c/d?target_session_attrs=read-write": 3 * time.Second,
		"postgres://u@a:1,b:2/d":                               3 * time.Second,
		"postgres:///d?host=a,b&port=1,2&connect_timeout=7":    7 * time.Second,
	} {
		if got, err := postgres.ConnectTimeout(url); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", url, got, err, want)
		}
	}
}
