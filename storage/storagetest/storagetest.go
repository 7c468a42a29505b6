// Package storagetest has the suites that every [game.Store] and every [solve.Store]
// pass.
package storagetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
)

// Run runs the suite of a [game.Store]. Open opens a store at a place that is the same for the
// whole of one test, so that closing and opening again finds what was there;
// it is called with the test, which a new place belongs to.
func Run(t *testing.T, open func(t *testing.T) game.Store) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, open func(t *testing.T) game.Store)
	}{
		{"Empty", testEmpty},
		{"Lifecycle", testLifecycle},
		{"Conflicts", testConflicts},
		{"ConflictLeavesNothing", testConflictLeavesNothing},
		{"DrawnWords", testDrawn},
		{"Receipts", testReceipts},
		{"ConcurrentChannels", testConcurrent},
		{"OneWinner", testOneWinner},
		{"Leaderboard", testLeaderboard},
		{"Model", testModel},
		{"History", testHistory},
		{"Reviews", testReviews},
		{"Clear", testClear},
		{"ClearRepeated", testClearRepeated},
		{"ClearBesideGames", testClearBesideGames},
		{"CancelledContext", testCancelled},
		{"Tables", testTables},
		{"Kinds", testKinds},
		{"ClearTables", testClearTables},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, open) })
	}
}

// Epoch is when the suite's matches begin: whole milliseconds, as stored.
var Epoch = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

var hidden = wordle.MustParse("crane")

// Match returns a new match, version 1, as Manager.Start commits it.
func Match(id string, place game.Location, starter game.PlayerID, hidden wordle.Word) game.Match {
	return game.Match{
		ID: game.MatchID(id), Location: place, Version: 1,
		Starter: starter, Started: Epoch, Wordle: wordle.NewState(hidden, false),
	}
}

// Guess returns the match after one more guess.
func Guess(tb testing.TB, m game.Match, player game.PlayerID, word string) game.Match {
	tb.Helper()
	state, err := m.Wordle.Guess(wordle.MustParse(word))
	if err != nil {
		tb.Fatalf("%s: %v", word, err)
	}
	m.Version++
	m.Wordle = state
	m.Moves = append(slices.Clip(m.Moves), game.Move{Player: player, At: Epoch.Add(time.Second), Version: m.Version})
	return m
}

func hint(m game.Match, player game.PlayerID) game.Match {
	m.Version++
	m.Hints = append(slices.Clip(m.Hints), game.Hint{
		Kind: game.HintLetter, Player: player, At: Epoch.Add(2 * time.Second),
		Version: m.Version, After: m.Used(), Letter: 'C', Times: 1,
	})
	if m.Kind() == game.Pokle {
		m.Hints[len(m.Hints)-1] = game.Hint{
			Kind: game.HintSuggestion, Player: player, At: Epoch.Add(2 * time.Second), Version: m.Version, After: m.Used(),
			Board: &boards.Suggestion{Board: hiddenBoard, Remaining: 12, Entropy: 2.5, Guesses: 2.25, Proven: true},
		}
	}
	return m
}

func stop(m game.Match, player game.PlayerID) game.Match {
	m.Version++
	m.Stop = &game.Stop{Player: player, At: Epoch.Add(3 * time.Second), Version: m.Version}
	return m
}

// MustCommit commits a match under a request of its own.
func MustCommit(tb testing.TB, s game.Store, m game.Match) {
	tb.Helper()
	if err := s.Commit(context.Background(), change(m)); err != nil {
		tb.Fatalf("committing %v: %v", m, err)
	}
}

// change is how a manager would commit the match.
func change(m game.Match) game.Change {
	return game.Change{Match: m, Request: request(m), At: Epoch, KeepDrawn: 1}
}

func request(m game.Match) game.RequestID {
	return game.RequestID(fmt.Sprintf("%s/%d", m.ID, m.Version))
}

