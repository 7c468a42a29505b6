package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/game/racetest"
)

// mutated are the interactions that are mutated: one of each type, and commands with every
// type of option. None of them ends a game, so no answer may name the hidden word.
var mutated = []discordtest.Interaction{
	{Command: "wordle start", Options: map[string]any{"mode": "solo", "hard": true}},
	{Command: "wordle start", Guild: server},
	{Command: "guess", Guild: server, Options: map[string]any{"word": "slate"}},
	{Command: "guess"},
	{Command: "wordle board", Options: map[string]any{"mode": "together"}},
	{Command: "stats", Guild: server, Options: map[string]any{"player": discordtest.UserOption("1200000000000000001")}},
	{Command: "review list", Guild: server},
	{Command: "solve next", Options: map[string]any{"guess": "slate", "feedback": "bgggg"}}, // which leaves few words to rank
	{Command: "pokle solve", Options: map[string]any{"deal": "QD QC 10H 2H 9H KH 213 132 213"}},
	{Command: "pokle rules"},
	{Type: discordtest.TypeAutocomplete, Command: "guess", Focused: "word", Options: map[string]any{"word": "sl"}},
	{Type: discordtest.TypeAutocomplete, Command: "solve next", Focused: "guess", Options: map[string]any{"guess": "f"}},
	{Type: discordtest.TypeComponent, CustomID: "wordle board"},
	{Type: discordtest.TypeComponent, CustomID: "solve next?guess=slate&feedback=bgggg"},
	{Type: discordtest.TypeModal, CustomID: "guess", Options: map[string]any{"word": "brick"}},
}

// mutationsExpected matches violations for which a mutated interaction is to blame: its id or
// token is not what the fake knows, or its type is one that cannot be answered this way.
var mutationsExpected = regexp.MustCompile(`10062|10015|does not answer this interaction|no such endpoint|Unknown Message`)

// TestMutatedInteractions sends interactions that Discord would never send. Nothing may
// panic, no goroutine may stay behind, none may be answered twice, nothing secret said.
func TestMutatedInteractions(t *testing.T) {
	count := 1000 // cmd/soak sends more
	if testing.Short() || racetest.Enabled {
		count = 60
	}
	s := discordtest.New(t, inTwoServers)
	running := mustReady(t, s, hiding(t, unlikely))
	sendMutated(t, s, running, count)
}

// TestMutatedInteractionsByHTTP is the same by HTTP.
func TestMutatedInteractionsByHTTP(t *testing.T) {
	count := 300
	if testing.Short() || racetest.Enabled {
		count = 15
	}
	s := discordtest.New(t, inTwoServers)
	running := mustHTTP(t, s, hiding(t, unlikely), func(o *setup) {
		o.timings.http.Settle = func(context.Context, string, time.Time) error { time.Sleep(time.Millisecond); return nil } // the fake knows only right ids
	})
	sendMutated(t, s, running, count)
}

// unlikely is a hidden word that is, unlike hiddenWord, in no example.
const unlikely = "nymph"

// hiding is for mustRun: it has games hide a word.
func hiding(t *testing.T, hidden string) func(*setup) {
	return func(o *setup) {
		o.Bot = &bot.Bot{Table: mustHandlers(t, mustStore(t), hidden, o.Log).Table(), Log: o.Log}
	}
}

func sendMutated(t *testing.T, s *discordtest.Server, running *running, count int) {
	const hidden = unlikely
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	for _, i := range mutated {
		mustAnswer(t, s, i) // what is made only once is made now
	}
	before := working()
	for n := range count {
		i := mutated[random.IntN(len(mutated))]
		i.User = fmt.Sprint(1200000000000001000 + n) // a single player could have only a few in flight
		s.Invoke(discordtest.Interaction{Raw: discordtest.Mutate(random, s.Event(i))})
		if n%100 == 99 {
			mustAnswer(t, s, discordtest.Interaction{Command: "pokle rules"}) // it still works
		}
	}
	least, at := math.MaxInt, time.Now() // when there were so few for the first time
	for now := working(); len(now) > len(before); now = working() {
		if len(now) < least {
			least, at = len(now), time.Now()
		}
		if time.Since(at) > 5*time.Minute {
			t.Fatalf("%d goroutines work, %d before:\n%s", len(now), len(before), strings.Join(now, "\n\n"))
		}
		time.Sleep(10 * time.Millisecond)
	}
	running.cancel()
	must(t, running.mustEnd(t)) // with all edits
	if strings.Contains(running.log.String(), "panic") {
		t.Error("the log has a panic")
	}
	accepted := map[string]int{}
	for _, r := range s.Requests() {
		if strings.HasSuffix(r.Path, "/callback") && r.Status < 300 {
			accepted[r.Path]++
		}
		if text := strings.ToLower(textOf(r.Body)); strings.Contains(text, hidden) && !strings.Contains(text, "no word i know") { // the helper knows many words
			t.Errorf("an answer names the hidden word: %s", r.Body)
		}
	}
	for path, n := range accepted {
		if n > 1 {
			t.Errorf("%d first responses to %s", n, path)
		}
	}
	if len(accepted) < count/4 {
		t.Errorf("only %d of %d were answered", len(accepted), count)
	}
	for _, v := range s.Violations() {
		if !mutationsExpected.MatchString(v) {
			t.Errorf("discord would not have it: %s", v)
		}
	}
}

// working returns the stacks of the bot's goroutines. Those of net/http come and go with
// its connections.
func working() []string {
	stacks := make([]byte, 4<<20)
	all := strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")
	return slices.DeleteFunc(all, func(stack string) bool {
		return !strings.Contains(stack, "fivefold/") || strings.Contains(stack, "net/http.(*conn).serve") && !strings.Contains(stack, "ServeHTTP") || strings.Contains(stack, "discordtest") || strings.Contains(stack, "testing.tRunner")
	})
}

// textOf returns a response's content, without what the player typed that it may quote.
func textOf(body json.RawMessage) string {
	var r struct {
		Data struct {
			Content string `json:"content"`
		} `json:"data"`
		Content string `json:"content"`
	}
	_ = json.Unmarshal(body, &r) // one without a body has no content
	return r.Data.Content + r.Content
}
