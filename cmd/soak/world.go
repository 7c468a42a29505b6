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
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"fivefold/bot/discord/discordtest"
	"fivefold/storage/postgres/postgrestest"
)

// kind is a kind of world: how the program is run and reached, and what happens to it.
type kind struct {
	name      string
	byHTTP    bool       // interactions are posted to the program, instead of sent over the gateway
	processes int        // how many share a database; 0 for one with a file, -1 for 2 to 4 and a replica of the database
	other     string     // the path of another program to compare with; empty for our own
	mode      string     // what the program is told to do
	disasters []disaster // none while load is measured
}

var worlds = []kind{
	{name: "file", mode: "bot", disasters: []disaster{
		{"kill", kill}, {"freeze", freeze}, {"gateway", breakGateway}, {"response", breakResponses},
	}},
	{name: "processes", mode: "bot", byHTTP: true, processes: -1, disasters: []disaster{
		{"kill", kill}, {"freeze", freeze}, {"database", restartDatabase},
	}},
}

// world is a fake Discord, the program that serves it, and what the players know.
type world struct {
	*soak
	kind
	folder    string
	discord   *discordtest.Server
	bots      []*process             // the processes of the program
	servers   []*postgrestest.Server // the primary of the database, and its replica
	store     string                 // the URL of the store
	addresses []string               // where the processes take interactions by HTTP
	balancer  *balancer
	journal   [players][]*match // what each player knows; read once all have stopped
	asked     atomic.Int64
	saved     atomic.Int64 // guesses that were acknowledged
	missed    atomic.Int64 // interactions without an answer
}

// newWorld starts the fake Discord and the program. The caller ends the world.
func (s *soak) newWorld(ctx context.Context, k kind) (_ *world, err error) {
	w := &world{soak: s, kind: k, folder: filepath.Join(s.folder, k.name)}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.stop())
		}
	}()
	// Each turn of a load must find the boards of the turn before.
	w.balancer = balance(&w.addresses)
	w.discord = discordtest.Start(discordtest.Options{Forget: 2 * time.Minute, Deliver: w.balancer})
	if err := errors.Join(os.Mkdir(w.folder, 0o700), w.makeStore(ctx)); err != nil {
		return nil, err
	}
	for n := range max(1, w.processes) {
		if err := w.addProcess(n); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if w.byHTTP {
		return w, w.discord.SetEndpoint(ctx, "http://balancer/interactions")
	}
	return w, w.discord.WaitConnected(ctx, 1)
}

// makeStore makes the database, if there is one, and chooses the number of its processes.
func (w *world) makeStore(ctx context.Context) error {
	if w.processes == 0 {
		w.store = "bolt:" + filepath.Join(w.folder, "fivefold.db")
		return nil
	}
	primary, err := postgrestest.New()
	if err != nil {
		return err
	}
	w.servers = append(w.servers, primary)
	hosts := primary.Address()
	if w.processes < 0 {
		w.processes = 2 + int(w.seed%3)
		replica, err := primary.Replica("replica")
		if err != nil {
			return err
		}
		w.servers = append(w.servers, replica)
		if err := primary.Synchronous("replica"); err != nil {
			return err
		}
		hosts += "," + replica.Address()
		w.figure("%d processes, each commit waits for the replica", w.processes)
	}
	w.store = fmt.Sprintf("postgres://fivefold@%s/postgres?sslmode=disable&target_session_attrs=read-write&pool_max_conns=%d", hosts, 32/w.processes)
	migrate := exec.CommandContext(ctx, w.program, "migrate")
	migrate.Dir, migrate.Env = w.folder, []string{"HOME=" + w.folder, "FIVEFOLD_STORE=" + w.store}
	if out, err := migrate.CombinedOutput(); err != nil {
		return fmt.Errorf("fivefold migrate: %w\n%s", err, out)
	}
	return nil
}

// addProcess starts a process of the program, in a folder of its own.
func (w *world) addProcess(n int) error {
	folder := filepath.Join(w.folder, fmt.Sprint(n))
	list := filepath.Join(folder, "words.txt")
	if err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(list, []byte(hidden+"\n"), 0o600)); err != nil {
		return err
	}
	b := &process{verdict: w.verdict, program: cmp.Or(w.other, w.program), mode: w.mode, log: filepath.Join(folder, "log"), env: []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + folder,
		"DISCORD_TOKEN=" + w.discord.Token(), "DISCORD_BASE_URL=" + w.discord.URL(), "FIVEFOLD_STORE=" + w.store,
	}}
	if w.byHTTP {
		port, err := postgrestest.FreePort()
		if err != nil {
			return err
		}
		address := fmt.Sprintf("127.0.0.1:%d", port)
		w.addresses = append(w.addresses, address)
		b.env = append(b.env, "FIVEFOLD_HTTP="+address, "DISCORD_PUBLIC_KEY="+w.discord.PublicKey())
	}
	if w.disasters != nil {
		b.env = append(b.env, "FIVEFOLD_ANSWERS="+list)
	}
	w.bots = append(w.bots, b)
	return b.start()
}

// stop ends everything but the database.
func (w *world) stop() error {
	var all errgroup.Group
	for _, b := range w.bots {
		all.Go(func() error { return b.end(syscall.SIGTERM) })
	}
	defer w.discord.Close()
	return all.Wait()
}

// expected matches violations that are no fault of the program. Answers come too late, or again, since Discord fails and
// the program is killed. By HTTP, the program may follow a response up before Discord has taken it.
var expected = regexp.MustCompile("10062|40060|10015|this bot edits what it has deferred")

// end stops everything, and looks for what must not be in the store, in the logs and in the calls to Discord.
func (w *world) end(ctx context.Context) {
	w.brokenOff(w.stop())
	for _, b := range w.bots {
		log, err := os.ReadFile(b.log)
		w.brokenOff(err)
		for line := range strings.Lines(string(log)) {
			if strings.Contains(line, "panic") || strings.Contains(line, "interaction-token-") || strings.Contains(line, w.discord.Token()) {
				w.finding("panic or secret in the log", "%.300s", line)
			}
		}
	}
	for _, v := range w.discord.Violations() {
		if !expected.MatchString(v) {
			w.finding("refused by Discord", "%s", v)
		}
	}
	if w.other == "" {
		c := &checking{verdict: w.verdict}
		w.brokenOff(c.run(ctx, w.store, slices.Concat(w.journal[:]...)))
		if c.acknowledged > 0 {
			w.figure("%d interactions, %d without an answer; %d acknowledged guesses compared with the store, %d counted although no answer said so",
				w.asked.Load(), w.missed.Load(), c.acknowledged, c.unanswered)
			w.figure("carried out at most %v after it was asked for", c.oldest)
		}
	}
	for _, server := range w.servers {
		w.brokenOff(server.Remove())
	}
}