func mustLoad(t *testing.T, s game.Store, channel game.ChannelID, want game.Match) {
	t.Helper()
	got, err := s.Load(t.Context(), game.ChannelSlot(game.Wordle, channel))
	if err != nil {
		t.Fatalf("loading %s: %v", channel, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s has %v, want %v", channel, got, want)
	}
}

func testEmpty(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	if _, err := s.Load(ctx, game.ChannelSlot(game.Wordle, "c")); !errors.Is(err, game.ErrNoMatch) {
		t.Errorf("loading from an empty store: %v", err)
	}
	if _, version, err := s.Repeated(ctx, game.ChannelSlot(game.Wordle, "c"), "r"); version != 0 || err != nil {
		t.Errorf("a new request: version %d, %v", version, err)
	}
	if words, err := s.RecentAnswers(ctx, "pool"); len(words) != 0 || err != nil {
		t.Errorf("drawn words: %v, %v", words, err)
	}
	if got, err := s.Totals(ctx, game.Scope{Kind: game.Wordle, Guild: "g"}, "p"); got != (game.Totals{Player: "p"}) || err != nil {
		t.Errorf("totals: %+v, %v", got, err)
	}
	if b, err := s.Leaderboard(ctx, game.Scope{Kind: game.Wordle, Guild: "g"}, "p", 10); b.Players != 0 || len(b.Top) != 0 || b.Own.Place != 0 || err != nil {
		t.Errorf("leaderboard: %+v, %v", b, err)
	}
	if r, err := s.Results(ctx, 0, 10); len(r) != 0 || err != nil {
		t.Errorf("results: %v, %v", r, err)
	}
}

// testLifecycle follows one match through all that can happen to it, opening
// the store again after every commit.
func testLifecycle(t *testing.T, open func(*testing.T) game.Store) {
	place := game.Location{Guild: "g", Channel: "c"}
	m := Match("m1", place, "ana", hidden)
	steps := []game.Match{m}
	add := func(next game.Match) { m = next; steps = append(steps, m) }
	add(Guess(t, m, "ana", "slate"))
	add(hint(m, "cleo"))
	add(Guess(t, m, "ben", "brick"))
	add(Guess(t, m, "ana", "crane"))
	for _, step := range steps {
		s := open(t)
		MustCommit(t, s, step)
		mustLoad(t, s, "c", step)
		closeStore(t, s)
		s = open(t)
		mustLoad(t, s, "c", step)
		closeStore(t, s)
	}
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	for i, step := range steps {
		got, version, err := s.Repeated(ctx, game.ChannelSlot(game.Wordle, "c"), request(step))
		if err != nil || version != uint64(i+1) || !reflect.DeepEqual(got.Rewind(version), step) {
			t.Errorf("the request of version %d led to %v at %d, %v", i+1, got, version, err)
		}
	}
	results, err := s.Results(ctx, 0, 10)
	want := m.Result()
	want.Number = 1
	if err != nil || len(results) != 1 || !reflect.DeepEqual(results[0], want) {
		t.Errorf("results are %+v, %v; want %+v", results, err, want)
	}
	for player, want := range map[game.PlayerID]game.Totals{
		"ana":  {Player: "ana", Played: 1, Won: 1, Attempts: 3, Streak: 1, BestStreak: 1, Distribution: [6]int{2: 1}},
		"ben":  {Player: "ben", Played: 1, Won: 1, Attempts: 3, Streak: 1, BestStreak: 1, Distribution: [6]int{2: 1}},
		"cleo": {Player: "cleo", Hints: 1},
		"dan":  {Player: "dan"},
	} {
		for _, guild := range []game.GuildID{"g", ""} {
			if got, err := s.Totals(ctx, game.Scope{Kind: game.Wordle, Guild: guild}, player); got != want || err != nil {
				t.Errorf("totals of %s in %q: %+v, %v; want %+v", player, guild, got, err, want)
			}
		}
	}
	second := Match("m2", place, "ben", wordle.MustParse("slate"))
	MustCommit(t, s, second)
	mustLoad(t, s, "c", second)
	stopped := stop(second, "ben")
	MustCommit(t, s, stopped)
	mustLoad(t, s, "c", stopped)
	if got, _ := s.Totals(ctx, game.Scope{Kind: game.Wordle, Guild: "g"}, "ben"); got.Played != 1 {
		t.Errorf("a stopped match counts: %+v", got)
	}
	if results, err := s.Results(ctx, 1, 10); len(results) != 1 || results[0].Status != game.Stopped || err != nil {
		t.Errorf("results after the first: %+v, %v", results, err)
	}
}

func testConflicts(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	place := game.Location{Guild: "g", Channel: "c"}
	m := Match("m1", place, "ana", hidden)
	MustCommit(t, s, m)
	one := Guess(t, m, "ana", "slate")
	MustCommit(t, s, one)
	other := game.Location{Guild: "g", Channel: "other"}
	for name, c := range map[string]game.Change{
		"a version twice":                    {Match: Guess(t, m, "ben", "brick"), Request: "r1"},
		"a version left out":                 {Match: Guess(t, Guess(t, one, "ben", "brick"), "ben", "shave"), Request: "r2"},
		"a request twice":                    {Match: Guess(t, one, "ben", "brick"), Request: request(m)},
		"a start while a match is played":    {Match: Match("m2", place, "ben", wordle.MustParse("shave")), Request: "r3"},
		"a match id twice":                   {Match: Match("m1", other, "ben", wordle.MustParse("shave")), Request: "r4"},
		"a word of the pool's latest":        {Match: Match("m3", other, "ben", hidden), Request: "r5", KeepDrawn: 1},
		"a guess in a match never started":   {Match: Guess(t, Match("m4", other, "ben", hidden), "ben", "slate"), Request: "r6"},
		"a guess in another channel's match": {Match: Guess(t, Match("m1", other, "ben", hidden), "ben", "slate"), Request: "r7"},
	} {
		if err := s.Commit(ctx, c); !errors.Is(err, game.ErrConflict) {
			t.Errorf("%s: %v, want a conflict", name, err)
		}
		if _, version, err := s.Repeated(ctx, game.ChannelSlot(game.Wordle, c.Match.Location.Channel), c.Request); c.Request[0] == 'r' && (version != 0 || err != nil) {
			t.Errorf("%s: the request led to version %d, %v", name, version, err)
		}
	}
	mustLoad(t, s, "c", one)
	if _, err := s.Load(ctx, game.ChannelSlot(game.Wordle, "other")); !errors.Is(err, game.ErrNoMatch) {
		t.Errorf("a conflict left a match: %v", err)
	}
	// A match that was replaced takes no further moves.
	won := Guess(t, one, "ana", "crane")
	MustCommit(t, s, won)
	MustCommit(t, s, Match("m5", place, "ben", wordle.MustParse("shave")))
	if err := s.Commit(ctx, change(stop(won, "ana"))); !errors.Is(err, game.ErrConflict) {
		t.Errorf("changing a replaced match: %v", err)
	}
}

// testConflictLeavesNothing makes conflicts in the same group as good commits:
// each must fail alone.
func testConflictLeavesNothing(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	const n = 40
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		channel := game.ChannelID(fmt.Sprint("c", i/2))
		m := Match(fmt.Sprint("m", i), game.Location{Channel: channel}, "ana", hidden)
		wg.Go(func() { errs[i] = s.Commit(ctx, change(m)) })
	}
	wg.Wait()
	for i := 0; i < n; i += 2 {
		a, b := errs[i], errs[i+1]
		if (a == nil) == (b == nil) || a != nil && !errors.Is(a, game.ErrConflict) || b != nil && !errors.Is(b, game.ErrConflict) {
			t.Errorf("two starts in one channel: %v and %v", a, b)
		}
		winner := i
		if a != nil {
			winner = i + 1
		}
		channel := game.ChannelID(fmt.Sprint("c", i/2))
		mustLoad(t, s, channel, Match(fmt.Sprint("m", winner), game.Location{Channel: channel}, "ana", hidden))
	}
}

