package game_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/marks"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
)

// clock is a time that a test sets.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// newDaily returns a manager that draws as in production, with a clock at noon of day 325.
func newDaily(tb testing.TB, s Store, answers string, k game.Kind) (machine, *clock) {
	tb.Helper()
	m := newManager(s, mustLists(tb, answers, "fuzzy"))
	m.kind, m.Pick = k, nil
	c := &clock{time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	m.Now = c.now
	return m, c
}

// tenWords are enough answers that ten puzzles in a row are not the same by chance.
const tenWords = "brick crane grape hover mound pizza shave slate toxic vivid"

func TestToday(t *testing.T) {
	m, c := newDaily(t, newMemory(), tenWords, wordgame.Kind)
	for text, want := range map[string]int{
		"1970-01-01T00:00:00Z":      -20453,
		"2025-12-30T00:00:00Z":      -1,
		"2025-12-31T23:59:59Z":      0,
		"2026-01-01T00:00:00Z":      1,
		"2026-01-01T23:59:59Z":      1,
		"2026-01-02T00:00:00Z":      2,
		"2026-11-21T23:59:59Z":      325,
		"2026-11-22T01:00:00+02:00": 325,
	} {
		var err error
		if c.at, err = time.Parse(time.RFC3339, text); err != nil || m.Today() != want {
			t.Errorf("%s has the number %d, want %d", text, m.Today(), want)
		}
		if _, err := parse(place, "r"+text, "ana start daily").run(t.Context(), m); (want < 1) != errors.Is(err, game.ErrNoDaily) {
			t.Errorf("daily puzzle %d starts: %v", want, err)
		}
	}
	for _, p := range []game.PuzzleID{"", "daily-", "daily-0", "daily--1", "daily-x", "daily-1x", "race-1", "1"} {
		if n, ok := p.Daily(); ok {
			t.Errorf("%q is the daily puzzle %d", p, n)
		}
	}
}

// TestDaily: the puzzle is the same for everyone on a day; one that was begun can be finished the day after, unless that day's
// was begun.
func TestDaily(t *testing.T) {
	forEachKind(t, func(t *testing.T, k game.Kind) {
		m, c := newDaily(t, newMemory(), tenWords, k)
		c.at = time.Date(2026, 11, 21, 23, 59, 59, 0, time.UTC)
		elsewhere := game.Location{Guild: "h", Channel: "d"}
		ana := mustPlay(t, m, place, "ana start daily; ana miss")
		ben := mustPlay(t, m, elsewhere, "ben start daily; ben win")
		if ana.Puzzle != game.DailyPuzzle(325) || ana.State.Fresh(marks.Off) != ben.State.Fresh(marks.Off) || ana.Kind != k {
			t.Errorf("the puzzles of one day differ: %v, %v", ana, ben)
		}
		if c.at = c.at.Add(time.Second); m.Today() != 326 {
			t.Errorf("a second later it is day %d", m.Today())
		}
		for _, mode := range []string{"daily", ""} {
			if match := mustPlay(t, m, place, "ana miss "+mode); match.Puzzle != game.DailyPuzzle(325) {
				t.Errorf("after midnight a guess of mode %q goes to %s", mode, match.Puzzle)
			}
		}
		next := mustPlay(t, m, elsewhere, "ben start daily")
		if next.Puzzle != game.DailyPuzzle(326) || next.State.Fresh(marks.Off) == ben.State.Fresh(marks.Off) {
			t.Errorf("the next day has the puzzle %s", next.Puzzle)
		}
		mustPlay(t, m, place, "ana start daily")
		for _, mode := range []string{"daily", ""} {
			if match := mustPlay(t, m, place, "ana board "+mode); match.Puzzle != game.DailyPuzzle(326) {
				t.Errorf("today's puzzle is hidden by %s", match.Puzzle)
			}
		}
		mustPlay(t, m, elsewhere, "cleo start daily")
		c.at = c.at.Add(24 * time.Hour)
		if match := mustPlay(t, m, place, "cleo win daily"); match.Puzzle != game.DailyPuzzle(326) {
			t.Errorf("the next day a guess goes to %s", match.Puzzle)
		}
		if _, err := parse(place, "r", "cleo board daily").run(t.Context(), m); !errors.Is(err, game.ErrNoMatch) {
			t.Errorf("that day's puzzle was not begun, but: %v", err)
		}
		c.at = c.at.Add(24 * time.Hour)
		if _, err := parse(place, "late", "ana miss daily").run(t.Context(), m); !errors.Is(err, game.ErrNoMatch) {
			t.Errorf("a guess two days later: %v, want no match", err)
		}
	})
}

// TestDailyIsTheStoresSecret: a store's daily puzzles follow from its secret, and nothing else does.
func TestDailyIsTheStoresSecret(t *testing.T) {
	draw := func(s Store) (answers []string) {
		m, c := newDaily(t, s, tenWords, wordgame.Kind)
		for range 10 {
			match := mustPlay(t, m, place, "ana start daily; ana stop daily")
			answers = append(answers, match.State.Answer())
			c.at = c.at.Add(24 * time.Hour)
		}
		return append(answers, mustPlay(t, m, place, "ana start daily pokle").State.Answer())
	}
	one, same := newMemory(), newMemory()
	if _, err := one.Secret(t.Context()); err != nil { // which makes it
		t.Fatal(err)
	}
	if err := same.stored.Commit(t.Context(), ordered.Change{Set: one.state()}); err != nil {
		t.Fatal(err)
	}
	answers := draw(one)
	if got := draw(same); !slices.Equal(got, answers) {
		t.Errorf("a store with the same secret has %q, want %q", got, answers)
	}
	other := draw(newMemory())
	if slices.Equal(other[:10], answers[:10]) || other[10] == answers[10] {
		t.Errorf("a store with another secret has %q as well", other)
	}
}

// TestDailyOnTwoMachines starts one day's puzzle on two machines at once, by the secret, and by chance on one of them, as another
// release may draw it.
func TestDailyOnTwoMachines(t *testing.T) {
	forEachKind(t, func(t *testing.T, k game.Kind) {
		for _, pick := range []game.Pick{nil, func(n int) int { return min(n-1, quickDeal) }} {
			s := newMemory()
			shared, _ := meeting(s, 2)
			var led [2]game.Match
			var running sync.WaitGroup
			for i, text := range []string{"ana start daily", "ben start daily ultra"} {
				m, _ := newDaily(t, shared, tenWords, k)
				if i == 1 {
					m.Pick = pick
				}
				running.Go(func() {
					var err error
					if led[i], err = parse(place, fmt.Sprint("r", i), text).run(t.Context(), m); err != nil {
						t.Errorf("%s: %v", text, err)
					}
				})
			}
			if running.Wait(); t.Failed() {
				return
			}
			if led[0].State.Fresh(marks.Off) != led[1].State.Fresh(marks.Off) {
				t.Error("the puzzles of one day differ")
			}
			want := map[game.Kind]marks.Hardness{wordgame.Kind: marks.Ultra}[k] // other kinds have no such mode
			if led[0].State.Hard() != marks.Off || led[1].State.Hard() != want {
				t.Errorf("hard mode is %v and %v", led[0].State.Hard(), led[1].State.Hard())
			}
			if n := len(recent(t, s, "wordle daily")); k == wordgame.Kind && n != 1 {
				t.Errorf("%d answers are remembered, want one", n)
			}
		}
	})
}

// TestDailyIsKept: the puzzle of a day that one player began stays the same when the operator replaces the word list.
func TestDailyIsKept(t *testing.T) {
	s := newMemory()
	m, _ := newDaily(t, s, tenWords, wordgame.Kind)
	want := mustPlay(t, m, place, "ana start daily")
	later, _ := newDaily(t, s, "thorn", wordgame.Kind)
	if got := mustPlay(t, later, place, "ben start daily hard"); hiddenIn(got) != hiddenIn(want) {
		t.Errorf("the answer is %v, want %v", hiddenIn(got), hiddenIn(want))
	}
	if got := mustPlay(t, later, place, "ben win"); got.Status() != game.Won {
		t.Errorf("the answer can no longer be guessed: %v", got)
	}
}

// recent returns the recent answers of a list.
func recent(t *testing.T, s Store, list string) []string {
	t.Helper()
	_, answers, err := s.LoadToStart(t.Context(), game.ChannelSlot(wordgame.Kind, "of nobody"), list)
	if !errors.Is(err, game.ErrNoMatch) {
		t.Fatal(err)
	}
	return answers
}

// TestSecretAnswer: a daily puzzle that was shared may be seen by those who have finished it and, from the next day, by all who
// are not playing it.
func TestSecretAnswer(t *testing.T) {
	forEachKind(t, func(t *testing.T, k game.Kind) {
		s := newMemory()
		m, c := newDaily(t, s, tenWords, k)
		m.Pick = quickPick
		match := mustPlay(t, m, place, "ana start daily; ana win daily")
		secret, playing := &game.SecretError{Kind: k}, &game.SecretError{Kind: k, Playing: true}
		see := func(p game.PlayerID, want error) {
			t.Helper()
			by := game.Viewer{Player: p, Location: place}
			f, err := m.past.Match(t.Context(), by, finished.Past{Number: 1})
			seen := f.Match.ID == match.ID
			if !reflect.DeepEqual(err, want) && !errors.Is(err, want) || seen != (want == nil) {
				t.Errorf("%s sees it: %t, %v, want %v", p, seen, err, want)
			}
			hidden := want == error(secret) || want == error(playing)
			if _, err := m.past.Review(t.Context(), by, finished.Past{Match: match.ID}); hidden && !reflect.DeepEqual(err, want) {
				t.Errorf("%s sees its review: %v", p, err)
			}
			if want != nil && !hidden {
				return
			}
			page, err := m.past.History(t.Context(), by, finished.Filter{Limit: 100}, 0)
			if err != nil {
				t.Fatal(err)
			}
			first := page.Entries[len(page.Entries)-1]
			if first.Result.Match != match.ID || (first.Sight == finished.WithoutAnswer) != hidden || (first.Result.Answer == "") != hidden {
				t.Errorf("%s sees it in the list as %+v", p, first)
			}
			page, err = m.past.History(t.Context(), by, finished.Filter{Answer: match.State.Answer(), Limit: 100}, 2)
			if err != nil || (len(page.Entries) == 0) != hidden {
				t.Errorf("%s finds %d matches with its answer, %v", p, len(page.Entries), err)
			}
		}
		if today := m.Today(); !m.AnswerSecret(match.Puzzle) || !m.AnswerSecret(game.DailyPuzzle(today+1)) || !m.AnswerSecret(game.DailyPuzzle(today-1)) ||
			m.AnswerSecret(game.DailyPuzzle(today-2)) || m.AnswerSecret("") {
			t.Error("secret are other puzzles than yesterday's, today's and those to come")
		}
		see("ana", nil)
		see("ben", game.ErrNotInHistory)
		if _, err := m.past.Share(t.Context(), game.Origin{Request: "share", Player: "ana", Location: place}, finished.Past{Number: 1}); err != nil {
			t.Fatal(err)
		}
		see("ben", secret)
		mustPlay(t, m, place, "ben start daily; ben miss daily")
		see("ben", playing)
		c.at = c.at.Add(24 * time.Hour)
		see("ben", playing)
		mustPlay(t, m, place, "ben stop daily")
		see("ben", nil)
		see("cleo", nil)
		c.at = c.at.Add(-24 * time.Hour)
		// The puzzles of other kinds, and other matches of this one, are of no use.
		for _, other := range everyKind {
			if other != k {
				mustPlay(t, m, place, fmt.Sprintf("cleo start daily %s; cleo win daily %[1]s", other))
			}
		}
		mustPlay(t, m, place, "cleo start solo; cleo win solo; cleo start; cleo win together")
		see("cleo", secret)
		c.at = c.at.Add(24 * time.Hour)
		see("cleo", nil)
		together := mustPlay(t, m, place, "ana start; ana stop")
		if f, err := m.past.Match(t.Context(), game.Viewer{Player: "dan", Location: place}, finished.Past{}); err != nil || f.Match.ID != together.ID {
			t.Errorf("a match of everybody's: %v, %v", f, err)
		}
	})
}

// TestLeftForTodays: yesterday's puzzle cannot be played any more once today's is begun, not even when that was cleared from the
// history, and so is no secret.
func TestLeftForTodays(t *testing.T) {
	forEachKind(t, func(t *testing.T, k game.Kind) {
		m, c := newDaily(t, newMemory(), tenWords, k)
		m.Pick = quickPick
		left := mustPlay(t, m, place, "ana start daily; ana miss daily")
		c.at = c.at.Add(24 * time.Hour)
		number, _ := left.Puzzle.Daily()
		practise := func(request game.RequestID) error {
			o := game.Origin{Request: request, Player: "ana", Location: place}
			_, err := m.Start(t.Context(), o, matches.StartOptions{Kind: k, Mode: game.Practice, Past: number})
			return err
		}
		if err := practise("r1"); !reflect.DeepEqual(err, &game.SecretError{Kind: k, Playing: true}) {
			t.Errorf("while it can be played, practising it: %v", err)
		}
		mustPlay(t, m, place, "ana start daily; ana win daily")
		if err := practise("r2"); err != nil {
			t.Errorf("once it is left, practising it: %v", err)
		}
		if err := m.past.Delete(t.Context(), game.Origin{Request: "r3", Player: "ana", Location: place}); err != nil {
			t.Fatal(err)
		}
		if match, err := parse(place, "r4", "ana miss daily").run(t.Context(), m); !errors.Is(err, game.ErrNoMatch) {
			t.Errorf("after deleting the data, a guess is made in %v, %v", match, err)
		}
	})
}

// TestDeleteForgetsPlayerSlots of every kind, also where a match is being played. Today's puzzle cannot be played again; its
// answer is no secret.
func TestDeleteForgetsPlayerSlots(t *testing.T) {
	m, c := newDaily(t, newMemory(), tenWords, "")
	m.Pick = quickPick
	for _, k := range everyKind {
		m.kind = k
		mustPlay(t, m, place, "cleo start daily; cleo miss; ana start daily; ana win; ben start daily; ben win; ana start solo; ana miss; ana start; ana win together")
	}
	if _, err := m.past.Share(t.Context(), game.Origin{Request: "share", Location: place, Player: "ben"}, finished.Past{Number: 2}); err != nil {
		t.Fatal(err)
	}
	if err := m.past.Delete(t.Context(), game.Origin{Request: "zz-clear", Location: place, Player: "ana"}); err != nil {
		t.Fatal(err)
	}
	for _, k := range everyKind {
		m.kind = k
		if got, err := parse(place, "r", "ana board daily").run(t.Context(), m); !errors.Is(err, game.ErrNoMatch) {
			t.Errorf("%s: the daily match is still there: %v, %v", k, got, err)
		}
		for range 2 { // the second time by the same request
			if got, err := parse(place, "again", "ana start daily").run(t.Context(), m); !errors.Is(err, game.ErrAlreadyPlayed) || got.Version > 0 {
				t.Errorf("%s: the puzzle is played again: %v, %v", k, got, err)
			}
		}
		mustPlay(t, m, place, "cleo miss daily")
		for _, text := range []string{"ben board daily", "ana board solo", "ana board together"} {
			if _, err := parse(place, "r", text).run(t.Context(), m); errors.Is(err, game.ErrNoMatch) != (text == "ana board solo") {
				t.Errorf("%s: %s: %v", k, text, err)
			}
		}
	}
	if _, err := m.past.Review(t.Context(), game.Viewer{Player: "ana", Location: place}, finished.Past{Number: 2}); err != nil {
		t.Errorf("the player may not see another's match of the puzzle: %v", err)
	}
	c.at = c.at.Add(24 * time.Hour)
	mustPlay(t, m, place, "ana start daily")
}

// TestDailyCloses: a daily puzzle that is still open two days after its date is lost at that moment, whatever the time for idle
// games: before that is stored for those who look, in the tables, and for good.
func TestDailyCloses(t *testing.T) {
	for _, idle := range []time.Duration{0, time.Hour} {
		now := time.Date(2026, 11, 29, 23, 0, 0, 0, time.UTC)
		s := newMemory()
		m := newManager(s, mustLists(t, "crane crate grape", "mamma kayak jazzy civic"))
		m.Now = func() time.Time { return now }
		begun := mustPlay(t, m, place, "ana start daily; ana miss daily")
		left := func(at time.Time, want bool) {
			t.Helper()
			now = at
			if _, err := m.EndIdle(t.Context(), idle); err != nil {
				t.Fatal(err)
			}
			open, err := s.Unfinished(t.Context(), game.Unfinished{}, 1)
			if err != nil || (len(open) > 0) != want {
				t.Fatalf("at %v the open games are %v, %v", now, open, err)
			}
		}
		closes := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
		left(closes.Add(-time.Millisecond), true)
		if got := begun.AsOf(now); got.Status() != game.Playing {
			t.Errorf("before it closes it is %v", got)
		}
		now = closes
		if got := begun.AsOf(now); got.Status() != game.Stopped || !got.Ended().Equal(closes) || got.Result().Participants[0].Outcome != game.Lost {
			t.Errorf("once it is closed it is %v, %+v", got, got.Result())
		}
		left(closes.Add(time.Hour), false)
		ended, err := s.Load(t.Context(), begun.Slot())
		if err != nil || !ended.Ended().Equal(closes) || ended.Version != begun.Version+1 {
			t.Errorf("it was stored as %v, ended at %v, %v", ended, ended.Ended(), err)
		}
		if got, err := s.Totals(t.Context(), statistics.Scope{Kind: begun.Kind, Guild: place.Guild, Month: "2026-11"}, "ana"); err != nil || got.Daily.Played != 1 || got.Daily.Won != 0 {
			t.Errorf("it counts as %+v, %v", got, err)
		}
	}
}

// TestClearAfterClosing: what was open when its month closed is lost in that month, although its player deletes their data before
// that is stored.
func TestClearAfterClosing(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := newMemory()
	m := newManager(s, mustLists(t, "crane crate grape", "mamma kayak jazzy civic"))
	m.Now = func() time.Time { return now }
	mustPlay(t, m, place, "ana start daily; ben start daily; ben win daily")
	now = time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)
	if err := m.past.Delete(t.Context(), game.Origin{Request: "clear", Player: "ana", Location: place}); err != nil {
		t.Fatal(err)
	}
	board, err := s.Leaderboard(t.Context(), statistics.Scope{Kind: wordgame.Kind, Guild: place.Guild, Month: "2026-11"}, "", statistics.Rows{RankedFrom: 1, Limit: 9})
	if err != nil || len(board.Rows) != 2 || board.Rows[1].Player != "" || board.Rows[1].Daily.Score() != 7 {
		t.Errorf("the table is %+v, %v", board, err)
	}
}
