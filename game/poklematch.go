package game

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"fivefold/game/pokle"
)

// firstDay is the day of daily puzzle number 1. Days are those of UTC.
var firstDay = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Today returns the number of today's daily puzzle.
func (m *Manager) Today() int {
	return int(m.now().Sub(firstDay)/(24*time.Hour)) + 1
}

// StartPokle opens a match of the poker game: in the channel or, in the other
// modes, for the player alone. The daily puzzle is the same for everybody. The
// error is [ErrRunning] or [ErrPlayed], each with the match that is there, or one
// of the store or the context's.
func (m *Manager) StartPokle(ctx context.Context, o Origin, mode Mode) (Match, error) {
	var (
		table = Table{Kind: Pokle, Channel: o.Place.Channel}
		seed  = func() uint64 { return uint64(m.pick(math.MaxInt)) }
		day   int
	)
	switch mode {
	case Solo:
		table = Table{Kind: Pokle, Player: o.Player}
	case Daily:
		day = m.Today()
		table = Table{Kind: Pokle, Player: o.Player, Day: day}
		seed = func() uint64 { return uint64(day) }
	}
	return m.change(ctx, o, table, func(ctx context.Context) (Change, Match, error) {
		if current, err := m.vacant(ctx, table); err != nil {
			return Change{}, current, err
		}
		puzzle, err := m.Boards.Generate(ctx, seed())
		if err != nil {
			return Change{}, Match{}, err
		}
		return Change{Match: Match{
			ID:      MatchID(o.Request),
			Place:   o.Place,
			Starter: o.Player,
			Started: m.now(),
			Mode:    mode,
			Day:     day,
			Pokle:   pokle.NewState(puzzle.Deal, puzzle.Hidden),
		}}, Match{}, nil
	})
}

// PokleTable returns the table of the poker game that a player means who has named
// a mode, or none. Without one it is where a match is being played that belongs to
// the channel, or that the player began here; where there is more than one, the
// error is [ErrWhich]; and where there is none, it is the one where a match ended
// last. Yesterday's daily puzzle counts until it is over, or today's is begun.
// The table returned may never have seen a match. Other errors are the store's.
func (m *Manager) PokleTable(ctx context.Context, o Origin, mode *Mode) (Table, error) {
	channel := ChannelTable(Pokle, o.Place.Channel)
	solo := Table{Kind: Pokle, Player: o.Player}
	today := Table{Kind: Pokle, Player: o.Player, Day: m.Today()}
	yesterday := today
	yesterday.Day--
	switch {
	case mode == nil:
	case *mode == Solo:
		return solo, nil
	case *mode == Together:
		return channel, nil
	}
	daily, err := m.firstPlayed(ctx, today, yesterday)
	if err != nil || mode != nil {
		return daily, err
	}
	var (
		playing []Table
		found   = channel
		last    time.Time
	)
	for _, t := range []Table{channel, solo, daily} {
		match, err := m.Store.Load(ctx, t)
		switch {
		case errors.Is(err, ErrNoMatch) || err == nil && match.Place != o.Place:
		case err != nil:
			return Table{}, err
		case match.Status() == Playing:
			playing = append(playing, t)
		case match.Ended().After(last):
			found, last = t, match.Ended()
		}
	}
	switch len(playing) {
	case 0:
		return found, nil
	case 1:
		return playing[0], nil
	}
	return Table{}, ErrWhich
}

// firstPlayed returns the table of today's puzzle if that was begun, else that of
// yesterday's if it is still being played, else today's.
func (m *Manager) firstPlayed(ctx context.Context, today, yesterday Table) (Table, error) {
	_, err := m.Store.Load(ctx, today)
	if !errors.Is(err, ErrNoMatch) {
		return today, err
	}
	match, err := m.Store.Load(ctx, yesterday)
	switch {
	case err == nil && match.Status() == Playing:
		return yesterday, nil
	case errors.Is(err, ErrNoMatch):
		err = nil
	}
	return today, err
}

// GuessPokle makes a guess in the table's match of the poker game. The error is
// [ErrNoMatch], [ErrEnded], one of pokle.State.Guess, or one of the store; the
// match with it is as it stands.
func (m *Manager) GuessPokle(ctx context.Context, o Origin, t Table, b pokle.Board) (Match, error) {
	return m.update(ctx, o, t, func(match Match) (Match, error) {
		if match.Status() != Playing {
			return match, ErrEnded
		}
		state, err := match.Pokle.Guess(b)
		if err != nil {
			return match, err
		}
		match.Pokle = state
		return m.withMove(match, o), nil
	})
}

// HintPokle gives the table a board to guess next, as [Manager.Hint] does with
// words. The error is [ErrNoMatch], [ErrEnded], one of the store, or one of the
// solver.
func (m *Manager) HintPokle(ctx context.Context, o Origin, t Table) (Match, error) {
	return m.suggest(ctx, o, t, func(ctx context.Context, match Match) (Hint, error) {
		s, err := m.Boards.Suggest(ctx, match.Position())
		return Hint{Kind: HintSuggestion, Board: &s}, err
	})
}

// Secret reports whether others are still to find what was hidden in a finished
// match: in that of today's daily puzzle.
func (m *Manager) Secret(r Result) bool { return r.Day != 0 && r.Day >= m.Today() }

// Answer names what was hidden in a finished match, as everybody may see it: today's
// daily puzzle is only named by its number, since others are still to find its board.
func (m *Manager) Answer(r Result) string {
	switch {
	case r.Kind == Wordle:
		return r.Hidden.String()
	case m.Secret(r):
		return fmt.Sprintf("daily puzzle %d", r.Day)
	}
	return r.Board.String()
}