func testDrawn(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	words := []string{"crane", "slate", "brick", "shave", "mound"}
	for i, w := range words {
		channel := game.ChannelID(fmt.Sprint("c", i))
		m := Match(fmt.Sprint("m", i), game.Location{Guild: "g", Channel: channel}, "ana", wordle.MustParse(w))
		c := change(m)
		c.KeepDrawn = 3
		if err := s.Commit(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.RecentAnswers(ctx, game.Location{Guild: "g", Channel: "any"}.Community())
	want := []wordle.Word{wordle.MustParse("brick"), wordle.MustParse("shave"), wordle.MustParse("mound")}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("drawn words are %v, %v; want %v", got, err, want)
	}
	if got, err := s.RecentAnswers(ctx, game.Location{Channel: "c0"}.Community()); len(got) != 0 || err != nil {
		t.Errorf("another pool has %v, %v", got, err)
	}
}

// testReceipts asks for requests of matches that others have followed in their
// channel, until a day after.
func testReceipts(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	place := game.Location{Channel: "c"}
	commit := func(m game.Match, at time.Time) {
		c := change(m)
		c.At = at
		c.KeepDrawn = 0
		if err := s.Commit(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	var ended []game.Match
	for i := range 5 {
		at := Epoch.Add(time.Duration(i) * 5 * time.Hour)
		m := Match(fmt.Sprint("m", i), place, "ana", hidden)
		commit(m, at)
		m = Guess(t, m, "ana", "slate")
		commit(m, at)
		m = stop(m, "ana")
		commit(m, at)
		ended = append(ended, m)
	}
	for _, m := range ended {
		for version := uint64(1); version <= m.Version; version++ {
			got, v, err := s.Repeated(ctx, game.ChannelSlot(game.Wordle, "c"), request(m.Rewind(version)))
			if err != nil || v != version || !reflect.DeepEqual(got, m) {
				t.Errorf("the request of version %d of %s led to %v at %d, %v", version, m.ID, got, v, err)
			}
		}
	}
	again := change(Match("m9", place, "ana", hidden))
	again.Request = request(ended[0].Rewind(2))
	if err := s.Commit(ctx, again); !errors.Is(err, game.ErrConflict) {
		t.Errorf("a request of an ended match starts another one: %v", err)
	}
}

// testConcurrent plays many channels at once and looks for any that lost or
// mixed up a guess.
func testConcurrent(t *testing.T, open func(*testing.T) game.Store) {
	s := open(t)
	const channels = 32
	want := make([]game.Match, channels)
	var wg sync.WaitGroup
	for i := range channels {
		wg.Go(func() {
			channel := game.ChannelID(fmt.Sprint("c", i))
			m := Match(fmt.Sprint("m", i), game.Location{Guild: "g", Channel: channel}, "ana", hidden)
			c := change(m)
			c.KeepDrawn = 0
			if err := s.Commit(t.Context(), c); err != nil {
				t.Errorf("starting %s: %v", channel, err)
				return
			}
			for _, w := range []string{"slate", "brick", "shave", "mound"}[:i%5] {
				m = Guess(t, m, game.PlayerID(fmt.Sprint("p", i)), w)
				if err := s.Commit(t.Context(), change(m)); err != nil {
					t.Errorf("%s in %s: %v", w, channel, err)
				}
			}
			want[i] = m
		})
	}
	wg.Wait()
	closeStore(t, s)
	s = open(t)
	defer closeStore(t, s)
	for i, m := range want {
		mustLoad(t, s, game.ChannelID(fmt.Sprint("c", i)), m)
	}
}

// testOneWinner lets many commits of the same version race: one must win.
func testOneWinner(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	m := Match("m", game.Location{Channel: "c"}, "ana", hidden)
	MustCommit(t, s, m)
	const racers = 16
	errs := make([]error, racers)
	var wg sync.WaitGroup
	for i := range racers {
		c := change(Guess(t, m, game.PlayerID(fmt.Sprint("p", i)), "slate"))
		c.Request = game.RequestID(fmt.Sprint("race", i))
		wg.Go(func() { errs[i] = s.Commit(ctx, c) })
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else if !errors.Is(err, game.ErrConflict) {
			t.Errorf("a racer got %v", err)
		}
	}
	if won != 1 {
		t.Errorf("%d commits of one version won", won)
	}
}

// testLeaderboard compares the order with a plain sort, with many ties, while
// players keep moving.
func testLeaderboard(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	random := rand.New(rand.NewPCG(1, 1))
	var log []game.Result
	for i := range 120 {
		m := Match(fmt.Sprint("m", i), game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i))}, "ana", hidden)
		c := change(m)
		c.KeepDrawn = 0
		if err := s.Commit(ctx, c); err != nil {
			t.Fatal(err)
		}
		guesses := []string{"slate", "brick", "shave", "mound", "fuzzy", "grape"}
		if n := random.IntN(6); random.IntN(3) > 0 {
			guesses = append(guesses[:n:n], "crane")
		}
		for _, w := range guesses {
			m = Guess(t, m, game.PlayerID(fmt.Sprint("p", random.IntN(40))), w)
			MustCommit(t, s, m)
		}
		log = append(log, m.Result())
	}
	CheckLeaderboard(t, s, game.Scope{Kind: game.Wordle, Guild: "g"}, log)
}

