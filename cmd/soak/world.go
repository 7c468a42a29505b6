package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/storage/storagetest/traced"
)

// world is a fake Discord, the program that serves it, and what the players know.
type world struct {
	*soak
	discord *discordtest.Server
	bot     *supervised // nil if there is a fleet
	fleet   *fleet      // nil unless several processes share a database
	store   string      // the path of its file; empty for a fleet
	journal journal

	// afterNext is called once, after the next interaction has been sent.
	afterNext atomic.Pointer[func()]

	ids struct {
		sync.Mutex // protects last
		last       int64
	}
	asked, unanswered atomic.Int64
	reasons           struct {
		sync.Mutex                // protects all
		all        map[string]int // how often there was no answer, by reason
	}
	saved             atomic.Int64 // guesses that were acknowledged
	guilds            int          // in how many servers players play; 0 for three
	answered, guesses *pulse       // when each answer came, and each that acknowledged a guess; nil if nobody asks
	apologies         atomic.Int64 // answers that something went wrong

	expectCrashes    bool // the program may end by itself, and is started again
	expectApologies  bool
	expectWrongTimes bool // the program's clock is wrong
	quiet            bool // whether not to print how much was played: there are other figures
}

// setup is how a world is made.
type setup struct {
	program string // if not empty, a program to run instead of the one to be tried
	// allWords has the program hide any word of its list; otherwise it is always CRANE,
	// so that a player can win.
	allWords bool
	trace    *traced.Options
	way      way

	// See [discordtest.Options].
	keep      int
	unchecked bool
}

// way is how interactions come to the program.
type way int

const (
	asAsked way = iota // by HTTP if --http is given, otherwise over the gateway
	overGateway
	byHTTP
)

// hidden is the hidden word of every game, unless any word can be.
const hidden = "crane"

// newWorld starts the fake Discord and the program.
func (s *soak) newWorld(ctx context.Context, name string, how setup) (_ *world, err error) {
	w, folder, err := s.emptyWorld(name, how)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			w.discord.Close()
		}
	}()
	w.store = filepath.Join(folder, "fivefold.db")
	env, err := w.environment(folder, "bolt:"+w.store, how)
	if err != nil {
		return nil, err
	}
	if s.adminSetting {
		env = append(env, "FIVEFOLD_ADMIN=unix:"+w.adminSocket())
	}
	url := ""
	if how.way == byHTTP || how.way == asAsked && s.http {
		address, err := freeAddress()
		if err != nil {
			return nil, err
		}
		url = "http://" + address + "/interactions"
		env = append(env, "FIVEFOLD_HTTP="+address, "DISCORD_PUBLIC_KEY="+w.discord.PublicKey())
	}
	if how.trace != nil {
		how.trace.File = w.store
	}
	w.bot = &supervised{
		discord: w.discord, url: url, program: cmp.Or(how.program, s.program), args: []string{"bot"}, env: env, log: filepath.Join(folder, "log"), trace: how.trace,
	}
	if err := w.bot.start(ctx); err != nil {
		return nil, errors.Join(err, w.bot.stop())
	}
	return w, nil
}

// emptyWorld starts the fake Discord, and makes a folder for the program.
func (s *soak) emptyWorld(name string, how setup) (w *world, folder string, err error) {
	discord, err := discordtest.Start(discordtest.Options{Keep: cmp.Or(how.keep, 10_000), Unchecked: how.unchecked, Heartbeat: 5 * time.Second, Starts: 1 << 30})
	if err != nil {
		return nil, "", err
	}
	folder = filepath.Join(s.folder, name)
	if err := os.Mkdir(folder, 0o700); err != nil {
		discord.Close()
		return nil, "", err
	}
	return &world{soak: s, discord: discord}, folder, nil
}

// environment returns the environment of the program, with this store.
func (w *world) environment(folder, store string, how setup) ([]string, error) {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + folder,
		"DISCORD_TOKEN=" + w.discord.Token(), "DISCORD_BASE_URL=" + w.discord.URL(), "FIVEFOLD_STORE=" + store,
	}
	if !how.allWords {
		list := filepath.Join(folder, "words.txt")
		if err := os.WriteFile(list, []byte(hidden+"\n"), 0o600); err != nil {
			return nil, err
		}
		env = append(env, "FIVEFOLD_ANSWERS="+list)
	}
	return env, nil
}

