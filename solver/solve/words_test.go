package solve_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

// newWords returns Words that look one guess ahead.
func newWords(store solve.Store, lists *wordle.Lists) *solve.Words {
	w := weighted.New(lists)
	w.SuggestTime = 0
	return &solve.Words{Store: store, Solver: w}
}

// fewWords are few, so that proposals come at once.
const fewWords = "batch catch hatch latch match patch watch favor major razor blown chimp"

func by(player, request string) game.Origin {
	return game.Origin{Request: game.RequestID(request), Location: game.Location{Guild: "g", Channel: "c"}, Player: game.PlayerID(player)}
}

// asking lets tests write what a player asks for in short: "crane bbygb", "bbygb" for the
// word proposed, "undo", "new" or "show".
type asking struct {
	t *testing.T
	*solve.Words
	n int
}

func (a *asking) ask(player, text string) (solve.WordView, error) {
	a.n++
	return a.askAs(by(player, fmt.Sprint("request-", a.n)), text)
}

func (a *asking) askAs(o game.Origin, text string) (solve.WordView, error) {
	switch text {
	case "show":
		return a.Show(a.t.Context(), o)
	case "new":
		return a.Begin(a.t.Context(), o, 0, false)
	case "undo":
		return a.Update(a.t.Context(), o, 0, solve.WordPuzzle.Undo)
	}
	return a.Update(a.t.Context(), o, 0, func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
		if !strings.Contains(text, " ") {
			return p.Add(wordle.Turn{Guess: p.Next(), Feedback: newTurn("crane " + text).Feedback})
		}
		return p.Add(newTurn(text))
	})
}

func (a *asking) must(player, text string) solve.WordView {
	a.t.Helper()
	view, err := a.ask(player, text)
	if err != nil {
		a.t.Fatalf("%s asks for %s: %v", player, text, err)
	}
	return view
}

// TestWords solves puzzles; the word proposed is kept, and so is the record.
func TestWords(t *testing.T) {
	store, lists := newMemory(), mustLists(t, fewWords)
	a := &asking{t: t, Words: newWords(store, lists)}
	first := a.must("ana", "show")
	if len(first.Puzzle.Proposed) == 0 || len(first.Possible) != len(lists.Guesses()) || first.Version != 1 {
		t.Fatalf("the first look shows %+v", first)
	}
	if again := a.must("ana", "show"); !reflect.DeepEqual(again, first) {
		t.Errorf("the second look shows %+v, want %+v", again, first)
	}
	a.Words = newWords(store, lists) // as after a restart
	view := a.must("ana", "bbbbb")
	if got := view.Puzzle.Turns[0].Guess; got != first.Puzzle.Next() {
		t.Errorf("bare tiles are for %v, but %v was shown", got, first.Puzzle.Next())
	}
	a.must("ana", "new")
	a.must("ana", "match bgggg")
	view = a.must("ana", "catch ggggg")
	want := solve.Record{Distribution: [6]int{1: 1}}
	if view.Puzzle.Status() != game.Won || view.Record != want || len(view.Puzzle.Proposed) > 0 {
		t.Errorf("a puzzle solved is %+v, want the record %+v", view, want)
	}
	if _, err := a.ask("ana", "favor bbbbb"); !errors.Is(err, solve.ErrOver) {
		t.Errorf("a turn after the end: %v", err)
	}
	if view = a.must("ana", "undo"); view.Record != (solve.Record{}) || view.Puzzle.Next() != wordle.MustParse("catch") {
		t.Errorf("the end taken back leaves %+v", view)
	}
	a.must("ana", "catch ggggg")
	a.must("ana", "new")
	view = a.must("ana", "bunny bbbbb")
	if view.Record != want {
		t.Errorf("the next puzzle begins with the record %+v, want %+v", view.Record, want)
	}
	for _, word := range []string{"aaaaa", "ddddd", "eeeee", "fffff", "ggggg"} {
		view = a.must("ana", word+" bbbbb")
	}
	want.Lost = 1
	if view.Puzzle.Status() != game.Lost || view.Record != want {
		t.Errorf("a puzzle lost has %s and the record %+v, want %+v", lines(view.Puzzle), view.Record, want)
	}
	view = a.must("ana", "undo")
	if want.Lost = 0; view.Record != want {
		t.Errorf("a loss taken back leaves %+v, want %+v", view.Record, want)
	}
	if ben := a.must("ben", "show"); len(ben.Puzzle.Turns) > 0 || ben.Record.Played() > 0 {
		t.Errorf("ben sees %+v", ben)
	}
	elsewhere := by("ana", "elsewhere")
	elsewhere.Location = game.Location{Channel: "another"}
	if there, err := a.Show(t.Context(), elsewhere); err != nil || !reflect.DeepEqual(there.Puzzle, view.Puzzle) {
		t.Errorf("elsewhere ana sees %+v, %v", there, err)
	}
}