// CheckLeaderboard compares a store's leaderboard and totals with those worked
// out from a log.
func CheckLeaderboard(t *testing.T, s game.Store, scope game.Scope, log []game.Result) {
	t.Helper()
	ctx := context.Background()
	var players []game.Totals
	for player, want := range game.Tally(log)[scope] {
		if got, err := s.Totals(ctx, scope, player); got != want || err != nil {
			t.Errorf("totals of %s: %+v, %v; want %+v", player, got, err, want)
		}
		if want.Played > 0 {
			players = append(players, want)
		}
	}
	slices.SortFunc(players, func(a, b game.Totals) int {
		if c := a.Compare(b); c != 0 {
			return c
		}
		return slices.Compare([]byte(a.Player), []byte(b.Player))
	})
	rows := make([]game.Row, len(players))
	for i, p := range players {
		rows[i] = game.Row{Place: i + 1, Totals: p}
		if i > 0 && p.Compare(players[i-1]) == 0 {
			rows[i].Place = rows[i-1].Place
		}
	}
	for _, want := range rows {
		board, err := s.Leaderboard(ctx, scope, want.Player, 10)
		if err != nil {
			t.Fatal(err)
		}
		if board.Own != want || board.Players != len(rows) || !slices.Equal(board.Top, rows[:min(10, len(rows))]) {
			t.Fatalf("the leaderboard of %d players is\n%+v\nwant the top of\n%+v\nand own row\n%+v", board.Players, board, rows, want)
		}
	}
	board, err := s.Leaderboard(ctx, scope, "nobody", 3)
	if err != nil || board.Own.Place != 0 || len(board.Top) != min(3, len(rows)) || board.Players != len(rows) {
		t.Errorf("the leaderboard for somebody without a place: %+v, %v", board, err)
	}
}

