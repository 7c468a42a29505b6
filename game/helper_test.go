package game_test

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
	"fivefold/solver/weighted"
)

// newHelper returns a helper that looks one guess ahead.
func newHelper(store game.Store, lists *wordle.Lists) *game.Helper {
	w := weighted.New(lists)
	w.AdviseTime = 0
	return &game.Helper{Store: store, Weighted: w}
}

// helperWords are few, so that advice comes at once.
const helperWords = "batch catch hatch latch match patch watch favor major razor blown chimp"

func by(player, request string) game.Origin {
	return game.Origin{Request: game.RequestID(request), Place: place, Player: game.PlayerID(player)}
}

// asking makes what a player asks for easy to write: "crane bbygb", "bbygb" for
// the word proposed, "undo", "new" or "show".
type asking struct {
	t *testing.T
	*game.Helper
	n int
}

func (a *asking) ask(player, text string) (game.Help, error) {
	a.n++
	return a.askAs(by(player, fmt.Sprint("request-", a.n)), text)
}

func (a *asking) askAs(o game.Origin, text string) (game.Help, error) {
	switch text {
	case "show":
		return a.Show(a.t.Context(), o)
	case "new":
		return a.Begin(a.t.Context(), o, 0, false)
	case "undo":
		return a.Update(a.t.Context(), o, 0, game.Puzzle.Undo)
	}
	return a.Update(a.t.Context(), o, 0, func(p game.Puzzle) (game.Puzzle, error) {
		if !strings.Contains(text, " ") {
			return p.Add(wordle.Turn{Guess: p.Next(), Feedback: newTurn("crane " + text).Feedback})
		}
		return p.Add(newTurn(text))
	})
}

func (a *asking) must(player, text string) game.Help {
	a.t.Helper()
	help, err := a.ask(player, text)
	if err != nil {
		a.t.Fatalf("%s asks for %s: %v", player, text, err)
	}
	return help
}

// TestHelper solves puzzles; the word proposed is kept, and so is the record.
func TestHelper(t *testing.T) {
	store, lists := newMemory(), mustLists(t, helperWords, "")
	a := &asking{t: t, Helper: newHelper(store, lists)}
	first := a.must("ana", "show")
	if len(first.Puzzle.Advice) == 0 || len(first.Possible) != len(lists.Guesses()) || first.Version != 1 {
		t.Fatalf("the first look shows %+v", first)
	}
	if again := a.must("ana", "show"); !reflect.DeepEqual(again, first) {
		t.Errorf("the second look shows %+v, want %+v", again, first)
	}
	a.Helper = newHelper(store, lists) // as after a restart
	help := a.must("ana", "bbbbb")
	if got := help.Puzzle.Turns[0].Guess; got != first.Puzzle.Next() {
		t.Errorf("bare tiles are for %v, but %v was shown", got, first.Puzzle.Next())
	}
	a.must("ana", "new")
	a.must("ana", "match bgggg")
	help = a.must("ana", "catch ggggg")
	want := game.PuzzleRecord{Distribution: [6]int{1: 1}}
	if help.Puzzle.Status() != game.Won || help.Record != want || len(help.Puzzle.Advice) > 0 {
		t.Errorf("a puzzle solved is %+v, want the record %+v", help, want)
	}
	if _, err := a.ask("ana", "favor bbbbb"); !errors.Is(err, game.ErrPuzzleOver) {
		t.Errorf("a turn after the end: %v", err)
	}
	if help = a.must("ana", "undo"); help.Record != (game.PuzzleRecord{}) || help.Puzzle.Next() != wordle.MustParse("catch") {
		t.Errorf("the end taken back leaves %+v", help)
	}
	a.must("ana", "catch ggggg")
	a.must("ana", "new")
	help = a.must("ana", "bunny bbbbb")
	if help.Record != want {
		t.Errorf("the next puzzle begins with the record %+v, want %+v", help.Record, want)
	}
	for _, word := range []string{"aaaaa", "ddddd", "eeeee", "fffff", "ggggg"} {
		help = a.must("ana", word+" bbbbb")
	}
	want.Lost = 1
	if help.Puzzle.Status() != game.Lost || help.Record != want {
		t.Errorf("a puzzle lost has %s and the record %+v, want %+v", lines(help.Puzzle), help.Record, want)
	}
	help = a.must("ana", "undo")
	if want.Lost = 0; help.Record != want {
		t.Errorf("a loss taken back leaves %+v, want %+v", help.Record, want)
	}
	if ben := a.must("ben", "show"); len(ben.Puzzle.Turns) > 0 || ben.Record.Played() > 0 {
		t.Errorf("ben sees %+v", ben)
	}
	elsewhere := by("ana", "elsewhere")
	elsewhere.Place = game.Place{Channel: "another"}
	if there, err := a.Show(t.Context(), elsewhere); err != nil || !reflect.DeepEqual(there.Puzzle, help.Puzzle) {
		t.Errorf("elsewhere ana sees %+v, %v", there, err)
	}
}

