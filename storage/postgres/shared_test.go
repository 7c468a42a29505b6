package postgres_test

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// TestLostConnections plays through a proxy that loses one connection in ten at each round
// trip: half of them before the server has done what it was asked, half of them after. No
// commit that was acknowledged is lost, and none is made twice.
func TestLostConnections(t *testing.T) {
	direct := postgrestest.Database(t)
	u, err := url.Parse(direct)
	if err != nil {
		t.Fatal(err)
	}
	p := startProxy(t, u.Host, 0.05)
	u.Host = p.Addr().String()
	u.RawQuery += "&pool_max_conns=8"
	var s *postgres.Store
	for s == nil { // the first connection may be lost too
		if s, err = postgres.Open(t.Context(), u.String(), testCodecs, postgres.Options{}.WithPatience(10*time.Minute)); err != nil && !errors.Is(err, postgres.ErrUnreachable) {
			t.Fatal(err)
		}
	}
	all := playShared(t, []*postgres.Store{s}, 8, 1, true, nil)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if p.before.Load() < 10 || p.after.Load() < 10 {
		t.Errorf("%d connections were lost before and %d after", p.before.Load(), p.after.Load())
	}
	checkShared(t, mustOpen(t, direct), all)
}

// TestServerEnds: nothing is lost if the server is killed or stopped, and started again, while four stores
// play. Its commits wait for the disk, as those of an operator's server do.
func TestServerEnds(t *testing.T) {
	server := postgrestest.Start(t)
	url := server.Database(t)
	var stores []*postgres.Store
	for range 4 {
		stores = append(stores, mustOpen(t, url))
	}
	var ending sync.Mutex
	var ends atomic.Int64
	// The changes after which the channel that has made one ends the server, while the others play on.
	after := map[int64]func() error{60: server.Kill, 160: server.Stop, 260: server.Stop}
	all := playShared(t, stores, 20, 2, true, func(made int64) {
		if end, due := after[made]; due {
			ends.Add(1)
			ending.Lock()
			defer ending.Unlock()
			if err := errors.Join(end(), server.Start()); err != nil {
				t.Error(err)
			}
		}
	})
	if n := ends.Load(); n != int64(len(after)) {
		t.Errorf("the server was ended %d times", n)
	}
	for _, s := range stores {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	checkShared(t, mustOpen(t, url), all)
}

// TestProcesses: four stores share a database, as four processes would, and each request is delivered to
// two of them at once. One makes the change.
func TestProcesses(t *testing.T) {
	url := postgrestest.Database(t)
	var stores []*postgres.Store
	for range 4 {
		stores = append(stores, mustOpen(t, url))
	}
	all := playShared(t, stores, 8, 2, false, nil)
	for _, s := range stores {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	checkShared(t, mustOpen(t, url), all)
}

// guilds are the servers of playShared. Channels are in them in turn.
var guilds = []game.GuildID{"g", "h"}

// playShared plays a number of matches in each of eight channels of two servers, in all channels at once
// and with the same players, and returns the matches as they ended. It delivers each change as many times
// at once as deliveries says, to the stores in turn. One of them must acknowledge it. The others must find
// a conflict or, if lost says that connections may be lost, may acknowledge it too. It calls made, unless
// that is nil, with the number of changes that were made so far, after each.
func playShared(t *testing.T, stores []*postgres.Store, matches, deliveries int, lost bool, made func(n int64)) []game.Match {
	t.Helper()
	const channels = 8
	g := storagetest.Wordle
	all := make([]game.Match, channels*matches)
	var turn, changes atomic.Int64
	deliver := func(c game.Change) {
		errs := make([]error, deliveries)
		var wg sync.WaitGroup
		for i := range errs {
			s := stores[int(turn.Add(1))%len(stores)]
			wg.Go(func() { errs[i] = s.Commit(t.Context(), c) })
		}
		wg.Wait()
		acknowledged := 0
		for _, err := range errs {
			if err == nil {
				acknowledged++
			} else if !errors.Is(err, game.ErrConflict) {
				t.Errorf("request %s: %v", c.Request, err)
			}
		}
		if acknowledged == 0 || acknowledged > 1 && !lost {
			t.Errorf("request %s was acknowledged %d times: %v", c.Request, acknowledged, errs)
		}
		if n := changes.Add(1); made != nil {
			made(n)
		}
	}
	var wg sync.WaitGroup
	for i := range channels {
		wg.Go(func() {
			for n := range matches {
				location := game.Location{Guild: guilds[i%2], Channel: game.ChannelID(fmt.Sprint("c", i))}
				m := g.Match(fmt.Sprint("m", i, "-", n), location, "ana", g.Answers[n%len(g.Answers)])
				c := storagetest.Change(m)
				c.Recent = game.RecentList{Name: fmt.Sprint("list", i), Keep: 1}
				deliver(c)
				for k, player := range []game.PlayerID{"ana", "ben", "cleo"}[:1+n%3] {
					answer := g.Answers[(n+k+1)%len(g.Answers)]
					if k == n%3 && k < 2 {
						answer = m.State.Answer()
					}
					m = g.Guess(t, m, player, answer)
					deliver(storagetest.Change(m))
				}
				if m.Status() == game.Playing { // three guesses and no more: it is lost, and ends streaks
					m.Version++
					m.Stop = &game.Stop{Player: "ana", At: storagetest.Epoch.Add(time.Minute), Version: m.Version}
					deliver(storagetest.Change(m))
				}
				all[i*matches+n] = m
			}
		})
	}
	wg.Wait()
	return all
}

// checkShared compares a store with the matches that were acknowledged, and closes it.
func checkShared(t *testing.T, s *postgres.Store, all []game.Match) {
	t.Helper()
	defer s.Close()
	ctx := t.Context()
	log, err := s.Results(ctx, 0, len(all)+1)
	if err != nil || len(log) != len(all) {
		t.Fatalf("the log has %d results, %v; %d matches have ended", len(log), err, len(all))
	}
	numbers := map[game.GuildID][]uint64{}
	for _, m := range all {
		f, err := s.Finished(ctx, m.ID)
		if err != nil || fmt.Sprint(f.Match) != fmt.Sprint(m) || len(f.Match.Moves) != len(m.Moves) {
			t.Errorf("match %s is %v, %v, want %v", m.ID, f.Match, err, m)
		}
		numbers[m.Location.Guild] = append(numbers[m.Location.Guild], f.Number)
		for version := uint64(1); version <= m.Version; version++ {
			request := storagetest.Change(m.Rewind(version)).Request
			if _, made, err := s.Repeated(ctx, m.Slot(), request); made != version || err != nil {
				t.Errorf("request %s led to version %d, %v", request, made, err)
			}
		}
	}
	for _, guild := range guilds {
		got := numbers[guild]
		slices.Sort(got)
		for i, n := range got {
			if n != uint64(i+1) {
				t.Fatalf("the numbers of the games of server %s are %d", guild, got)
			}
		}
		storagetest.CheckLeaderboard(t, s, game.Scope{Kind: game.Wordle, Guild: guild}, log)
	}
	for player, want := range game.Tally(log)[game.Scope{Kind: game.Wordle}] {
		if got, err := s.Totals(ctx, game.Scope{Kind: game.Wordle}, player); got != want || err != nil {
			t.Errorf("totals of %s: %+v, %v, want %+v", player, got, err, want)
		}
	}
}

// TestWork: work that is due goes to one process, and to another one when the lease has ended.
func TestWork(t *testing.T) {
	url, ctx := postgrestest.Database(t), t.Context()
	var stores []*postgres.Store
	for range 4 {
		s := mustOpen(t, url)
		defer s.Close()
		stores = append(stores, s)
	}
	// take has all processes take the work at once, and returns what the only one got.
	take := func(lease time.Duration) (taken *game.Work) {
		t.Helper()
		var wg sync.WaitGroup
		var mu sync.Mutex
		for _, s := range stores {
			wg.Go(func() {
				w, ok, err := s.TakeWork(ctx, "w", lease)
				mu.Lock()
				defer mu.Unlock()
				if err != nil || ok && taken != nil && lease > 0 {
					t.Errorf("%+v was taken next to %+v, %v", w, taken, err)
				}
				if ok {
					taken = &w
				}
			})
		}
		wg.Wait()
		return taken
	}
	dead := take(time.Hour)
	if dead == nil || dead.Generation != 1 {
		t.Fatalf("new work: %+v", dead)
	}
	if w := take(time.Hour); w != nil {
		t.Errorf("work of another process was taken: %+v", w)
	}
	if err := stores[0].EndWork(ctx, *dead, 0); err != nil {
		t.Fatal(err)
	}
	first := take(0) // and dies
	if first == nil || first.Generation < 2 {
		t.Fatalf("work that is due again: %+v", first)
	}
	second := take(time.Hour)
	if second == nil || second.Generation <= first.Generation {
		t.Fatalf("after the lease of %+v: %+v", first, second)
	}
	if err := stores[0].EndWork(ctx, *first, 0); err != nil { // too late
		t.Fatal(err)
	}
	if w := take(time.Hour); w != nil {
		t.Errorf("a process that has lost its work gave it back: %+v", w)
	}
	if err := stores[0].EndWork(ctx, *second, time.Hour); err != nil {
		t.Fatal(err)
	}
	if w := take(time.Hour); w != nil {
		t.Errorf("work that is not due was taken: %+v", w)
	}
}

// TestEndIdleTogether: if several managers end idle games at once, each game is ended once.
func TestEndIdleTogether(t *testing.T) {
	url, ctx := postgrestest.Database(t), t.Context()
	g := storagetest.Wordle
	const n = 30
	var managers []*game.Manager
	for range 4 {
		s := mustOpen(t, url)
		defer s.Close()
		managers = append(managers, &game.Manager{Store: s, Work: s})
	}
	s := managers[0].Store
	for i := range n {
		storagetest.MustCommit(t, s, g.Match(fmt.Sprint("m", i), game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i))}, "ana", g.Answers[0]))
	}
	var wg sync.WaitGroup
	for _, m := range managers {
		m.Now = func() time.Time { return storagetest.Epoch.Add(48 * time.Hour) }
		wg.Go(func() {
			if _, _, err := m.EndIdle(ctx, 24*time.Hour); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	log, err := s.Results(ctx, 0, n+1)
	if err != nil || len(log) != n {
		t.Errorf("%d games have ended, %v, want %d", len(log), err, n)
	}
	if left, err := s.Unfinished(ctx, game.Unfinished{}, 1); len(left) > 0 || err != nil {
		t.Errorf("games that are left: %v, %v", left, err)
	}
}

// TestClearResumed: if a process dies while it clears a history, another one completes the clearing, and
// leaves alone the matches that the player has played since.
func TestClearResumed(t *testing.T) {
	url, ctx := postgrestest.Database(t), t.Context()
	g := storagetest.Wordle
	dead := mustOpenWith(t, url, postgres.Options{}.WithSizes(3).Quiet())
	play := func(s *postgres.Store, i int) {
		m := g.Match(fmt.Sprint("m", i), game.Location{Guild: "g", Channel: "c"}, "ana", g.Answers[6])
		storagetest.MustCommit(t, s, m)
		m = g.Guess(t, m, "ben", g.Answers[0])
		storagetest.MustCommit(t, s, m)
		storagetest.MustCommit(t, s, g.Guess(t, m, "ana", g.Answers[6]))
	}
	for i := range 10 {
		play(dead, i)
	}
	if err := dead.BeginClear(ctx, game.ClearRequest{Player: "ana", Request: "clear", At: storagetest.Epoch}); err != nil {
		t.Fatal(err)
	}
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	s := mustOpenWith(t, url, postgres.Options{}.WithSizes(3).Quiet())
	defer s.Close()
	play(s, 10)
	named := func() (n int) {
		t.Helper()
		log, err := s.Results(ctx, 0, 100)
		if err != nil || len(log) != 11 {
			t.Fatalf("the log has %d results, %v", len(log), err)
		}
		for _, r := range log {
			if slices.ContainsFunc(r.Participants, func(p game.Participant) bool { return p.Player == "ana" }) {
				n++
			}
		}
		return n
	}
	if n := named(); n != 8 {
		t.Errorf("after a batch of three of ten games, and one more game, %d name the player, want 8", n)
	}
	if err := s.Remove(ctx, 0); err != nil {
		t.Fatal(err)
	}
	if n := named(); n != 1 {
		t.Errorf("%d games name the player, want only the one played since", n)
	}
	if got, err := s.Totals(ctx, game.Scope{Kind: game.Wordle, Guild: "g"}, "ana"); got.Won != 1 || err != nil {
		t.Errorf("the totals are %+v, %v, want those of one game", got, err)
	}
}
