package commands_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/commands/commandstest"
	"fivefold/bot/kinds"
	"fivefold/bot/settings"
	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/marks"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/storage"
	"fivefold/storage/bolt"
	"fivefold/storage/check"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
	"fivefold/storage/schema"
)

// monkey makes random requests by all commands and by what the replies offer, as several players in several places.
type monkey struct {
	t       *testing.T
	random  *rand.Rand
	m       ordered.Map
	store   *storage.Store
	bot     *bot.Bot
	games   *matches.Manager
	parts   commands.Dependencies
	now     time.Time
	n       int
	offered map[game.PlayerID][]bot.Request
}

// players have ids as Discord's, and names that nothing else has.
var players = []game.PlayerID{"700000000000000101", "700000000000000202", "700000000000000303"}

func nameOf(p game.PlayerID) string { return "Name" + string(p[len(p)-3:]) + "here" }

// places are two servers, one of them with two channels, and a channel of direct messages.
var places = []game.Location{
	{Guild: "600000000000000011", Channel: "610000000000000012"}, {Guild: "600000000000000011", Channel: "610000000000000013"},
	{Guild: "600000000000000022", Channel: "610000000000000024"}, {Channel: "610000000000000035"},
}

func newMonkey(t *testing.T, m ordered.Map, seed uint64) *monkey {
	k := &monkey{
		t: t, random: rand.New(rand.NewPCG(seed, 0)), m: m, now: time.Date(2026, 10, 21, 12, 0, 0, 0, time.UTC), offered: map[game.PlayerID][]bot.Request{},
		store: storage.New(m, kinds.Codecs(), storage.Options{}),
	}
	t.Cleanup(func() {
		if err := k.store.Close(); err != nil {
			t.Error(err)
		}
	})
	log := slog.New(slog.DiscardHandler)
	k.parts = commandstest.Dependencies(t, k.store, log, func() string { return "" })
	k.games = k.parts.Games
	k.games.Now = func() time.Time { k.now = k.now.Add(time.Millisecond); return k.now }
	k.bot = &bot.Bot{Table: commands.New(k.parts).Table(), Log: log, Look: k.parts.Preferences.PlayerLook}
	return k
}

func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// typed returns a value for an option or a field.
func (k *monkey) typed(r bot.Request, name string) string {
	if name == "guess" || name == "word" || name == "cards" {
		for _, kind := range k.games.Rules {
			if mode := r.Args["mode"]; strings.HasPrefix(r.Command, string(kind.Kind())) || kind.Kind() == "wordle" {
				m, err := k.games.Latest(k.t.Context(), r.Origin(), matches.Target{Kind: kind.Kind(), Mode: game.Mode(mode)})
				if err == nil && k.random.IntN(3) == 0 {
					return m.State.Answer()
				}
			}
		}
	}
	return pick(k.random, []string{"slate", "crane", "dairy", "gbbyy", "12", "1", "Europe/Berlin", "a clue of " + nameOf(r.Player)})
}

// step makes one request.
func (k *monkey) step() {
	player := pick(k.random, players)
	r := bot.Request{Location: pick(k.random, places), Player: player, Args: map[string]string{}, ID: "look"}
	if all := k.offered[player]; len(all) > 0 && k.random.IntN(3) > 0 {
		r = pick(k.random, all)
	} else {
		c := pick(k.random, k.bot.Table.Commands)
		for k.random.IntN(2) == 0 && (strings.HasPrefix(c.Name, "solve") || strings.HasPrefix(c.Name, "pokle solve")) {
			c = pick(k.random, k.bot.Table.Commands)
		}
		r.Command = c.Name
		for _, o := range c.Options {
			switch {
			case !o.Required && k.random.IntN(2) == 0:
			case o.Kind == bot.FlagOption:
				r.Args[o.Name] = strconv.FormatBool(k.random.IntN(2) == 0)
			case o.Kind == bot.PlayerOption:
				r.Args[o.Name] = string(pick(k.random, players))
			case o.Choices != nil:
				r.Args[o.Name] = pick(k.random, o.Choices)
			default:
				r.Args[o.Name] = k.typed(r, o.Name)
			}
		}
	}
	k.ask(player, r)
}

