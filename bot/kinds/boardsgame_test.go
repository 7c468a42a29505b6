package kinds_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fivefold/bot/kinds/boardsgame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/boards"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/multi"
)

func newBoards(tb testing.TB, answers, guesses string) ([]*boardsgame.Game, *wordle.Lists) {
	tb.Helper()
	lists := wordletest.Lists(tb, answers, answers+" "+guesses)
	return boardsgame.All(lists, multi.New(lists)), lists
}

// TestNewBoards: the boards hide different words, none that is never used and, if the list has enough others, none that came up
// lately.
func TestNewBoards(t *testing.T) {
	all, lists := newBoards(t, hintWords+" brick shave fuzzy vivid mound polyp whelp train", "")
	random := rand.New(rand.NewPCG(5, 6))
	for i, g := range all {
		if want := []int{5, 2, 1}[i]; g.NoRepeat() != want {
			t.Errorf("%s: %d games are remembered, want %d of %d words", g.Kind(), g.NoRepeat(), want, len(lists.Answers()))
		}
		var recent []string
		for range 300 {
			s, err := g.New(t.Context(), game.NewGame{Avoid: recent, Never: []string{"crane", "slate"}, Pick: random.IntN})
			if err != nil {
				t.Fatal(err)
			}
			words := strings.Fields(s.Answer())
			if n := len(slices.Compact(slices.Sorted(slices.Values(words)))); n != []int{2, 4, 8}[i] || s.Used() != 0 || s.AttemptsLeft() != g.Attempts() {
				t.Fatalf("%s: %q, %v", g.Kind(), words, s)
			}
			for _, w := range words {
				if w == "CRANE" || w == "SLATE" || slices.ContainsFunc(recent, func(answer string) bool { return strings.Contains(answer, w) }) {
					t.Errorf("%s: %q is hidden after %q", g.Kind(), w, recent)
				}
			}
			recent = []string{s.Answer()}
		}
	}
	few, _ := newBoards(t, "crane slate brick", "")
	if s, err := few[1].New(t.Context(), game.NewGame{Pick: first}); err != nil || len(strings.Fields(s.Answer())) != 4 {
		t.Errorf("three words for four boards: %v, %v", s, err)
	}
}

// TestGuessOnBoards: a guess must be in the list, but for a hidden word that has left it.
func TestGuessOnBoards(t *testing.T) {
	all, _ := newBoards(t, "brick slate", "fuzzy")
	listed, unlisted := boards.New(wordle.MustParse("brick"), wordle.MustParse("slate")), boards.New(wordle.MustParse("brick"), wordle.MustParse("qwxyz"))
	for _, c := range []struct {
		s       boards.State
		word    string
		refused bool
	}{{listed, "fuzzy", false}, {listed, "shave", true}, {listed, "spics", true}, {unlisted, "qwxyz", false}, {unlisted, "shave", false}, {unlisted, "spics", true}} {
		next, err := all[0].Guess(c.s, c.word)
		if _, refused := errors.AsType[*wordgame.UnlistedError](err); refused != c.refused || refused != (err != nil) || err == nil && next.Used() != 1 {
			t.Errorf("%s: %v, %v; want refused %t", c.word, next, err, c.refused)
		}
	}
	if _, err := all[0].Guess(listed, "slates"); !errors.Is(err, wordle.ErrLength) {
		t.Errorf("six letters: %v", err)
	}
}