// TestWordsContradiction: turns that contradict each other are kept and pointed out until
// one is corrected.
func TestWordsContradiction(t *testing.T) {
	a := &asking{t: t, Words: newWords(newMemory(), mustLists(t, fewWords))}
	a.must("ana", "match bgggg")
	for range 2 {
		if view := a.must("ana", "show"); view.Contradiction != nil || view.Puzzle.Next() == 0 {
			t.Fatalf("words fit, but: %+v", view.Contradiction)
		}
	}
	view := a.must("ana", "favor bgbbg")
	if view.Contradiction == nil || view.Contradiction.Turn != 2 || view.Puzzle.Next() != 0 || len(view.Puzzle.Turns) != 2 {
		t.Fatalf("a contradiction is %+v, %s", view.Contradiction, lines(view.Puzzle))
	}
	if _, err := a.ask("ana", "bbbbb"); !errors.Is(err, solve.ErrNoGuess) {
		t.Errorf("bare tiles without a word proposed: %v", err)
	}
	nearest := view.Contradiction.Nearest[0].Feedback
	view, err := a.Update(t.Context(), by("ana", "correct"), view.Version, func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
		return p.Change(2, nearest)
	})
	if err != nil || view.Contradiction != nil || view.Puzzle.Next() == 0 || len(view.Possible) == 0 {
		t.Errorf("corrected, it is %+v, %v", view, err)
	}
}

// TestWordsRepeated delivers every request again, at once and after others.
func TestWordsRepeated(t *testing.T) {
	store := newMemory()
	a := &asking{t: t, Words: newWords(store, mustLists(t, fewWords))}
	texts := []string{"match bgggg", "undo", "favor bbbbb", "new", "match bgggg", "catch ggggg"}
	for i := range texts {
		for _, j := range []int{i, i, 0, i / 2} {
			o := by("ana", fmt.Sprint("r", j))
			view, err := a.askAs(o, texts[j])
			session, _ := store.Session(t.Context(), "ana")
			if err != nil || view.Version != uint64(i+1) || session.Version != uint64(i+1) {
				t.Fatalf("after %d requests, %s again is version %d, stored %d, %v", i+1, texts[j], view.Version, session.Version, err)
			}
		}
	}
}

func TestWordsOutdated(t *testing.T) {
	a := &asking{t: t, Words: newWords(newMemory(), mustLists(t, fewWords))}
	seen := a.must("ana", "show").Version
	now := a.must("ana", "match bgggg")
	for name, ask := range map[string]func() (solve.WordView, error){
		"undo": func() (solve.WordView, error) {
			return a.Update(t.Context(), by("ana", "a"), seen, solve.WordPuzzle.Undo)
		},
		"begin": func() (solve.WordView, error) { return a.Begin(t.Context(), by("ana", "b"), seen, true) },
	} {
		if view, err := ask(); !errors.Is(err, solve.ErrOutdated) || !reflect.DeepEqual(view, now) {
			t.Errorf("%s for an older state: %+v, %v", name, view, err)
		}
	}
	if view, err := a.Update(t.Context(), by("ana", "c"), now.Version, solve.WordPuzzle.Undo); err != nil || len(view.Puzzle.Turns) != 0 {
		t.Errorf("undo for this state: %+v, %v", view, err)
	}
}

// TestPeek: a look at what is stored neither proposes nor commits anything.
func TestPeek(t *testing.T) {
	store, lists := newMemory(), mustLists(t, fewWords)
	a := &asking{t: t, Words: newWords(store, lists)}
	first, err := a.Peek(t.Context(), "ana")
	if err != nil || len(first.Puzzle.Proposed) > 0 || len(first.Possible) != len(lists.Guesses()) || first.Version != 0 {
		t.Errorf("a new player is %+v, %v", first, err)
	}
	now := a.must("ana", "match bgggg")
	if got, err := a.Peek(t.Context(), "ana"); err != nil || !reflect.DeepEqual(got, now) {
		t.Errorf("got %+v, %v, want %+v", got, err, now)
	}
	b := newBoards(store)
	board, err := askBoard(t, b, by("ana", "deal"), "deal "+fewBoards)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := b.Peek(t.Context(), "ana"); err != nil || !reflect.DeepEqual(got, board) {
		t.Errorf("got %+v, %v, want %+v", got, err, board)
	}
	if s, err := store.Session(t.Context(), "ana"); err != nil || s.Version != 2 {
		t.Errorf("the session has version %d, %v, want 2", s.Version, err)
	}
}

// slowStore holds back the commits of version 2 until as many have arrived as met counts,
// so that all of them are based on the same version.
type slowStore struct {
	*memory
	met sync.WaitGroup
}

func (s *slowStore) CommitSession(ctx context.Context, n solve.Session) error {
	if n.Version == 2 {
		s.met.Done()
		s.met.Wait()
	}
	return s.memory.CommitSession(ctx, n)
}

