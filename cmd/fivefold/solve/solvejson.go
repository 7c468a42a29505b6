package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
)

// question is a program's question about a word puzzle.
type question struct {
	Guesses  []string       `json:"guesses"`
	Feedback []string       `json:"feedback"`
	Hard     marks.Hardness `json:"hard"`
	Limit    int            `json:"limit"`
	BudgetMS float64        `json:"budget_ms"`
	Top      int            `json:"top"`
}

// answer answers a question.
type answer struct {
	Word        string       `json:"word"`
	Total       *int         `json:"total"`
	Proven      bool         `json:"proven"`
	Remaining   int          `json:"remaining"`
	Candidates  []string     `json:"candidates"`
	Suggestions []suggestion `json:"suggestions"`
	ElapsedMS   float64      `json:"elapsed_ms"`
}

type suggestion struct {
	Word     string  `json:"word"`
	Possible bool    `json:"possible"`
	Expected float64 `json:"expected"`
	Entropy  float64 `json:"entropy"`
	Groups   int     `json:"groups"`
	Worst    int     `json:"worst"`
	Total    *int    `json:"total"`
	Proven   bool    `json:"proven"`
}

const (
	maxTurns        = 100                    // in a question
	defaultBudgetMS = 10_000                 // enough for nearly all questions but proving an opener
	maxBudgetMS     = 365 * 24 * 3600 * 1000 // longer budgets are cut
	maxCandidates   = 10                     // in an answer
)

// wordSolver answers questions about words.
type wordSolver struct {
	solver   *optimal.Solver
	strategy string // one of [optimal.StrategyNames]
}

// answer answers a question in JSON. If its time is up, the optimal strategy answers with what it has, others with an
// error.
func (w wordSolver) answer(ctx context.Context, text []byte) (any, error) {
	var q question
	if err := parseObject(text, &q); err != nil {
		return nil, err
	}
	p, err := q.position()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, q.budget())
	defer cancel()
	var s optimal.Solution
	if w.strategy == optimal.Optimal {
		s, err = w.solver.Solve(ctx, p, optimal.Effort{Top: q.Top})
	} else {
		s.Remaining = w.solver.Remaining(p.Turns)
		strategy, _ := w.solver.Strategy(w.strategy) // the flag was checked
		s.Suggestions, err = strategy(ctx, p, optimal.MaxSuggestions)
	}
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("there was no time to compare all guesses; give it more than %v", q.budget())
	}
	if err != nil {
		return nil, explainSolver(err)
	}
	a := answer{
		Word: lower(s.Suggestions[0].Word), Proven: s.Suggestions[0].Proven, Remaining: len(s.Remaining), Total: orNull(s.Suggestions[0].Total),
		Candidates: bot.Each(s.Remaining[:min(len(s.Remaining), maxCandidates)], lower),
		ElapsedMS:  float64(time.Since(start).Microseconds()) / 1000,
	}
	for _, g := range s.Suggestions {
		a.Suggestions = append(a.Suggestions, suggestion{
			Word: lower(g.Word), Possible: g.Possible, Expected: g.Expected, Entropy: g.Entropy,
			Groups: g.Groups, Worst: g.Worst, Total: orNull(g.Total), Proven: g.Proven,
		})
	}
	return a, nil
}

// budget returns how long the search may take.
func (q question) budget() time.Duration {
	ms := min(cmp.Or(q.BudgetMS, defaultBudgetMS), maxBudgetMS)
	return time.Duration(ms * float64(time.Millisecond))
}

// position returns the position that the question is about. The error is a sentence.
func (q question) position() (optimal.Position, error) {
	p := optimal.Position{Hard: q.Hard, Limit: q.Limit}
	switch {
	case len(q.Guesses) != len(q.Feedback):
		return p, fmt.Errorf("each guess needs its feedback; guesses: %d, feedback: %d", len(q.Guesses), len(q.Feedback))
	case len(q.Guesses) > maxTurns:
		return p, fmt.Errorf("there are more than %d guesses", maxTurns)
	case q.Limit < 0:
		return p, errors.New("limit must not be negative; 0 means any number of guesses")
	case q.BudgetMS < 0:
		return p, errors.New("budget_ms must not be negative; without it the search may take ten seconds")
	case q.Top < 0 || q.Top > optimal.MaxSuggestions:
		return p, fmt.Errorf("top must be from 1 to %d", optimal.MaxSuggestions)
	}
	var typed []wordle.Typed
	for i, guess := range q.Guesses {
		typed = append(typed, wordle.Typed{Guess: guess, Feedback: q.Feedback[i]})
	}
	var err error
	p.Turns, err = readUnfinished(typed, q.Limit)
	return p, err
}

func lower(w wordle.Word) string { return strings.ToLower(w.String()) }

func orNull(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}
