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
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
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
	rules := map[string]func(solve.Session) (solve.Session, error){
		"show": nil,
		"new":  func(s solve.Session) (solve.Session, error) { return s.Begin(marks.Off), nil },
		"undo": onWords(solve.WordPuzzle.Undo),
	}
	rule, ok := rules[text]
	if !ok {
		rule = onWords(func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
			if !strings.Contains(text, " ") {
				return add(p, wordle.Turn{Guess: p.Next(), Feedback: newTurn("crane " + text).Feedback})
			}
			return add(p, newTurn(text))
		})
	}
	return a.Update(a.t.Context(), o, 0, rule)
}

// onWords returns a rule for sessions that changes their word puzzle.
func onWords(rule func(solve.WordPuzzle) (solve.WordPuzzle, error)) func(solve.Session) (solve.Session, error) {
	return func(s solve.Session) (solve.Session, error) {
		var err error
		s.Words, err = rule(s.Words)
		return s, err
	}
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
	if len(first.Words.Proposed) == 0 || len(first.Left) != len(lists.Guesses()) || first.Version != 1 {
		t.Fatalf("the first look shows %+v", first)
	}
	if again := a.must("ana", "show"); !reflect.DeepEqual(again, first) {
		t.Errorf("the second look shows %+v, want %+v", again, first)
	}
	a.Words = newWords(store, lists) // as after a restart
	view := a.must("ana", "bbbbb")
	if got := view.Words.Turns[0].Guess; got != first.Words.Next() {
		t.Errorf("bare tiles are for %v, but %v was shown", got, first.Words.Next())
	}
	a.must("ana", "new")
	a.must("ana", "match bgggg")
	view = a.must("ana", "catch ggggg")
	want := solve.Record{Distribution: [6]int{1: 1}}
	if view.Words.Status() != game.Won || view.Finished() != want || len(view.Words.Proposed) > 0 {
		t.Errorf("a puzzle solved is %+v, want the record %+v", view, want)
	}
	if _, err := a.ask("ana", "favor bbbbb"); !errors.Is(err, solve.ErrOver) {
		t.Errorf("a turn after the end: %v", err)
	}
	if view = a.must("ana", "undo"); view.Finished() != (solve.Record{}) || view.Words.Next() != wordle.MustParse("catch") {
		t.Errorf("the end taken back leaves %+v", view)
	}
	a.must("ana", "catch ggggg")
	a.must("ana", "new")
	view = a.must("ana", "bunny bbbbb")
	if view.Finished() != want {
		t.Errorf("the next puzzle begins with the record %+v, want %+v", view.Finished(), want)
	}
	for _, word := range []string{"aaaaa", "ddddd", "eeeee", "fffff", "ggggg"} {
		view = a.must("ana", word+" bbbbb")
	}
	want.Lost = 1
	if view.Words.Status() != game.Lost || view.Finished() != want {
		t.Errorf("a puzzle lost has %s and the record %+v, want %+v", lines(view.Words), view.Finished(), want)
	}
	view = a.must("ana", "undo")
	if want.Lost = 0; view.Finished() != want {
		t.Errorf("a loss taken back leaves %+v, want %+v", view.Finished(), want)
	}
	if ben := a.must("ben", "show"); len(ben.Words.Turns) > 0 || ben.Finished() != (solve.Record{}) {
		t.Errorf("ben sees %+v", ben)
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

// TestPeek: a look at what is stored proposes openers, and commits nothing.
func TestPeek(t *testing.T) {
	store := newMemory()
	a := &asking{t: t, Words: newWords(store, mustLists(t, fewWords))}
	first, err := a.Peek(t.Context(), "ana")
	if is := session(t, store); err != nil || len(first.Words.Proposed) == 0 || is.Version != 0 {
		t.Errorf("a new player is %+v, %v", first, err)
	}
	now := a.must("ana", "match bgggg")
	if got, err := a.Peek(t.Context(), "ana"); err != nil || !reflect.DeepEqual(got, now) {
		t.Errorf("got %+v, %v, want %+v", got, err, now)
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

// TestErrors: nothing is kept if the solver or the store fails.
func TestErrors(t *testing.T) {
	store := newMemory()
	words := newWords(store, mustLists(t, fewWords))
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := words.Update(ended, by("ana", "r"), 0, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with no time: %v", err)
	}
	if _, err := words.Update(t.Context(), by("", "r"), 0, nil); !errors.Is(err, game.ErrID) {
		t.Errorf("for nobody: %v", err)
	}
	a := &asking{t: t, Words: newWords(full{store}, mustLists(t, fewWords))}
	if v := a.must("ana", "show"); len(v.Words.Proposed) == 0 || v.Version != 0 {
		t.Errorf("a proposal that cannot be kept is not shown: %+v", v)
	}
	if _, err := a.ask("ana", "new"); !errors.Is(err, game.ErrNotSaved) {
		t.Errorf("a change that cannot be kept: %v", err)
	}
	if is := session(t, store); !reflect.DeepEqual(is, solve.Session{Player: "ana"}) {
		t.Errorf("something was kept: %+v", is)
	}
}

// full is a store that takes nothing.
type full struct{ solve.Store }

func (full) CommitSession(context.Context, solve.Session) error { return game.ErrNotSaved }

// memory is a store without a disk.
type memory = storage.Store

func newMemory() *memory { return storage.New(&orderedtest.Memory{}, nil, storage.Options{}) }

// mustLists returns lists from words with spaces between; all of them can be hidden.
func mustLists(tb testing.TB, words string) *wordle.Lists {
	tb.Helper()
	source := func(name string) wordle.Source {
		return wordle.Source{Name: name, Reader: strings.NewReader(strings.ReplaceAll(words, " ", "\n"))}
	}
	lists, err := wordle.ReadLists(source("answers"), source("guesses"))
	if err != nil {
		tb.Fatal(err)
	}
	return lists
}
