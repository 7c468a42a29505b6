// Package wordgame is the word game as a kind: its rules, codec and face.
package wordgame

import (
	"context"
	"errors"
	"fmt"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/parallel"
)

// Kind is the kind of the word game.
const Kind game.Kind = "wordle"

// LetterHint gives away a letter of the hidden word.
type LetterHint struct {
	Letter byte // 'A' to 'Z'
	Times  int  // how many copies of it are known with this hint
}

// PositionHint gives away the letter at a position of the hidden word.
type PositionHint struct {
	Letter   byte // 'A' to 'Z'
	Position int  // from 1
}

// Rules returns the rules of the word game. A hidden word does not come again until half
// as many others have come as there are answers.
func Rules(lists *wordle.Lists, c *solver.Solver) game.Rules {
	return game.Rules{
		Kind:     Kind,
		Races:    true,
		NoRepeat: len(lists.Answers()) / 2,
		New: func(_ context.Context, g game.NewGame) (game.State, error) {
			recent := map[wordle.Word]bool{}
			for _, answer := range g.Avoid {
				w, _ := wordle.ParseWord(answer) // the lists have no zero word
				recent[w] = true
			}
			var fresh []wordle.Word
			for _, answer := range lists.Answers() {
				if !recent[answer] {
					fresh = append(fresh, answer)
				}
			}
			return wordle.NewState(fresh[g.Pick(len(fresh))], g.Hard), nil
		},
		Guess: func(s game.State, typed string) (game.State, error) {
			own := s.(wordle.State)
			w, err := readGuess(lists, own.Hidden(), typed)
			if err != nil {
				return nil, err
			}
			return own.Guess(w)
		},
		Hint: func(ctx context.Context, m game.Match, kind game.HintKind, pick game.Pick) (game.HintContent, error) {
			s := m.State.(wordle.State)
			switch kind {
			case game.HintLetter:
				return letter(s, m.Hints, pick)
			case game.HintPosition:
				return position(s, m.Hints, pick)
			case game.HintSuggestion:
				suggestion, err := c.Suggest(ctx, solver.Position{Turns: s.Turns(), Hard: s.Hard(), Limit: wordle.Attempts})
				return suggestion, matchError(err)
			}
			return nil, fmt.Errorf("%q: %w", kind, game.ErrHint)
		},
		Review: func(ctx context.Context, m game.Match) (game.Review, error) {
			s := m.State.(wordle.State)
			r, err := c.Review(ctx, solver.Played{Turns: s.Turns(), Hard: s.Hard(), Hidden: s.Hidden()})
			return r, matchError(err)
		},
		Left: func(_ context.Context, s game.State) ([]int, error) {
			return c.CountRemaining(s.(wordle.State).Turns()), nil
		},
	}
}

// letter picks a copy of a letter that neither feedback nor an earlier hint has
// shown. Chance decides which one: a fixed order would give away more than the letter.
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
			known[h.Letter] = max(known[h.Letter], h.Times)
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
	return LetterHint{Letter: letter, Times: known[letter] + 1}, nil
}

// copies is how many of each letter the word has at least, by the feedback.
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

// position picks a position that is neither green nor shown by an earlier hint.
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
	return PositionHint{Letter: s.Hidden().Letter(i), Position: i + 1}, nil
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

// ErrUnknownWord: the guess is a word of five letters, but not in the list.
var ErrUnknownWord = errors.New("not in the list of guesses")

func matchError(err error) error {
	return game.Also(game.Also(err, solver.ErrNothingFits, game.ErrNothingFits), parallel.ErrBusy, game.ErrBusy)
}
