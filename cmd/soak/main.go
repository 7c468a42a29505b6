// Command soak has the real program serve a fake Discord for a while, has disasters happen to it, and says at the end
// whether anything was lost.
//
//	go run ./cmd/soak --for 10m --seed 1
//
// It builds fivefold and runs one world after the other. In each, players play and remember every guess that was
// acknowledged, while the program is killed or frozen, Discord or the database fails, or the power is lost. At the end
// of a world the program is stopped. Its store must have every acknowledged guess once, totals that equal its log, and
// nothing that was carried out after its player had stopped waiting. The exit status is 1 if something differs.
//
// The seed decides what happens in which order. The machine decides when, so a seed does not give quite the same run
// again.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"syscall"
	"time"

	"fivefold/storage/postgres/postgrestest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) == 2 && os.Args[1] == bareBot {
		if err := serveBare(ctx); err != nil {
			fmt.Fprintf(os.Stderr, "soak: %v\n", err)
			os.Exit(2)
		}
		return
	}
	ok, err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintf(os.Stderr, "soak: %v\n", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// soak is a run of the command.
type soak struct {
	seed    uint64
	folder  string // for everything, removed at the end
	program string // the path of fivefold
	verdict verdict
}

// run returns whether all was well.
func run(ctx context.Context, args []string, out io.Writer) (bool, error) {
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	lasts := flags.Duration("for", 2*time.Minute, "how long to run, about")
	seed := flags.Uint64("seed", uint64(time.Now().UnixNano()), "what happens, in which order; by default another one each time")
	only := flags.String("only", "", "only worlds and disasters whose names match this expression, such as file/(kill|power)")
	withLoad := flags.Bool("load", false, "instead measure answers a second: in one server and in many, over the gateway and by HTTP, and of a bare bot")
	processes := flags.Int("processes", 0, "with --load: also one process and this many on PostgreSQL")
	other := flags.String("beside", "", "with --load: the path of another build of fivefold to compare with")
	keep := flags.Bool("keep", false, "keep the folder with stores and logs")
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
	s := &soak{seed: *seed}
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
	s.program = filepath.Join(s.folder, "fivefold")
	if text, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", s.program, "fivefold/cmd/fivefold").CombinedOutput(); err != nil {
		return false, fmt.Errorf("building fivefold: %w\n%s", err, text)
	}
	fmt.Fprintf(out, "seed %d, %v, %d processors\n", s.seed, *lasts, runtime.NumCPU())
	part := func(name string, do func() error) {
		s.verdict.begin(name)
		err := do()
		switch {
		case errors.Is(err, postgrestest.ErrAbsent):
			s.verdict.figure("skipped: %v", err)
		case err != nil && ctx.Err() == nil:
			s.verdict.finding("broken off", "%v", err)
		}
		s.verdict.print(out)
	}
	if *withLoad {
		part("load", func() error { return s.load(ctx, *lasts, *processes, *other) })
		return s.verdict.conclude(out, s.seed), ctx.Err()
	}
	for _, k := range chosen {
		part(k.name, func() error {
			w, err := s.newWorld(ctx, k)
			if err != nil {
				return err
			}
			defer w.end(ctx)
			return w.live(ctx, *lasts/time.Duration(len(chosen)))
		})
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
	}
	return s.verdict.conclude(out, s.seed), nil
}

// choose returns the worlds with those of their disasters whose names, such as file/kill, match.
func choose(only *regexp.Regexp) (chosen []kind) {
	for _, k := range worlds {
		for _, d := range disasters {
			if (d.only == "" || d.only == k.name) && only.MatchString(k.name+"/"+d.name) {
				k.disasters = append(k.disasters, d)
			}
		}
		if k.disasters != nil {
			chosen = append(chosen, k)
		}
	}
	return chosen
}

// random returns a source of random numbers for one purpose, which follow from the seed.
func (s *soak) random(purpose string) *rand.Rand {
	stream := fnv.New64a()
	io.WriteString(stream, purpose) // a hash takes all
	return rand.New(rand.NewPCG(s.seed, stream.Sum64()))
}
