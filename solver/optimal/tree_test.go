package optimal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fivefold/solver/trees"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/search"
	"fivefold/solver/solvertest"
)

// TestGrowAgainstPlain compares trees of random small lists with the plain code of
// TestSolveAgainstPlain: with and without opener, interrupted and not.
func TestGrowAgainstPlain(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 0))
	all := wordletest.Embedded(t).Guesses()
	ended, end := context.WithCancel(t.Context())
	end()
	none, short := 0, 0
	for i := range 300 {
		guesses := solvertest.Alike(random, all, 13)
		answers := solvertest.Sample(random, guesses, 1+random.IntN(min(len(guesses), 13)))
		lists := wordletest.Lists(t, solvertest.Join(answers), solvertest.Join(guesses))
		p := Position{Hard: marks.Hardness(i % 3), Limit: random.IntN(6)}
		left := p.Limit
		if left == 0 {
			left = 20
		}
		least := leastPlain(guesses, answers, nil, p.Hard, left)
		want := least
		var opener wordle.Word
		if random.IntN(2) == 0 {
			opener = guesses[random.IntN(len(guesses))]
			want = costPlain(guesses, answers, nil, p.Hard, left, opener)
		}
		ctx, interrupted := t.Context(), random.IntN(2) == 0
		if interrupted {
			ctx = ended
		}
		fault := func(format string, args ...any) {
			t.Fatalf("case %d: guesses %s, answers %s, %+v, opener %v, interrupted %v: %s",
				i, solvertest.Join(guesses), solvertest.Join(answers), p, opener, interrupted, fmt.Sprintf(format, args...))
		}
		tree, err := New(lists).Grow(ctx, opener, p, Effort{Workers: 1 + random.IntN(2), Memory: 1 << random.IntN(20)})
		if err != nil {
			none++
			tellsNothing := opener != 0 && len(openingOf(&problem{words: answers, left: 1}, opener).classes) == 1
			if !errors.Is(err, ErrNoPlay) && !(errors.Is(err, ErrOpener) && tellsNothing) || want < search.Impossible && !interrupted {
				fault("%v, want a total of %d", err, want)
			}
			continue
		}
		if opener == 0 {
			want = costPlain(guesses, answers, nil, p.Hard, left, tree.Guess)
		}
		if tree.LeastOfAll > least || tree.Least > want || tree.Total < want {
			fault("%d, proven %d and %d; the least are %d and %d", tree.Total, tree.Least, tree.LeastOfAll, want, least)
		}
		if !interrupted && (!tree.Proven() || opener == 0 && (!tree.OpenerProven() || want != least)) {
			fault("%d, proven %d and %d", tree.Total, tree.Least, tree.LeastOfAll)
		}
		if interrupted && !tree.Proven() {
			short++
		}
		played := playTree(t, tree, answers)
		if !slices.Equal(played, tree.Distribution()) || left < len(played) || tree.Words != len(answers) {
			fault("played %v, not %v", played, tree.Distribution())
		}
		sum := 0
		for i, games := range played {
			sum += (i + 1) * games
		}
		if sum != tree.Total {
			fault("played %v; total %d", played, tree.Total)
		}
		again, err := trees.Read(lists, bytes.NewReader(must(json.Marshal(tree))))
		if err != nil || !reflect.DeepEqual(again, tree) {
			fault("written and read again it is another tree: %v", err)
		}
	}
	if none < 10 || short < 2 {
		t.Errorf("%d had no tree, %d were interrupted before they were proven: too few", none, short)
	}
}

// playTree plays the tree by the rules, and returns how many words took 1, 2, … guesses.
func playTree(t *testing.T, tree *trees.Tree, answers []wordle.Word) (played []int) {
	t.Helper()
	for _, hidden := range answers {
		state := wordle.NewState(hidden, tree.Hard)
		for state.Status() == marks.Playing {
			n, ok := tree.Find(state.Turns())
			if !ok {
				t.Fatalf("%v is not on the tree", state.Turns())
			}
			var err error
			if state, err = state.Guess(n.Guess); err != nil {
				t.Fatal(err)
			}
		}
		for len(played) < state.Used() {
			played = append(played, 0)
		}
		played[state.Used()-1]++
	}
	return played
}

// TestGrowTheBestKnown grows the tree whose total is published as the least of
// all: [github.com/alex1770/wordle].
func TestGrowTheBestKnown(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	t.Parallel()
	for _, c := range []struct {
		hard  marks.Hardness
		total int
	}{{marks.Off, 7920}, {marks.Hard, 8122}} {
		tree, err := New(wordletest.Original(t)).Grow(t.Context(), wordle.MustParse("salet"), Position{Hard: c.hard, Limit: wordle.Attempts}, Effort{})
		if err != nil || tree.Total != c.total || !tree.Proven() {
			t.Errorf("hard %v: %+v, %v; want %d", c.hard, tree, err, c.total)
		}
	}
}