// ask makes a request as a player who may do everything, and remembers what the reply offers.
func (k *monkey) ask(player game.PlayerID, r bot.Request) bot.Reply {
	if r.Args["hard"] == marks.Ultra.String() { // an opener without a plan takes the solver's minute
		r.Args["hard"] = marks.Hard.String()
	}
	k.n++
	k.now = k.now.Add(time.Duration(k.random.IntN(240)) * time.Second)
	r.ID, r.Player, r.Made = game.RequestID(fmt.Sprintf("r%06d", k.n)), player, k.now
	r.Name, r.Global, r.MayManage, r.MayManageServer, r.MayPost = nameOf(player), nameOf(player), true, true, true
	r.MayRead = func(context.Context, game.ChannelID) bool { return true }
	if r.Location.Guild == "" {
		r.Context.Place = bot.InDirect
	}
	c, _ := k.bot.Table.Find(r.Command)
	reply := k.bot.Handle(k.t.Context(), c, r)
	if reply.Problem != bot.NoProblem {
		k.t.Fatalf("%s %v: %s", r.Command, r.Args, reply)
	}
	if reply.Board != nil { // as a front keeps it
		must(k.t, k.m.Commit(k.t.Context(), ordered.Change{Set: []ordered.Pair{{Key: schema.BoardKey(reply.Board.Slot), Value: []byte("{}")}}}))
	}
	for _, to := range players {
		if reply.Audience == bot.Asker && to != player {
			continue
		}
		k.offered[to] = nil
		offer := func(command string, args map[string]string, more ...string) {
			r := bot.Request{Location: r.Location, FromComponent: true, Command: command, Args: map[string]string{}}
			for name, value := range args {
				r.Args[name] = value
			}
			for i := 0; i < len(more); i += 2 {
				r.Args[more[i]] = more[i+1]
			}
			if command != bot.NamePrivacy || r.Args["sure"] != "true" {
				k.offered[to] = append(k.offered[to], r)
			}
		}
		for _, b := range reply.Buttons() {
			if !b.Disabled {
				offer(b.Command, b.Args)
			}
		}
		for _, block := range reply.Blocks {
			if m, ok := block.(*bot.Menu); ok {
				for _, c := range m.Choices {
					offer(m.Command, m.Args, m.Option, c.Value)
				}
			}
		}
		if f := reply.Form; f != nil {
			var fields []string
			for _, field := range f.Fields {
				fields = append(fields, field.Name, cmp.Or(field.Value, k.typed(bot.Request{Location: r.Location, Player: to, Command: f.Command, Args: f.Args, ID: "look"}, field.Name)))
			}
			offer(f.Command, f.Args, fields...)
		}
	}
	return reply
}

// others stores what the commands above don't reach: results of summaries, with names that players claim, and settings.
func (k *monkey) others() {
	player, name := pick(k.random, players), fmt.Sprint("summary", k.random.IntN(4))
	k.n++
	by := game.Origin{Request: game.RequestID(fmt.Sprintf("r%06d", k.n)), Location: places[k.random.IntN(3)], Player: player, Name: nameOf(player), Global: nameOf(player), Made: k.now}
	number := 1900 + k.random.IntN(20)
	_, err := k.store.Import(k.t.Context(), by, []league.Result{{Player: player, Name: nameOf(player), Number: number, Won: true, Guesses: 3}, {Name: name, Number: number, Won: true, Guesses: 4, Official: true}})
	must(k.t, err)
	if a, err := k.store.Claim(k.t.Context(), by, name); err == nil && a.Player == player && k.random.IntN(2) == 0 {
		_, err = k.store.Confirm(k.t.Context(), by, name, player)
		must(k.t, err)
	}
	r := bot.Request{ID: by.Request, Location: by.Location, Player: player, Name: nameOf(player)}
	_, err = settings.Store{Records: k.store, Now: time.Now}.Change(k.t.Context(), r, 0, func(_ settings.Settings, s *settings.Settings) error { s.Idle = 1 + k.random.IntN(9); return nil })
	must(k.t, err)
}

// play makes many requests, while time passes.
func (k *monkey) play(steps int) {
	for i := range steps {
		k.step()
		if i%50 == 49 {
			k.others()
		}
		if i%150 == 149 {
			k.now = k.now.Add(8 * time.Hour)
			_, err := k.games.EndIdle(k.t.Context(), 24*time.Hour)
			if err = cmp.Or(err, k.games.MeetDeadlines(k.t.Context())); err != nil {
				k.t.Fatal(err)
			}
		}
	}
}

