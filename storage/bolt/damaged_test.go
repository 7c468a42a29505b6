package bolt

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/game/racetest"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
	"fivefold/storage/storagetest"
)

var damagedFiles = flag.Int("damaged", 20, "how many files TestDamagedFiles damages")

// fill plays games of every kind and mode by several players in several servers, so that
// every bucket has more than one page where that does not take much.
func fill(tb testing.TB, s *Store) {
	tb.Helper()
	s.db.NoSync = true
	ctx := context.Background()
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	n := 0
	commit := func(m game.Match, recent game.RecentList) {
		n++
		c := game.Change{Match: m, Request: game.RequestID(fmt.Sprintf("%06d", n)), At: storagetest.Epoch, Recent: recent}
		must(s.Commit(ctx, c))
	}
	games := []storagetest.Game{storagetest.Wordle, storagetest.Pokle}
	for i := range 160 {
		if i == 40 { // what has ended so far moves to the archive
			if n, err := s.Forget(ctx, storagetest.Epoch.Add(time.Hour)); n < 30 || err != nil {
				tb.Fatalf("%d matches were removed, %v", n, err)
			}
		}
		g := games[i%2]
		location := game.Location{Guild: game.GuildID(fmt.Sprint("g", i%3)), Channel: game.ChannelID(fmt.Sprint("c", i%12))}
		player := func(n int) game.PlayerID { return game.PlayerID(fmt.Sprint("p", (i/2+n)%25)) }
		m := g.Match(fmt.Sprintf("m%03d", i), location, player(0), g.Answers[i%3])
		switch i % 5 {
		case 3:
			m = storagetest.Personal(m, 0)
		case 4:
			m = storagetest.Personal(m, 100+i/25)
			m.State = g.New(g.Answers[i/25%3])
		}
		if _, err := s.Load(ctx, m.Slot()); m.Mode == game.Daily && err == nil {
			continue // played already
		}
		commit(m, game.RecentList{Name: fmt.Sprintf("%s %s", g.Kind(), location.Community()), Keep: 0})
		for k := 3; k < 3+i%3; k++ {
			m = g.Guess(tb, m, player(k*map[bool]int{true: 0, false: 1}[m.Mode.Personal()]), g.Answers[k])
			commit(m, game.RecentList{})
		}
		if i >= 150 {
			continue // it is still being played
		}
		m = g.Guess(tb, m, player(0), m.State.Answer())
		commit(m, game.RecentList{})
		if i%2 == 0 {
			must(s.SaveReview(ctx, m, g.Review(float64(i%99))))
		}
	}
	for i := range 20 {
		must(s.CommitSession(ctx, solve.Session{
			Player: game.PlayerID(fmt.Sprint("p", i)), Version: 1, Requests: []game.RequestID{"s"},
			Words: solve.WordPuzzle{Turns: []wordle.Turn{{Guess: wordle.MustParse("crane"), Feedback: 0}}},
		}))
	}
	must(s.Clear(ctx, game.ClearRequest{Player: "p7", Request: "900000", At: storagetest.Epoch}))
}