// TestHelperContradiction: what cannot be is kept and told until it is mended.
func TestHelperContradiction(t *testing.T) {
	a := &asking{t: t, Helper: newHelper(newMemory(), mustLists(t, helperWords, ""))}
	a.must("ana", "match bgggg")
	for range 2 {
		if help := a.must("ana", "show"); help.Trouble != nil || help.Puzzle.Next() == 0 {
			t.Fatalf("words fit, but: %+v", help.Trouble)
		}
	}
	help := a.must("ana", "favor bgbbg")
	if help.Trouble == nil || help.Trouble.Line != 2 || help.Puzzle.Next() != 0 || len(help.Puzzle.Turns) != 2 {
		t.Fatalf("a contradiction is %+v, %s", help.Trouble, lines(help.Puzzle))
	}
	if _, err := a.ask("ana", "bbbbb"); !errors.Is(err, game.ErrNoNext) {
		t.Errorf("bare tiles without a word proposed: %v", err)
	}
	nearest := help.Trouble.Nearest[0].Feedback
	help, err := a.Update(t.Context(), by("ana", "mend"), help.Version, func(p game.Puzzle) (game.Puzzle, error) {
		return p.Change(2, nearest)
	})
	if err != nil || help.Trouble != nil || help.Puzzle.Next() == 0 || len(help.Possible) == 0 {
		t.Errorf("mended, it is %+v, %v", help, err)
	}
}

// TestHelperRepeated delivers every request again, at once and after others.
func TestHelperRepeated(t *testing.T) {
	store := newMemory()
	a := &asking{t: t, Helper: newHelper(store, mustLists(t, helperWords, ""))}
	texts := []string{"match bgggg", "undo", "favor bbbbb", "new", "match bgggg", "catch ggggg"}
	for i := range texts {
		for _, j := range []int{i, i, 0, i / 2} {
			o := by("ana", fmt.Sprint("r", j))
			help, err := a.askAs(o, texts[j])
			notes, _ := store.Notes(t.Context(), "ana")
			if err != nil || help.Version != uint64(i+1) || notes.Version != uint64(i+1) {
				t.Fatalf("after %d requests, %s again is version %d, stored %d, %v", i+1, texts[j], help.Version, notes.Version, err)
			}
		}
	}
}

func TestHelperOutdated(t *testing.T) {
	a := &asking{t: t, Helper: newHelper(newMemory(), mustLists(t, helperWords, ""))}
	seen := a.must("ana", "show").Version
	now := a.must("ana", "match bgggg")
	for name, ask := range map[string]func() (game.Help, error){
		"undo":  func() (game.Help, error) { return a.Update(t.Context(), by("ana", "a"), seen, game.Puzzle.Undo) },
		"begin": func() (game.Help, error) { return a.Begin(t.Context(), by("ana", "b"), seen, true) },
	} {
		if help, err := ask(); !errors.Is(err, game.ErrOutdated) || !reflect.DeepEqual(help, now) {
			t.Errorf("%s for an older state: %+v, %v", name, help, err)
		}
	}
	if help, err := a.Update(t.Context(), by("ana", "c"), now.Version, game.Puzzle.Undo); err != nil || len(help.Puzzle.Turns) != 0 {
		t.Errorf("undo for this state: %+v, %v", help, err)
	}
}

// slowNotes makes commits wait until as many have come as it is told to wait for,
// so that all of them begin on the same state.
type slowNotes struct {
	*memory
	met sync.WaitGroup
}

func (s *slowNotes) CommitNotes(ctx context.Context, n game.Notes) error {
	if n.Version == 2 {
		s.met.Done()
		s.met.Wait()
	}
	return s.memory.CommitNotes(ctx, n)
}

// TestHelperOverlap has two requests change one state at the same time: none is
// lost. The second time it is one request, delivered twice.
func TestHelperOverlap(t *testing.T) {
	for _, c := range []struct {
		name     string
		requests []string
		turns    int
	}{
		{"two requests", []string{"r1", "r2"}, 2},
		{"one request twice", []string{"r1", "r1"}, 1},
	} {
		store := &slowNotes{memory: newMemory()}
		a := &asking{t: t, Helper: newHelper(store, mustLists(t, helperWords, ""))}
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
		notes, err := store.Notes(t.Context(), "ana")
		if err := errors.Join(append(errs, err)...); err != nil || len(notes.Puzzle.Turns) != c.turns || notes.Version != uint64(c.turns+1) {
			t.Errorf("%s: %s at version %d, %v", c.name, lines(notes.Puzzle), notes.Version, err)
		}
	}
}

// TestHelperErrors: nothing is kept where advice or the store fails.
func TestHelperErrors(t *testing.T) {
	store := newMemory()
	h := newHelper(store, mustLists(t, helperWords, ""))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Show(ctx, by("ana", "r")); !errors.Is(err, context.Canceled) {
		t.Errorf("a look after its time: %v", err)
	}
	if _, err := h.Show(t.Context(), by("", "r")); !errors.Is(err, game.ErrID) {
		t.Errorf("a look by nobody: %v", err)
	}
	if n, _ := store.Notes(t.Context(), "ana"); n.Version != 0 {
		t.Errorf("something was kept: %+v", n)
	}
}
