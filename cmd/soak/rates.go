package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/storage/postgres/postgrestest"
)

// rateRounds is how many turns each of those that are compared has. The first turn does not
// count, since connections are made and statements are planned in it.
const rateRounds = 6

// rates counts how many interactions a second are answered by HTTP, with 64 at once in 256 channels; six
// in seven are guesses. It does so with a file, and with PostgreSQL and 1, 2 and 4 processes that share
// a balancer. It compares them with a bare UPDATE, as pgbench sends it over 64 connections, each for a
// row of its own, to the same server. Commits wait for the disk but for no replica. The players, the
// fake Discord and the balancer use the same processors.
func rates(ctx context.Context, s *soak) (err error) {
	server, err := postgrestest.New()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Remove()) }()
	bare, err := newBare(server)
	if err != nil {
		return err
	}
	how := setup{allWords: true, way: byHTTP, keep: 256 * inChannels, unchecked: true}
	file, err := s.newWorld(ctx, "file", how)
	if err != nil {
		return err
	}
	all := []*rated{{name: "a bare UPDATE by pgbench", turn: bare.turn, uncounted: new(atomic.Int64)}, rateOf("a file, 1 process", file)}
	onPostgres := func(name, database string, count int, how setup) error {
		if err := server.Do("postgres", "CREATE DATABASE "+database); err != nil {
			return err
		}
		w, err := s.newFleet(ctx, database, fmt.Sprintf("%s&pool_max_conns=%d", server.URL(database), connections/count), count, how)
		if err == nil {
			all = append(all, rateOf(name, w))
		}
		return err
	}
	defer func() {
		for _, r := range all {
			if r.world != nil {
				r.world.end(ctx)
			}
		}
	}()
	if s.before != "" {
		before := how
		before.program = s.before
		if err := onPostgres("PostgreSQL, the release before, processes: 1", "before", 1, before); err != nil {
			return err
		}
	}
	for _, count := range []int{1, 2, 4} {
		if err := onPostgres(fmt.Sprintf("PostgreSQL, processes: %d", count), fmt.Sprint("processes", count), count, how); err != nil {
			return err
		}
	}
	round := max(s.lasting/time.Duration(len(all)*rateRounds), time.Second).Truncate(time.Second) // pgbench runs for whole seconds
	for n := range rateRounds {
		for _, r := range all {
			if n == 1 {
				r.waits, r.lasted, r.program, r.database, r.rest = nil, 0, 0, 0, 0
			}
			s.progress.now("%s", r.name)
			if err := r.measure(ctx, round, server); err != nil {
				return err
			}
		}
	}
	for _, r := range all {
		count := len(r.waits)
		if count == 0 {
			s.verdict.finding("no answer", "%s", r.name)
			continue
		}
		if n := r.uncounted.Load(); n > 0 {
			s.verdict.figure("%s: %d other answers, or none", r.name, n)
		}
		each := func(d time.Duration) time.Duration { return (d / time.Duration(count)).Round(time.Microsecond) }
		slices.Sort(r.waits)
		s.verdict.figure("%s: %.0f a second, %.2f of the bare UPDATE; half of them within %v, 99 of 100 within %v; processor time of each: %v of the program, %v of the database, %v of the players, the fake Discord and the balancer",
			r.name, float64(count)/r.lasted.Seconds(), float64(count)/r.lasted.Seconds()*all[0].lasted.Seconds()/float64(len(all[0].waits)),
			r.waits[count/2].Round(100*time.Microsecond), r.waits[count*99/100].Round(100*time.Microsecond), each(r.program), each(r.database), each(r.rest))
	}
	s.verdict.figure("load average: %s", loadAverage())
	return nil
}

// rated is what is measured and compared: the program in one arrangement, or pgbench.
type rated struct {
	name string
	// turn works for a while, and returns how long each answer took.
	turn  func(ctx context.Context, lasts time.Duration) ([]time.Duration, error)
	world *world // nil for pgbench

	uncounted *atomic.Int64 // answers that did not show that something was saved

	waits                   []time.Duration // for each answer
	lasted                  time.Duration   // all turns
	program, database, rest time.Duration   // of processors
}

// rateOf returns a rated whose turns are those of players in a world.
func rateOf(name string, w *world) *rated {
	w.quiet = true
	var sent, uncounted atomic.Int64
	return &rated{name: name, world: w, uncounted: &uncounted, turn: func(ctx context.Context, lasts time.Duration) ([]time.Duration, error) {
		return w.guessesIn(ctx, lasts, &sent, &uncounted), nil
	}}
}

// inGuilds is how many servers players guess in: games that end at once in the same server wait for
// each other.
const inGuilds = 64

