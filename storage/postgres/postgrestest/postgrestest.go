// Package postgrestest runs PostgreSQL servers for tests, in temporary folders. The tests of a binary share one server, with a
// schema for each test. Further servers are for tests and programs (cmd/soak) that need streaming replicas, or commits that
// wait for the disk. Importing the package removes the variables of PostgreSQL's programs, such as PGHOST, from the
// environment.
package postgrestest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"fivefold/storage/postgres"
)

// Server is a server with a folder of its own. Its Database and Do methods are safe for concurrent
// use; the others are not.
type Server struct {
	programs, folder string
	port             int
	fsync            string // "on" if commits wait for the disk, or "off"
	process          *exec.Cmd
	ended            chan struct{} // closed when the process has ended
	schemas          atomic.Int64
}

func init() {
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "PG") {
			_ = os.Unsetenv(name) // never fails for a variable that is set
		}
	}
}

// ErrAbsent means that PostgreSQL's programs are not on this machine, or cannot be run by tests here.
var ErrAbsent = errors.New("PostgreSQL's programs initdb and postgres are not installed")

// shared is the server of the test binary, started when a test first needs it.
var shared struct {
	once   sync.Once
	server *Server
	err    error
}

// Main runs the tests of a package, ends the server that [Database] and [Empty] have started, and exits. TestMain calls it in
// packages that use them.
func Main(m *testing.M) {
	code := m.Run()
	if shared.server != nil {
		if err := shared.server.Remove(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// Database returns the URL of a schema with our tables and no records, on the server of the test binary. Without PostgreSQL's
// programs it skips the test. Commits do not wait for the disk: use [Start] for a server where they do.
func Database(tb testing.TB) string {
	tb.Helper()
	return sharedServer(tb).Database(tb)
}

// Empty is [Database] without tables.
func Empty(tb testing.TB) string {
	tb.Helper()
	return sharedServer(tb).empty(tb)
}

func sharedServer(tb testing.TB) *Server {
	tb.Helper()
	shared.once.Do(func() { shared.server, shared.err = start("off") })
	fail(tb, shared.err)
	return shared.server
}

// Start starts a server whose commits wait for the disk, and removes it at the end of the test. Without PostgreSQL's programs
// it skips the test.
func Start(tb testing.TB) *Server {
	tb.Helper()
	s, err := New()
	fail(tb, err)
	tb.Cleanup(func() { fail(tb, s.Remove()) })
	return s
}

// New is [Start] outside tests. The caller calls Remove. Without PostgreSQL's programs the error wraps [ErrAbsent].
func New() (*Server, error) { return start("on") }

// fail skips the test if the error is ErrAbsent, and ends it for any other error.
func fail(tb testing.TB, err error) {
	tb.Helper()
	if errors.Is(err, ErrAbsent) {
		tb.Skip("skipped: " + err.Error())
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// start makes and starts a server. Its programs are those beside the initdb in PATH. Without an initdb there, they are those of
// the newest version that Debian has installed.
func start(fsync string) (*Server, error) {
	initdb, err := exec.LookPath("initdb")
	if err == nil {
		initdb, err = filepath.EvalSymlinks(initdb)
	}
	if err != nil {
		found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
		if err != nil || len(found) == 0 {
			return nil, errors.Join(ErrAbsent, err)
		}
		initdb = found[len(found)-1]
	}
	s := &Server{programs: filepath.Dir(initdb), fsync: fsync}
	if err := s.startWith("initdb", "--username", "fivefold", "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--no-locale"); err != nil {
		return nil, err
	}
	return s, nil
}

// startWith makes a folder for the server, runs a program that fills it with data, and starts the server. If that fails,
// nothing is left.
func (s *Server) startWith(program string, args ...string) (err error) {
	if s.folder, err = os.MkdirTemp("", "fivefold-postgres-"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Remove())
		}
	}()
	c, err := s.program(program, append(args, "--pgdata", s.data())...)
	if err != nil {
		return err
	}
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	for try := 0; ; try++ {
		if s.port, err = FreePort(); err != nil {
			return err
		}
		if err = s.Start(); err == nil || try == 5 { // the port may have been taken meanwhile
			return err
		}
	}
}

// tried is how many ports FreePort has tried.
var tried atomic.Int64

// FreePort returns a port of 127.0.0.1 at which nobody listens, for a process that is to listen there. The port is below those
// that systems give out, so that it stays free while the process is not there.
func FreePort() (port int, err error) {
	for range 1000 {
		port = int(20_000 + (16*int64(os.Getpid())+tried.Add(1))%12_000)
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return port, l.Close()
		}
	}
	return 0, err
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// program returns a command that runs one of PostgreSQL's programs in the server's folder.
func (s *Server) program(name string, args ...string) (*exec.Cmd, error) {
	c := exec.Command(filepath.Join(s.programs, name), args...)
	c.Dir = s.folder
	c.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC", "PGTZ=UTC"}
	return c, asUser(c, s.folder)
}

// Start starts the server again after [Server.Stop] or [Server.Kill], on the same port, and waits up
// to five minutes until it answers.
func (s *Server) Start() error {
	process, err := s.program("postgres", "-D", s.data(), "-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-k", "",
		"-c", "fsync="+s.fsync, "-c", "synchronous_commit="+s.fsync, "-c", "full_page_writes="+s.fsync,
		"-c", "max_connections=200", "-c", "shared_buffers=64MB", "-c", "autovacuum_naptime=10s",
		// A replica that lost its primary tries to connect again after this time.
		"-c", "wal_retrieve_retry_interval=500ms")
	if err != nil {
		return err
	}
	var log bytes.Buffer // to be read once the process has ended
	process.Stdout, process.Stderr = &log, &log
	started, ended := make(chan error), make(chan struct{})
	s.process, s.ended = process, ended
	go func() {
		// The server is killed when the thread that started it ends: see asUser.
		runtime.LockOSThread()
		err := process.Start()
		started <- err
		if err == nil {
			_ = process.Wait() // the server's log says why it ended
		}
		close(ended)
	}()
	if err := <-started; err != nil {
		return err
	}
	for deadline := time.Now().Add(5 * time.Minute); ; {
		err := s.Do("SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("postgres ended: %w\n%s", err, &log)
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			// The server must not live on: startWith would start another one on the same files.
			return errors.Join(fmt.Errorf("postgres does not answer: %w", err), s.Kill())
		}
	}
}

// Stop is PostgreSQL's fast shutdown: connections are closed, and what is not committed is rolled back.
// It returns when the server has ended.
func (s *Server) Stop() error { return s.signal(os.Interrupt) }

// Kill is PostgreSQL's immediate shutdown, after which the server recovers as after a crash. Unlike a loss of
// power, it keeps what the kernel has not written to the disk yet. It returns when the server has ended.
func (s *Server) Kill() error { return s.signal(quit) }

func (s *Server) signal(sig os.Signal) error {
	if s.process == nil || s.process.Process == nil {
		return nil
	}
	if err := s.process.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.ended
	return nil
}

// Remove ends the server, if it runs, and removes its folder.
func (s *Server) Remove() error { return errors.Join(s.Kill(), os.RemoveAll(s.folder)) }

// URL returns the URL of a database of the server.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://fivefold@%s/%s?sslmode=disable", s.Address(), database)
}

// Address returns the host and port at which the server listens.
func (s *Server) Address() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// Database returns the URL of a schema with our tables and no records. The URL gives connecting an hour, for slow machines.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	url := s.empty(tb)
	if _, err := postgres.Migrate(tb.Context(), url, postgres.Options{Patience: time.Hour}); err != nil {
		tb.Fatal(err)
	}
	return url
}

// empty is Database without tables.
func (s *Server) empty(tb testing.TB) string {
	tb.Helper()
	schema := fmt.Sprint("test", s.schemas.Add(1))
	fail(tb, s.Do("CREATE SCHEMA "+schema))
	return s.URL("postgres") + "&connect_timeout=3600&search_path=" + schema
}

// Do runs statements, separated by semicolons, in the database postgres, on a connection of their own.
func (s *Server) Do(sql string) error {
	ctx := context.Background()
	c, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, sql)
	return errors.Join(err, c.Close(ctx))
}

