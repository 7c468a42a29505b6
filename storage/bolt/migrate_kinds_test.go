package bolt

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/solver/rules"
	"fivefold/storage/storagetest"
)

// TestMigratesFormats opens files of earlier releases: format 4 was the last one that did
// not store kinds, format 5 the last one without checksums, format 6 the last one that
// removed nothing from the log, format 7 the last one that counted every match whole. The
// files have matches of both games in every mode, won, lost, stopped and being played, hints
// of each type, reviews, a player who has cleared a history, and sessions. Everything that
// those releases read from them is in the texts and must still be there, apart from the order
// of the leaderboards. No sample may change.
func TestMigratesFormats(t *testing.T) {
	for _, format := range []string{"format-4", "format-5", "format-6", "format-7"} {
		path := mustUnpack(t, format+".db.gz")
		text, err := os.ReadFile(filepath.Join("testdata", format+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Split(strings.TrimSpace(string(text)), "\n")
		for range 2 {
			s := mustOpen(t, path)
			mustRebuild(t, s)
			got := describe(t, s)
			for i := range min(len(got), len(want)) {
				if board, ok := strings.CutPrefix(want[i], "leaderboard of "); ok { // how many players it has
					head, _, _ := strings.Cut(board, " [")
					want[i] = "leaderboard of " + head
				}
				if got[i] != want[i] {
					t.Fatalf("%s: line %d is\n%s\nwant\n%s", format, i+1, got[i], want[i])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s: %d lines, want %d", format, len(got), len(want))
			}
			if format != "format-7" { // which has removed some of its log
				checkTally(t, s)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			mustCheck(t, path)
		}
	}
}

// seenByAll returns what passes a filter for any viewer, as every viewer saw it before
// format 9.
func seenByAll(ctx context.Context, s *Store, f game.Filter) ([]game.Entry, error) {
	viewers := []game.PlayerID{f.Player}
	if f.Player == "" {
		viewers = []game.PlayerID{"", "ana", "an", "ben", "cleo", "dan", "mia", "zoe"}
		for i := range 25 {
			viewers = append(viewers, game.PlayerID(fmt.Sprint("p", i)))
		}
	}
	all := map[uint64]game.Entry{}
	for _, viewer := range viewers {
		f.Viewer = viewer
		entries, err := s.History(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			all[e.Number] = e
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b game.Entry) int { return cmp.Compare(b.Number, a.Number) }), nil
}

// mustRebuild waits until derived data that was stale has been made again.
func mustRebuild(t *testing.T, s *Store) {
	t.Helper()
	for {
		_, err := s.History(t.Context(), game.Filter{Viewer: "p", Player: "p", Limit: 1})
		if _, other := s.Totals(t.Context(), game.Scope{Kind: game.Wordle}, "p"); err == nil && other == nil {
			return
		} else if err = cmp.Or(err, other); !errors.Is(err, game.ErrRebuilding) {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}

// checkTally compares all totals and leaderboards with those worked out from the log.
func checkTally(t *testing.T, s *Store) {
	t.Helper()
	log, err := s.Results(t.Context(), 0, 1000)
	if err != nil || len(log) == 0 {
		t.Fatalf("the log has %d results, %v", len(log), err)
	}
	for scope, players := range game.Tally(log) {
		for player, want := range players {
			if got, err := s.Totals(t.Context(), scope, player); got != want || err != nil {
				t.Errorf("the totals of %s in %v are %+v, %v, want %+v", player, scope, got, err, want)
			}
		}
		if scope.Guild != "" {
			storagetest.CheckLeaderboard(t, s, scope, log)
		}
	}
}

// TestOldAnswersAreFound: matches of old files can be looked up by what was hidden,
// and their entries have the byte of their kind.
func TestOldAnswersAreFound(t *testing.T) {
	s := mustOpen(t, mustUnpack(t, "format-4.db.gz"))
	defer s.Close()
	for answer, want := range map[string][]game.MatchID{
		"CRANE": {"w01"}, "HOVER": {"w02"}, "2C 9C 10C KC 2D": {"p02", "p01"}, "3C 4C 5C 6C 7C": {"p07", "p06"}, "crane": nil,
	} {
		entries, err := seenByAll(t.Context(), s, game.Filter{Community: "guild/g", Answer: answer, Limit: 10})
		var got []game.MatchID
		for _, e := range entries {
			got = append(got, e.Result.Match)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("matches with %s are %q, %v, want %q", answer, got, err, want)
		}
	}
	kinds := map[byte]int{}
	if err := view(s.db, func(tx *bbolt.Tx) error {
		return errors.Join(
			tx.Bucket(bucketHistory).ForEach(func(_, v []byte) error { kinds[v[9]]++; return nil }),
			tx.Bucket(bucketPlayers).ForEach(func(_, v []byte) error { kinds[v[9]]++; return nil }),
			tx.Bucket(bucketOwn).ForEach(func(_, v []byte) error { kinds[v[9]]++; return nil }))
	}); err != nil {
		t.Fatal(err)
	}
	if len(kinds) != 2 || kinds['w'] == 0 || kinds['p'] == 0 {
		t.Errorf("the entries have the kinds %v, want some of 'w' and 'p'", kinds)
	}
}

// TestEntryBytes: entries are read by later releases too, so they may never change.
func TestEntryBytes(t *testing.T) {
	s := mustTemp(t)
	defer s.Close()
	if err := view(s.db, func(tx *bbolt.Tx) error {
		for _, c := range []struct {
			result game.Result
			want   string
		}{
			{game.Result{Number: 258, Kind: game.Wordle, Status: game.Won, Answer: "CRANE", Location: game.Location{Guild: "g", Channel: "c7"}}, "\x00\x00\x00\x00\x00\x00\x01\x02ww\x02c7CRANE"},
			{game.Result{Number: 1, Kind: game.Pokle, Status: game.Lost, Answer: "2C 9C 10C KC 2D"}, "\x00\x00\x00\x00\x00\x00\x00\x01lp\x002C 9C 10C KC 2D"},
			{game.Result{Number: 1, Kind: game.Pokle, Status: game.Stopped, Answer: "2C 9C 10C KC 2D", Location: game.Location{Channel: "c"}, Shared: "shared"}, "\x00\x00\x00\x00\x00\x00\x00\x01sp\x06shared2C 9C 10C KC 2D"},
		} {
			e, err := buckets{tx, testCodecs}.entryOf(c.result)
			if got := string(e.encode()); got != c.want || err != nil {
				t.Errorf("%+v has the entry %q, %v, want %q", c.result, got, err, c.want)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestOldDailyPuzzles: the daily puzzles of an old file keep their boards, also that of
// a player who has cleared the only match of it.
func TestOldDailyPuzzles(t *testing.T) {
	s := mustOpen(t, mustUnpack(t, "format-4.db.gz"))
	defer s.Close()
	boards := storagetest.Pokle.Answers
	for daily, want := range map[int]string{323: boards[4], 324: boards[0], 325: boards[3], 326: ""} {
		got, ok, err := s.Puzzle(t.Context(), game.Pokle, game.DailyPuzzle(daily))
		if ok != (want != "") || err != nil || ok && !reflect.DeepEqual(got, storagetest.Pokle.New(want)) {
			t.Errorf("puzzle %d is %v, %t, %v, want one with %q", daily, got, ok, err, want)
		}
		if !ok {
			continue
		}
		m := storagetest.Personal(storagetest.Pokle.Match(fmt.Sprint("other", daily), game.Location{Channel: "dm"}, "zoe", boards[5]), daily)
		if err := s.Commit(t.Context(), storagetest.Change(m)); !errors.Is(err, game.ErrConflict) {
			t.Errorf("puzzle %d with another board: %v, want %v", daily, err, game.ErrConflict)
		}
		m.State = got
		storagetest.MustCommit(t, s, m)
	}
	if got, ok, err := s.Puzzle(t.Context(), game.Wordle, game.DailyPuzzle(324)); ok || err != nil {
		t.Errorf("the word game, which had no daily puzzles, has %v, %v", got, err)
	}
}

// TestOldMatchesGoOn finds every match that is being played in an old file in its slot,
// and plays it to its end.
func TestOldMatchesGoOn(t *testing.T) {
	s := mustOpen(t, mustUnpack(t, "format-4.db.gz"))
	defer s.Close()
	word, poker := storagetest.Wordle, storagetest.Pokle
	for _, c := range []struct {
		storagetest.Game
		slot game.Slot
		id   game.MatchID
	}{
		{word, game.ChannelSlot(game.Wordle, "c"), "w09"},
		{word, game.ChannelSlot(game.Wordle, "dm"), "w10"},
		{poker, game.ChannelSlot(game.Pokle, "c"), "p11"},
		{poker, game.SoloSlot(game.Pokle, "ana", game.Location{Guild: "g"}), "p12"},
		{poker, game.Slot{Kind: game.Pokle, Player: "ana", Puzzle: game.DailyPuzzle(325)}, "p13"},
		{poker, game.Slot{Kind: game.Pokle, Player: "dan", Puzzle: game.DailyPuzzle(325)}, "p14"},
	} {
		m, err := s.Load(t.Context(), c.slot)
		if err != nil || m.ID != c.id || m.Status() != game.Playing || m.Slot() != c.slot {
			t.Errorf("%+v has %v, %v, want %s, being played", c.slot, m, err, c.id)
			continue
		}
		again := c.Match("new", m.Location, m.Starter, m.State.Answer())
		again.Mode, again.Puzzle = m.Mode, m.Puzzle
		if err := s.Commit(t.Context(), storagetest.Change(again)); !errors.Is(err, game.ErrConflict) {
			t.Errorf("while %s is being played another match starts: %v", c.id, err)
		}
		m = c.Guess(t, m, m.Starter, m.State.Answer())
		storagetest.MustCommit(t, s, m)
		if got, err := s.Load(t.Context(), c.slot); err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%+v has %v, %v, want %v", c.slot, got, err, m)
		}
		if f, err := s.Finished(t.Context(), c.id); err != nil || f.Match.Status() != game.Won {
			t.Errorf("%s is %v, %v, want it won", c.id, f, err)
		}
	}
	checkTally(t, s)
}

// TestOldHistoriesAreCleared: clearing works in an old file as in a new one.
func TestOldHistoriesAreCleared(t *testing.T) {
	s := mustOpen(t, mustUnpack(t, "format-4.db.gz"))
	defer s.Close()
	for _, player := range []game.PlayerID{"ana", "an", "ben", "cleo", "mia"} {
		if err := s.Clear(t.Context(), game.ClearRequest{Player: player, Request: game.RequestID("z" + player), At: storagetest.Epoch}); err != nil {
			t.Fatal(err)
		}
		for _, f := range []game.Filter{{Viewer: player, Player: player, Limit: 10}, {Viewer: player, Community: "guild/g", Player: player, Limit: 10}} {
			if entries, err := s.History(t.Context(), f); len(entries) != 0 || err != nil {
				t.Errorf("%s has the history %+v, %v", player, entries, err)
			}
		}
	}
	if entries, err := seenByAll(t.Context(), s, game.Filter{Community: "guild/g", Limit: 10}); len(entries) != 0 || err != nil {
		t.Errorf("everybody is anonymous, and the history has %+v, %v", entries, err)
	}
	slot := game.Slot{Kind: game.Pokle, Player: "ben", Puzzle: game.DailyPuzzle(324)}
	if m, err := s.Load(t.Context(), slot); !errors.Is(err, game.ErrNoMatch) {
		t.Errorf("%+v has %v, %v", slot, m, err)
	}
}

// TestMigrationRefusesDamage: an old file from which something is lost stays as it is.
func TestMigrationRefusesDamage(t *testing.T) {
	for name, damage := range map[string]func(tx *bbolt.Tx) error{
		"a result that is missing": func(tx *bbolt.Tx) error { return tx.Bucket(bucketResults).Delete(number(1)) },
		"a match of zeros":         func(tx *bbolt.Tx) error { return tx.Bucket(bucketMatches).Put([]byte("p13"), make([]byte, 99)) },
		"words of another length":  func(tx *bbolt.Tx) error { return tx.Bucket(bucketRecent).Put([]byte("guild/g"), []byte("CRANEHOVE")) },
	} {
		path := mustUnpack(t, "format-4.db.gz")
		db, err := bbolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(db.Update(damage), db.Close()); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, testCodecs, Options{})
		if !errors.Is(err, game.ErrDamaged) {
			t.Errorf("%s: %v, want %v", name, err, game.ErrDamaged)
		}
		if err == nil {
			s.Close()
		}
		if db, err = bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true}); err != nil {
			t.Fatal(err)
		}
		if err := view(db, func(tx *bbolt.Tx) error {
			if format := binary.BigEndian.Uint64(tx.Bucket(bucketMeta).Get(keyFormat)); format != 4 {
				t.Errorf("%s: the file has format %d now", name, format)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// describe returns all that a file holds, in lines like those of the texts in testdata, which
// the releases with those formats wrote.
func describe(t *testing.T, s *Store) (lines []string) {
	t.Helper()
	ctx := t.Context()
	players := []game.PlayerID{"ana", "an", "ben", "cleo", "dan", "mia", ""}
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	day := func(p game.PuzzleID) int { number, _ := p.Daily(); return number }
	location := func(l game.Location) []string { return []string{string(l.Guild), string(l.Channel)} }
	match := func(m game.Match) {
		var guesses []string
		switch s := m.State.(type) {
		case game.WordState:
			for _, turn := range s.Turns() {
				guesses = append(guesses, turn.Guess.String(), turn.Feedback.String())
			}
		case game.BoardState:
			for _, g := range s.Guesses() {
				guesses = append(guesses, g.Guess.Plain(), g.Feedback.String())
			}
			add("deal %s %v", m.ID, s.Deal())
		}
		add("match %s %q version %d by %q at %d %s mode %q daily %d: %s, hidden %q hard %t, %q", m.ID, location(m.Location), m.Version,
			m.Starter, m.Started.UnixMilli(), m.Kind, m.Mode, day(m.Puzzle), m.Status(), m.State.Answer(), m.State.Hard(), guesses)
		for _, v := range m.Moves {
			add("move %s by %q at %d version %d", m.ID, v.Player, v.At.UnixMilli(), v.Version)
		}
		for _, h := range m.Hints {
			var content string
			switch c := h.Content.(type) {
			case boards.Suggestion:
				content = fmt.Sprintf("%s %d %v %v %t", c.Board.Plain(), c.Remaining, c.Entropy, c.Guesses, c.Proven)
			case solver.Suggestion:
				content = fmt.Sprintf("%v splits the %d words into %d groups, at worst %d stay", c.Word, c.Remaining, c.Groups, c.Worst)
			case rules.LetterHint:
				content = fmt.Sprintf("%c %d times", c.Letter, c.Times)
			case rules.PositionHint:
				content = fmt.Sprintf("%c at %d", c.Letter, c.Position)
			}
			add("hint %s %s by %q at %d version %d after %d: %s", m.ID, h.Kind, h.Player, h.At.UnixMilli(), h.Version, h.After, content)
		}
		if m.Stop != nil {
			add("stop %s by %q at %d version %d", m.ID, m.Stop.Player, m.Stop.At.UnixMilli(), m.Stop.Version)
		}
	}
	slot := func(name string, slot game.Slot) {
		m, err := s.Load(ctx, slot)
		if errors.Is(err, game.ErrNoMatch) {
			return
		}
		check(err)
		add("slot %s has %s", name, m.ID)
		match(m)
	}
	for _, k := range []game.Kind{game.Wordle, game.Pokle} {
		for _, c := range []game.ChannelID{"c", "c2", "c3", "dm"} {
			slot(fmt.Sprintf("%s %q", k, c), game.ChannelSlot(k, c))
		}
		for _, p := range players[:6] {
			for _, l := range []game.Location{{Guild: "g"}, {Guild: "h"}, {Channel: "dm"}} {
				slot(fmt.Sprintf("%s of %s", k, p), game.SoloSlot(k, p, l))
			}
			for daily := 320; daily < 330; daily++ {
				slot(fmt.Sprintf("%s of %s daily %d", k, p, daily), game.Slot{Kind: k, Player: p, Puzzle: game.DailyPuzzle(daily)})
			}
		}
	}
	results, err := s.Results(ctx, 0, 1000)
	check(err)
	for _, r := range results {
		if r.Counting != game.Whole {
			t.Errorf("result %d counts by rule %d", r.Number, r.Counting)
		}
		var participants []string // as they were before there was credit
		for _, p := range r.Participants {
			participants = append(participants, fmt.Sprintf("{%s %d %d}", p.Player, p.Guesses, p.Hints))
		}
		add("result %d %s %q %s mode %q daily %d: %s %q hard %t attempts %d from %d to %d, %q %v", r.Number, r.Match, location(r.Location), r.Kind,
			r.Mode, day(r.Puzzle), r.Status, r.Answer, r.Hard, r.Attempts, r.Started.UnixMilli(), r.Ended.UnixMilli(), r.Winner, participants)
		f, err := s.Finished(ctx, r.Match)
		if errors.Is(err, game.ErrNotInHistory) {
			add("finished %s: gone", r.Match)
			continue
		}
		check(err)
		add("finished %s is number %d", r.Match, f.Number)
		match(f.Match)
		review, _, err := s.Review(ctx, f.Match)
		check(err)
		switch review := review.(type) {
		case rules.WordReview:
			add("review %s: %v %v [] []", r.Match, review.Guesses, review.Line)
		case rules.BoardReview:
			add("review %s: [] [] %v %v", r.Match, review.Guesses, review.Line)
		}
	}
	for _, id := range []string{"w01", "w07", "w09", "p01", "p09", "p13"} {
		for version := 1; version <= 9; version++ {
			m, v, err := s.Repeated(ctx, game.ChannelSlot(game.Wordle, "c"), game.RequestID(fmt.Sprintf("%s/%d", id, version)))
			check(err)
			if v != 0 {
				add("request %s/%d led to %s version %d", id, version, m.ID, v)
			}
		}
	}
	for _, community := range []string{"", "guild/g", "guild/h", "channel/dm"} {
		for _, p := range players {
			if community == "" && p == "" {
				continue
			}
			for _, k := range []game.Kind{"", game.Wordle, game.Pokle} {
				for _, status := range []game.Status{"", game.Won, game.Lost, game.Stopped} {
					for _, answer := range []string{"", "CRANE"} {
						entries, err := seenByAll(t.Context(), s, game.Filter{Community: community, Player: p, Kind: k, Status: status, Answer: answer, Limit: 100})
						check(err)
						if len(entries) == 0 {
							continue
						}
						var found []string
						for _, e := range entries {
							found = append(found, fmt.Sprint(e.Number, " ", e.Result.Match))
						}
						add("history of %q %q %q %q %q: %s", community, p, k, status, answer, strings.Join(found, ", "))
					}
				}
			}
		}
	}
	for _, k := range []game.Kind{game.Wordle, game.Pokle} {
		for _, guild := range []game.GuildID{"", "g", "h"} {
			scope := game.Scope{Kind: k, Guild: guild}
			for _, p := range players[:6] {
				totals, err := s.Totals(ctx, scope, p)
				check(err)
				if totals.Helped != 0 || totals.Credit != 1000*totals.Played || totals.WonCredit != 1000*totals.Won {
					t.Errorf("the totals of %s in %v do not count whole: %+v", p, scope, totals)
				}
				if totals != (game.Totals{Player: p}) {
					add("totals in %q of %s: {%s %d %d %d %d %d %v %d}", scope, p, p, totals.Played, totals.Won, totals.Attempts/1000,
						totals.Streak, totals.BestStreak, totals.Distribution, totals.Hints)
				}
				if guild == "" {
					continue
				}
				board, err := s.Leaderboard(ctx, scope, p, 2)
				check(err)
				if board.Players > 0 {
					add("leaderboard of %q for %s: {%d", scope, p, board.Players)
				}
				for i, row := range board.Top {
					if own, err := s.Totals(ctx, scope, row.Player); err != nil || own != row.Totals || i > 0 && board.Top[i-1].Compare(own) > 0 {
						t.Errorf("row %d of %v is %+v, %v", i, scope, row, err)
					}
				}
			}
		}
	}
	for _, community := range []string{"guild/g", "guild/h", "channel/dm"} {
		answers, err := s.RecentAnswers(ctx, "wordle "+community)
		check(err)
		add("recent answers of %s: %v", community, answers)
	}
	for _, p := range players[:6] {
		n, err := s.Session(ctx, p)
		check(err)
		if n.Version == 0 {
			continue
		}
		var proposed []string // without the measure, which came later
		for _, w := range n.Words.Proposed {
			proposed = append(proposed, fmt.Sprintf("{%v %v %v %v %v %v %v %v}", w.Word, w.Chance, w.Remaining, w.Expected, w.Groups, w.Worst, w.Guesses, w.Proven))
		}
		add("session of %s version %d: %v %v %v %t %s, %v", n.Player, n.Version, n.Words.Turns, proposed, n.Words.Chosen,
			n.Words.Setup.Hard, n.Words.Setup.Strategy, n.Record)
		add("board of %s: %v %v %v %v, %v", n.Player, n.Board.Setup.Deal, n.Board.Turns, n.Board.Proposed, n.Board.Chosen, n.Requests)
	}
	return lines
}
