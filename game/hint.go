package game

import (
	"context"
	"errors"
	"slices"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
)

// HintKind is what a player asks for.
type HintKind string

// The kinds of hints. A suggestion is computed from guesses and feedback only;
// the others give away a part of the hidden word.
const (
	HintSuggestion HintKind = "suggestion"
	HintLetter     HintKind = "letter"
	HintPosition   HintKind = "position"
)

// Hint is help that was given, and to whom.
type Hint struct {
	Kind    HintKind
	Player  PlayerID
	At      time.Time
	Version uint64 // of the match, after the hint
	After   int    // how many guesses had been made

	// Letter is set for letters and positions, 'A' to 'Z'.
	Letter byte
	// Times is how many copies of Letter are known with this hint, for letters.
	Times int
	// Position is the place of Letter, from 1, for positions.
	Position int
	// One of these is set for suggestions, by the match's kind.
	Suggestion *solver.Suggestion
	Board      *boards.Suggestion
}

// ErrAllKnown says that there is nothing left to give away.
var ErrAllKnown = errors.New("nothing left to give away")

// Hint gives the channel a hint for the word game and records who took it. The hint
// is the last of the match returned.
//
// A suggestion that was already given for the same board is given again without
// being counted; the search for a new one runs outside the channel's lock, for
// as long as ctx allows. The error is [ErrNoMatch], [ErrEnded], [ErrAllKnown]
// for a letter or position when every one is known, one of the store, or one of
// the solver.
func (m *Manager) Hint(ctx context.Context, o Origin, kind HintKind) (Match, error) {
	table := ChannelTable(Wordle, o.Place.Channel)
	if kind == HintSuggestion {
		return m.suggest(ctx, o, table, m.suggestWord)
	}
	return m.update(ctx, o, table, func(match Match) (Match, error) {
		if match.Status() != Playing {
			return match, ErrEnded
		}
		var (
			h  Hint
			ok bool
		)
		if kind == HintPosition {
			h, ok = m.position(match)
		} else {
			h, ok = m.letter(match)
		}
		if !ok {
			return match, ErrAllKnown
		}
		return m.withHint(match, o, h), nil
	})
}

// errMoved says that the board changed while a suggestion was computed, or that
// somebody else's suggestion for it came first.
var errMoved = errors.New("the board changed during the search")

// suggestWord searches for the hint of a match of the word game.
func (m *Manager) suggestWord(ctx context.Context, match Match) (Hint, error) {
	s, err := m.Solver.Suggest(ctx, solver.Position{
		Turns: match.Wordle.Turns(), Hard: match.Wordle.Hard(), Limit: wordle.Attempts,
	})
	return Hint{Kind: HintSuggestion, Suggestion: &s}, err
}

// suggest gives the table a suggestion, which the search finds.
func (m *Manager) suggest(ctx context.Context, o Origin, t Table, search func(context.Context, Match) (Hint, error)) (Match, error) {
	if err := o.Check(); err != nil {
		return Match{}, err
	}
	for {
		if seen, ok, err := m.repeated(ctx, o, t); ok || err != nil {
			return seen, err
		}
		match, err := m.Board(ctx, t)
		if err != nil {
			return match, err
		}
		if match.Status() != Playing {
			return match, ErrEnded
		}
		if given, ok := given(match); ok {
			return given, nil
		}
		hint, err := search(ctx, match)
		if err != nil {
			return match, err
		}
		next, err := m.update(ctx, o, t, func(now Match) (Match, error) {
			_, given := given(now)
			if given || now.ID != match.ID || now.Used() != match.Used() || now.Status() != Playing {
				return now, errMoved
			}
			return m.withHint(now, o, hint), nil
		})
		if !errors.Is(err, errMoved) {
			return next, err
		}
	}
}

// given returns the match with a suggestion for the present board moved to the
// end of its hints, when there is one.
func given(match Match) (Match, bool) {
	for i, h := range match.Hints {
		if h.Kind == HintSuggestion && h.After == match.Used() {
			match.Hints = append(slices.Delete(slices.Clone(match.Hints), i, i+1), h)
			return match, true
		}
	}
	return match, false
}

func (m *Manager) withHint(match Match, o Origin, h Hint) Match {
	h.Player = o.Player
	h.At = m.now()
	h.Version = match.Version + 1
	h.After = match.Used()
	match.Hints = append(slices.Clip(match.Hints), h)
	return match
}

// letter picks a copy of a letter that neither feedback nor an earlier hint has
// shown. Which one is left to chance: a fixed order would tell more than the
// letter.
func (m *Manager) letter(match Match) (Hint, bool) {
	hidden := match.Wordle.Hidden()
	known := map[byte]int{}
	for i, k := range knownPlaces(match) {
		if k {
			known[hidden.Letter(i)]++
		}
	}
	for _, t := range match.Wordle.Turns() {
		coloured := map[byte]int{}
		for i := range wordle.Length {
			if t.Feedback.Mark(i) != wordle.Black {
				coloured[t.Guess.Letter(i)]++
			}
		}
		for letter, n := range coloured {
			known[letter] = max(known[letter], n)
		}
	}
	for _, h := range match.Hints {
		if h.Kind == HintLetter {
			known[h.Letter] = max(known[h.Letter], h.Times)
		}
	}
	var unknown []byte
	seen := map[byte]int{}
	for i := range wordle.Length {
		letter := hidden.Letter(i)
		if seen[letter]++; seen[letter] > known[letter] {
			unknown = append(unknown, letter)
		}
	}
	if len(unknown) == 0 {
		return Hint{}, false
	}
	letter := unknown[m.pick(len(unknown))]
	return Hint{Kind: HintLetter, Letter: letter, Times: known[letter] + 1}, true
}

// position picks a place that is neither green nor told by an earlier hint.
func (m *Manager) position(match Match) (Hint, bool) {
	var unknown []int
	for i, k := range knownPlaces(match) {
		if !k {
			unknown = append(unknown, i)
		}
	}
	if len(unknown) == 0 {
		return Hint{}, false
	}
	i := unknown[m.pick(len(unknown))]
	return Hint{Kind: HintPosition, Letter: match.Wordle.Hidden().Letter(i), Position: i + 1}, true
}

// knownPlaces tells which places are green or told by a hint.
func knownPlaces(match Match) (known [wordle.Length]bool) {
	for _, t := range match.Wordle.Turns() {
		for i := range known {
			known[i] = known[i] || t.Feedback.Mark(i) == wordle.Green
		}
	}
	for _, h := range match.Hints {
		if h.Kind == HintPosition {
			known[h.Position-1] = true
		}
	}
	return known
}
