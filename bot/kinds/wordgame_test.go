package kinds_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/optimal"
)

// newWordle returns the rules of the word game with lists of words separated by spaces. Every answer can be guessed.
func newWordle(tb testing.TB, answers, guesses string) (game.Rules, *wordle.Lists) {
	tb.Helper()
	lists := wordletest.Lists(tb, answers, answers+" "+guesses)
	s := optimal.New(lists)
	s.SuggestTime, s.ReviewTime = time.Minute, time.Minute // more than a slow machine needs
	return wordgame.New(lists, s), lists
}

func first(int) int { return 0 }

func wordMatch(tb testing.TB, lists *wordle.Lists, hidden string, hard marks.Hardness, guesses ...string) game.Match {
	tb.Helper()
	m := game.Match{Kind: wordgame.Kind, State: wordle.NewState(wordle.MustParse(hidden), hard)}
	for _, w := range guesses {
		var err error
		if m.State, err = wordgame.New(lists, nil).Guess(m.State, w); err != nil {
			tb.Fatal(err)
		}
	}
	return m
}

// hintWords have many letters twice or three times.
const hintWords = "eerie geese melee llama mamma radar crane slate sheer civic kayak poppy"

// TestHintsGiveAwayWhatIsNew plays random games with hints between the guesses. Each hint must be new to the players.
func TestHintsGiveAwayWhatIsNew(t *testing.T) {
	r, lists := newWordle(t, hintWords, "")
	random := rand.New(rand.NewPCG(3, 4))
	given := map[game.HintKind]int{}
	for range 400 {
		match := wordMatch(t, lists, lists.Answers()[random.IntN(len(lists.Answers()))].String(), marks.Off)
		hidden := match.State.(wordle.State).Hidden()
		for match.Status() == game.Playing {
			if random.IntN(3) == 0 {
				w := lists.Guesses()[random.IntN(len(lists.Guesses()))]
				if next, err := r.Guess(match.State, w.String()); err == nil {
					match.State = next
				}
				match.Moves = make([]game.Move, match.State.Used())
				continue
			}
			kind := []game.HintKind{game.HintLetter, game.HintPosition}[random.IntN(2)]
			content, err := r.Hint(t.Context(), match, kind, random.IntN, nil)
			want := newHints(match, kind)
			if len(want) == 0 {
				if !errors.Is(err, game.ErrAllKnown) || content != nil {
					t.Fatalf("all is known of %v, but a %s gave %+v, %v", hidden, kind, content, err)
				}
				if kind == game.HintPosition && len(newHints(match, game.HintLetter)) == 0 {
					break
				}
				continue
			}
			if err != nil {
				t.Fatalf("a %s: %v", kind, err)
			}
			if text := describe(content); !slices.Contains(want, text) {
				t.Fatalf("the %s for %v after %v and %+v is %q, want one of %q",
					kind, hidden, match.State.(wordle.State).Turns(), match.Hints, text, want)
			}
			given[kind]++
			match.Hints = append(match.Hints, game.Hint{Kind: kind, After: match.Used(), Content: content})
		}
	}
	if given[game.HintLetter] < 300 || given[game.HintPosition] < 300 {
		t.Errorf("too few hints to mean anything: %v", given)
	}
}

func describe(c game.HintContent) string {
	switch c := c.(type) {
	case wordgame.PositionHint:
		return fmt.Sprintf("%s at %d", c.Letter, c.Position)
	case wordgame.LetterHint:
		return fmt.Sprintf("%d× %s", c.Times, c.Letter)
	}
	return fmt.Sprintf("%T", c)
}

// newHints lists every hint that shows something new, by the plainest code.
func newHints(m game.Match, kind game.HintKind) []string {
	s := m.State.(wordle.State)
	hidden := s.Hidden().String()
	seen := []byte(".....") // positions that are green or given by a hint
	for _, turn := range s.Turns() {
		for i, mark := range turn.Feedback.String() {
			if mark == 'G' {
				seen[i] = hidden[i]
			}
		}
	}
	for _, h := range m.Hints {
		if h, ok := h.Content.(wordgame.PositionHint); ok {
			seen[h.Position-1] = hidden[h.Position-1]
		}
	}
	var hints []string
	if kind == game.HintPosition {
		for i := range hidden {
			if seen[i] == '.' {
				hints = append(hints, fmt.Sprintf("%c at %d", hidden[i], i+1))
			}
		}
		return hints
	}
	for letter := 'A'; letter <= 'Z'; letter++ {
		known := strings.Count(string(seen), string(letter))
		for _, turn := range s.Turns() {
			coloured := 0
			for i, mark := range turn.Feedback.String() {
				if mark != 'B' && rune(turn.Guess.String()[i]) == letter {
					coloured++
				}
			}
			known = max(known, coloured)
		}
		for _, h := range m.Hints {
			if h, ok := h.Content.(wordgame.LetterHint); ok && h.Letter == string(letter) {
				known = max(known, h.Times)
			}
		}
		if strings.Count(hidden, string(letter)) > known {
			hints = append(hints, fmt.Sprintf("%d× %c", known+1, letter))
		}
	}
	return hints
}

