// Command soak has the real program serve a fake Discord for a while, has disasters happen to it, and says at the end
// whether anything was lost.
//
//	go run ./cmd/soak --for 10m --seed 1
//
// It builds fivefold and runs one world after the other. In each, players play and remember every guess that was
// acknowledged, while the program is killed or frozen, or Discord or the database fails. At the end of a world the program
// is stopped. Its store must have every acknowledged guess once, totals that equal its log, and nothing that was carried
// out after its player had stopped waiting. The exit status is 1 if something differs.
//
// The seed decides the order of the disasters. The machine decides when, so a seed does not give quite the same run again.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	well, err := true, error(nil)
	if len(os.Args) == 2 && os.Args[1] == bareBot {
		err = serveBare(ctx)
	} else {
		well, err = run(ctx, os.Args[1:], os.Stdout)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "soak: %v\n", err)
		os.Exit(2)
	}
	if !well {
		os.Exit(1)
	}
}

// soak is a run of the command.
type soak struct {
	*verdict
	seed    uint64
	folder  string // for everything, removed at the end if all was well
	program string // the path of fivefold
}

// run runs the command, and reports whether all was well.
func run(ctx context.Context, args []string, out io.Writer) (well bool, err error) {
	s := &soak{verdict: &verdict{out: out, found: map[string]int{}}}
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	lasts := flags.Duration("for", 2*time.Minute, "how long to run, about")
	flags.Uint64Var(&s.seed, "seed", uint64(time.Now().UnixNano()), "what happens, in which order; by default another one each time")
	only := flags.String("only", "", "only worlds and disasters whose names match this expression, such as file/(kill|freeze)")
	withLoad := flags.Bool("load", false, "instead measure answers a second: in one server and in many, over the gateway and by HTTP, and of a bare bot")
	processes := flags.Int("processes", 0, "with --load: also one process and this many on PostgreSQL")
	other := flags.String("beside", "", "with --load: the path of another build of fivefold to compare with")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return false, err
	}
	chosen := choose(match)
	if chosen == nil {
		return false, fmt.Errorf("--only %s: no disaster has such a name", *only)
	}
	if s.folder, err = os.MkdirTemp("", "soak-"); err != nil {
		return false, err
	}
	defer func() {
		if well {
			err = errors.Join(err, os.RemoveAll(s.folder))
		}
	}()
	s.program = filepath.Join(s.folder, "fivefold")
	if text, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", s.program, "fivefold/cmd/fivefold").CombinedOutput(); err != nil {
		return false, fmt.Errorf("building fivefold: %w\n%s", err, text)
	}
	fmt.Fprintf(out, "seed %d, %v, %d processors, in %s\n", s.seed, *lasts, runtime.NumCPU(), s.folder)
	if *withLoad {
		s.brokenOff(s.load(ctx, *lasts, *processes, *other))
		chosen = nil
	}
	for _, k := range chosen {
		s.brokenOff(s.runWorld(ctx, k, *lasts/time.Duration(len(chosen))))
	}
	return s.conclude(s.seed), ctx.Err()
}

// runWorld runs a world for a while.
func (s *soak) runWorld(ctx context.Context, k kind, lasts time.Duration) error {
	s.figure("%s:", k.name)
	w, err := s.newWorld(ctx, k)
	if err != nil {
		return err
	}
	defer w.end(ctx)
	ctx, cancel := context.WithTimeout(ctx, lasts+5*patience)
	defer cancel()
	return w.live(ctx, lasts)
}

// choose returns the worlds with those of their disasters whose names, such as file/kill, match.
func choose(only *regexp.Regexp) (chosen []kind) {
	for _, k := range worlds {
		k.disasters = slices.DeleteFunc(slices.Clone(k.disasters), func(d disaster) bool { return !only.MatchString(k.name + "/" + d.name) })
		if len(k.disasters) > 0 {
			chosen = append(chosen, k)
		}
	}
	return chosen
}
