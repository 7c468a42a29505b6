package postgres_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// TestAdvice: each way in which a server refuses has advice of its own, when the store is opened and when
// tables are made.
func TestAdvice(t *testing.T) {
	s := postgrestest.Start(t)
	do := func(sql string) {
		t.Helper()
		if err := s.Do("postgres", sql); err != nil {
			t.Fatal(err)
		}
	}
	do(`CREATE ROLE secret LOGIN PASSWORD 'hush'; CREATE ROLE private LOGIN; CREATE ROLE guest LOGIN;
		CREATE ROLE crowd LOGIN CONNECTION LIMIT 0; REVOKE CREATE ON SCHEMA public FROM public;
		DO $$ BEGIN EXECUTE format('COPY (VALUES (''host all fivefold,guest,crowd all trust''),
			(''host all secret all scram-sha-256''), (''hostssl all private all trust'')) TO %L', current_setting('hba_file')); END $$`)
	if err := errors.Join(s.Stop(), s.Start()); err != nil {
		t.Fatal(err)
	}
	at := func(user, database, mode string) string {
		u, err := url.Parse(s.URL(database))
		if err != nil {
			t.Fatal(err)
		}
		u.User, u.RawQuery = url.User(user), "connect_timeout=3600&sslmode="+mode
		return u.String()
	}
	for name, c := range map[string]struct{ url, want string }{
		"wrong password": {at("secret", "postgres", "disable"), "the password, which comes from PGPASSWORD"},
		"no database":    {at("fivefold", "nothing", "disable"), "createdb"},
		"no rights":      {at("guest", "postgres", "disable"), "owner of the database"},
		"TLS required":   {at("private", "postgres", "disable"), "write sslmode=verify-full"},
		"TLS refused":    {at("fivefold", "postgres", "require"), "turn TLS on"},
		"full":           {at("crowd", "postgres", "disable"), "pool_max_conns"},
		"no server":      {"postgres://fivefold@127.0.0.1:1/fivefold?sslmode=disable", "that the server runs"},
	} {
		_, opening := postgres.Open(t.Context(), c.url, postgres.Options{Password: "wrong"})
		_, migrating := postgres.Migrate(t.Context(), c.url, postgres.Options{Password: "wrong"})
		if name == "no rights" {
			_, opening = postgres.Open(t.Context(), at("guest", "tables", "disable"), postgres.Options{})
		}
		if got, want := postgres.Passing(opening), name == "full" || name == "no server"; got != want {
			t.Errorf("%s: it may pass by itself: %v", name, got)
		}
		for _, err := range []error{opening, migrating} {
			if got := postgres.Advice(err); !strings.Contains(got, c.want) {
				t.Errorf("%s: %q for %v", name, got, err)
			}
		}
	}
	c, err := pgx.Connect(t.Context(), s.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	for sql, want := range map[string]string{
		// What happens behind a pooler that hands a transaction another connection:
		`EXECUTE elsewhere`: "default_query_exec_mode=exec",
		`PREPARE twice AS SELECT 1; PREPARE twice AS SELECT 1`:                      "default_query_exec_mode=exec",
		`BEGIN READ ONLY; CREATE TABLE here (); COMMIT`:                             "target_session_attrs",
		`DO $$ BEGIN RAISE 'full' USING ERRCODE = '53100'; END $$`:                  "make room",
		`DO $$ BEGIN RAISE 'anything else' USING ERRCODE = 'data_exception'; END$$`: "log",
	} {
		_, err := c.PgConn().Exec(t.Context(), sql).ReadAll()
		if got := postgres.Advice(err); !strings.Contains(got, want) {
			t.Errorf("%s: %q for %v", sql, got, err)
		}
		if _, err := c.Exec(t.Context(), "ROLLBACK"); err != nil {
			t.Fatal(err)
		}
	}
}