// named returns the raw pairs that have an id, as text or as a number in any form, or a name.
func (k *monkey) named(text, name string) (found []ordered.Pair) {
	k.t.Helper()
	id, err := strconv.ParseUint(text, 10, 64)
	must(k.t, err)
	forms := []string{
		text, name, string(binary.BigEndian.AppendUint64(nil, id)), string(binary.LittleEndian.AppendUint64(nil, id)),
		string(binary.AppendUvarint(nil, id)), string(binary.AppendVarint(nil, int64(id))), strconv.FormatUint(id, 16), strconv.FormatUint(id, 36),
	}
	must(k.t, ordered.Each(k.t.Context(), k.m, ordered.Everything, func(batch []ordered.Pair) error {
		for _, pair := range batch {
			if slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(pair.Key+"\x00"+string(pair.Value), form) }) {
				found = append(found, pair)
			}
		}
		return nil
	}))
	return found
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// exported asks for a player's file, part by part, and returns its records by topic and key.
func (k *monkey) exported(p game.PlayerID) map[string]json.RawMessage {
	k.t.Helper()
	all := map[string]json.RawMessage{}
	reply := k.ask(p, bot.Request{Location: places[0], Command: bot.NamePrivacy, Args: map[string]string{"action": "export"}})
	if reply.Audience != bot.Asker && k.bot.Table.Commands != nil && reply.Picture() == nil {
		k.t.Fatalf("the export is %s", reply)
	}
	for before := uint64(0); ; {
		data, rest, _, err := k.parts.Finished.Export(k.t.Context(), p, before, 200_000)
		must(k.t, err)
		var file struct {
			Player  game.PlayerID
			Records []struct {
				Topic, Key string
				Value      json.RawMessage
			}
		}
		if err := json.Unmarshal(data, &file); err != nil || file.Player != p || len(data) > 400_000 {
			k.t.Fatalf("%v in %d bytes of %s: %.500s", err, len(data), file.Player, data)
		}
		for _, other := range players {
			for _, text := range []string{string(other), nameOf(other)} {
				if other != p && strings.Contains(string(data), text) {
					at := strings.Index(string(data), text)
					k.t.Errorf("%s is in the export of %s: %s", text, p, data[max(0, at-300):at+20])
				}
			}
		}
		for _, r := range file.Records {
			if _, twice := all[r.Topic+" "+r.Key]; twice {
				k.t.Errorf("%s %q is exported twice", r.Topic, r.Key)
			}
			all[r.Topic+" "+r.Key] = r.Value
		}
		if before = rest; rest == 0 {
			return all
		}
	}
}

// TestEverythingIsExportedAndDeleted plays at random with all commands. Then the raw store is searched for a player. Each record
// that has their id or name, of whatever topic, is in their export, which names no other player and no word that is in play. After
// the deletion no record has it, and what is left is whole.
func TestEverythingIsExportedAndDeleted(t *testing.T) {
	for name, open := range map[string]func() (ordered.Map, error){
		"memory": func() (ordered.Map, error) { return &orderedtest.Memory{}, nil },
		"file":   func() (ordered.Map, error) { return bolt.Open(filepath.Join(t.TempDir(), "test.db"), bolt.Options{}) },
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open()
			must(t, err)
			k := newMonkey(t, m, 1)
			k.play(900)
			topics := map[string]bool{}
			for _, p := range players {
				all := k.exported(p)
				for _, pair := range k.named(string(p), nameOf(p)) {
					topics[schema.TopicOf(pair.Key)] = true
					if _, is := all[schema.TopicOf(pair.Key)+" "+schema.Readable(pair.Key)]; !is {
						t.Errorf("%s is not exported: %q: %s", p, pair.Key, pair.Value)
					}
				}
				for what, value := range all {
					if strings.HasPrefix(what, "slot ") && strings.Contains(string(value), `"hidden":`) {
						t.Errorf("the export has the answer of a game that is being played: %s", value)
					}
				}
			}
			for _, topic := range []string{"slot", "open", "match", "result", "player", "own", "daily", "total", "rank", "session", "look", "race", "board", "league", "alias", "aliased", "changes", "manages"} {
				if !topics[topic] {
					t.Errorf("nothing in %s names a player", topic)
				}
			}
			for i, p := range players {
				reply := k.ask(p, bot.Request{Location: places[0], Command: bot.NamePrivacy, Args: map[string]string{"action": "delete", "sure": "true"}})
				for _, pair := range k.named(string(p), nameOf(p)) {
					t.Errorf("%s is still in %q: %s", p, pair.Key, pair.Value)
				}
				if t.Failed() {
					t.Fatalf("the reply is %s", reply)
				}
				if i == 0 {
					k.play(150)
					k.ask(p, bot.Request{Location: places[0], Command: bot.NamePrivacy, Args: map[string]string{"action": "delete", "sure": "true"}})
				}
				problems, err := check.Map(t.Context(), m, kinds.Codecs(), check.Options{Report: func(f check.Finding) { t.Error(f) }})
				if err != nil || problems > 0 {
					t.Errorf("%d problems, %v", problems, err)
				}
			}
		})
	}
}