// Replica makes and starts a streaming replica of the server, which must be running. The caller calls the
// replica's Remove. [Server.Synchronous] takes the same name.
func (s *Server) Replica(name string) (*Server, error) {
	r := &Server{programs: s.programs, fsync: s.fsync}
	return r, r.startWith("pg_basebackup", "--dbname", fmt.Sprintf("host=127.0.0.1 port=%d user=fivefold application_name=%s", s.port, name),
		"--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync")
}

// Synchronous makes every commit wait until the named replica has it on its disk. It returns once commits wait; after five
// minutes the error is a timeout.
func (s *Server) Synchronous(name string) error {
	return errors.Join(s.WaitFor(name), s.Do(fmt.Sprintf(`SET statement_timeout = '5min'; DO $$ BEGIN
		WHILE NOT EXISTS (SELECT 1 FROM pg_stat_replication WHERE application_name = '%s' AND sync_state = 'sync') LOOP
			PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
		END LOOP; END $$`, name)))
}

// WaitFor tells the server that commits wait for the named replica. They begin to wait some time later.
func (s *Server) WaitFor(name string) error {
	return errors.Join(s.Do(fmt.Sprintf("ALTER SYSTEM SET synchronous_standby_names = '%s'", name)), s.Do("SELECT pg_reload_conf()"))
}

// Promote makes a replica a primary, and returns once it takes changes.
func (s *Server) Promote() error { return s.Do("SELECT pg_promote(true, 300)") }