// TestNewWord: every answer but the recent ones can be hidden.
func TestNewWord(t *testing.T) {
	r, lists := newWordle(t, "brick crane shave slate", "fuzzy")
	if r.NoRepeat() != 2 {
		t.Errorf("%d answers are remembered, want half of the list", r.NoRepeat())
	}
	for _, hard := range []marks.Hardness{marks.Off, marks.Hard, marks.Ultra} {
		var got []string
		for i := range 3 {
			s, err := r.New(t.Context(), game.NewGame{Hard: hard, Avoid: []string{"CRANE"}, Pick: func(n int) int {
				if n != 3 {
					t.Errorf("picked one of %d, want of 3", n)
				}
				return i
			}})
			if err != nil {
				t.Fatal(err)
			}
			if s.Hard() != hard || s.Used() != 0 || s.Status() != game.Playing {
				t.Errorf("a new game, hard %v, is %v, hard %v", hard, s, s.Hard())
			}
			got = append(got, s.Answer())
		}
		if want := []string{"BRICK", "SHAVE", "SLATE"}; !slices.Equal(got, want) {
			t.Errorf("hidden are %q, want %q of %v", got, want, lists.Answers())
		}
	}
}

func TestGuessWord(t *testing.T) {
	r, lists := newWordle(t, "brick slate", "fuzzy")
	for _, c := range []struct {
		hidden, word string
		refused      bool
	}{
		{"brick", "fuzzy", false},
		{"brick", "slate", false},
		{"brick", "shave", true},
		{"crane", "fuzzy", false}, // the hidden word is a challenge's, or has left the lists
		{"crane", "crane", false},
		{"crane", "shave", false},
		{"crane", "spics", true},
	} {
		next, err := r.Guess(wordMatch(t, lists, c.hidden, marks.Off).State, c.word)
		if _, unlisted := errors.AsType[*wordgame.UnlistedError](err); unlisted != c.refused || unlisted != (err != nil) || err == nil && next.Used() != 1 {
			t.Errorf("%s where the word is %s: %v, %v; want refused %t", c.word, c.hidden, next, err, c.refused)
		}
	}
}

// TestNoWordFits: an operator may replace the lists during a match.
func TestNoWordFits(t *testing.T) {
	_, old := newWordle(t, "crane", "grape")
	match := wordMatch(t, old, "crane", marks.Off, "grape")
	r, _ := newWordle(t, "slate brick", "")
	if _, err := r.Hint(t.Context(), match, game.HintSuggestion, first, nil); !errors.Is(err, game.ErrNothingFits) || !errors.Is(err, optimal.ErrNothingFits) {
		t.Errorf("a suggestion: %v", err)
	}
	if _, err := r.Review(t.Context(), match); !errors.Is(err, game.ErrNothingFits) || !errors.Is(err, optimal.ErrNothingFits) {
		t.Errorf("a review: %v", err)
	}
}

// TestNever: words that a server never uses are not hidden, even if all others were hidden lately, and not proposed, even if a plan
// has them or nothing better is known.
func TestNever(t *testing.T) {
	r, lists := newWordle(t, "crane slate brick", "")
	for _, c := range []struct{ never, avoid, want string }{
		{"", "", "BRICK"}, {"brick", "", "CRANE"}, {"brick", "CRANE", "SLATE"}, {"brick", "CRANE SLATE", "CRANE"}, {"brick crane slate", "", "BRICK"},
	} {
		s, err := r.New(t.Context(), game.NewGame{Never: strings.Fields(c.never), Avoid: strings.Fields(c.avoid), Pick: first})
		if err != nil || s.(wordle.State).Hidden() != wordle.MustParse(c.want) {
			t.Errorf("%+v: got %v, %v", c, s, err)
		}
	}
	match, never := wordMatch(t, lists, "brick", marks.Off), []string(nil)
	for range lists.Answers() {
		content, err := r.Hint(t.Context(), match, game.HintSuggestion, first, never)
		if err != nil {
			t.Fatal(err)
		}
		word := content.(optimal.Suggestion).Word.String()
		if slices.Contains(never, word) {
			t.Errorf("without %v, %s is proposed", never, word)
		}
		never = append(never, word)
	}
	if content, err := r.Hint(t.Context(), match, game.HintSuggestion, first, never); !errors.Is(err, game.ErrNothingFits) {
		t.Errorf("without all words: %v, %v", content, err)
	}
	embedded, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	s := optimal.New(embedded)
	s.SuggestTime = time.Millisecond
	planned, err := s.Suggest(t.Context(), optimal.Position{Limit: wordle.Attempts})
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Suggest(t.Context(), optimal.Position{Limit: wordle.Attempts, Never: []wordle.Word{planned.Word}})
	if err != nil || other.Word == planned.Word {
		t.Errorf("without %v: %v, %v", planned.Word, other.Word, err)
	}
}
