package storage_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"fivefold/bot/kinds/toy"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/matches"
	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/storage"
)

// testGame is a kind of game as these tests play it. The last of its answers is hidden in most matches.
type testGame struct {
	kind    game.Kind
	answers []string // seven, each of which can be guessed, whichever is hidden
	start   func(answer string) game.State
	move    func(s game.State, answer string) (game.State, error)
	hints   []game.Hint // of each type one, with their kind and content only
	review  func(skill float64) game.Review
}

var (
	wordGame = testGame{
		kind:    wordgame.Kind,
		answers: []string{"SLATE", "BRICK", "SHAVE", "MOUND", "FUZZY", "GRAPE", "CRANE"},
		start: func(answer string) game.State {
			return wordle.NewState(wordle.MustParse(answer), marks.Off)
		},
		move: func(s game.State, answer string) (game.State, error) {
			return s.(wordle.State).Guess(wordle.MustParse(answer))
		},
		hints: []game.Hint{
			{Kind: game.HintLetter, Content: wordgame.LetterHint{Letter: "C", Times: 1}},
			{Kind: game.HintPosition, Content: wordgame.PositionHint{Letter: "R", Position: 2}},
		},
		review: reviewOf(wordle.MustParse("crane")),
	}
	toyGame = testGame{
		kind:    toy.Kind,
		answers: []string{"a", "z", "b", "y", "c", "x", "m"},
		start:   func(answer string) game.State { return toy.New(answer) },
		move:    toy.Game{}.Guess,
		hints:   []game.Hint{{Kind: game.HintSuggestion, Content: toy.Hint{Letter: "m"}}},
		review:  reviewOf("m"),
	}
	games = []testGame{wordGame, toyGame}
)

// reviewOf returns reviews of a game that a guess won.
func reviewOf[G any](guess G) func(skill float64) game.Review {
	return func(skill float64) game.Review {
		turn := marks.Turn[G]{Guess: guess, Feedback: marks.AllGreen}
		return grade.Review[G]{
			Guesses: []grade.Judged[G]{{Turn: turn, Before: 7, After: 1, Expected: 2, Best: guess, BestExpected: 1, Skill: skill, Luck: 49.5, Cut: 2.807, Proven: true}},
			Line:    []marks.Turn[G]{turn},
		}
	}
}

// epoch is when matches begin: whole milliseconds, as stored.
var epoch = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func (g testGame) hidden() string { return g.answers[len(g.answers)-1] }

// match returns a new match that is played together, as [matches.Manager.Start] commits it.
func (g testGame) match(id string, l game.Location, starter game.PlayerID) game.Match {
	return called(game.Match{ID: game.MatchID(id), Location: l, Version: 1, Starter: starter, Started: epoch, Kind: g.kind, State: g.start(g.hidden())}, starter)
}

// called returns a match with the display name of a player whom it names: as a manager does, the global one for a daily puzzle.
func called(m game.Match, player game.PlayerID) game.Match {
	return m.Calling(game.Origin{Player: player, Location: m.Location, Name: nickname(player), Global: globalName(player)})
}

// nickname and globalName are the display names of a player. No id contains one, and no name another one.
func nickname(p game.PlayerID) string   { return "Nick of " + string(p) + "." }
func globalName(p game.PlayerID) string { return "Name of " + string(p) + "." }

// alone turns a new match into one that its starter plays alone: the daily puzzle with a number, or a solo match for 0.
func alone(m game.Match, daily int) game.Match {
	m.Mode = game.Solo
	if daily != 0 {
		m.Mode, m.Puzzle = game.Daily, game.DailyPuzzle(daily)
	}
	return called(m, m.Starter)
}

// guess returns the match after one more guess.
func (g testGame) guess(tb testing.TB, m game.Match, player game.PlayerID, answer string) game.Match {
	tb.Helper()
	state, err := g.move(m.State, answer)
	if err != nil {
		tb.Fatalf("%s: %v", answer, err)
	}
	m.Version++
	m.State = state
	m.Moves = append(slices.Clip(m.Moves), game.Move{Player: player, At: epoch.Add(time.Second), Version: m.Version})
	return called(m, player)
}

// win returns the match after the guess that wins it.
func (g testGame) win(tb testing.TB, m game.Match, player game.PlayerID) game.Match {
	tb.Helper()
	return g.guess(tb, m, player, m.State.Answer())
}

// hint returns the match after one more hint, each of another type than the one before.
func (g testGame) hint(m game.Match, player game.PlayerID) game.Match {
	h := g.hints[len(m.Hints)%len(g.hints)]
	m.Version++
	h.Player, h.At, h.Version, h.After = player, epoch.Add(2*time.Second), m.Version, m.Used()
	m.Hints = append(slices.Clip(m.Hints), h)
	return called(m, player)
}

func stop(m game.Match, player game.PlayerID) game.Match {
	m.Version++
	m.Stop = &game.Stop{Player: player, At: epoch.Add(3 * time.Second), Version: m.Version}
	return called(m, player)
}

// later returns a match as if all of it had happened later.
func later(m game.Match, by time.Duration) game.Match {
	m.Started = m.Started.Add(by)
	m.Moves, m.Hints = slices.Clone(m.Moves), slices.Clone(m.Hints)
	for i := range m.Moves {
		m.Moves[i].At = m.Moves[i].At.Add(by)
	}
	for i := range m.Hints {
		m.Hints[i].At = m.Hints[i].At.Add(by)
	}
	if m.Stop != nil {
		stop := *m.Stop
		stop.At = stop.At.Add(by)
		m.Stop = &stop
	}
	return m
}

func request(m game.Match) game.RequestID {
	return game.RequestID(fmt.Sprintf("%s/%d", m.ID, m.Version))
}

// change returns the commit of a match, under a request of its own.
func change(m game.Match) matches.Change {
	return matches.Change{Match: m, Request: request(m), At: m.ChangedAt(m.Version)}
}

// mustCommit commits a match, again if what the store remembers is out of date, as a manager does.
func mustCommit(tb testing.TB, s *storage.Store, m game.Match) {
	tb.Helper()
	err := s.Commit(tb.Context(), change(m))
	if errors.Is(err, game.ErrConflict) {
		err = s.Commit(tb.Context(), change(m))
	}
	if err != nil {
		tb.Fatalf("committing %v: %v", m, err)
	}
}

// mustCommitAll commits every version of a match, from the first one on.
func mustCommitAll(tb testing.TB, s *storage.Store, m game.Match) {
	tb.Helper()
	for version := uint64(1); version <= m.Version; version++ {
		mustCommit(tb, s, m.Rewind(version))
	}
}