// processes returns the processes of the program.
func (w *world) processes() []*supervised {
	if w.fleet != nil {
		return w.fleet.bots
	}
	return []*supervised{w.bot}
}

func (w *world) adminSocket() string { return filepath.Join(filepath.Dir(w.store), "admin.sock") }

// end stops everything and compares what is stored with what the players know.
func (w *world) end(ctx context.Context) {
	w.stopProcesses()
	w.discord.Close()
	if w.fleet != nil {
		if err := w.fleet.balancer.close(); err != nil {
			w.verdict.finding("broken off", "%v", err)
		}
	}
	for _, b := range w.processes() {
		w.checkLog(b)
	}
	w.checkStore(ctx)
	w.checkViolations()
}

// stopProcesses ends all processes of the program at once.
func (w *world) stopProcesses() {
	var all sync.WaitGroup
	for _, b := range w.processes() {
		all.Go(func() {
			if err := b.stop(); err != nil {
				w.verdict.finding("hangs", "%v", err)
			}
		})
	}
	all.Wait()
}

// checkStore compares the stopped program's store with the journal.
func (w *world) checkStore(ctx context.Context) {
	c := &checking{verdict: &w.verdict, store: "bolt:" + w.store, matches: w.journal.matches, wrongTimes: w.expectWrongTimes}
	if w.fleet != nil {
		c.store = w.fleet.store
	} else {
		w.checkWhole(ctx, w.store) // before opening it, which may mend it
	}
	c.run(ctx)
	if w.quiet {
		return
	}
	w.verdict.figure("%d interactions, %d without an answer and %d with an apology; %d guesses counted although no answer said so", w.asked.Load(), w.unanswered.Load(), w.apologies.Load(), c.unansweredButCounted)
	w.verdict.figure("%d matches and %d acknowledged guesses compared with the store, %d results in its log", len(c.matches), c.acknowledged, c.results)
}

// checkLog looks for what must not be in the log of a process.
func (w *world) checkLog(b *supervised) {
	log, err := os.ReadFile(b.log)
	if err != nil {
		w.verdict.finding("broken off", "%v", err)
		return
	}
	if !w.expectCrashes {
		for _, c := range b.crashes {
			w.verdict.finding("ended by itself", "%s", c)
		}
	}
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, "panic") {
			w.verdict.finding("panic", "%.300s", line)
		}
		for _, secret := range []string{"interaction-token-", w.discord.Token(), strings.ToUpper(hidden), " " + hidden} {
			if strings.Contains(line, secret) {
				w.verdict.finding("a secret in the log", "%.300s", line)
			}
		}
	}
}

// checkViolations notes what Discord would have refused. Answers that come too late, or
// again, are no violations while Discord fails or the program is killed.
func (w *world) checkViolations() {
	for _, v := range w.discord.Violations() {
		if strings.Contains(v, "10062") || strings.Contains(v, "40060") || strings.Contains(v, "10015") || strings.Contains(v, "the first answer came after") {
			continue
		}
		w.verdict.finding("refused by Discord", "%s", v)
	}
}

// present waits until the program is there. A fleet's balancer always is.
func (w *world) present(ctx context.Context) error {
	switch {
	case w.fleet != nil:
		return nil
	case w.bot.url == "":
		return w.discord.WaitConnected(ctx, 1)
	case w.bot.alive().Err() == nil:
		return nil
	}
	return w.discord.WaitEndpoint(ctx)
}

// life returns a context that ends with whatever an answer can come from.
func (w *world) life() context.Context {
	if w.fleet != nil {
		return context.Background()
	}
	return w.bot.alive()
}

// freeAddress returns an address of this machine on which nobody listens.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// invoke sends an interaction as a player does.
func (w *world) invoke(i discordtest.Interaction) *discordtest.Call {
	c := w.discord.Invoke(i)
	if f := w.afterNext.Swap(nil); f != nil {
		(*f)()
	}
	return c
}

