package storagetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/solver/grade"
	"fivefold/storage/record"
	"fivefold/storage/storagetest/toy"
)

// Game is a kind of game as the suites play it.
type Game struct {
	Codec record.Codec
	// Answers are seven answers, as in [game.State]. Each can be guessed, whichever of them is hidden.
	Answers []string
	// New returns a game in which one of the answers is hidden.
	New func(answer string) game.State
	// Move guesses one of the answers.
	Move func(answer string) func(game.State) (game.State, error)
	// Hints are a hint of each type, with their kind and content only.
	Hints []game.Hint
	// Review returns a review of nothing in particular.
	Review func(skill float64) game.Review
}

// Games returns every kind of game, and a [toy].
func Games() []Game { return []Game{Wordle, Pokle, Toy} }

// The kinds of games as the suites play them.
var (
	Wordle = Game{
		Codec:   wordgame.Codec,
		Answers: []string{"SLATE", "BRICK", "SHAVE", "MOUND", "FUZZY", "GRAPE", "CRANE"},
		New: func(answer string) game.State {
			return wordgame.State{State: wordle.NewState(wordle.MustParse(answer), false)}
		},
		Move: func(answer string) func(game.State) (game.State, error) {
			return func(s game.State) (game.State, error) {
				next, err := s.(wordgame.State).Guess(wordle.MustParse(answer))
				return wordgame.State{State: next}, err
			}
		},
		Hints: []game.Hint{
			{Kind: game.HintLetter, Content: wordgame.LetterHint{Letter: 'C', Times: 1}},
			{Kind: game.HintPosition, Content: wordgame.PositionHint{Letter: 'R', Position: 2}},
			{Kind: game.HintSuggestion, Content: solver.Suggestion{
				Word: wordle.MustParse("crane"), Possible: true, Remaining: 29, Expected: 3.5, Entropy: 3.25, Groups: 13, Worst: 6, Total: 66, Proven: true,
			}},
		},
		Review: reviewed(wordle.MustParse("crane")),
	}
	Pokle = Game{
		Codec: pokergame.Codec,
		Answers: []string{
			"3C 4C 5C 6C 7C", "3D 4D 5D 6D 7D", "3S 4S 5S 6S 7S", "AC AD AS JC JD", "8C 8D 8S 2C 3C", "9C 9D 9S KC KD", "2C 9C 10C KC 2D",
		},
		New: func(answer string) game.State {
			b := mustBoard(answer)
			return pokergame.State{State: pokle.NewState(pokle.NewDeal(holes, b), b)}
		},
		Move: func(answer string) func(game.State) (game.State, error) { return pokergame.Move(mustBoard(answer)) },
		Hints: []game.Hint{{Kind: game.HintSuggestion, Content: boards.Suggestion{
			Board: mustBoard("2C 9C 10C KC 2D"), Remaining: 12, Entropy: 2.5, Guesses: 2.25, Proven: true,
		}}},
		Review: reviewed(mustBoard("2C 9C 10C KC 2D")),
	}
	Toy = Game{
		Codec:   toy.Codec,
		Answers: []string{"a", "z", "b", "y", "c", "x", "m"},
		New:     func(answer string) game.State { return toy.New(answer[0]) },
		Move:    func(answer string) func(game.State) (game.State, error) { return toy.Move(answer[0]) },
		Hints:   []game.Hint{{Kind: game.HintSuggestion, Content: toy.Hint{Letter: 'm'}}},
		Review:  reviewed("m"),
	}
)

// holes are those of all deals.
var holes = [pokle.Players]pokle.Hole{mustHole("QD QC"), mustHole("10H 2H"), mustHole("9H KH")}

// reviewed returns reviews of a game that a guess won.
func reviewed[G any](guess G) func(skill float64) game.Review {
	return func(skill float64) game.Review {
		turn := marks.Turn[G]{Guess: guess, Feedback: marks.AllGreen}
		return grade.Review[G]{
			Guesses: []grade.Judged[G]{{
				Turn: turn, Before: 7, After: 1, Expected: 9.0 / 7, Best: guess, BestExpected: 1, Skill: skill, Luck: 49.5, Cut: 2.807, Proven: true,
			}},
			Line: []marks.Turn[G]{turn},
		}
	}
}

func mustBoard(text string) pokle.Board {
	b, err := pokle.ParseBoard(text)
	if err != nil {
		panic(err)
	}
	return b
}

func mustHole(text string) pokle.Hole {
	h, err := pokle.ParseHole(text)
	if err != nil {
		panic(err)
	}
	return h
}

// Kind returns which kind of game it is.
func (g Game) Kind() game.Kind { return g.Codec.Kind }

// Epoch is when the suites' matches begin: whole milliseconds, as stored.
var Epoch = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// Match returns a new match that is played together, version 1, as
// [game.Manager.Start] commits it.
func (g Game) Match(id string, l game.Location, starter game.PlayerID, answer string) game.Match {
	return game.Match{
		ID: game.MatchID(id), Location: l, Version: 1, Starter: starter, Started: Epoch, Kind: g.Kind(), State: g.New(answer),
	}
}

// Personal turns a new match into one that its starter plays alone: the daily puzzle with
// a number, or a solo match for 0.
func Personal(m game.Match, daily int) game.Match {
	m.Mode = game.Solo
	if daily != 0 {
		m.Mode, m.Puzzle = game.Daily, game.DailyPuzzle(daily)
	}
	return m
}

// past turns a new match into one of the daily puzzle with a number that its starter plays for practice.
func past(m game.Match, number int) game.Match {
	m.Mode, m.Puzzle = game.Archive, game.DailyPuzzle(number)
	return m
}

// daily returns a player's finished match of the daily puzzle with a number, after so many wrong guesses:
// won, or given up for less than 0.
func (g Game) daily(tb testing.TB, l game.Location, p game.PlayerID, number, wrong int) game.Match {
	m := Personal(g.Match(fmt.Sprint("daily ", g.Kind(), " ", p, " ", number), l, p, g.hidden()), number)
	if wrong < 0 {
		return stop(m, p)
	}
	for i := range wrong {
		m = g.Guess(tb, m, p, g.wrong(i))
	}
	return g.Guess(tb, m, p, g.hidden())
}

// Guess returns the match after one more guess.
func (g Game) Guess(tb testing.TB, m game.Match, player game.PlayerID, answer string) game.Match {
	tb.Helper()
	state, err := g.Move(answer)(m.State)
	if err != nil {
		tb.Fatalf("%s: %v", answer, err)
	}
	m.Version++
	m.State = state
	m.Moves = append(slices.Clip(m.Moves), game.Move{Player: player, At: Epoch.Add(time.Second), Version: m.Version})
	return m
}

// hidden is the answer of most matches: the last one.
func (g Game) hidden() string { return g.Answers[len(g.Answers)-1] }

// wrong returns an answer other than the hidden one; n is from 0 to 5.
func (g Game) wrong(n int) string { return g.Answers[n] }

// hint returns the match after one more hint, each of another type than the one before.
func (g Game) hint(m game.Match, player game.PlayerID) game.Match {
	h := g.Hints[len(m.Hints)%len(g.Hints)]
	m.Version++
	h.Player, h.At, h.Version, h.After = player, Epoch.Add(2*time.Second), m.Version, m.Used()
	m.Hints = append(slices.Clip(m.Hints), h)
	return m
}

func stop(m game.Match, player game.PlayerID) game.Match {
	m.Version++
	m.Stop = &game.Stop{Player: player, At: Epoch.Add(3 * time.Second), Version: m.Version}
	return m
}