// testModel does random things to the store and to a plain model beside it.
func testModel(t *testing.T, open func(*testing.T) game.Store) {
	s := open(t)
	random := rand.New(rand.NewPCG(2, 3))
	guilds := []game.GuildID{"", "g1", "g2"}
	model := map[game.ChannelID]game.Match{}
	var log []game.Result
	words := []string{"slate", "brick", "shave", "mound", "fuzzy", "grape", "crane"}
	for i := range 600 {
		channel := game.ChannelID(fmt.Sprint("c", random.IntN(6)))
		player := game.PlayerID(fmt.Sprint("p", random.IntN(5)))
		m, exists := model[channel]
		var next game.Match
		switch {
		case !exists || m.Status() != game.Playing:
			next = Match(fmt.Sprint("m", i), game.Location{Guild: guilds[int(channel[1])%len(guilds)], Channel: channel}, player, hidden)
		case random.IntN(20) == 0:
			next = stop(m, player)
		case random.IntN(6) == 0:
			next = hint(m, player)
		default:
			w := words[random.IntN(len(words))]
			if _, err := m.Wordle.Guess(wordle.MustParse(w)); err != nil {
				continue
			}
			next = Guess(t, m, player, w)
		}
		c := change(next)
		c.KeepDrawn = 0
		if random.IntN(10) == 0 { // a commit that must change nothing
			stale := c
			stale.Match.Version += 1 + uint64(random.IntN(2))
			if err := s.Commit(t.Context(), stale); !errors.Is(err, game.ErrConflict) {
				t.Fatalf("a wrong version: %v", err)
			}
		}
		if err := s.Commit(t.Context(), c); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		model[channel] = next
		if next.Status() != game.Playing {
			r := next.Result()
			r.Number = uint64(len(log) + 1)
			log = append(log, r)
		}
		if i%100 == 99 {
			closeStore(t, s)
			s = open(t)
		}
	}
	defer closeStore(t, s)
	for channel, m := range model {
		mustLoad(t, s, channel, m)
	}
	got, err := s.Results(t.Context(), 0, len(log)+1)
	if err != nil || !reflect.DeepEqual(got, log) {
		t.Errorf("the log has %d results, want %d: %v", len(got), len(log), err)
	}
	for _, guild := range guilds[1:] {
		CheckLeaderboard(t, s, game.Scope{Kind: game.Wordle, Guild: guild}, log)
	}
	everywhere := game.Tally(log)[game.Scope{Kind: game.Wordle}]
	for _, player := range slices.Sorted(maps.Keys(everywhere)) {
		if got, err := s.Totals(t.Context(), game.Scope{Kind: game.Wordle}, player); got != everywhere[player] || err != nil {
			t.Errorf("totals of %s everywhere: %+v, %v; want %+v", player, got, err, everywhere[player])
		}
	}
}

func testCancelled(t *testing.T, open func(*testing.T) game.Store) {
	s := open(t)
	defer closeStore(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := Match("m", game.Location{Channel: "c"}, "ana", hidden)
	if err := s.Commit(ctx, change(m)); !errors.Is(err, context.Canceled) {
		t.Errorf("a commit after its context ended: %v", err)
	}
	if _, err := s.Load(ctx, game.ChannelSlot(game.Wordle, "c")); !errors.Is(err, context.Canceled) {
		t.Errorf("a read after its context ended: %v", err)
	}
	if _, err := s.Load(t.Context(), game.ChannelSlot(game.Wordle, "c")); !errors.Is(err, game.ErrNoMatch) {
		t.Errorf("a cancelled commit left something: %v", err)
	}
}

func closeStore(t *testing.T, s io.Closer) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
}
