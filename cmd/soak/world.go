package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/storage/postgres/postgrestest"
)

// kind is a kind of world: how the program is run and reached, and what happens to it.
type kind struct {
	name      string
	byHTTP    bool   // interactions are posted to the program, instead of sent over the gateway
	processes int    // how many share a database; 0 for one with a file, -1 for 2 to 4 and a replica of the database
	measured  bool   // the fake Discord does as little as possible, and nothing happens
	other     string // the path of another program to compare with; empty for our own
	bare      bool   // the other program is the bare bot
	disasters []disaster
}

var worlds = []kind{
	{name: "file"},
	{name: "processes", byHTTP: true, processes: -1},
}

// hidden is the hidden word of every game, so that players can win, unless the load is measured.
const hidden = "crane"

// endpoint is where the program takes interactions by HTTP.
const endpoint = "/interactions"

// connections is the most connections to the database that all processes have together.
const connections = 32

// world is a fake Discord, the program that serves it, and what the players know.
type world struct {
	*soak
	kind
	folder  string
	program string // the path of fivefold
	discord *discordtest.Server
	bots    []*process             // the processes of the program
	servers []*postgrestest.Server // the primary of the database, and its replica
	file    string                 // the store's; empty with a database
	store   string                 // its URL

	journal journal
	// hold is read-locked during each exchange of a player. The journal is complete while it is write-locked.
	hold   sync.RWMutex
	asked  atomic.Int64
	saved  atomic.Int64 // guesses that were acknowledged
	missed atomic.Int64 // interactions without an answer
}

// newWorld starts the fake Discord and the program. The caller ends the world.
func (s *soak) newWorld(ctx context.Context, k kind) (_ *world, err error) {
	w := &world{soak: s, kind: k, program: cmp.Or(k.other, s.program), folder: filepath.Join(s.folder, k.name)}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.stop())
		}
	}()
	forget := 5 * time.Minute // a board is edited by the token of an answer, and pressed, long after it was made
	if k.measured {
		forget = 2 * time.Minute // there are too many, and each turn must find the boards of the one before
	}
	balancer := newBalancer()
	w.discord = discordtest.Start(discordtest.Options{Forget: forget, Deliver: balancer})
	if err := os.Mkdir(w.folder, 0o700); err != nil {
		return nil, err
	}
	if err := w.makeStore(ctx); err != nil {
		return nil, err
	}
	for n := range max(1, w.processes) {
		b, err := w.newProcess(n)
		if err != nil {
			return nil, err
		}
		w.bots = append(w.bots, b)
		balancer.addresses = append(balancer.addresses, b.address)
		if err := b.start(ctx); err != nil {
			return nil, err
		}
	}
	if w.byHTTP {
		return w, w.discord.SetEndpoint(ctx, "http://balancer"+endpoint)
	}
	return w, nil
}

// makeStore makes the database, if there is one, and chooses the number of its processes.
func (w *world) makeStore(ctx context.Context) error {
	if w.processes == 0 {
		w.file = filepath.Join(w.folder, "fivefold.db")
		w.store = "bolt:" + w.file
		return nil
	}
	primary, err := postgrestest.New()
	if err != nil {
		return err
	}
	w.servers = append(w.servers, primary)
	if err := primary.Do("CREATE DATABASE fivefold"); err != nil {
		return err
	}
	hosts := primary.Address()
	if w.processes < 0 {
		w.processes = 2 + w.random("processes").IntN(3)
		replica, err := primary.Replica("replica")
		if err != nil {
			return err
		}
		w.servers = append(w.servers, replica)
		if err := primary.Synchronous("replica"); err != nil {
			return err
		}
		hosts += "," + replica.Address()
		w.verdict.figure("%d processes, each commit waits for the replica", w.processes)
	}
	w.store = fmt.Sprintf("postgres://fivefold@%s/fivefold?sslmode=disable&target_session_attrs=read-write&pool_max_conns=%d", hosts, connections/w.processes)
	migrate := exec.CommandContext(ctx, w.program, "migrate")
	migrate.Dir, migrate.Env = w.folder, []string{"HOME=" + w.folder, "FIVEFOLD_STORE=" + w.store}
	if out, err := migrate.CombinedOutput(); err != nil {
		return fmt.Errorf("fivefold migrate: %w\n%s", err, out)
	}
	return nil
}