// guessesIn has players play for a while, one game of six guesses after another in each
// channel. It returns how long each answer took, of those that showed what was saved. It adds
// to sent the interactions that were sent, and to uncounted the answers that showed something
// else; both continue in the next turn.
func (w *world) guessesIn(ctx context.Context, lasts time.Duration, sent, uncounted *atomic.Int64) []time.Duration {
	ctx, stop := context.WithTimeout(ctx, lasts)
	defer stop()
	var all sync.WaitGroup
	var waits [atOnce][]time.Duration
	for player := range waits {
		all.Go(func() {
			for ctx.Err() == nil {
				n := int(sent.Add(1))
				i := discordtest.Interaction{
					Guild: fmt.Sprint("71", n%inGuilds), Channel: fmt.Sprintf("1371%04d", n%inChannels), User: fmt.Sprintf("1271%04d", n%inChannels),
					Command: "wordle start",
				}
				shows := []string{"6 attempts left"}
				if turn := n / inChannels; turn%7 > 0 {
					i.Command, i.Options = "guess", map[string]any{"word": poorGuess(turn)}
					shows = []string{"🔳", "🟨", "🟩", "_black", "_yellow", "_green"}
				}
				asked := time.Now()
				a, ok := w.ask(context.WithoutCancel(ctx), i)
				switch {
				case ctx.Err() != nil: // it came too late to be counted
				case ok && slices.ContainsFunc(shows, func(s string) bool { return strings.Contains(a.Content, s) }):
					waits[player] = append(waits[player], time.Since(asked))
				default:
					uncounted.Add(1)
				}
			}
		})
	}
	all.Wait()
	return slices.Concat(waits[:]...)
}

// measure runs one turn, and adds its answers and the processor time that was used meanwhile.
func (r *rated) measure(ctx context.Context, lasts time.Duration, server *postgrestest.Server) error {
	used := func() (program, database, rest time.Duration) {
		if r.world != nil {
			for _, b := range r.world.processes() {
				program += b.processorTime()
			}
		}
		rest, _, _ = processorTime(os.Getpid())
		return program, familyTime(server.Pid()), rest
	}
	program, database, rest := used()
	waits, err := r.turn(ctx, lasts)
	if err != nil {
		return err
	}
	program2, database2, rest2 := used()
	r.waits = append(r.waits, waits...)
	r.lasted += lasts
	r.program, r.database, r.rest = r.program+program2-program, r.database+database2-database, r.rest+rest2-rest
	return nil
}

// bare is a table for pgbench.
type bare struct{ server *postgrestest.Server }

// bareUpdate is pgbench's script: each client updates a row of its own, whose version is in the variable v.
const bareUpdate = `UPDATE bare SET version = :v + 1 WHERE id = :client_id AND version = :v;
\set v :v + 1
`

func newBare(server *postgrestest.Server) (*bare, error) {
	b := &bare{server}
	return b, errors.Join(
		server.Do("postgres", "CREATE TABLE bare (id bigint PRIMARY KEY, version bigint NOT NULL)"),
		server.Do("postgres", fmt.Sprintf("INSERT INTO bare SELECT n, 0 FROM generate_series(0, %d) AS n", atOnce-1)))
}

// turn runs pgbench for a time of whole seconds, and returns how long each transaction took.
func (b *bare) turn(ctx context.Context, lasts time.Duration) ([]time.Duration, error) {
	if err := b.server.Do("postgres", "UPDATE bare SET version = 0"); err != nil {
		return nil, err
	}
	cmd := b.server.Program("pgbench", "--no-vacuum", "--protocol=prepared", "--file=bare.sql", "--log", "--log-prefix=bare",
		fmt.Sprint("--client=", atOnce), "--jobs=2", "--define=v=0", fmt.Sprint("--time=", int(lasts.Seconds())), b.server.URL("postgres"))
	if err := os.WriteFile(filepath.Join(cmd.Dir, "bare.sql"), []byte(bareUpdate), 0o644); err != nil {
		return nil, err
	}
	if out, err := runUntil(ctx, cmd); err != nil {
		return nil, fmt.Errorf("pgbench: %w\n%s", err, out)
	}
	logs, err := filepath.Glob(filepath.Join(cmd.Dir, "bare.*[0-9]"))
	if err != nil {
		return nil, err
	}
	var waits []time.Duration
	for _, path := range logs {
		if waits, err = readBenchLog(path, waits); err != nil {
			return nil, err
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	check := fmt.Sprintf("DO $$ BEGIN ASSERT (SELECT sum(version) FROM bare) = %d, 'not every UPDATE has changed its row'; END $$", len(waits))
	return waits, b.server.Do("postgres", check)
}

// runUntil runs a command, kills it if ctx ends, and returns all that it has printed.
func runUntil(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() {
		_ = cmd.Process.Kill() // it may have ended
	})()
	err := cmd.Wait()
	return out.Bytes(), err
}

// readBenchLog appends the times in a log of pgbench to waits. They are its third column, in microseconds.
func readBenchLog(path string, waits []time.Duration) ([]time.Duration, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 3 {
			return nil, fmt.Errorf("pgbench's log has the line %q", lines.Text())
		}
		micros, err := strconv.Atoi(fields[2])
		if err != nil {
			return nil, fmt.Errorf("pgbench's log has the line %q", lines.Text())
		}
		waits = append(waits, time.Duration(micros)*time.Microsecond)
	}
	return waits, lines.Err()
}
