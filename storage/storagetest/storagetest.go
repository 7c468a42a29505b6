// Package storagetest has the suite that a store passes on every engine, and stores with something in them.
package storagetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"fivefold/game"
	"fivefold/solver/solve"
)

// Store is a store of everything.
type Store interface {
	game.Store
	solve.Store
	game.BoardStore
	SetPlayerLook(ctx context.Context, player game.PlayerID, look []byte) error
	SetServerChoice(ctx context.Context, guild game.GuildID, choice []byte) error
	SetCommandGuilds(ctx context.Context, guilds []game.GuildID) error
}

// opener opens the store of a test: see [Run].
type opener func(t *testing.T) Store

// Run runs the suite. Open opens the store of a test, which must know all [Games]: called again
// for the same test, it opens the same store.
func Run(t *testing.T, open func(t *testing.T) Store) {
	games := Games()
	for _, c := range []struct {
		name string
		run  func(t *testing.T, g Game, open opener)
	}{
		{"Lifecycle", testLifecycle},
		{"Conflicts", testConflicts},
		{"RecentAnswers", testRecentAnswers},
		{"Puzzles", testPuzzles},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, g := range games {
				t.Run(string(g.Kind()), func(t *testing.T) { c.run(t, g, open) })
			}
		})
	}
	for _, c := range []struct {
		name string
		run  func(t *testing.T, games []Game, open opener)
	}{
		{"OneWinner", testOneWinner},
		{"CancelledContext", testCancelled},
		{"Slots", testSlots},
		{"ClearSlots", testClearSlots},
		{"Model", testModel},
		{"DuringGames", testDuringGames},
		{"Secret", testSecret},
		{"Unfinished", testUnfinished},
		{"Sessions", testSessions},
		{"BoardMessages", testBoardMessages},
		{"Races", testRaces},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, games, open) })
	}
}

// MustCommit commits a match under a request of its own.
func MustCommit(tb testing.TB, s game.Store, m game.Match) {
	tb.Helper()
	if err := s.Commit(context.Background(), Change(m)); err != nil {
		tb.Fatalf("committing %v: %v", m, err)
	}
}

// mustCommitAll commits every version of a match, from the first one on.
func mustCommitAll(tb testing.TB, s game.Store, m game.Match) {
	tb.Helper()
	for version := uint64(1); version <= m.Version; version++ {
		MustCommit(tb, s, m.Rewind(version))
	}
}

// Change returns the commit of a match of a game that remembers no answers.
func Change(m game.Match) game.Change {
	return game.Change{Match: m, Request: request(m), At: Epoch}
}

func mustClear(t *testing.T, s game.Store, player game.PlayerID, request string) {
	t.Helper()
	if err := s.Clear(t.Context(), game.ClearRequest{Player: player, Request: game.RequestID(request), At: Epoch}); err != nil {
		t.Fatal(err)
	}
}

func request(m game.Match) game.RequestID {
	return game.RequestID(fmt.Sprintf("%s/%d", m.ID, m.Version))
}

