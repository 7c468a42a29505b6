package discord

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/kinds"
	botsolve "fivefold/bot/solve"
	"fivefold/game"
	"fivefold/game/racetest"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/solver/parallel"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
	"fivefold/storage"
)

// childEnv, when set, makes the test binary a bot that serves the Discord at that
// address and writes the size of its live heap for each line on its input.
const childEnv = "FIVEFOLD_TEST_CHILD"

func child() int {
	err := func() error {
		base, err := url.Parse(os.Getenv(childEnv))
		if err != nil {
			return err
		}
		store, err := storage.Open(context.Background(), "bolt:"+os.Getenv(childEnv+"_STORE"), kinds.Codecs(), storage.Options{})
		if err != nil {
			return err
		}
		defer store.Close()
		lists, err := embedded()
		if err != nil {
			return err
		}
		log := slog.New(slog.NewTextHandler(os.Stderr, nil))
		ctx, stop := context.WithCancel(context.Background())
		go func() {
			defer stop()
			for in := bufio.NewScanner(os.Stdin); in.Scan(); {
				fmt.Println(liveHeap())
			}
		}()
		permits := parallel.NewPermits(0)
		words, elsewhere, cards := solver.New(lists), weighted.New(lists), new(boards.Solver)
		words.Permits, elsewhere.Permits, cards.Permits = permits, permits, permits
		all := kinds.All(kinds.Parts{Lists: lists, Words: words, Cards: cards, Elsewhere: botsolve.Handlers{
			Lists: lists, Log: log, Words: &solve.Words{Store: store, Solver: elsewhere}, Boards: &solve.Boards{Store: store, Solver: cards},
		}})
		return run(ctx, Options{
			Token: os.Getenv(childEnv + "_TOKEN"), BaseURL: base, Log: log, Permits: permits,
			Bot: &bot.Bot{Log: log, Table: commands.New(commands.Dependencies{
				Kinds: all, Games: &game.Manager{Store: store, Rules: all.Rules()}, Statistics: store, Sessions: store, Log: log,
			}).Table()},
		}, patient(defaultTimings))
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func liveHeap() uint64 {
	runtime.GC()
	runtime.GC() // pools are emptied only now
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestNothingLeaks has a bot answer many interactions. The bot is a separate
// process because the fake keeps everything.
func TestNothingLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const (
		warmUp = 500
		most   = 2 << 20 // bytes; 350 for each interaction would be more
	)
	count := racetest.Cases(6000)
	s := discordtest.New(t, discordtest.Options{})
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+s.URL(), childEnv+"_TOKEN="+s.Token(), childEnv+"_STORE="+filepath.Join(t.TempDir(), "fivefold.db"))
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		must(t, in.Close())
		must(t, cmd.Wait())
	})
	must(t, s.WaitReady(discordtest.Context(t), 1))

	lines := bufio.NewReader(out)
	heap := func() int {
		t.Helper()
		_, err := io.WriteString(in, "\n")
		must(t, err)
		line, err := lines.ReadString('\n')
		must(t, err)
		n, err := strconv.Atoi(strings.TrimSpace(line))
		must(t, err)
		return n
	}
	mustAnswer(t, s, discordtest.Interaction{Command: "wordle start"})
	askMany(t, s, warmUp)
	before := heap()
	askMany(t, s, count)
	after := heap()
	t.Logf("live heap: %d KiB before, %d KiB after %d interactions", before>>10, after>>10, count)
	if after > before+most {
		t.Errorf("the heap grew by %d bytes, at most %d", after-before, most)
	}
}

// askMany sends interactions, 64 at a time, and wants each answered.
func askMany(tb testing.TB, s *discordtest.Server, n int) {
	tb.Helper()
	mix := []discordtest.Interaction{
		guessOf("aaaaa"),
		{Command: "wordle board"},
		{Command: "stats", Guild: server},
		{Type: discordtest.TypeComponent, CustomID: "wordle board"},
		{Type: discordtest.TypeModal, CustomID: "guess", Options: map[string]any{"word": "aaaaa"}},
		{Type: discordtest.TypeAutocomplete, Command: "guess", Focused: "word", Options: map[string]any{"word": "cra"}},
	}
	var asking sync.WaitGroup
	slots := make(chan struct{}, 64)
	for k := range n {
		slots <- struct{}{}
		asking.Go(func() {
			defer func() { <-slots }()
			i := mix[k%len(mix)]
			i.User = strconv.Itoa(1000 + k%64) // nobody has more than one in flight
			call := s.Invoke(i)
			answered := call.Message
			if i.Type == discordtest.TypeComponent {
				answered = call.First // many presses of one board are shown by one edit
			}
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			if _, err := answered(ctx); err != nil {
				tb.Errorf("%s %s: %v", i.Command, i.CustomID, err)
			}
		})
	}
	asking.Wait()
}
