package main

import (
	"bytes"
	"errors"
	"net/url"
	"strings"
	"testing"

	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// TestPostgres plays with a database as the store, beginning with one without tables. No output
// has the password.
func TestPostgres(t *testing.T) {
	u, err := url.Parse(postgrestest.Start(t).URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	u.RawQuery += "&connect_timeout=3600" // a machine may be slow
	home := t.TempDir()
	t.Chdir(home)
	fivefold := func(store, in string, args ...string) (out string, err error) {
		t.Helper()
		var both bytes.Buffer
		environ := []string{"HOME=" + home, "USER=ana", "FIVEFOLD_STORE=" + store, "PGPASSWORD=hush", "FIVEFOLD_LOG_LEVEL=debug"}
		err = runWith(t.Context(), tuning, args, environ, strings.NewReader(in), &both, &both)
		out = both.String()
		if err != nil {
			out += err.Error()
		}
		if strings.Contains(out, "hush") {
			t.Errorf("%q shows the password:\n%s", args, out)
		}
		return out, err
	}
	check := func(store, in, want string, fails bool, args ...string) {
		t.Helper()
		if out, err := fivefold(store, in, args...); !strings.Contains(out, want) || (err != nil) != fails {
			t.Errorf("%q: %v\n%s\nwant %q", args, err, out, want)
		}
	}
	plain := u.String()
	u.User = url.UserPassword("fivefold", "hush")
	withPassword := u.String()
	game := "/wordle start\n/guess boats\n"
	check(plain, game, `run "fivefold migrate"`, true, "play")
	check(plain, "", "are up to date now", false, "migrate")
	check(withPassword, "", "are up to date.", false, "migrate")
	check(withPassword, game, "BOATS", false, "play")
	check(plain, "/wordle board\n/wordle stop\n", "BOATS", false, "play") // it was kept
	check(plain, "", "stopped", false, "export", "results")
	check(plain, "", "pg_dump", true, "backup", "copy.db")
	check(withPassword, "", "nothing was wrong", false, "repair")
	m, err := postgres.Open(t.Context(), plain, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{{Key: "result\x00", Value: []byte("wrong")}}})
	if err = errors.Join(err, m.Close()); err != nil {
		t.Fatal(err)
	}
	check(withPassword, "", "problems: 1; records lost: 1.", false, "repair")
	check(withPassword, "", "nothing was wrong", false, "repair")
	check(plain, "", "pg_dump", true, "check")
	check("", "", "all of them compared", false, "copy", withPassword, "bolt:copied.db")
	check("bolt:copied.db", "", "stopped", false, "export", "results")
	check("", "", "the store is not empty", true, "copy", "bolt:copied.db", plain)
	check(plain, "", "takes changes", true, "doctor") // which finds that there is no token
	for _, command := range []string{"play", "migrate", "doctor"} {
		check(strings.Replace(plain, "/postgres?", "/nothing?", 1), "", `database "nothing" does not exist`, true, command)
	}
	u.Host = "127.0.0.1:1"
	check(u.String(), game, "no server answers", true, "play")
	check(plain+"%zz", game, "not the URL of a PostgreSQL database", true, "play")
}