// mustLoad loads from the slot of a match, which must be there as it is.
func mustLoad(t *testing.T, s game.Store, want game.Match) {
	t.Helper()
	got, err := s.Load(t.Context(), want.Slot())
	if err != nil {
		t.Fatalf("loading %v: %v", want, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("the slot has %v, want %v", got, want)
	}
}

// testLifecycle follows one match through all that can happen to it, opening
// the store again after every commit.
func testLifecycle(t *testing.T, g Game, open opener) {
	location := game.Location{Guild: "g", Channel: "c"}
	m := g.Match("m1", location, "ana", g.hidden())
	m.HintLimit = game.HintLimit{Limited: true, Most: len(g.Hints)}
	steps := []game.Match{m}
	add := func(next game.Match) { m = next; steps = append(steps, m) }
	add(g.Guess(t, m, "ana", g.wrong(0)))
	for range g.Hints {
		add(g.hint(m, "cleo"))
	}
	add(g.Guess(t, m, "ben", g.wrong(1)))
	add(withCuts(g.Guess(t, m, "ana", g.hidden()), 1500, 250, 250))
	for _, step := range steps {
		s := open(t)
		MustCommit(t, s, step)
		mustLoad(t, s, step)
		closeStore(t, s)
		s = open(t)
		mustLoad(t, s, step)
		closeStore(t, s)
	}
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	for i, step := range steps {
		got, version, err := s.Repeated(ctx, m.Slot(), request(step))
		if err != nil || version != uint64(i+1) || !reflect.DeepEqual(got.Rewind(version), step) {
			t.Errorf("the request of version %d led to %v at %d, %v", i+1, got, version, err)
		}
	}
}

func testConflicts(t *testing.T, g Game, open opener) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	location := game.Location{Guild: "g", Channel: "c"}
	recent := game.RecentList{Name: "list", Keep: 1}
	m := g.Match("m1", location, "ana", g.hidden())
	start := Change(m)
	start.Recent = recent
	if err := s.Commit(ctx, start); err != nil {
		t.Fatal(err)
	}
	one := g.Guess(t, m, "ana", g.wrong(0))
	MustCommit(t, s, one)
	other := game.Location{Guild: "g", Channel: "other"}
	for name, c := range map[string]game.Change{
		"a version twice":                    {Match: g.Guess(t, m, "ben", g.wrong(1)), Request: "r1"},
		"a version left out":                 {Match: g.Guess(t, g.Guess(t, one, "ben", g.wrong(1)), "ben", g.wrong(2)), Request: "r2"},
		"a request twice":                    {Match: g.Guess(t, one, "ben", g.wrong(1)), Request: request(m)},
		"a start while a match is played":    {Match: g.Match("m2", location, "ben", g.wrong(2)), Request: "r3"},
		"a match id twice":                   {Match: g.Match("m1", other, "ben", g.wrong(2)), Request: "r4"},
		"an answer of the list's latest":     {Match: g.Match("m3", other, "ben", g.hidden()), Request: "r5", Recent: recent},
		"a guess in a match never started":   {Match: g.Guess(t, g.Match("m4", other, "ben", g.hidden()), "ben", g.wrong(0)), Request: "r6"},
		"a guess in another channel's match": {Match: g.Guess(t, g.Match("m1", other, "ben", g.hidden()), "ben", g.wrong(0)), Request: "r7"},
	} {
		if err := s.Commit(ctx, c); !errors.Is(err, game.ErrConflict) {
			t.Errorf("%s: %v, want a conflict", name, err)
		}
		if _, version, err := s.Repeated(ctx, c.Match.Slot(), c.Request); c.Request[0] == 'r' && (version != 0 || err != nil) {
			t.Errorf("%s: the request led to version %d, %v", name, version, err)
		}
	}
	mustLoad(t, s, one)
	if _, err := s.Load(ctx, game.ChannelSlot(g.Kind(), "other")); !errors.Is(err, game.ErrNoMatch) {
		t.Errorf("a conflict left a match: %v", err)
	}
	// A match that was replaced takes no further moves.
	won := g.Guess(t, one, "ana", g.hidden())
	MustCommit(t, s, won)
	MustCommit(t, s, g.Match("m5", location, "ben", g.wrong(2)))
	if err := s.Commit(ctx, Change(stop(won, "ana"))); !errors.Is(err, game.ErrConflict) {
		t.Errorf("changing a replaced match: %v", err)
	}
	again := Change(g.Match("m6", other, "ben", g.wrong(2)))
	again.Request = request(one)
	if err := s.Commit(ctx, again); !errors.Is(err, game.ErrConflict) {
		t.Errorf("a request of an ended match starts another one: %v", err)
	}
}

func testRecentAnswers(t *testing.T, g Game, open opener) {
	s, ctx := open(t), t.Context()
	for i, answer := range g.Answers[:5] {
		c := Change(g.Match(fmt.Sprint("m", i), game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i))}, "ana", answer))
		c.Recent = game.RecentList{Name: "list", Keep: 3}
		if err := s.Commit(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	closeStore(t, s)
	s = open(t)
	defer closeStore(t, s)
	check := func(list string, want ...string) {
		t.Helper()
		if got, err := s.RecentAnswers(ctx, list); err != nil || !slices.Equal(got, want) {
			t.Errorf("the answers of %s are %q, %v; want %q", list, got, err, want)
		}
	}
	check("list", g.Answers[2:5]...)
	check("another")
	check("lis")
	// An answer that is in the list, but not among the last Keep, may come again.
	c := Change(g.Match("again", game.Location{Guild: "g", Channel: "c5"}, "ana", g.Answers[2]))
	c.Recent = game.RecentList{Name: "list", Keep: 2}
	if err := s.Commit(ctx, c); err != nil {
		t.Error(err)
	}
	check("list", g.Answers[4], g.Answers[2])
	MustCommit(t, s, g.Match("unlisted", game.Location{Guild: "g", Channel: "c6"}, "ana", g.Answers[2]))
	check("list", g.Answers[4], g.Answers[2])
}