// How long a player waits: Discord shows after 3 s that the application did not respond, and
// nobody waits longer than finalWait for "thinking…" to end.
const (
	firstWait = 3500 * time.Millisecond
	finalWait = 20 * time.Second
	// updateWait is how long the update of a board may take after a press of its button was
	// acknowledged.
	updateWait = 2 * time.Second
)

// ask sends an interaction and returns what the player sees, or false if the player sees
// nothing.
func (w *world) ask(ctx context.Context, i discordtest.Interaction) (discordtest.Answer, bool) {
	return w.askAmid(ctx, i, trouble{})
}

// trouble is what happens right before and right after an interaction is sent. Either may
// be nil.
type trouble struct {
	before, after func(id string)
}

// askAmid is [world.ask] with trouble.
func (w *world) askAmid(ctx context.Context, i discordtest.Interaction, t trouble) (discordtest.Answer, bool) {
	// A client shows at once that nobody is there, and the player tries again when
	// somebody is.
	if err := w.present(ctx); err != nil {
		return discordtest.Answer{}, false
	}
	w.asked.Add(1)
	waits, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.life(), cancel)() // nothing comes from a dead process
	if t.before != nil {
		t.before(i.ID)
	}
	call := w.invoke(i)
	if t.after != nil {
		t.after(i.ID)
	}
	answer, err := await(waits, firstWait, call.First)
	switch {
	case err == nil && answer.Type == 5:
		answer, err = await(waits, finalWait, call.Message)
	case err == nil && answer.Type == 6: // another call may show what a press of a board led to
		if final, err := await(waits, updateWait, call.Message); err == nil {
			answer = final
		}
	}
	if errors.Is(err, discordtest.ErrNobodyConnected) && w.fleet == nil && w.bot.url != "" {
		w.asked.Add(-1)
		if err := w.discord.WaitEndpoint(ctx); err != nil { // it is being started again
			return answer, false
		}
	} else if err != nil && ctx.Err() == nil {
		w.unanswered.Add(1)
		w.noteReason(err)
	}
	if err != nil {
		return answer, false
	}
	w.progress.answered.Add(1)
	if w.answered != nil {
		w.answered.beat()
	}
	if strings.Contains(answer.Content, "went wrong on our side") {
		w.apologies.Add(1)
		if !w.expectApologies {
			w.verdict.finding("apology", "to %s %s %v: %s", i.Command, i.CustomID, i.Options, answer.Content)
		}
	}
	return answer, true
}

// noteReason notes why an interaction was not answered.
func (w *world) noteReason(err error) {
	reason := err.Error()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		reason = "too late"
	case errors.Is(err, context.Canceled):
		reason = "the process has ended"
	}
	w.reasons.Lock()
	defer w.reasons.Unlock()
	if w.reasons.all == nil {
		w.reasons.all = map[string]int{}
	}
	w.reasons.all[reason]++
}

// takeReasons returns why interactions were not answered since the last call.
func (w *world) takeReasons() string {
	w.reasons.Lock()
	defer w.reasons.Unlock()
	var all []string
	for _, r := range slices.Sorted(maps.Keys(w.reasons.all)) {
		all = append(all, fmt.Sprintf("%d: %s", w.reasons.all[r], r))
	}
	w.reasons.all = nil
	return strings.Join(all, "; ")
}

func await(ctx context.Context, atMost time.Duration, get func(context.Context) (discordtest.Answer, error)) (discordtest.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	return get(ctx)
}

// discordEpoch is the first millisecond of 2015, from which Discord's ids count.
const discordEpoch = 1420070400000

// newID returns an interaction's id, which has the time in it.
func (w *world) newID() string {
	w.ids.Lock()
	defer w.ids.Unlock()
	w.ids.last = max(w.ids.last+1, (time.Now().UnixMilli()-discordEpoch)<<22|1<<20) // 1<<20 keeps it apart from the fake Discord's own
	return fmt.Sprint(w.ids.last)
}

// askedAt is the time in an interaction's id.
func askedAt(id string) time.Time {
	var n int64
	if _, err := fmt.Sscan(id, &n); err != nil {
		return time.Time{}
	}
	return time.UnixMilli(n>>22 + discordEpoch)
}
