package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
)

// beMain makes the test binary run the program instead of the tests, for tests
// that need a process of its own.
const beMain = "FIVEFOLD_TEST_BE_MAIN"

// envBegan is when a test began, in nanoseconds since 1970, for the processes that it starts: their games begin
// at a noon then, so midnight does not fall between them.
const envBegan = "FIVEFOLD_TEST_BEGAN"

// setClock sets the clock of games to that of [envBegan], if there is one.
func setClock() {
	if nanoseconds, err := strconv.ParseInt(os.Getenv(envBegan), 10, 64); err == nil {
		tuning.Now = func() time.Time {
			return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC).Add(time.Since(time.Unix(0, nanoseconds)))
		}
	}
}

// tuning lets everything end that the tests wait for, also on a slow machine: searches, and what
// Discord limits. Within its time, weighted advice about few words ends by itself.
var tuning = cli.Tuning{SearchTime: time.Minute, ElsewhereTime: 5 * time.Second, Patience: time.Hour}

// runWith is [run] with what a process would be given.
func runWith(ctx context.Context, t cli.Tuning, args, environ []string, in io.Reader, out, errOut io.Writer) error {
	return run(ctx, args, &cli.Program{Version: version, Env: cli.Environment(runtime.GOOS, environ), In: in, Out: out, ErrOut: errOut, Tuning: t})
}

func TestMain(m *testing.M) {
	setClock()
	if os.Getenv(beMain) != "" {
		os.Exit(start(tuning))
	}
	if os.Getenv(beSession) != "" {
		session()
		return
	}
	if os.Getenv(bePictured) != "" {
		pictured()
		return
	}
	testscript.Main(waiting{m}, map[string]func(){"fivefold": func() { os.Exit(start(tuning)) }})
}

// waiting runs the tests, most of which wait most of the time.
type waiting struct{ *testing.M }

func (w waiting) Run() int {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	return w.M.Run()
}

var update = flag.Bool("update", false, "rewrite what is expected: scripts and pictures in testdata, and outputs in documents")

// TestScripts runs what a user would type. Each script has a home folder, and
// with it a data folder, of its own.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() { // most scripts run a process that has one goroutine
		n := 0
		files = slices.DeleteFunc(files, func(string) bool { n++; return n%3 > 0 })
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir+"/home")
			e.Setenv("USER", "ana")
			e.Setenv(envBegan, fmt.Sprint(time.Now().UnixNano()))
			return os.Mkdir(e.WorkDir+"/home", 0o755)
		},
	})
}

// process returns the program as a process that is yet to be started, with an
// empty environment.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = []string{beMain + "=1", settings.EnvBackupDir + "=off"} // but where a test is about them
	cmd.Dir = t.TempDir()                                             // where there is no .env
	return cmd
}

func mustWriteFile(t *testing.T, path, content string, perm fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path, []byte(content), perm), os.Chmod(path, perm)); err != nil {
		t.Fatal(err)
	}
}

// testCommands returns the commands of the program.
func testCommands() *cobra.Command {
	root := newRoot(&cli.Program{Version: version, Env: map[string]string{}})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	return root
}