// facts returns everything that can be asked of a store, with the answers.
func facts(s *Store) map[string]string {
	ctx := context.Background()
	all := map[string]string{}
	say := func(what string, err error, answer any) {
		switch {
		case errors.Is(err, game.ErrNoMatch) || errors.Is(err, game.ErrNotInHistory):
			all[what] = "none"
		case err != nil:
			all[what] = "error"
		default:
			all[what] = fmt.Sprintf("%+v", answer)
		}
	}
	// whole is a match with everything in it.
	whole := func(m game.Match) string {
		if m.State == nil {
			return ""
		}
		return fmt.Sprint(m, m.State.Answer(), m.Location, m.Starter, m.Started, m.Mode, m.Puzzle, m.Moves, m.Hints, m.Stop != nil)
	}
	results, err := s.Results(ctx, 0, 1000)
	say("results", err, results)
	unfinished, err := s.Unfinished(ctx, game.Unfinished{}, 1000)
	say("unfinished", err, unfinished)
	for i := range 140 {
		id := game.MatchID(fmt.Sprintf("m%03d", i))
		f, err := s.Finished(ctx, id)
		say(fmt.Sprint("finished ", id), err, fmt.Sprint(f.Number, whole(f.Match)))
		k := []game.Kind{game.Wordle, game.Pokle}[i%2]
		review, ok, err := s.Review(ctx, game.Match{ID: id, Kind: k})
		if err == nil && !ok {
			err = errors.New("none: it is a cache")
		}
		say(fmt.Sprint("review ", id), err, review)
		m, version, err := s.Repeated(ctx, game.ChannelSlot(k, game.ChannelID(fmt.Sprint("c", i%12))), game.RequestID(fmt.Sprintf("%06d", 3*i)))
		say(fmt.Sprint("request ", 3*i), err, fmt.Sprint(version, whole(m)))
	}
	for _, k := range []game.Kind{game.Wordle, game.Pokle} {
		slot := func(s2 game.Slot) {
			m, err := s.Load(ctx, s2)
			say(fmt.Sprintf("slot %q", s2.Key()), err, whole(m))
		}
		for i := range 12 {
			slot(game.ChannelSlot(k, game.ChannelID(fmt.Sprint("c", i))))
		}
		for day := 100; day < 107; day++ {
			p, ok, err := s.Puzzle(ctx, k, game.DailyPuzzle(day))
			answer := ""
			if p != nil {
				answer = p.Answer()
			}
			say(fmt.Sprint("puzzle ", k, day), err, fmt.Sprint(ok, answer))
		}
		for i := range 25 {
			player := game.PlayerID(fmt.Sprint("p", i))
			for _, guild := range []game.GuildID{"g0", "g1", "g2"} {
				slot(game.SoloSlot(k, player, game.Location{Guild: guild}))
			}
			for day := 100; day < 107; day++ {
				slot(game.Slot{Kind: k, Player: player, Puzzle: game.DailyPuzzle(day)})
			}
			for _, g := range []game.GuildID{"", "g0", "g1", "g2"} {
				scope := game.Scope{Kind: k, Guild: g}
				totals, err := s.Totals(ctx, scope, player)
				say(fmt.Sprint("totals ", scope, player), err, totals)
				if g != "" {
					board, err := s.Leaderboard(ctx, scope, player, 10)
					say(fmt.Sprint("leaderboard ", scope, player), err, board)
				}
			}
		}
	}
	for _, community := range []string{"", "guild/g0", "guild/g1", "guild/g2"} {
		for i := range 26 {
			player := game.PlayerID(fmt.Sprint("p", i))
			if i == 25 {
				player = ""
			}
			if community != "" || player != "" {
				entries, err := seenByAll(ctx, s, game.Filter{Community: community, Player: player, Limit: 1000})
				say(fmt.Sprint("history ", community, player), err, entries)
			}
		}
	}
	for i := range 25 {
		session, err := s.Session(ctx, game.PlayerID(fmt.Sprint("p", i)))
		say(fmt.Sprint("session ", i), err, session)
	}
	secret, err := s.Secret(ctx)
	say("secret", err, secret)
	return all
}

// dump returns every record of a file.
func dump(t *testing.T, path string) map[string]map[string]string {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string]map[string]string{}
	if err := db.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			all[string(name)] = map[string]string{}
			return b.ForEach(func(k, v []byte) error {
				all[string(name)][string(k)] = string(v)
				return nil
			})
		})
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDamagedFiles changes one byte of a file, again and again. Whichever byte it is, a check
// finds the change, or it does no harm; after a repair the file opens, everything in it is
// right, and what is lost was named.
func TestDamagedFiles(t *testing.T) {
	racetest.Skip(t)
	path := filepath.Join(t.TempDir(), "good.db")
	s := mustOpen(t, path)
	fill(t, s)
	want := facts(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// Without this, most bytes would be on free pages.
	if before, after, err := Compact(t.Context(), path, testCodecs, nil); err != nil || after >= before {
		t.Fatalf("compacting: %d bytes before, %d after, %v", before, after, err)
	}
	good, records := mustRead(t, path), dump(t, path)
	used := usedBytes(t, path)
	var mu sync.Mutex // protects tally
	var tally struct{ refused, silent, harmless, lossy int }
	t.Run("files", func(t *testing.T) {
		for i := range *damagedFiles {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel() // it waits for the disk most of the time
				random := rand.New(rand.NewPCG(uint64(i), 21))
				// Spread over all pages and, most of the time, where a page has anything.
				at := i * used / *damagedFiles
				at = at/4096*4096 + random.IntN(4096)
				for good[at] == 0 && random.IntN(10) > 0 {
					at = at/4096*4096 + random.IntN(4096)
				}
				data := bytes.Clone(good)
				data[at] ^= byte(1 + random.IntN(255))
				refused, wrong := openAsItIs(t, data, want)
				harmless, lossy := checkAndRepair(t, data, records, want)
				t.Logf("byte %d of page %d: refused %t, wrong %d, harmless %t, lossy %t", at%4096, at/4096, refused, wrong, harmless, lossy)
				if wrong > 0 && harmless {
					t.Error("the check finds nothing, but something wrong is shown")
				}
				mu.Lock()
				defer mu.Unlock()
				for _, c := range []struct {
					what  bool
					count *int
				}{{refused, &tally.refused}, {wrong > 0, &tally.silent}, {harmless, &tally.harmless}, {lossy, &tally.lossy}} {
					if c.what {
						*c.count++
					}
				}
			})
		}
	})
	t.Logf("of %d files with one wrong byte each: before a repair, %d refuse the start and %d show something wrong; %d bytes do no harm; %d repairs lost something",
		*damagedFiles, tally.refused, tally.silent, tally.harmless, tally.lossy)
}

