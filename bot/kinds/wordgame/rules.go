package wordgame

import (
	"context"
	"fmt"
	"maps"
	"slices"

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

func (*Game) Kind() game.Kind { return Kind }
func (*Game) Races() bool     { return true }
func (*Game) Attempts() int   { return wordle.Attempts }

// NoRepeat returns half the number of answers: a hidden word returns only after as many others.
func (g *Game) NoRepeat() int { return len(g.lists.Answers()) / 2 }

func (g *Game) New(_ context.Context, n game.NewGame) (game.State, error) {
	never, recent := wordsOf(n.Never), wordsOf(n.Avoid)
	free := slices.DeleteFunc(slices.Clone(g.lists.Answers()), func(w wordle.Word) bool { return never[w] })
	fresh := slices.DeleteFunc(slices.Clone(free), func(w wordle.Word) bool { return recent[w] })
	for _, list := range [][]wordle.Word{free, g.lists.Answers()} { // an operator's list can be short
		if len(fresh) == 0 {
			fresh = list
		}
	}
	return wordle.NewState(fresh[n.Pick(len(fresh))], n.Hard), nil
}

// wordsOf returns words by their text.
func wordsOf(texts []string) map[wordle.Word]bool {
	words := map[wordle.Word]bool{}
	for _, text := range texts {
		w, _ := wordle.ParseWord(text) // the lists have no zero word
		words[w] = true
	}
	return words
}

// Given takes any word, listed or not.
func (g *Game) Given(typed string) (game.State, error) {
	w, err := wordle.ParseWord(typed)
	return wordle.NewState(w, marks.Off), err
}

func (g *Game) Guess(s game.State, typed string) (game.State, error) {
	own := s.(wordle.State)
	w, err := wordle.ParseWord(typed)
	if err == nil {
		err = g.allows(own.Hidden(), w)
	}
	if err != nil {
		return nil, err
	}
	return own.Guess(w)
}

// allows refuses a guess that is not in the list. If the hidden word is unlisted too, only offensive guesses are
// refused.
func (g *Game) allows(hidden, w wordle.Word) error {
	if g.lists.CanGuess(w) || w == hidden || !g.lists.CanGuess(hidden) && clue.Check(w.String(), "") == nil {
		return nil
	}
	return &UnlistedError{w}
}

func (g *Game) Hint(ctx context.Context, m game.Match, kind game.HintKind, pick game.Pick, never []string) (game.HintContent, error) {
	s := m.State.(wordle.State)
	switch kind {
	case game.HintLetter:
		return letter(s, m.Hints, pick)
	case game.HintPosition:
		return position(s, m.Hints, pick)
	case game.HintSuggestion:
		suggestion, err := g.solver.Suggest(ctx, optimal.Position{Turns: s.Turns(), Hard: s.Hard(), Limit: wordle.Attempts, Never: slices.Sorted(maps.Keys(wordsOf(never)))})
		return suggestion, matchError(err)
	}
	return nil, fmt.Errorf("%q: %w", kind, game.ErrHint)
}

func (g *Game) Review(ctx context.Context, m game.Match) (game.Review, error) {
	s := m.State.(wordle.State)
	r, err := g.solver.Review(ctx, optimal.Played{Turns: s.Turns(), Hard: s.Hard(), Hidden: s.Hidden()})
	return r, matchError(err)
}

func (g *Game) Remaining(_ context.Context, s game.State) ([]int, error) {
	return g.solver.CountRemaining(s.(wordle.State).Turns()), nil
}

func (*Game) Difficulty(context.Context, game.State) (string, error) { return "", nil }

// letter picks a copy of a letter that neither feedback nor an earlier hint has shown. The choice is random: a fixed
// order would give away more than the letter.
func letter(s wordle.State, hints []game.Hint, pick game.Pick) (game.HintContent, error) {
	known := map[byte]int{}
	for i, k := range knownPositions(s, hints) {
		if k {
			known[s.Hidden().Letter(i)]++
		}
	}
	for letter, n := range copies(s.Turns()) {
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
		letter := s.Hidden().Letter(i)
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
func position(s wordle.State, hints []game.Hint, pick game.Pick) (game.HintContent, error) {
	var unknown []int
	for i, k := range knownPositions(s, hints) {
		if !k {
			unknown = append(unknown, i)
		}
	}
	if len(unknown) == 0 {
		return nil, game.ErrAllKnown
	}
	i := unknown[pick(len(unknown))]
	return PositionHint{Letter: string(s.Hidden().Letter(i)), Position: i + 1}, nil
}

func knownPositions(s wordle.State, hints []game.Hint) (known [wordle.Length]bool) {
	for _, t := range s.Turns() {
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