// testOneWinner lets commits race: starts in one channel, moves of one version and versions of one session. One
// of each must win, though others share its transaction, and the rest must fail alone.
func testOneWinner(t *testing.T, games []Game, open opener) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	const racers = 16
	var wg sync.WaitGroup
	race := func(what string, commit func(racer int) error, check func(winner int)) {
		errs := make([]error, racers)
		var racing sync.WaitGroup
		for i := range racers {
			racing.Go(func() { errs[i] = commit(i) })
		}
		wg.Go(func() {
			racing.Wait()
			won := slices.Index(errs, nil)
			for i, err := range errs {
				if i != won && !errors.Is(err, game.ErrConflict) {
					t.Errorf("%s: a commit among others: %v", what, err)
				}
			}
			if won < 0 {
				t.Errorf("%s: no commit won", what)
				return
			}
			check(won)
		})
	}
	for n, g := range games {
		match := func(name string, i int) game.Match {
			return g.Match(fmt.Sprint(name, n, "-", i), game.Location{Channel: game.ChannelID(fmt.Sprint(name, n))}, "ana", g.hidden())
		}
		race("starts in one channel", func(i int) error { return s.Commit(ctx, Change(match("start", i))) },
			func(i int) { mustLoad(t, s, match("start", i)) })
		m := match("move", 0)
		MustCommit(t, s, m)
		move := func(i int) game.Match { return g.Guess(t, m, game.PlayerID(fmt.Sprint("p", i)), g.wrong(0)) }
		race("moves of one version", func(i int) error {
			c := Change(move(i))
			c.Request = game.RequestID(fmt.Sprint("race", n, "-", i))
			return s.Commit(ctx, c)
		}, func(i int) { mustLoad(t, s, move(i)) })
		player := game.PlayerID(fmt.Sprint("player", n))
		session := func(i int) solve.Session {
			c := Session(player, 1)
			c.Requests = []game.RequestID{game.RequestID(fmt.Sprint(i))}
			return c
		}
		race("a session", func(i int) error { return s.CommitSession(ctx, session(i)) }, func(i int) {
			if got, err := s.Session(ctx, player); err != nil || !reflect.DeepEqual(got, session(i)) {
				t.Errorf("the session of %s is %+v, %v", player, got, err)
			}
		})
	}
	wg.Wait()
}

// checkLeaderboard compares a store's leaderboard and totals with those worked
// out from a log.
func checkLeaderboard(t *testing.T, s game.Store, scope game.Scope, log []game.Result) {
	t.Helper()
	ctx := context.Background()
	var players []game.Totals
	for player, want := range game.Tally(log)[scope] {
		if got, err := s.Totals(ctx, scope, player); got != want || err != nil {
			t.Errorf("totals of %s: %+v, %v; want %+v", player, got, err, want)
		}
		if want.Placed() {
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

func withCuts(m game.Match, cuts ...int) game.Match {
	m.Cuts = cuts
	return m
}

// testCancelled: after its context has ended, nothing is read and nothing is left.
func testCancelled(t *testing.T, games []Game, open opener) {
	s := open(t)
	defer closeStore(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := games[0]
	m := g.Match("m", game.Location{Channel: "c"}, "ana", g.hidden())
	_, reading := s.Load(ctx, m.Slot())
	_, session := s.Session(ctx, "ana")
	_, _, message := s.BoardMessage(ctx, m.Slot())
	for what, err := range map[string]error{
		"a commit": s.Commit(ctx, Change(m)), "a read": reading,
		"a session": s.CommitSession(ctx, Session("ana", 1)), "reading a session": session,
		"a message": s.SaveBoardMessage(ctx, m.Slot(), game.BoardMessage{Match: m.ID, Message: "101"}), "reading a message": message,
		"clearing": s.Clear(ctx, game.ClearRequest{Player: "ana", Request: "clear", At: Epoch}),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s after its context ended: %v", what, err)
		}
	}
	if _, err := s.Load(t.Context(), m.Slot()); !errors.Is(err, game.ErrNoMatch) {
		t.Errorf("a cancelled commit left something: %v", err)
	}
	if got, err := s.Session(t.Context(), "ana"); got.Version != 0 || err != nil {
		t.Errorf("a cancelled commit left the session %+v, %v", got, err)
	}
}

func closeStore(t *testing.T, s game.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
}
