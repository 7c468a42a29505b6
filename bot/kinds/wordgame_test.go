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
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver"
)

// newWordle returns the rules of the word game with lists from words with spaces
// between; every answer can be guessed.
func newWordle(tb testing.TB, answers, guesses string) (game.Rules, *wordle.Lists) {
	tb.Helper()
	lists := wordletest.Lists(tb, answers, answers+" "+guesses)
	s := solver.New(lists)
	s.SuggestTime, s.ReviewTime = time.Minute, time.Minute // the same on a slow machine
	return wordgame.Rules(lists, s), lists
}

// first picks the first of what there is.
func first(int) int { return 0 }

// wordMatch returns a match of the word game in which these words were guessed.
func wordMatch(tb testing.TB, lists *wordle.Lists, hidden string, hard bool, guesses ...string) game.Match {
	tb.Helper()
	m := game.Match{Kind: wordgame.Kind, State: wordgame.State{State: wordle.NewState(wordle.MustParse(hidden), hard)}}
	for _, w := range guesses {
		m.State = mustMove(tb, m.State, wordgame.Move(lists, wordle.MustParse(w)))
	}
	return m
}

func mustMove(tb testing.TB, s game.State, move func(game.State) (game.State, error)) game.State {
	tb.Helper()
	next, err := move(s)
	if err != nil {
		tb.Fatal(err)
	}
	return next
}

// withHint returns the match with one more hint.
func withHint(m game.Match, kind game.HintKind, content game.HintContent) game.Match {
	m.Hints = append(slices.Clip(m.Hints), game.Hint{Kind: kind, After: m.Used(), Content: content})
	return m
}

// hintWords have many letters twice and thrice.
const hintWords = "eerie geese melee llama mamma radar crane slate sheer civic kayak poppy"

// TestHintsGiveAwayWhatIsNew plays random games with hints between the guesses
// and compares each hint with what the players can already see.
func TestHintsGiveAwayWhatIsNew(t *testing.T) {
	r, lists := newWordle(t, hintWords, "")
	random := rand.New(rand.NewPCG(3, 4))
	given := map[game.HintKind]int{}
	for range 400 {
		match := wordMatch(t, lists, lists.Answers()[random.IntN(len(lists.Answers()))].String(), false)
		hidden := match.State.(wordgame.State).Hidden()
		for match.Status() == game.Playing {
			if random.IntN(3) == 0 {
				w := lists.Guesses()[random.IntN(len(lists.Guesses()))]
				if next, err := wordgame.Move(lists, w)(match.State); err == nil {
					match.State = next
				}
				match.Moves = make([]game.Move, match.State.Used())
				continue
			}
			kind := []game.HintKind{game.HintLetter, game.HintPosition}[random.IntN(2)]
			content, err := r.Hint(t.Context(), match, kind, random.IntN)
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
					kind, hidden, match.State.(wordgame.State).Turns(), match.Hints, text, want)
			}
			given[kind]++
			match = withHint(match, kind, content)
		}
	}
	if given[game.HintLetter] < 300 || given[game.HintPosition] < 300 {
		t.Errorf("too few hints to mean anything: %v", given)
	}
}

func describe(c game.HintContent) string {
	switch c := c.(type) {
	case wordgame.PositionHint:
		return fmt.Sprintf("%c at %d", c.Letter, c.Position)
	case wordgame.LetterHint:
		return fmt.Sprintf("%d× %c", c.Times, c.Letter)
	}
	return fmt.Sprintf("%T", c)
}

// newHints lists every hint that shows something new, as plainly as can be.
func newHints(m game.Match, kind game.HintKind) []string {
	s := m.State.(wordgame.State)
	hidden := s.Hidden().String()
	seen := []byte(".....") // positions that are green or shown by a hint
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
			if h, ok := h.Content.(wordgame.LetterHint); ok && rune(h.Letter) == letter {
				known = max(known, h.Times)
			}
		}
		if strings.Count(hidden, string(letter)) > known {
			hints = append(hints, fmt.Sprintf("%d× %c", known+1, letter))
		}
	}
	return hints
}

