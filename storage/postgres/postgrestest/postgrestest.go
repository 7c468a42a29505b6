// Package postgrestest runs PostgreSQL servers for tests, in temporary folders: one for each test
// binary, with a database for each test, and further ones for tests and programs such as cmd/soak
// that need commits to wait for the disk, or streaming replicas.
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
	"sync"
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
	durable          bool // commits wait for the disk
	process          *exec.Cmd
	ended            chan struct{} // closed when the process has ended

	mu        sync.Mutex // protects the fields below
	databases int
	free      []string // databases that no test uses at the moment
}

// ErrAbsent means that PostgreSQL's programs are not on this machine, or cannot be run by tests here.
var ErrAbsent = errors.New("PostgreSQL's programs initdb and postgres are not installed")

// shared is the server of the test binary, started when a test first needs it.
var shared struct {
	sync.Mutex
	server *Server
	err    error
}

// Main runs the tests of a package and exits. TestMain calls it in packages that use [Database] or
// [Empty], whose server it ends.
func Main(m *testing.M) {
	code := m.Run()
	shared.Lock()
	defer shared.Unlock()
	if shared.server != nil {
		if err := shared.server.Remove(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// Database returns the URL of a database with our tables and no records, on the server of the test
// binary. It skips the test where PostgreSQL's programs are not installed. Commits do not wait for the
// disk: use [Start] for a server where they do.
func Database(tb testing.TB) string {
	tb.Helper()
	return sharedServer(tb).Database(tb)
}

// sharedServer returns the server of the test binary, and starts it at the first call.
func sharedServer(tb testing.TB) *Server {
	tb.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil && shared.err == nil {
		shared.server, shared.err = start(false)
	}
	fail(tb, shared.err)
	return shared.server
}

// Start starts a server whose commits wait for the disk. It is removed at the end of the test. It skips the
// test where PostgreSQL's programs are not installed.
func Start(tb testing.TB) *Server {
	tb.Helper()
	s, err := start(true)
	fail(tb, err)
	tb.Cleanup(func() {
		if err := s.Remove(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// New starts a server whose commits wait for the disk, outside tests. The caller calls Remove. The error
// wraps [ErrAbsent] where PostgreSQL's programs are not installed.
func New() (*Server, error) { return start(true) }

// fail ends a test if there is an error: it skips the test if that is ErrAbsent.
func fail(tb testing.TB, err error) {
	tb.Helper()
	if errors.Is(err, ErrAbsent) {
		tb.Skip("skipped: " + err.Error())
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// programs returns the folder of PostgreSQL's programs: that of the initdb in PATH or, as Debian installs
// them, of the newest version.
func programs() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errors.Join(ErrAbsent, err)
	}
	return filepath.Dir(found[len(found)-1]), nil
}

// start makes and starts a server, with a template database named tables that has our tables.
func start(durable bool) (*Server, error) {
	folder, err := programs()
	if err != nil {
		return nil, err
	}
	s := &Server{programs: folder, durable: durable}
	if err := s.startWith("initdb", "--username", "fivefold", "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--no-locale"); err != nil {
		return nil, err
	}
	err = s.Do("postgres", "CREATE DATABASE tables")
	if err == nil {
		_, err = postgres.Migrate(context.Background(), s.URL("tables"), postgres.Options{})
	}
	if err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	return s, nil
}

// startWith makes a folder for the server, has a program make its data, and starts the server. If it fails,
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
		if s.port, err = freePort(); err != nil {
			return err
		}
		if err = s.Start(); err == nil || try == 5 { // the port may have been taken meanwhile
			return err
		}
	}
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// program returns a command that runs one of PostgreSQL's programs in the server's folder.
func (s *Server) program(name string, args ...string) (*exec.Cmd, error) {
	c := exec.Command(filepath.Join(s.programs, name), args...)
	c.Dir = s.folder
	c.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC", "PGTZ=UTC"}
	return c, asUser(c, s.folder)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// Start starts the server again after [Server.Stop] or [Server.Kill], on the same port, and waits up
// to five minutes until it answers.
func (s *Server) Start() error {
	fsync := "off"
	if s.durable {
		fsync = "on"
	}
	process, err := s.program("postgres", "-D", s.data(), "-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-k", "",
		"-c", "fsync="+fsync, "-c", "synchronous_commit="+fsync, "-c", "full_page_writes="+fsync,
		"-c", "max_connections=200", "-c", "shared_buffers=64MB", "-c", "autovacuum_naptime=10s",
		// After this time, a replica whose primary was away tries to connect to it again.
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
		err := s.Do("postgres", "SELECT 1")
		if err == nil {
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("postgres ended: %w\n%s", err, &log)
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			// It must not live on: startWith would start another one on the same files.
			return errors.Join(fmt.Errorf("postgres does not answer: %w", err), s.signal(quit))
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
func (s *Server) Remove() error {
	return errors.Join(s.signal(quit), os.RemoveAll(s.folder))
}

// URL returns the URL of a database of the server.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://fivefold@127.0.0.1:%d/%s?sslmode=disable", s.port, database)
}

// Address returns the host and port at which the server listens.
func (s *Server) Address() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// Database returns the URL of a database with our tables and no records. At the end of the test it is
// emptied, so that another test can use it.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var name string
	if n := len(s.free); n > 0 {
		name, s.free = s.free[n-1], s.free[:n-1]
	} else {
		name = s.createLocked(tb, "TEMPLATE tables")
	}
	tb.Cleanup(func() {
		// This takes a hundredth of the time that making a database takes.
		if err := s.Do(name, "DELETE FROM records"); err != nil {
			tb.Error(err)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.free = append(s.free, name)
	})
	return patient(s.URL(name))
}

// createLocked makes a database and returns its name.
func (s *Server) createLocked(tb testing.TB, options string) string {
	s.databases++
	name := fmt.Sprint("test", s.databases)
	if err := s.Do("postgres", fmt.Sprintf("CREATE DATABASE %s %s", name, options)); err != nil {
		tb.Fatal(err)
	}
	return name
}

// patient returns a URL with which connecting to the server may take as long as it does on a slow machine.
func patient(url string) string { return url + "&connect_timeout=3600" }

// Empty returns the URL of a new database without tables, on the server of the test binary. It is removed
// with the server.
func Empty(tb testing.TB) string {
	tb.Helper()
	s := sharedServer(tb)
	s.mu.Lock()
	defer s.mu.Unlock()
	return patient(s.URL(s.createLocked(tb, "")))
}

// Do runs statements, separated by semicolons, in a database, on a connection of their own.
func (s *Server) Do(database, sql string) error {
	ctx := context.Background()
	c, err := pgx.Connect(ctx, s.URL(database))
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, sql)
	return errors.Join(err, c.Close(ctx))
}
