package postgrestest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Replica makes and starts a streaming replica of the server, which must be running. The caller calls the
// replica's Remove. The name is for [Server.Synchronous].
func (s *Server) Replica(name string) (r *Server, err error) {
	r = &Server{programs: s.programs, durable: s.durable}
	if r.folder, err = os.MkdirTemp("", "fivefold-postgres-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Remove())
		}
	}()
	if err := ownFolder(r.folder); err != nil {
		return nil, err
	}
	from := fmt.Sprintf("host=127.0.0.1 port=%d user=fivefold application_name=%s", s.port, name)
	backup := r.Program("pg_basebackup", "--dbname", from, "--pgdata", r.data(), "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync")
	if out, err := backup.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("pg_basebackup: %w\n%s", err, out)
	}
	return r, r.startSomewhere()
}

// Synchronous makes every commit wait until the replica of that name has it on its disk. It returns once
// commits do.
func (s *Server) Synchronous(name string) error {
	for _, sql := range []string{fmt.Sprintf("ALTER SYSTEM SET synchronous_standby_names = '%s'", name), "SELECT pg_reload_conf()"} {
		if err := s.Do("postgres", sql); err != nil {
			return err
		}
	}
	const connected = `SELECT EXISTS (SELECT 1 FROM pg_stat_replication WHERE application_name = $1 AND sync_state = 'sync')`
	return s.until("the replica does not connect", connected, name)
}

// Promote makes a replica a primary, and returns once it takes changes.
func (s *Server) Promote() error {
	if err := s.Do("postgres", "SELECT pg_promote(false)"); err != nil {
		return err
	}
	return s.until("the replica is not promoted", `SELECT NOT pg_is_in_recovery()`)
}

// until repeats a query until its result is true, for up to five minutes. otherwise is the text of the
// error if it does not become true.
func (s *Server) until(otherwise, sql string, args ...any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	for {
		var yes bool
		err := c.QueryRow(ctx, sql, args...).Scan(&yes)
		switch {
		case err != nil:
			return errors.Join(fmt.Errorf("%s: %w", otherwise, err), c.Close(context.Background()))
		case yes:
			return c.Close(ctx)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// MissReplica makes every commit wait for a replica that does not exist, until the end of the test. It
// returns once commits do.
func (s *Server) MissReplica(tb testing.TB) {
	tb.Helper()
	set := func(names string) error {
		return errors.Join(s.Do("postgres", fmt.Sprintf("ALTER SYSTEM SET synchronous_standby_names = '%s'", names)), s.Do("postgres", "SELECT pg_reload_conf()"))
	}
	if err := set("missing"); err != nil {
		tb.Fatal(err)
	}
	// Commits begin to wait only when another process of the server has read the setting, so this commits
	// again and again until a commit waits.
	stuck, stop := make(chan error, 1), make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				stuck <- nil
				return
			default:
			}
			if err := s.Do("postgres", "CREATE TABLE waits (); DROP TABLE waits"); err != nil {
				stuck <- err
				return
			}
		}
	}()
	tb.Cleanup(func() {
		close(stop)
		if err := errors.Join(set(""), <-stuck); err != nil {
			tb.Error(err)
		}
	})
	if err := s.until("no commit waits", `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep')`); err != nil {
		tb.Fatal(err)
	}
}
