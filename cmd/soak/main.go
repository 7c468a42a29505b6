// Command soak has the real program serve a fake Discord for a while, does to it whatever
// can happen to it, and says at the end whether anything was lost.
//
//	go run ./cmd/soak --for 10m --seed 1
//
// It builds fivefold and runs one part after the other, each with a store and a fake
// Discord of its own: players play and remember every guess that was acknowledged, while
// the program is killed, cut off, answered with errors, flooded, sent nonsense, or its disk
// fails. At the end of a part the program is stopped, and its store must have every
// acknowledged guess once, totals that equal its log, and nothing that was carried out
// after its player had stopped waiting. The exit status is 1 if something differs.
//
// The seed decides what happens in which order. When it happens depends on the machine, so
// the same seed does not give quite the same run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest/traced"
)

func main() {
	if os.Getenv(envEcho) != "" {
		os.Exit(echo())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ok, err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintf(os.Stderr, "soak: %v\n", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// part is one kind of trouble.
type part struct {
	name string
	help string
	// share is how much of the time it gets, next to the others; 0 leaves it out unless
	// it is asked for.
	share int
	run   func(context.Context, *soak) error
}

var parts = []part{
	{"kills", "SIGKILL and SIGTERM in the middle of play", 3, kills},
	{"faults", "broken connections and errors from Discord, each failed, and failed but done", 4, faults},
	{"disk", "a full, a read-only and a failing disk, each failed, and failed but done", 2, disk},
	{"clock", "a clock that is a year ahead, or behind", 1, clock},
	{"power", "losses of power, from the program's own writes and syncs", 1, power},
	{"floods", "ten kinds of floods by 1 and by 600 users, and a player elsewhere", 5, floods},
	{"mutations", "nonsense from the gateway", 1, mutations},
	{"memory", "many interactions; what the memory is like at the end", 3, memory},
	{"load", "answers a second, next to a bot that does nothing", 0, load},
	{"processes", "2 to 4 processes on one PostgreSQL, of which each is ended and restarted", 0, processes},
	{"rates", "answers a second with a file, and with PostgreSQL and 1, 2 and 4 processes", 0, rates},
}

// soak is a run of the command.
type soak struct {
	seed         uint64
	interactions int           // of the part memory; 0 for as many as there is time for
	http         bool          // interactions are posted to the program
	lasting      time.Duration // of the part in progress
	folder       string        // for everything, removed at the end
	program      string        // the path of fivefold
	before       string        // the path of an earlier release, for the parts load and rates; empty for none
	adminSetting bool          // whether program has a setting for its admin socket
	checkCommand bool          // whether program has a command that checks a store
	verdict      verdict
	progress     *progress
}

// run returns whether all was well.
func run(ctx context.Context, args []string, out io.Writer) (bool, error) {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	lasts := flags.Duration("for", 2*time.Minute, "how long to run, about")
	seed := flags.Uint64("seed", uint64(time.Now().UnixNano()), "what happens, in which order; by default another one each time")
	only := flags.String("only", "", "run these parts only, with commas between them: "+strings.Join(names, ", "))
	except := flags.String("except", "", "leave these parts out")
	interactions := flags.Int("interactions", 0, "how many interactions the part memory sends, however long it takes; alone it runs only that part")
	withLoad := flags.Bool("load", false, "run only the part load")
	program := flags.String("program", "", "the fivefold to be tried, say of an earlier release; by default the one here is built")
	byHTTP := flags.Bool("http", false, "post interactions to the program instead of sending them over the gateway; the part load compares both")
	before := flags.String("before", "", "the fivefold of an earlier release, which the parts load and rates compare, too")
	untimed := flags.Bool("untimed", false, "only print how long things took and what came too late, as on a machine that does other things too; what is saved is judged")
	keep := flags.Bool("keep", false, "keep the folder with stores and logs")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	chosen, err := choose(*only, *except, *interactions > 0, *withLoad)
	if err != nil {
		return false, err
	}
	s := &soak{seed: *seed, interactions: *interactions, http: *byHTTP, before: *before, progress: newProgress(out)}
	s.verdict.untimed = *untimed
	if s.folder, err = os.MkdirTemp("", "soak-"); err != nil {
		return false, err
	}
	if s.folder, err = filepath.EvalSymlinks(s.folder); err != nil {
		return false, err
	}
	if *keep {
		fmt.Fprintf(out, "stores and logs are kept in %s\n", s.folder)
	} else {
		defer os.RemoveAll(s.folder)
	}
	if s.program = *program; s.program == "" {
		if err := s.build(ctx); err != nil {
			return false, err
		}
	}
	if err := s.lookAtProgram(ctx); err != nil {
		return false, err
	}
	fmt.Fprintf(out, "seed %d, %v, %d processors\n", s.seed, *lasts, runtime.NumCPU())
	all := 0
	for _, p := range chosen {
		all += max(1, p.share)
	}
	for _, p := range chosen {
		s.lasting = *lasts * time.Duration(max(1, p.share)) / time.Duration(all)
		s.verdict.begin(p.name)
		s.progress.begin(p.name)
		err := p.run(ctx, s)
		s.progress.end()
		if ctx.Err() != nil {
			s.verdict.print(out) // what was found until then
			return false, ctx.Err()
		}
		switch {
		case errors.Is(err, traced.ErrUnsupported), errors.Is(err, postgrestest.ErrAbsent):
			s.verdict.figure("skipped: %v", err)
		case err != nil:
			// That the program does not start is a finding like any other.
			s.verdict.finding("broken off", "%v", err)
		}
		s.verdict.print(out)
	}
	return s.verdict.conclude(out, s.seed), nil
}

// choose returns the parts to run.
func choose(only, except string, interactions, load bool) ([]part, error) {
	switch {
	case load:
		only = "load"
	case only == "" && interactions:
		only = "memory"
	}
	list := func(text string) ([]string, error) {
		names := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
		for _, n := range names {
			if !slices.ContainsFunc(parts, func(p part) bool { return p.name == n }) {
				return nil, fmt.Errorf("there is no part %q", n)
			}
		}
		return names, nil
	}
	wanted, err := list(only)
	if err != nil {
		return nil, err
	}
	unwanted, err := list(except)
	if err != nil {
		return nil, err
	}
	var chosen []part
	for _, p := range parts {
		if (slices.Contains(wanted, p.name) || len(wanted) == 0 && p.share > 0) && !slices.Contains(unwanted, p.name) {
			chosen = append(chosen, p)
		}
	}
	return chosen, nil
}

// random returns a source of random numbers for one purpose, which follow from the seed.
func (s *soak) random(purpose string) *rand.Rand {
	stream := uint64(14695981039346656037) // FNV-1a
	for _, b := range []byte(purpose) {
		stream = (stream ^ uint64(b)) * 1099511628211
	}
	return rand.New(rand.NewPCG(s.seed, stream))
}

// build builds fivefold.
func (s *soak) build(ctx context.Context) error {
	s.program = filepath.Join(s.folder, "fivefold")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", s.program, "fivefold/cmd/fivefold")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building fivefold: %w\n%s", err, out)
	}
	return nil
}

// lookAtProgram finds out what the program has: one of an earlier release may have less.
func (s *soak) lookAtProgram(ctx context.Context) error {
	help, err := exec.CommandContext(ctx, s.program, "--help").Output()
	if err != nil {
		return fmt.Errorf("fivefold --help: %w", err)
	}
	s.adminSetting = strings.Contains(string(help), "FIVEFOLD_ADMIN")
	s.checkCommand = strings.Contains(string(help), "\n  check ")
	return nil
}