// newProcess returns a process of the program, in a folder of its own.
func (w *world) newProcess(n int) (*process, error) {
	folder := filepath.Join(w.folder, fmt.Sprint(n))
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, err
	}
	b := &process{
		verdict: &w.verdict,
		discord: w.discord, program: w.program, args: []string{map[bool]string{false: "bot", true: bareBot}[w.bare]}, log: filepath.Join(folder, "log"),
		env: []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + folder,
			"DISCORD_TOKEN=" + w.discord.Token(), "DISCORD_BASE_URL=" + w.discord.URL(), "FIVEFOLD_STORE=" + w.store,
		},
	}
	if w.byHTTP {
		port, err := postgrestest.FreePort()
		if err != nil {
			return nil, err
		}
		b.address = fmt.Sprintf("127.0.0.1:%d", port)
		b.env = append(b.env, "FIVEFOLD_HTTP="+b.address, "DISCORD_PUBLIC_KEY="+w.discord.PublicKey())
	}
	if !w.measured {
		list := filepath.Join(folder, "words.txt")
		if err := os.WriteFile(list, []byte(hidden+"\n"), 0o600); err != nil {
			return nil, err
		}
		b.env = append(b.env, "FIVEFOLD_ANSWERS="+list)
	}
	return b, nil
}

// stop ends everything but the database.
func (w *world) stop() error {
	var all sync.WaitGroup
	errs := make([]error, len(w.bots))
	for n, b := range w.bots {
		all.Go(func() { errs[n] = b.end(syscall.SIGTERM) })
	}
	all.Wait()
	if w.discord != nil {
		w.discord.Close()
	}
	return errors.Join(errs...)
}

// end stops everything and compares what is stored with what the players know.
func (w *world) end(ctx context.Context) {
	if err := w.stop(); err != nil {
		w.verdict.finding("broken off", "%v", err)
	}
	for _, b := range w.bots {
		w.checkLog(b)
	}
	w.checkViolations()
	if w.other == "" {
		w.checkStore(ctx)
	}
	for _, server := range w.servers {
		if err := server.Remove(); err != nil {
			w.verdict.finding("broken off", "%v", err)
		}
	}
}

// checkStore compares the stopped program's store with the journal.
func (w *world) checkStore(ctx context.Context) {
	c := &checking{verdict: &w.verdict, store: w.store, matches: w.journal.matches}
	c.run(ctx)
	if w.measured {
		return
	}
	w.verdict.figure("%d interactions, %d without an answer; %d guesses counted although no answer said so", w.asked.Load(), w.missed.Load(), c.unansweredButCounted)
	w.verdict.figure("%d matches and %d acknowledged guesses compared with the store, %d results in its log", len(c.matches), c.acknowledged, c.results)
}

// checkLog looks for what must not be in the log of a process.
func (w *world) checkLog(b *process) {
	log, err := os.ReadFile(b.log)
	if err != nil {
		w.verdict.finding("broken off", "%v", err)
		return
	}
	secrets := []string{"interaction-token-", w.discord.Token()}
	if !w.measured {
		secrets = append(secrets, strings.ToUpper(hidden), " "+hidden)
	}
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, "panic") {
			w.verdict.finding("panic", "%.300s", line)
		}
		for _, secret := range secrets {
			if strings.Contains(line, secret) {
				w.verdict.finding("secret in the log", "%.300s", line)
			}
		}
	}
}

// checkViolations notes what Discord would have refused.
func (w *world) checkViolations() {
	for _, v := range w.discord.Violations() {
		w.verdict.violation(v)
	}
}

// expected matches violations that are no fault of the program. Answers come too late, or again, since Discord fails and
// the program is killed. By HTTP, the program may follow a response up before Discord has taken it.
var expected = regexp.MustCompile("10062|40060|10015|the first answer came after|this bot edits what it has deferred")

// violation notes what Discord would have refused, unless that is expected.
func (v *verdict) violation(text string) {
	if !expected.MatchString(text) {
		v.finding("refused by Discord", "%s", text)
	}
}