// cut is a map whose commits fail after some more.
type cut struct {
	ordered.Map
	left int
}

func (c *cut) Commit(ctx context.Context, change ordered.Change) error {
	if c.left--; c.left < 0 {
		return game.ErrNotSaved
	}
	return c.Map.Commit(ctx, change)
}

// TestServerIsDeleted deletes a server's data after random play, cut off again and again. Then no raw record has the server or one
// of its channels, the other server's tables are as they were, players keep their totals and their dailies, and all is whole.
func TestServerIsDeleted(t *testing.T) {
	m := &cut{Map: &orderedtest.Memory{}, left: 1 << 30}
	k := newMonkey(t, m, 2)
	k.play(1200)
	gone, other := places[0].Guild, places[2].Guild
	for range 2 { // races end, and are removed
		k.now = k.now.Add(3 * time.Hour)
		must(t, k.games.MeetDeadlines(t.Context()))
	}
	must(t, k.store.SetServer(t.Context(), gone, k.now))
	must(t, k.store.SetCommandGuilds(t.Context(), []game.GuildID{gone, other}))
	must(t, k.store.ChangeDayPost(t.Context(), gone, func(_, _ []byte) ([]byte, error) { return []byte("{}"), nil }))
	look := func() (seen []any) {
		for _, kind := range []game.Kind{"wordle", "pokle", league.Official, league.Claimed} {
			board, err := k.store.Leaderboard(t.Context(), statistics.Scope{Kind: kind, Guild: other}, "", statistics.Rows{RankedFrom: 1, Limit: 9})
			must(t, err)
			seen = append(seen, board)
			for _, p := range players {
				for _, month := range []string{"", "2026-10", "2026-11"} {
					totals, err := k.store.Totals(t.Context(), statistics.Scope{Kind: kind, Month: month}, p)
					must(t, err)
					seen = append(seen, totals)
				}
				for day := range 60 {
					loaded, err := k.store.LoadSlots(t.Context(), []game.Slot{game.PuzzleSlot(kind, p, game.DailyPuzzle(270+day))}, false)
					must(t, err)
					seen = append(seen, fmt.Sprint(loaded[0].Match.State, loaded[0].Match.Moves, loaded[0].Err))
				}
			}
		}
		return seen
	}
	before := look()
	if len(k.named(string(gone), string(gone))) < 100 {
		t.Fatal("too little of the server")
	}
	cuts := 0
	for m.left = 1; k.store.DeleteServer(t.Context(), gone) != nil; m.left = 1 {
		cuts++
	}
	m.left = 1 << 30
	for _, id := range []string{string(gone), string(places[0].Channel), string(places[1].Channel)} {
		for _, pair := range k.named(id, id) {
			t.Errorf("%s is still in %q: %s", id, pair.Key, pair.Value)
		}
	}
	if after := look(); !reflect.DeepEqual(before, after) {
		for i := range before {
			if !reflect.DeepEqual(before[i], after[i]) {
				t.Errorf("%d is %v, was %v", i, after[i], before[i])
			}
		}
	}
	problems, err := check.Map(t.Context(), m, kinds.Codecs(), check.Options{Report: func(f check.Finding) { t.Error(f) }})
	if err != nil || problems > 0 || cuts < 4 {
		t.Errorf("%d problems, %v, after %d cuts", problems, err, cuts)
	}
	k.play(100)
}