// TestLetterCountsAllThatIsKnown takes hints for EERIE when copies of its E are
// known from one source or several together.
func TestLetterCountsAllThatIsKnown(t *testing.T) {
	r, lists := newWordle(t, "eerie", "clued kneel eclat seals")
	for _, c := range []struct {
		name, script, want string
	}{
		{"nothing", "letter", "1× E"},
		{"a letter from a hint", "letter letter", "2× E"},
		{"a yellow one", "clued letter", "2× E"},
		{"two yellow ones of a guess", "kneel letter", "1× R"},
		{"green ones of two guesses", "eclat seals letter", "1× R"},
		{"a green one, and yellow elsewhere", "eclat clued letter", "2× E"},
		{"a position from a hint", "position letter", "2× E"},
		{"two positions from hints", "position position letter", "1× R"},
		{"a position from a hint and a green one elsewhere", "position seals letter", "1× R"},
		{"a position from a hint and a yellow one", "position clued letter", "2× E"},
		{"a letter from a hint and then its position", "letter position letter", "2× E"},
	} {
		match := wordMatch(t, lists, "eerie", false)
		for step := range strings.FieldsSeq(c.script) {
			if kind := game.HintKind(step); kind == game.HintLetter || kind == game.HintPosition {
				content, err := r.Hint(t.Context(), match, kind, first)
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				match = withHint(match, kind, content)
			} else {
				match.State = mustMove(t, match.State, wordgame.Move(lists, wordle.MustParse(step)))
				match.Moves = append(match.Moves, game.Move{})
			}
		}
		if h := describe(match.Hints[len(match.Hints)-1].Content); h != c.want {
			t.Errorf("%s is known: the hint is %q, want %q", c.name, h, c.want)
		}
	}
}

// TestNewWord: no recent answer is hidden, every other one can be.
func TestNewWord(t *testing.T) {
	r, lists := newWordle(t, "brick crane shave slate", "fuzzy")
	if r.NoRepeat != 2 {
		t.Errorf("%d answers are remembered, want half of the list", r.NoRepeat)
	}
	for _, hard := range []bool{false, true} {
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
				t.Errorf("a new game, hard %t, is %v, hard %t", hard, s, s.Hard())
			}
			got = append(got, s.Answer())
		}
		if want := []string{"BRICK", "SHAVE", "SLATE"}; !slices.Equal(got, want) {
			t.Errorf("hidden are %q, want %q of %v", got, want, lists.Answers())
		}
	}
}

func TestGuessWord(t *testing.T) {
	_, lists := newWordle(t, "brick slate", "fuzzy")
	match := wordMatch(t, lists, "crane", false) // which has left the lists since
	for _, c := range []struct {
		word string
		want error
	}{
		{"fuzzy", nil},
		{"slate", nil},
		{"crane", nil},
		{"shave", wordgame.ErrUnknownWord},
	} {
		next, err := wordgame.Move(lists, wordle.MustParse(c.word))(match.State)
		if !errors.Is(err, c.want) || err != nil && next != match.State || err == nil && next.Used() != 1 {
			t.Errorf("%s: %v, %v; want %v", c.word, next, err, c.want)
		}
	}
}

// TestWordsRemaining: only guesses count, the first ones.
func TestWordsRemaining(t *testing.T) {
	r, lists := newWordle(t, "crane brick slate grape", "fuzzy")
	match := wordMatch(t, lists, "crane", false, "fuzzy", "slate", "brick")
	for used, want := range []int{4, 4, 2, 1} {
		if got, err := r.Remaining(t.Context(), match.State, used); err != nil || got != want {
			t.Errorf("after %d guesses %d words remain, %v; want %d", used, got, err, want)
		}
	}
}

// TestWordReview: the grades are the solver's.
func TestWordReview(t *testing.T) {
	r, lists := newWordle(t, "crane brick slate grape", "fuzzy")
	got, err := r.Review(t.Context(), wordMatch(t, lists, "crane", false, "fuzzy", "crane"))
	if err != nil {
		t.Fatal(err)
	}
	judged := got.(solver.Review).Guesses
	grades := got.Grades()
	if len(judged) != 2 || len(grades) != 2 || judged[0].Cut != 0 || judged[1].Cut != 2 {
		t.Fatalf("the guesses are %+v, the grades %+v", judged, grades)
	}
	for i, j := range judged {
		if want := (game.Grade{Skill: j.Skill, Luck: j.Luck, Cut: j.Cut, Proven: j.Proven}); grades[i] != want {
			t.Errorf("grade %d is %+v, want %+v", i+1, grades[i], want)
		}
	}
}

// TestNoWordFits: an operator may replace the lists during a match.
func TestNoWordFits(t *testing.T) {
	_, old := newWordle(t, "crane", "grape")
	match := wordMatch(t, old, "crane", false, "grape")
	r, _ := newWordle(t, "slate brick", "")
	if _, err := r.Hint(t.Context(), match, game.HintSuggestion, first); !errors.Is(err, game.ErrNothingFits) || !errors.Is(err, solver.ErrNothingFits) {
		t.Errorf("a suggestion: %v", err)
	}
	if _, err := r.Review(t.Context(), match); !errors.Is(err, game.ErrNothingFits) || !errors.Is(err, solver.ErrNothingFits) {
		t.Errorf("a review: %v", err)
	}
}