// openAsItIs opens a damaged file, and counts what is shown that is wrong.
func openAsItIs(t *testing.T, data []byte, want map[string]string) (refused bool, wrong int) {
	path := filepath.Join(t.TempDir(), "test.db")
	mustWrite(t, path, data)
	s, err := Open(path, testCodecs, Options{})
	if err != nil {
		return true, 0
	}
	for what, answer := range facts(s) {
		if answer != want[what] && answer != "error" {
			wrong++
			t.Logf("unrepaired, %s is %.150s instead of %.150s", what, answer, want[what])
		}
	}
	s.Close() // it may fail, in a damaged file
	return false, wrong
}

// checkAndRepair reports whether the check finds nothing, and whether anything is lost.
func checkAndRepair(t *testing.T, data []byte, records map[string]map[string]string, want map[string]string) (harmless, lossy bool) {
	path := filepath.Join(t.TempDir(), "test.db")
	mustWrite(t, path, data)
	var findings []Finding
	if _, err := Check(t.Context(), path, testCodecs, func(f Finding) { findings = append(findings, f) }, nil); err != nil {
		t.Errorf("the check: %v", err)
	}
	if len(findings) == 0 {
		return true, false
	}
	var named []Finding
	done, err := Repair(t.Context(), path, testCodecs, func(f Finding) { named = append(named, f) }, nil)
	if err != nil || !done.Changed {
		t.Errorf("the repair: %+v, %v\n%v", done, err, findings)
		return false, false
	}
	mustCheck(t, path)
	lost := differences(t, records, dump(t, path), named, done)
	s, err := Open(path, testCodecs, Options{})
	if err != nil {
		t.Errorf("opening the repaired file: %v", err)
		return false, false
	}
	for what, answer := range facts(s) {
		if answer != want[what] && answer != "error" && lost == 0 && !strings.HasPrefix(what, "review ") {
			t.Errorf("repaired, %s is %.200s instead of %.200s\n%v", what, answer, want[what], named)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(mustRead(t, done.Old), data) {
		t.Error("the damaged file is not what it was")
	}
	return false, lost > 0
}

// differences compares the records of a repaired file with those of the good one, and
// returns how many are lost, each of which must have been named.
func differences(t *testing.T, want, got map[string]map[string]string, named []Finding, done Repaired) (lost int) {
	t.Helper()
	for bucket, records := range want {
		for key, value := range records {
			there, ok := got[bucket][key]
			switch {
			case ok && there == value, bucket == "rank-chunks":
			case ok && !isDerived([]byte(bucket)):
				t.Errorf("%s %q has changed", bucket, key)
			case !isDerived([]byte(bucket)):
				lost++
			case bucket != "reviews" && len(named) == 0:
				t.Errorf("%s %q is another one, and nothing was named", bucket, key)
			}
		}
	}
	for bucket, records := range got {
		for key := range records {
			if _, ok := want[bucket][key]; !ok && bucket != "rank-chunks" && bucket != "damaged" && !(bucket == "ranks" || bucket == "totals") {
				t.Errorf("%s %q is new", bucket, key)
			}
		}
	}
	if lost > 0 {
		notDerived := 0
		for _, f := range named {
			if !f.Derived {
				notDerived++
			}
		}
		if notDerived < lost || done.SetAside == 0 {
			t.Errorf("%d records are lost, %d set aside, and named are only %v", lost, done.SetAside, named)
		}
	}
	return lost
}
