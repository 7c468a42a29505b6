package postgres_test

import (
	"net/url"
	"strings"
	"testing"

	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// TestAdvice: what a server refuses says why, and what to do.
func TestAdvice(t *testing.T) {
	s := postgrestest.Start(t)
	if err := s.Do(`CREATE ROLE guest LOGIN; CREATE ROLE crowd LOGIN CONNECTION LIMIT 0; CREATE ROLE copy LOGIN;
		ALTER ROLE copy SET default_transaction_read_only = on; REVOKE CREATE ON SCHEMA public FROM public`); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ user, database, mode, says, advice string }{
		"no database": {"fivefold", "nothing", "disable", `database "nothing" does not exist`, "the server's log"},
		"no rights":   {"guest", "postgres", "disable", "permission denied", "the server's log"},
		"TLS refused": {"fivefold", "postgres", "require", "refused TLS", "check the URL"},
		"full":        {"crowd", "postgres", "disable", "too many connections", "the server's log"},
		"a replica":   {"copy", "postgres", "disable", "read-only", "name the primary"},
	} {
		u, err := url.Parse(s.URL(c.database))
		if err != nil {
			t.Fatal(err)
		}
		u.User, u.RawQuery = url.User(c.user), "connect_timeout=3600&sslmode="+c.mode
		_, err = postgres.Migrate(t.Context(), u.String(), postgres.Options{})
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(postgres.Advice(err), c.advice) {
			t.Errorf("%s: %v, %q", name, err, postgres.Advice(err))
		}
	}
	_, err := postgres.Open(t.Context(), "postgres://fivefold@127.0.0.1:1/fivefold?sslmode=disable", postgres.Options{})
	if !strings.Contains(postgres.Advice(err), "that the server runs") {
		t.Errorf("no server: %v", err)
	}
}
