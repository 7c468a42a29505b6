package solve

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

// fedError means that a puzzle is the position of the daily puzzle that its player has open, so that help
// with it is a hint there.
type fedError struct {
	daily game.Match
	hint  bot.Span // the command that takes that hint
}

func (e *fedError) Error() string { return fmt.Sprintf("it is the position of %v", e.daily) }

// GuardDailies has players helped with no position of a daily puzzle, nor with what may follow it. Once the
// puzzle has given a suggestion, they are helped with that position. Open returns the daily match of a kind that a
// player is playing, a zero one for none.
func (h *Handlers) GuardDailies(open func(context.Context, game.PlayerID, game.Kind) (game.Match, error)) {
	h.Words.Guard = func(ctx context.Context, player game.PlayerID, p solve.WordPuzzle) error {
		m, err := open(ctx, player, wordgame.Kind)
		if s, ok := m.State.(wordle.State); err == nil && ok && h.samePosition(s.Turns(), p.Turns) && !(m.Suggested() && within(p.Turns, s.Turns())) {
			err = &fedError{m, bot.Slash(wordgame.Commands.Hint, "kind", string(game.HintSuggestion), "mode", face.ModeName(game.Daily))}
		}
		return err
	}
	h.Boards.Guard = func(ctx context.Context, player game.PlayerID, p solve.BoardPuzzle) error {
		m, err := open(ctx, player, pokergame.Kind)
		if s, ok := m.State.(pokle.State); err == nil && ok && sameDeal(s.Deal(), p.Setup.Deal) && !(m.Suggested() && within(p.Turns, s.Guesses())) {
			err = &fedError{m, bot.Slash(pokergame.Commands.Hint, "mode", face.ModeName(game.Daily))}
		}
		return err
	}
}

// within reports whether a daily puzzle has all lines that a player typed.
func within[T comparable](typed, daily []T) bool {
	return !slices.ContainsFunc(typed, func(t T) bool { return !slices.Contains(daily, t) })
}

// samePosition reports whether lines that a player typed have a line of a daily puzzle, whatever else they have, or
// say the same of the word. The first line alone is no sign once others follow it: players begin their other
// puzzles with that word, too.
func (h *Handlers) samePosition(daily, typed []wordle.Turn) bool {
	if len(daily) == 0 || len(typed) == 0 {
		return false
	}
	signs := daily[min(1, len(daily)-1):]
	if slices.ContainsFunc(typed, func(t wordle.Turn) bool { return slices.Contains(signs, t) }) {
		return true
	}
	left := h.Words.Solver.Possible(daily)
	return len(left) > 0 && slices.EqualFunc(left, h.Words.Solver.Possible(typed), func(a, b weighted.Possible) bool { return a.Word == b.Word })
}

// sameDeal reports whether two deals are the same, whatever the order of the players.
func sameDeal(a, b pokle.Deal) bool {
	type player struct {
		cards  pokle.Cards
		places [pokle.Streets]uint8
	}
	players := func(d pokle.Deal) map[player]bool {
		all := map[player]bool{}
		for i, hole := range d.Holes {
			p := player{cards: hole.Cards()}
			for s, places := range d.Places {
				p.places[s] = places[i]
			}
			all[p] = true
		}
		return all
	}
	return maps.Equal(players(a), players(b))
}

// fedReply says that help would be a hint in a daily puzzle, with a button that takes it; or, if that position has
// one, that the puzzle typed goes on from there.
func fedReply(fed *fedError) bot.Reply {
	m := fed.daily
	number, _ := m.Puzzle.Daily()
	if m.Suggested() {
		return bot.Ephemeral(bot.Text(bot.Bold(fmt.Sprintf("This goes on from your position in daily puzzle %d,", number)), " where help counts as a hint. Make your next guess there first."))
	}
	line := bot.Text(bot.Bold(fmt.Sprintf("This is your position in daily puzzle %d,", number)), " so help with it counts as a hint there.")
	left, limited := m.HintsLeft()
	none := limited && left == 0
	switch {
	case none:
		line = line.With(" ").Append(face.NoHints(m.HintLimit))
	case face.HintCosts(m):
		line = line.With(" " + face.HintCost)
	}
	reply := bot.Ephemeral(line)
	if m.Kind == wordgame.Kind { // two deals are never the same
		reply.Lines = append(reply.Lines, bot.Text("If it is another puzzle, finish the daily first."))
	}
	if none {
		return reply
	}
	reply.Lines = append(reply.Lines, bot.Text("Take it with ", fed.hint, ".").AsTyped())
	b := bot.Button{Label: "Take a hint", Command: fed.hint.Command, Args: face.MatchArgs(m)}
	b.Args[face.ArgSure] = "yes"
	return reply.Row(b)
}