// TestGrowEnds: after the end no search goes on until it has proven that there is no play, which takes
// hours here.
func TestGrowEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	tree, err := New(wordletest.Embedded(t)).Grow(ended, wordle.MustParse("fuzzy"), Position{Hard: marks.Hard, Limit: wordle.Attempts}, Effort{})
	if !errors.Is(err, ErrNoPlay) {
		t.Errorf("got %+v, %v", tree, err)
	}
}

func smallTree(tb testing.TB) (*Solver, []byte) {
	tb.Helper()
	s := New(wordletest.Lists(tb, "batch catch hatch latch match patch watch", "batch catch hatch latch match patch watch chimp blown"))
	tree := must(s.Grow(tb.Context(), wordle.MustParse("match"), Position{Limit: 6}, Effort{}))
	return s, must(json.Marshal(tree))
}

// TestSuggestOnGivenTree: below the opener a tree's guesses are the best, though the
// opener is not; and a tree says nothing of games with another limit.
func TestSuggestOnGivenTree(t *testing.T) {
	s, _ := smallTree(t)
	opener := wordle.MustParse("match")
	limited := must(s.Grow(t.Context(), opener, Position{Limit: 4}, Effort{}))
	free := must(s.Grow(t.Context(), opener, Position{}, Effort{}))
	after := solvertest.Turns("watch", "match")
	for _, c := range []struct {
		tree       *trees.Tree
		p          Position
		on, proven bool
	}{
		{limited, Position{Limit: 4}, true, false},
		{limited, Position{Turns: after, Limit: 4}, true, true},
		{limited, Position{Limit: 5}, false, false},
		{limited, Position{}, false, false},
		{limited, Position{Limit: 4, Hard: marks.Hard}, false, false},
		{limited, Position{Turns: solvertest.Turns("watch", "catch"), Limit: 4}, false, false},
		{free, Position{}, true, false},
		{free, Position{Limit: free.Height}, true, false},
		{free, Position{Limit: free.Height - 1}, false, false},
		{free, Position{Turns: after, Limit: 6}, true, true},
	} {
		s := New(s.lists, c.tree)
		q := problem{Lexicon: s.lexicon(), words: s.Remaining(c.p.Turns)}
		got, ok := s.lookUp(c.p, &q)
		n, _ := c.tree.Find(c.p.Turns)
		if ok != c.on || got.best != c.proven || ok && (int(got.total) != n.Total || s.lexicon().Guesses[got.guess] != n.Guess) {
			t.Errorf("limit %d, %+v: %+v, %v; want on the tree %v, proven %v", c.tree.Limit, c.p, got, ok, c.on, c.proven)
		}
		solution, err := s.Solve(t.Context(), c.p, Effort{})
		suggestion, err2 := s.Suggest(t.Context(), c.p)
		if err != nil || err2 != nil || !solution.Suggestions[0].Proven || c.proven && suggestion.Total != solution.Suggestions[0].Total {
			t.Errorf("limit %d, %+v: %+v, %v; suggested %+v, %v", c.tree.Limit, c.p, solution, err, suggestion, err2)
		}
	}
}

// TestReadTreeRefuses: a file must have a plan that finds every word as the file says.
func TestReadTreeRefuses(t *testing.T) {
	s, file := smallTree(t)
	sound := must(trees.Read(s.lists, bytes.NewReader(file)))
	for name, change := range map[string]func(*trees.Tree){
		"hard mode forbids a guess":  func(t *trees.Tree) { t.Hard = marks.Hard },
		"more guesses than allowed":  func(t *trees.Tree) { t.Limit = 2 },
		"less than the least":        func(t *trees.Tree) { t.Least = t.Total + 1 },
		"less than the least of all": func(t *trees.Tree) { t.LeastOfAll = t.Least + 1 },
		"one guess too many":         func(t *trees.Tree) { t.Plan = append(slices.Clip(t.Plan), t.Plan[0]) },
		"one guess too few":          func(t *trees.Tree) { t.Plan = t.Plan[:len(t.Plan)-1] },
		"no guess":                   func(t *trees.Tree) { t.Plan = nil },
		"a guess that is in no list": func(t *trees.Tree) { t.Plan = slices.Replace(slices.Clone(t.Plan), 1, 2, wordle.MustParse("blowz")) },
	} {
		changed := *sound
		change(&changed)
		if tree, err := trees.Read(s.lists, bytes.NewReader(must(json.Marshal(changed)))); !errors.Is(err, trees.ErrNoTree) {
			t.Errorf("%s: %+v, %v", name, tree, err)
		}
	}
	for i := range file {
		if _, err := trees.Read(s.lists, bytes.NewReader(file[:i])); !errors.Is(err, trees.ErrNoTree) {
			t.Errorf("the first %d bytes: %v", i, err)
		}
	}
	other := New(wordletest.Lists(t, "batch catch", "batch catch hatch"))
	if _, err := trees.Read(other.lists, bytes.NewReader(file)); !errors.Is(err, trees.ErrOtherLists) {
		t.Errorf("for other lists: %v", err)
	}
}
