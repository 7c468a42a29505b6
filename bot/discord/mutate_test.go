package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
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

// TestMutatedInteractions sends interactions that Discord would never send. Nothing may
// panic, no goroutine may stay behind, none may be answered twice, nothing secret said.
func TestMutatedInteractions(t *testing.T) {
	count := 1000
	if testing.Short() {
		count = 60
	}
	s := discordtest.New(t, inTwoServers)
	running := mustReady(t, s, hideUnlikely)
	sendMutated(t, s, running, count)
}

// TestMutatedInteractionsByHTTP is the same by HTTP.
func TestMutatedInteractionsByHTTP(t *testing.T) {
	count := 300
	if testing.Short() {
		count = 15
	}
	s := discordtest.New(t, inTwoServers)
	running := mustHTTP(t, s, hideUnlikely, func(o *setup) {
		o.timings.http.Settle = func(context.Context, string, time.Time) error { time.Sleep(time.Millisecond); return nil } // the fake knows only right ids
	})
	sendMutated(t, s, running, count)
}

// unlikely is a hidden word that is, unlike hiddenWord, in no example.
const unlikely = "nymph"

func hideUnlikely(o *setup) { o.hidden = func() string { return unlikely } }

func sendMutated(t *testing.T, s *discordtest.Server, running *running, count int) {
	const hidden = unlikely
	random := rand.New(rand.NewPCG(7, 8))
	for _, i := range mutated {
		mustAnswer(t, s, i) // what is made only once is made now
	}
	before := working()
	for n := range count {
		i := mutated[random.IntN(len(mutated))]
		i.User = fmt.Sprint(1200000000000001000 + n) // a single player could have only a few in flight
		s.Invoke(discordtest.Interaction{Raw: mutate(random, s.Event(i))})
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

// mutate returns an event with a few things about it changed: fields that are missing,
// come twice, have another type, a value from elsewhere, or one that nobody expects. It is
// still JSON. The interaction keeps its id and its token, most of the time.
func mutate(r *rand.Rand, event json.RawMessage) json.RawMessage {
	root := parsed(event).(map[string]any)
	for range 1 + r.IntN(4) {
		all := nodes(root, 1)
		if len(all) == 0 {
			break
		}
		if n := all[r.IntN(len(all))]; !n.names || r.IntN(20) == 0 {
			n.change(r, all)
		}
	}
	text := encoded(root)
	if keys := slices.Sorted(maps.Keys(root)); len(keys) > 0 && r.IntN(10) == 0 { // a field comes twice
		if key := keys[r.IntN(len(keys))]; key != "id" && key != "token" {
			text = slices.Concat(text[:len(text)-1], []byte(","), encoded(key), []byte(":"), encoded(unexpected(r)), []byte("}"))
		}
	}
	return text
}

func parsed(text json.RawMessage) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

func encoded(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// node is a value in a tree, and the object that it is in.
type node struct {
	value any
	in    map[string]any // nil in a list
	key   string         // in an object
	names bool           // it is the interaction's id or token
	set   func(any)
}

// nodes returns every value below a root, objects in the order of their keys.
func nodes(root any, depth int) (all []node) {
	switch v := root.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = append(all, node{v[key], v, key, depth == 1 && (key == "id" || key == "token"), func(value any) { v[key] = value }})
			all = append(all, nodes(v[key], depth+1)...)
		}
	case []any:
		for i := range v {
			all = append(all, node{v[i], nil, "", false, func(value any) { v[i] = value }})
			all = append(all, nodes(v[i], depth+1)...)
		}
	}
	return all
}

func (n node) change(r *rand.Rand, all []node) {
	text, isText := n.value.(string)
	list, isList := n.value.([]any)
	switch what := r.IntN(8); {
	case what == 0 && n.in != nil:
		delete(n.in, n.key)
	case what == 1 && n.in != nil: // Go's decoder takes names in any case
		n.in[strings.ToUpper(n.key)] = unexpected(r)
	case what == 2: // a value from elsewhere, but for the token, which no log may have
		if other := all[r.IntN(len(all))]; !other.names {
			n.set(parsed(encoded(other.value)))
		}
	case what == 3 && isText && text != "":
		at := r.IntN(len(text))
		odd := string(rune(r.IntN(0x3000)))
		n.set([]string{text[:at], text + text, strings.ToUpper(text), text[:at] + odd + text[at:], text[:at] + " " + text[at+1:]}[r.IntN(5)])
	case what == 4 && isList && len(list) > 0:
		many := slices.Clone(list)
		for range r.IntN(40) {
			many = append(many, list[r.IntN(len(list))])
		}
		n.set(many)
	case what == 5: // other types of interactions, components, options
		n.set(json.Number([]string{"0", "1", "2", "3", "4", "5", "7", "255"}[r.IntN(8)]))
	default:
		n.set(unexpected(r))
	}
}

// unexpected is something that nobody expects.
func unexpected(r *rand.Rand) any {
	values := []any{
		nil, true, false, "", map[string]any{}, []any{}, []any{nil}, map[string]any{"": nil}, json.RawMessage(strings.Repeat("[", 200) + strings.Repeat("]", 200)),
		json.Number("-1"), json.Number("0"), json.Number("1e400"), json.Number("9223372036854775808"), json.Number("1.5"),
		"18446744073709551616", "-5", "null", "\x00", "\u202eelbat", "🟩🟨⬛🟧🟦", "ＣＲＡＮＥ", "e\u0301a\u0300rne",
		strings.Repeat("x", 5000), strings.Repeat("🟩", 2001), strings.Repeat("\n", 100), "@everyone", "<@1200000000000000001>", "`*_~|>#-[x](y)",
		"guess", "wordle start", "pokle solve?deal=x", "solve next?guess=crony&feedback=bbbbb", "../../etc/passwd", "%00%ff", "a%20b?c=d&e",
	}
	return values[r.IntN(len(values))]
}
