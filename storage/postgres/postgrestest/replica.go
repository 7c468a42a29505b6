package postgrestest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Replica makes and starts a streaming replica of the server, which must be running. The caller calls the
// replica's Remove. The name is for [Server.Synchronous].
func (s *Server) Replica(name string) (*Server, error) {
	r := &Server{programs: s.programs, durable: s.durable}
	return r, r.startWith("pg_basebackup", "--dbname", fmt.Sprintf("host=127.0.0.1 port=%d user=fivefold application_name=%s", s.port, name),
		"--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync")
}

// Synchronous makes every commit wait until the replica of that name has it on its disk. It returns once
// commits do.
func (s *Server) Synchronous(name string) error {
	if err := s.waitFor(name); err != nil {
		return err
	}
	const connected = `SELECT EXISTS (SELECT 1 FROM pg_stat_replication WHERE application_name = $1 AND sync_state = 'sync')`
	return s.until("the replica does not connect", connected, name)
}

// waitFor has commits wait for the replica of a name, or for none.
func (s *Server) waitFor(name string) error {
	return errors.Join(s.Do("postgres", fmt.Sprintf("ALTER SYSTEM SET synchronous_standby_names = '%s'", name)), s.Do("postgres", "SELECT pg_reload_conf()"))
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
	if err := s.waitFor("missing"); err != nil {
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
		if err := errors.Join(s.waitFor(""), <-stuck); err != nil {
			tb.Error(err)
		}
	})
	if err := s.until("no commit waits", `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep')`); err != nil {
		tb.Fatal(err)
	}
}
