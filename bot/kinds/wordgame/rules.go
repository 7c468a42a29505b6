package wordgame

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fivefold/bot/clue"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/solver/parallel"
)

// LetterHint gives away a letter of the hidden word.
type LetterHint struct {
	Letter string `json:"letter"` // A to Z
	Times  int    `json:"times"`  // copies of it that are known with this hint
}

// PositionHint gives away the letter at a position of the hidden word.
type PositionHint struct {
	Letter   string `json:"letter"`   // A to Z
	Position int    `json:"position"` // from 1
}

// UnlistedError refuses a word of five letters that is not in the list.
type UnlistedError struct{ Word wordle.Word }

func (e *UnlistedError) Error() string { return "not in the list of guesses" }

// Allowed reads a guess and refuses it as [Words.Allows] does.
func (t Words) Allowed(typed string, hidden ...wordle.Word) (wordle.Word, error) {
	w, err := wordle.ParseWord(typed)
	if err == nil {
		err = t.Allows(w, hidden...)
	}
	return w, err
}

// Allows refuses a guess that is not in the list, with an *[UnlistedError]. If a hidden word is unlisted too, only offensive guesses
// are refused.
func (t Words) Allows(w wordle.Word, hidden ...wordle.Word) error {
	if t.lists.CanGuess(w) || slices.ContainsFunc(hidden, func(h wordle.Word) bool {
		return h == w || !t.lists.CanGuess(h) && clue.Check(w.String(), "") == nil
	}) {
		return nil
	}
	return &UnlistedError{w}
}

// NoRepeat returns half the number of answers: a hidden word returns only after as many others.
func (t Words) NoRepeat() int { return len(t.lists.Answers()) / 2 }

// Pick returns a word to hide. If possible it is none of those besides, none that a new game must never have, and none that it must
// avoid.
func (t Words) Pick(n game.NewGame, besides ...wordle.Word) wordle.Word {
	words := t.lists.Answers()
	for _, without := range [][]wordle.Word{besides, WordsOf(n.Never), WordsOf(n.Avoid)} { // an operator's list can be short
		without = slices.SortedFunc(slices.Values(without), wordle.Word.Compare)
		some := slices.DeleteFunc(slices.Clone(words), func(w wordle.Word) bool {
			_, found := slices.BinarySearchFunc(without, w, wordle.Word.Compare)
			return found
		})
		if len(some) > 0 {
			words = some
		}
	}
	return words[n.Pick(len(words))]
}

// WordsOf returns the words in texts. It leaves out what is no word.
func WordsOf(texts []string) (words []wordle.Word) {
	for _, text := range strings.Fields(strings.Join(texts, " ")) {
		if w, err := wordle.ParseWord(text); err == nil {
			words = append(words, w)
		}
	}
	return words
}

func (*Game) Kind() game.Kind { return Kind }
func (*Game) Races() bool     { return true }
func (*Game) Attempts() int   { return wordle.Attempts }

func (g *Game) New(_ context.Context, n game.NewGame) (game.State, error) {
	return wordle.NewState(g.Pick(n), n.Hard), nil
}

// Given takes any word, listed or not.
func (g *Game) Given(typed string) (game.State, error) {
	w, err := wordle.ParseWord(typed)
	return wordle.NewState(w, marks.Off), err
}

func (g *Game) Guess(s game.State, typed string) (game.State, error) {
	own := s.(wordle.State)
	w, err := g.Allowed(typed, own.Hidden())
	if err != nil {
		return nil, err
	}
	return own.Guess(w)
}

func (g *Game) Hint(ctx context.Context, m game.Match, kind game.HintKind, pick game.Pick, never []string) (game.HintContent, error) {
	s := m.State.(wordle.State)
	switch kind {
	case game.HintLetter:
		return Letter(s.Hidden(), s.Turns(), m.Hints, pick)
	case game.HintPosition:
		return position(s.Hidden(), s.Turns(), m.Hints, pick)
	case game.HintSuggestion:
		suggestion, err := g.solver.Suggest(ctx, optimal.Position{Turns: s.Turns(), Hard: s.Hard(), Limit: wordle.Attempts, Never: WordsOf(never)})
		return suggestion, matchError(err)
	}
	return nil, fmt.Errorf("%q: %w", kind, game.ErrHint)
}

func (g *Game) Review(ctx context.Context, m game.Match) (game.Review, error) {
	s := m.State.(wordle.State)
	r, err := g.solver.Review(ctx, optimal.Played{Turns: s.Turns(), Hard: s.Hard(), Hidden: s.Hidden()})
	return r, matchError(err)
}

func (g *Game) Remaining(_ context.Context, s game.State) ([]game.Possible, error) {
	return game.OnOneBoard(g.solver.CountRemaining(s.(wordle.State).Turns())), nil
}

func (*Game) Difficulty(context.Context, game.State) (string, error) { return "", nil }

// Letter gives away a copy of a letter that neither feedback nor an earlier hint has shown. The choice is random: a fixed
// order would give away more than the letter.
func Letter(hidden wordle.Word, turns []wordle.Turn, hints []game.Hint, pick game.Pick) (game.HintContent, error) {
	known := map[byte]int{}
	for i, k := range knownPositions(turns, hints) {
		if k {
			known[hidden.Letter(i)]++
		}
	}
	for letter, n := range copies(turns) {
		known[letter] = max(known[letter], n)
	}
	for _, h := range hints {
		if h, ok := h.Content.(LetterHint); ok {
			known[h.Letter[0]] = max(known[h.Letter[0]], h.Times)
		}
	}
	var unknown []byte
	count := map[byte]int{}
	for i := range wordle.Length {
		letter := hidden.Letter(i)
		if count[letter]++; count[letter] > known[letter] {
			unknown = append(unknown, letter)
		}
	}
	if len(unknown) == 0 {
		return nil, game.ErrAllKnown
	}
	letter := unknown[pick(len(unknown))]
	return LetterHint{Letter: string(letter), Times: known[letter] + 1}, nil
}

// copies returns the least number of each letter in the word, by the feedback.
func copies(turns []wordle.Turn) map[byte]int {
	all := map[byte]int{}
	for _, t := range turns {
		coloured := map[byte]int{}
		for i := range wordle.Length {
			if letter := t.Guess.Letter(i); t.Feedback.Mark(i) != wordle.Black {
				coloured[letter]++
				all[letter] = max(all[letter], coloured[letter])
			}
		}
	}
	return all
}

// position picks a position that is neither green nor given by an earlier hint.
func position(hidden wordle.Word, turns []wordle.Turn, hints []game.Hint, pick game.Pick) (game.HintContent, error) {
	var unknown []int
	for i, k := range knownPositions(turns, hints) {
		if !k {
			unknown = append(unknown, i)
		}
	}
	if len(unknown) == 0 {
		return nil, game.ErrAllKnown
	}
	i := unknown[pick(len(unknown))]
	return PositionHint{Letter: string(hidden.Letter(i)), Position: i + 1}, nil
}

func knownPositions(turns []wordle.Turn, hints []game.Hint) (known [wordle.Length]bool) {
	for _, t := range turns {
		for i := range known {
			known[i] = known[i] || t.Feedback.Mark(i) == wordle.Green
		}
	}
	for _, h := range hints {
		if h, ok := h.Content.(PositionHint); ok {
			known[h.Position-1] = true
		}
	}
	return known
}

func matchError(err error) error {
	return game.Translate(game.Translate(err, optimal.ErrNothingFits, game.ErrNothingFits), parallel.ErrBusy, game.ErrBusy)
}