// TestHintsOnBoards plays random games with hints between the guesses. A letter must be new on an open board, as in the word game; the
// numbers of words left are those that fit each open board.
func TestHintsOnBoards(t *testing.T) {
	all, lists := newBoards(t, hintWords, "")
	random := rand.New(rand.NewPCG(7, 8))
	given := 0
	for range 150 {
		g := all[random.IntN(2)]
		s, err := g.New(t.Context(), game.NewGame{Pick: random.IntN})
		if err != nil {
			t.Fatal(err)
		}
		match := game.Match{Kind: g.Kind(), State: s}
		for match.Status() == game.Playing && match.Used() < wordle.Attempts {
			if random.IntN(3) > 0 {
				if next, err := g.Guess(match.State, lists.Guesses()[random.IntN(len(lists.Guesses()))].String()); err == nil {
					match.State = next
				}
				continue
			}
			content, err := g.Hint(t.Context(), match, game.HintLetter, random.IntN, nil)
			if errors.Is(err, game.ErrAllKnown) {
				for b := range match.State.(boards.State).Boards() {
					if left := newHints(onBoard(t, match, b), game.HintLetter); left != nil {
						t.Fatalf("all is known, but not %q on board %d", left, b+1)
					}
				}
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			hint := content.(boardsgame.LetterHint)
			if want := newHints(onBoard(t, match, hint.Board-1), game.HintLetter); !slices.Contains(want, describe(hint.LetterHint)) {
				t.Fatalf("%+v of %v, want one of %q", hint, match.State.Answer(), want)
			}
			match.Hints = append(match.Hints, game.Hint{Kind: game.HintLetter, Content: content})
			given++
		}
		left, err := g.Remaining(t.Context(), match.State)
		if err != nil || len(left) != match.Used()+1 {
			t.Fatalf("%v, %v", left, err)
		}
		for used, got := range left {
			s, want := match.State.Rewind(used).(boards.State), game.Possible(nil)
			for b := range s.Boards() {
				if s.Found(b) == 0 {
					fits := slices.DeleteFunc(slices.Clone(lists.Answers()), func(w wordle.Word) bool {
						return slices.ContainsFunc(s.Board(b), func(t wordle.Turn) bool { return wordle.Score(t.Guess, w) != t.Feedback })
					})
					want = append(want, len(fits))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v after %d guesses: %v, want %v", match.State.Answer(), used, got, want)
			}
		}
	}
	if given < 200 {
		t.Errorf("%d hints are too few to mean anything", given)
	}
}

// onBoard returns the match as a word game on one of its boards.
func onBoard(t *testing.T, m game.Match, board int) game.Match {
	t.Helper()
	own := m.State.(boards.State)
	s := wordle.NewState(own.Hidden(board), marks.Off)
	for _, turn := range own.Board(board) {
		var err error
		if s, err = s.Guess(turn.Guess); err != nil {
			t.Fatal(err)
		}
	}
	on := game.Match{State: s}
	for _, h := range m.Hints {
		if h := h.Content.(boardsgame.LetterHint); h.Board == board+1 {
			on.Hints = append(on.Hints, game.Hint{Content: h.LetterHint})
		}
	}
	return on
}

// TestSuggestionOnBoards: a suggestion is for all open boards, and none of the words that are never used.
func TestSuggestionOnBoards(t *testing.T) {
	all, lists := newBoards(t, "brick slate crane", "fuzzy")
	m := game.Match{State: boards.New(lists.Answers()[0], lists.Answers()[2])}
	content, err := all[0].Hint(t.Context(), m, game.HintSuggestion, first, []string{"brick", "slate"})
	if s, ok := content.(multi.Suggestion); err != nil || !ok || s.Word != wordle.MustParse("crane") && s.Word != wordle.MustParse("fuzzy") || !slices.Equal(s.Left, []int{3, 3}) {
		t.Errorf("%+v, %v", content, err)
	}
	if _, err := all[0].Hint(t.Context(), m, game.HintPosition, first, nil); !errors.Is(err, game.ErrHint) {
		t.Errorf("a position: %v", err)
	}
	m.State, _ = all[0].Guess(boards.New(wordle.MustParse("qwxyz"), lists.Answers()[0]), "fuzzy")
	if _, err := all[0].Hint(t.Context(), m, game.HintSuggestion, first, nil); !errors.Is(err, game.ErrNothingFits) {
		t.Errorf("a board that no word fits: %v", err)
	}
	m.State, _ = all[0].Guess(m.State, "crane")
	if _, err := all[0].Review(t.Context(), m); !errors.Is(err, game.ErrNothingFits) {
		t.Errorf("a review of it: %v", err)
	}
}
