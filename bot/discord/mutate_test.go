package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"fivefold/bot/discord/discordtest"
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
var mutationsExpected = regexp.MustCompile(`10062|10015|does not answer an interaction|no such endpoint|Unknown Message`)

// TestMutatedInteractions sends interactions that Discord would never send, over the gateway and by HTTP. Nothing may
// panic or be left to do, none may be answered twice, nothing secret said.
func TestMutatedInteractions(t *testing.T) {
	s := discordtest.New(t, inTwoServers)
	running := mustReady(t, s, hideUnlikely)
	sendMutated(t, s, running, 1000)
}

func TestMutatedInteractionsByHTTP(t *testing.T) {
	s := discordtest.New(t, inTwoServers)
	running := mustHTTP(t, s, hideUnlikely, func(o *setup) {
		o.timings.http.Settle = func(context.Context, string, time.Time) error { time.Sleep(time.Millisecond); return nil } // the fake knows only right ids
	})
	sendMutated(t, s, running, 300)
}

// unlikely is a hidden word that is, unlike hiddenWord, in no example.
const unlikely = "nymph"

func hideUnlikely(o *setup) { o.hidden = func() string { return unlikely } }

func sendMutated(t *testing.T, s *discordtest.Server, running *running, count int) {
	if testing.Short() {
		count /= 10
	}
	mustAnswer(t, s, discordtest.Interaction{Command: "pokle rules"}) // the bot knows the time now
	random := rand.New(rand.NewPCG(7, 8))
	for n := range count {
		i := mutated[random.IntN(len(mutated))]
		i.User = fmt.Sprint(1200000000000001000 + n) // a single player could have only a few in flight
		s.Invoke(discordtest.Interaction{Raw: mutate(random, s.Event(i))})
		if n%100 == 99 {
			mustAnswer(t, s, discordtest.Interaction{Command: "pokle rules"}) // it still works
		}
	}
	s.WaitPosted()
	running.cancel()
	must(t, running.mustEnd(t)) // with all edits
	if log := running.log.String(); strings.Contains(log, "panic") || strings.Contains(log, "stopping before") {
		t.Error("the log has a panic, or answers were left to send")
	}
	accepted := map[string]int{}
	for _, r := range s.Requests() {
		if strings.HasSuffix(r.Path, "/callback") && r.Status < 300 {
			accepted[r.Path]++
		}
		if text := strings.ToLower(textOf(r.Body)); strings.Contains(text, unlikely) && !strings.Contains(text, "no word i know") { // the helper knows many words
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

// textOf returns a response's content, without what the player typed that it may quote.
func textOf(body json.RawMessage) string {
	var r struct {
		Data struct {
			Components []discordtest.Component `json:"components"`
		} `json:"data"`
		Components []discordtest.Component `json:"components"`
	}
	_ = json.Unmarshal(body, &r) // one without a body has no content
	return discordtest.TextOf(r.Data.Components) + discordtest.TextOf(r.Components)
}

// fieldName matches the names of fields.
var fieldName = regexp.MustCompile(`"(\w+)":`)

// mutate returns an event with a few strange fields: they are missing, in capitals, or have an unexpected value. The
// interaction keeps its id and its token, most of the time.
func mutate(r *rand.Rand, event json.RawMessage) json.RawMessage {
	text := string(event)
	for range 1 + r.IntN(4) {
		fields := fieldName.FindAllStringSubmatchIndex(text, -1)
		at := fields[r.IntN(len(fields))]
		name := text[at[2]:at[3]]
		if (name == "id" || name == "token") && r.IntN(20) > 0 {
			continue
		}
		others := ""
		if r.IntN(4) > 0 {
			value, err := json.Marshal(unexpected[r.IntN(len(unexpected))])
			if err != nil {
				panic(err)
			}
			others = fmt.Sprintf("%q:%s,", []string{name, strings.ToUpper(name)}[r.IntN(2)], value)
		}
		text = text[:at[0]] + others + `"former_` + name + `":` + text[at[1]:]
	}
	return json.RawMessage(text)
}

// unexpected are values that Discord never sends.
var unexpected = []any{
	nil, true, "", map[string]any{}, []any{nil}, map[string]any{"": nil}, json.RawMessage(strings.Repeat("[", 200) + strings.Repeat("]", 200)),
	-1, 0, 1, 2, 3, 4, 5, 7, 255, json.Number("1e400"), json.Number("9223372036854775808"), 1.5,
	"18446744073709551616", "-5", "null", "\x00", "\u202eelbat", "🟩🟨⬛🟧🟦", "ＣＲＡＮＥ", "e\u0301a\u0300rne",
	strings.Repeat("x", 5000), strings.Repeat("🟩", 2001), strings.Repeat("\n", 100), "@everyone", "<@1200000000000000001>", "`*_~|>#-[x](y)",
	"guess", "wordle start", "pokle solve?deal=x", "solve next?guess=crony&feedback=bbbbb", "../../etc/passwd", "%00%ff", "a%20b?c=d&e",
}