// TestWordsOverlap has two requests change one state at the same time: none is
// lost. The second time it is one request, delivered twice.
func TestWordsOverlap(t *testing.T) {
	for _, c := range []struct {
		name     string
		requests []string
		turns    int
	}{
		{"two requests", []string{"r1", "r2"}, 2},
		{"one request twice", []string{"r1", "r1"}, 1},
	} {
		store := &slowStore{memory: newMemory()}
		a := &asking{t: t, Words: newWords(store, mustLists(t, fewWords))}
		a.must("ana", "show")
		store.met.Add(2)
		var wg sync.WaitGroup
		errs := make([]error, 2)
		for i, request := range c.requests {
			text := "match bgggg"
			if request == "r2" {
				text = "favor bgbbb"
			}
			wg.Go(func() {
				_, err := a.askAs(by("ana", request), text)
				errs[i] = err
			})
		}
		wg.Wait()
		session, err := store.Session(t.Context(), "ana")
		if err := errors.Join(append(errs, err)...); err != nil || len(session.Words.Turns) != c.turns || session.Version != uint64(c.turns+1) {
			t.Errorf("%s: %s at version %d, %v", c.name, lines(session.Words), session.Version, err)
		}
	}
}

// TestWordsErrors: nothing is kept if the solver or the store fails.
func TestWordsErrors(t *testing.T) {
	store := newMemory()
	h := newWords(store, mustLists(t, fewWords))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Show(ctx, by("ana", "r")); !errors.Is(err, context.Canceled) {
		t.Errorf("a look after its time: %v", err)
	}
	if _, err := h.Show(t.Context(), by("", "r")); !errors.Is(err, game.ErrID) {
		t.Errorf("a look without a player: %v", err)
	}
	if n, _ := store.Session(t.Context(), "ana"); n.Version != 0 {
		t.Errorf("something was kept: %+v", n)
	}
}

// TestDoubtfulWin: a word that the lines before it rule out does not end the puzzle and is
// not counted until those lines are corrected.
func TestDoubtfulWin(t *testing.T) {
	a := &asking{t: t, Words: newWords(newMemory(), mustLists(t, fewWords))}
	a.must("ana", "match bgggg")
	a.must("ana", "chimp bbbbb")
	a.must("ana", "favor bgbbb")
	view := a.must("ana", "catch ggggg")
	// CATCH would have given MATCH its tiles, but not CHIMP.
	want := []solve.Misfit{{Turn: 2, Feedback: newTurn("chimp gybbb").Feedback}}
	if p := view.Puzzle; p.Status() != game.Playing || view.Record.Played() > 0 || p.Next() != 0 || view.Contradiction == nil ||
		!reflect.DeepEqual(view.Contradiction.Misfits, want) || view.Contradiction.Turn != 0 {
		t.Fatalf("a win against line 2 is %s, %s with the record %+v: %+v", lines(p), p.Status(), view.Record, view.Contradiction)
	}
	for _, next := range []string{"latch bgggg", "patch ggggg", "bbbbb"} {
		if view, err := a.ask("ana", next); !errors.Is(err, solve.ErrDoubtfulWin) || len(view.Puzzle.Turns) != 4 {
			t.Errorf("%s after it: %v, %s", next, err, lines(view.Puzzle))
		}
	}
	if again := a.must("ana", "show"); !reflect.DeepEqual(again, view) {
		t.Errorf("shown again, it is %+v, want %+v", again, view)
	}
	view, err := a.Update(t.Context(), by("ana", "correct"), view.Version, func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
		return p.Change(2, want[0].Feedback)
	})
	if err != nil || view.Puzzle.Status() != game.Won || view.Contradiction != nil || view.Record.Distribution[3] != 1 {
		t.Errorf("corrected, it is %s, %s with the record %+v, %v", lines(view.Puzzle), view.Puzzle.Status(), view.Record, err)
	}
	// Nor does it count as a loss at the end, and an unknown word may be right.
	a.must("ana", "new")
	for _, turn := range []string{"match bbbbb", "dummy bbbbb", "jiffy bbbbb", "vivid bbbbb", "pizza bbbbb"} {
		a.must("ana", turn)
	}
	if view = a.must("ana", "catch ggggg"); view.Puzzle.Status() != game.Playing || view.Record.Played() != 1 || len(view.Contradiction.Misfits) != 2 {
		t.Errorf("the sixth is a win against lines 1 and 5: %s, %s with the record %+v", lines(view.Puzzle), view.Puzzle.Status(), view.Record)
	}
	a.must("ana", "undo")
	if view = a.must("ana", "looks ggggg"); view.Puzzle.Status() != game.Won || view.Record.Played() != 2 {
		t.Errorf("an unknown word that fits is %s with the record %+v", view.Puzzle.Status(), view.Record)
	}
}
