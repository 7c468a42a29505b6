package weighted

import (
	"math"
	"slices"
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/optimal"
	"fivefold/solver/solvertest"
)

// TestWithheldWordsAreNotProposed asks every strategy for all the guesses it knows
// of, where the feedback is that of a withheld word.
func TestWithheldWordsAreNotProposed(t *testing.T) {
	t.Parallel()
	lists := wordletest.Embedded(t)
	w := New(lists)
	w.SuggestTime = time.Millisecond
	words := wordletest.Withheld(t)
	for i := 0; i < len(words); i += 61 {
		word, salet := words[i], wordle.MustParse("salet")
		p := optimal.Position{Turns: []wordle.Turn{{Guess: salet, Feedback: wordle.Score(salet, word)}}, Hard: marks.Hardness(i % 3)}
		possible := w.Possible(p.Turns)
		if weight := lists.Weights()[indexOf(lists, word)]; weight > 0 && !slices.ContainsFunc(possible, func(p Possible) bool { return p.Word == word && p.Withheld }) {
			t.Errorf("%v is not possible after %v", word, p.Turns)
		}
		if possible[0].Withheld {
			continue // nothing else fits
		}
		for _, name := range optimal.StrategyNames() {
			suggestions, err := w.Suggest(t.Context(), p, name, len(lists.Guesses()))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range suggestions {
				if !lists.CanPropose(s.Word) {
					t.Errorf("%v is proposed after %v (hard %v) by %s", s.Word, p.Turns, p.Hard, name)
				}
			}
		}
	}
}

// TestNothingFitsButWithheldWords: then they are proposed, with every strategy and in both modes.
func TestNothingFitsButWithheldWords(t *testing.T) {
	w := New(wordletest.Embedded(t))
	for _, turns := range [][]wordle.Turn{
		solvertest.Turns("sissy", "missy", "pussy", "khaki"),
		solvertest.Turns("hajji", "ninja", "hamza"), // and HADJI
	} {
		for _, name := range optimal.StrategyNames() {
			for _, hard := range []marks.Hardness{marks.Off, marks.Hard, marks.Ultra} {
				got, err := w.Suggest(t.Context(), optimal.Position{Turns: turns, Hard: hard, Limit: wordle.Attempts}, name, 1)
				if possible := w.Possible(turns); err != nil || !possible[0].Withheld || got[0].Word != possible[0].Word {
					t.Errorf("%s, hard %v, after %v: %+v, %v, of %v", name, hard, turns, got, err, possible)
				}
			}
		}
	}
}

// TestWithheldWordsByWeight: SISSY is as well known as SHORN, and as likely. CISSY is as little known as AGGRO, and a
// tenth as likely.
func TestWithheldWordsByWeight(t *testing.T) {
	chance := map[string]float64{}
	for _, p := range New(wordletest.Embedded(t)).Possible(nil) {
		chance[p.Word.String()] = p.Chance
	}
	if a, b := chance["SISSY"]/chance["SHORN"], chance["CISSY"]/chance["AGGRO"]; a != 1 || math.Abs(b-0.1) > 1e-9 {
		t.Errorf("SISSY is %v times as likely as SHORN, and CISSY %v times as likely as AGGRO", a, b)
	}
}

// TestWordsWithoutWeight: a word that is accepted only is possible only where no other word is, and in the review of a
// game that hid it.
func TestWordsWithoutWeight(t *testing.T) {
	t.Parallel()
	lists := wordletest.Embedded(t)
	w := New(lists)
	w.SuggestTime = 20 * time.Millisecond
	n := 0
	for i, weight := range lists.Weights() {
		word := lists.Guesses()[i]
		if weight > 0 {
			continue
		}
		n++
		for _, guesses := range [][]string{{"salet"}, {"salet", "crony", "pudgy", "whomp"}} {
			possible := w.Possible(solvertest.Turns(word.String(), guesses...))
			alone := !slices.ContainsFunc(possible, func(p Possible) bool { return lists.Weights()[indexOf(lists, p.Word)] > 0 })
			if named := slices.ContainsFunc(possible, func(p Possible) bool { return p.Word == word }); named != alone || len(possible) == 0 {
				t.Fatalf("%v after %v: possible: %v, of %v", word, guesses, named, possible)
			}
		}
	}
	if n < 300 {
		t.Errorf("%d words have no weight", n)
	}
	judgy := solvertest.Turns("judgy", "slate", "pudgy", "judgy")
	if got := w.Possible(judgy[:2]); len(got) == 0 || !slices.ContainsFunc(got, func(p Possible) bool { return p.Word.String() == "JUDGY" }) {
		t.Errorf("after %v it is not JUDGY, but %v", judgy[:2], got)
	}
	if r, err := w.Review(t.Context(), optimal.Played{Turns: judgy}); err != nil || len(r.Guesses) != 3 || r.Guesses[2].After != 1 {
		t.Errorf("the review of a game that hid JUDGY: %+v, %v", r, err)
	}
}

func indexOf(lists *wordle.Lists, w wordle.Word) int {
	i, _ := slices.BinarySearchFunc(lists.Guesses(), w, wordle.Word.Compare)
	return i
}

// TestReviewOfAnyWord: a game is judged whatever its hidden word was, withheld, on no list, or
// not known.
func TestReviewOfAnyWord(t *testing.T) {
	w := New(wordletest.Embedded(t))
	w.SuggestTime = 20 * time.Millisecond
	for _, c := range []struct {
		hidden string
		turns  []wordle.Turn
		given  bool
		judged int
		line   bool
	}{
		{"withheld", solvertest.Turns("sissy", "slate", "sissy"), false, 2, true},
		{"on no list", solvertest.Turns("zzxzz", "slate", "zzxzz"), false, 2, false},
		{"on no list, not found", solvertest.Turns("zzxzz", "slate", "fuzzy", "zaxes", "crane"), true, 4, false},
		{"not known", solvertest.Turns("zzxzz", "slate", "fuzzy", "zaxes", "crane"), false, 2, false},
	} {
		p := optimal.Played{Turns: c.turns}
		if c.given {
			p.Hidden = wordle.MustParse("zzxzz")
		}
		for _, p.Hard = range []marks.Hardness{marks.Off, marks.Hard, marks.Ultra} {
			if len(c.turns) > 2 && p.Hard != marks.Off {
				continue // these guesses keep to no clue
			}
			got, err := w.Review(t.Context(), p)
			if err != nil || len(got.Guesses) != c.judged || (got.Line != nil) != c.line {
				t.Fatalf("%s, hard %v: %+v, %v", c.hidden, p.Hard, got, err)
			}
			for i, j := range got.Guesses {
				if math.IsNaN(j.Luck+j.Skill+j.Cut) || j.After < 1 || j.After > j.Before || j.Best == 0 {
					t.Errorf("%s, guess %d: %+v", c.hidden, i+1, j)
				}
			}
			if last := got.Guesses[len(got.Guesses)-1]; last.Feedback == wordle.AllGreen && last.After != 1 {
				t.Errorf("%s: the last guess leaves %d words", c.hidden, last.After)
			}
		}
	}
}
