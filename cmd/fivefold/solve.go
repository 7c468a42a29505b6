package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fivefold/game/wordle"
	"fivefold/solver"
)

// solveCommand is the subcommand solve.
func (p *program) solveCommand() *cobra.Command {
	var (
		asJSON   bool
		trees    string
		strategy string
		memory   int
		options  solver.Position
		budget   time.Duration
	)
	cmd := &cobra.Command{
		Use:   "solve [GUESS FEEDBACK]...",
		Short: "Say what to guess next, for people and for programs",
		Long: "Say what to guess next, after guesses and their feedback: five letters, b for\n" +
			"black (or grey), y for yellow and g for green. For example:\n\n" +
			"  fivefold solve slate bbgbg brick byybb\n\n" +
			"With --json, questions are read from standard input, a JSON object a line, and\n" +
			"answers are written to standard output, one a line:\n\n" +
			"  {\"guesses\":[\"crane\"],\"feedback\":[\"bbygb\"],\"hard\":false,\"limit\":6,\"budget_ms\":200}\n\n" +
			"limit counts the guesses made too; 0 or none means any number. Without budget_ms\n" +
			"the search goes on until its answer is proven, which may take long when many\n" +
			"words remain. top, from 1 to 10, is how many of the best guesses are to have\n" +
			"their totals worked out. In the answer, total is the least sum of guesses over\n" +
			"all remaining words, null if no play is sure to find each within the limit or\n" +
			"none was found in time. A bad line is answered by {\"error\":...,\"line\":n}.",
	}
	flags := cmd.Flags()
	lists := p.listFlags(cmd)
	flags.BoolVar(&asJSON, "json", false, "read questions from standard input, and answer them, as JSON")
	flags.StringVar(&trees, "trees", "", "files that \"fivefold tree\" wrote for the same lists, with commas between them")
	flags.StringVar(&strategy, "strategy", solver.Optimal, "how to choose: "+strings.Join(solver.StrategyNames(), ", "))
	flags.BoolVar(&options.Hard, "hard", false, "keep to hard mode")
	flags.IntVar(&options.Limit, "limit", wordle.Attempts, "how many guesses there are in all, 0 for any number")
	flags.DurationVar(&budget, "time", 2*time.Second, "how long to search at most")
	flags.IntVar(&memory, "memory", 128, "how many megabytes to spend on remembering what was found out")
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if asJSON && len(args) > 0 {
			return errors.New("with --json, guesses are read from standard input and not from the command line")
		}
		if len(args)%2 != 0 {
			return errors.New("each guess needs its feedback behind it, such as: fivefold solve crane bbygb")
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if asJSON {
			for _, name := range []string{"hard", "limit", "time"} {
				if flags.Changed(name) {
					return fmt.Errorf("with --json, every question says for itself what --%s says", name)
				}
			}
		}
		if memory < 1 {
			return errors.New("--memory must be at least 1")
		}
		lists, err := lists()
		if err != nil {
			return err
		}
		known, err := readTrees(lists, trees)
		if err != nil {
			return fmt.Errorf("--trees: %w", err)
		}
		a, err := newAdviser(solver.New(lists, known...), strategy, memory<<20)
		if err != nil {
			return err
		}
		if asJSON {
			return a.serve(cmd.Context(), p.in, p.out)
		}
		q := question{Hard: options.Hard, Limit: options.Limit, BudgetMS: float64(budget) / 1e6, Top: solver.MaxSuggestions}
		for i := 0; i < len(args); i += 2 {
			q.Guesses, q.Feedback = append(q.Guesses, args[i]), append(q.Feedback, args[i+1])
		}
		solution, err := a.solve(cmd.Context(), q)
		if err != nil {
			return err
		}
		return printSolution(p.out, solution)
	}
	return cmd
}

// question is what a program asks.
type question struct {
	Guesses  []string `json:"guesses"`
	Feedback []string `json:"feedback"`
	Hard     bool     `json:"hard"`
	Limit    int      `json:"limit"`
	BudgetMS float64  `json:"budget_ms"`
	Top      int      `json:"top"`
}

// answer is what it is told.
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

// failure is the answer to a bad line.
type failure struct {
	Error string `json:"error"`
	Line  int    `json:"line"`
}

const (
	// maxLine is how many bytes a question may have.
	maxLine = 1 << 16
	// maxTurns is how many guesses a question may have: more than anybody makes.
	maxTurns = 100
	// maxBudgetMS, a year, stands for all that is more.
	maxBudgetMS = 365 * 24 * 3600 * 1000
	// maxCandidates is how many remaining words an answer lists.
	maxCandidates = 10
)

// adviser answers questions.
type adviser struct {
	solver   *solver.Solver
	strategy solver.Strategy // nil for the optimal one
	memory   int
}

func newAdviser(s *solver.Solver, strategy string, memory int) (*adviser, error) {
	a := &adviser{solver: s, memory: memory}
	if strategy == solver.Optimal {
		return a, nil
	}
	var err error
	a.strategy, err = a.solver.Strategy(strategy, solver.StrategyOptions{})
	return a, err
}

// serve answers a question a line until there are no more or ctx ends.
func (a *adviser) serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := make(chan line)
	// The reader cannot be told to stop. When ctx ends it is left behind with the
	// one line that nobody will take.
	go readLines(ctx, in, lines)
	encoder := json.NewEncoder(out)
	for {
		select {
		case <-ctx.Done():
			return nil
		case l, more := <-lines:
			if !more {
				return nil
			}
			if l.err != nil && l.number == 0 {
				return fmt.Errorf("reading standard input: %w", l.err)
			}
			if err := encoder.Encode(a.reply(ctx, l)); err != nil {
				return fmt.Errorf("writing an answer: %w", err)
			}
		}
	}
}

// reply returns the answer to a line, or a failure.
func (a *adviser) reply(ctx context.Context, l line) any {
	err := l.err
	if err == nil {
		var q question
		if q, err = parseQuestion(l.text); err == nil {
			start := time.Now()
			var s solver.Solution
			if s, err = a.solve(ctx, q); err == nil {
				return newAnswer(s, time.Since(start))
			}
		}
	}
	return failure{err.Error(), l.number}
}

// line is a line of input. One that is too long has an error and its number; when
// nothing more can be read there is an error and no number.
type line struct {
	number int // from 1
	text   []byte
	err    error
}

// readLines sends the lines that are not empty and closes the channel at the end.
func readLines(ctx context.Context, in io.Reader, lines chan<- line) {
	defer close(lines)
	send := func(l line) {
		select {
		case lines <- l:
		case <-ctx.Done():
		}
	}
	r := bufio.NewReaderSize(in, maxLine)
	for number := 1; ctx.Err() == nil; number++ {
		text, err := r.ReadSlice('\n')
		l := line{number: number, text: bytes.TrimSpace(bytes.Clone(text))}
		if errors.Is(err, bufio.ErrBufferFull) {
			l.err = fmt.Errorf("the line is longer than %d bytes", maxLine)
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
		}
		if l.err != nil || len(l.text) > 0 {
			send(l)
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			send(line{err: err})
			return
		}
	}
}

func parseQuestion(text []byte) (question, error) {
	var q question
	if err := json.Unmarshal(text, &q); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Field != "" {
			return q, fmt.Errorf("%s must not be a %s", kind.Field, kind.Value)
		}
		return q, fmt.Errorf("this is not a JSON object: %w", err)
	}
	return q, nil
}

// position returns what the question is about. The error says in a sentence what
// is wrong with it.
func (q question) position() (solver.Position, error) {
	p := solver.Position{Hard: q.Hard, Limit: q.Limit}
	switch {
	case len(q.Guesses) != len(q.Feedback):
		return p, fmt.Errorf("there are %d guesses, but the feedback of %d", len(q.Guesses), len(q.Feedback))
	case len(q.Guesses) > maxTurns:
		return p, fmt.Errorf("there are more than %d guesses", maxTurns)
	case q.Limit < 0:
		return p, errors.New("limit must not be negative; 0 means any number of guesses")
	case q.BudgetMS < 0:
		return p, errors.New("budget_ms must not be negative; without it the search takes as long as it needs")
	case q.Top < 0 || q.Top > solver.MaxSuggestions:
		return p, fmt.Errorf("top must be from 1 to %d", solver.MaxSuggestions)
	case q.Limit > 0 && len(q.Guesses) >= q.Limit:
		return p, fmt.Errorf("all %d guesses are made", q.Limit)
	}
	var err error
	p.Turns, err = parseTurns(q.Guesses, q.Feedback)
	return p, err
}

// parseTurns reads equally many guesses and their feedback, after which the game
// must go on. The error is a sentence.
func parseTurns(guesses, feedback []string) ([]wordle.Turn, error) {
	var turns []wordle.Turn
	for i := range guesses {
		guess, err := wordle.ParseWord(guesses[i])
		if err != nil {
			return nil, fmt.Errorf("guess %d is no word: %w", i+1, err)
		}
		f, err := wordle.ParseFeedback(feedback[i])
		if err != nil {
			return nil, fmt.Errorf("feedback %d: %w", i+1, err)
		}
		if f == wordle.AllGreen {
			return nil, fmt.Errorf("guess %d was right: there is nothing left to find", i+1)
		}
		turns = append(turns, wordle.Turn{Guess: guess, Feedback: f})
	}
	return turns, nil
}

// solve answers the question. When ctx ends it answers with what it has.
func (a *adviser) solve(ctx context.Context, q question) (solver.Solution, error) {
	p, err := q.position()
	if err != nil {
		return solver.Solution{}, err
	}
	if q.BudgetMS > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(min(q.BudgetMS, maxBudgetMS)*float64(time.Millisecond)))
		defer cancel()
	}
	if a.strategy == nil {
		s, err := a.solver.Solve(ctx, p, solver.Effort{Memory: a.memory, Top: q.Top})
		return s, explained(err)
	}
	suggestions, err := a.strategy(ctx, p, solver.MaxSuggestions)
	if err != nil {
		return solver.Solution{}, explained(err)
	}
	return solver.Solution{Remaining: a.solver.Remaining(p.Turns), Suggestions: suggestions}, nil
}

// explained returns the error in a sentence that says what to do.
func explained(err error) error {
	switch {
	case errors.Is(err, solver.ErrNothingFits):
		return errors.New("no word of the lists fits this feedback; check it, or use other lists")
	case errors.Is(err, solver.ErrNothingAllowed):
		return errors.New("hard mode leaves no word of the lists to guess; check the feedback")
	}
	return err
}

func newAnswer(s solver.Solution, took time.Duration) answer {
	a := answer{
		Word: lower(s.Suggestions[0].Word), Proven: s.Proven, Remaining: len(s.Remaining),
		Total: orNull(s.Total), ElapsedMS: float64(took.Microseconds()) / 1000,
	}
	for _, w := range s.Remaining[:min(len(s.Remaining), maxCandidates)] {
		a.Candidates = append(a.Candidates, lower(w))
	}
	for _, g := range s.Suggestions {
		a.Suggestions = append(a.Suggestions, suggestion{
			Word: lower(g.Word), Possible: g.Possible, Expected: g.Expected, Entropy: g.Entropy,
			Groups: g.Groups, Worst: g.Worst, Total: orNull(g.Total), Proven: g.Proven,
		})
	}
	return a
}

func lower(w wordle.Word) string { return strings.ToLower(w.String()) }

func orNull(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// printSolution writes the solution for people.
func printSolution(w io.Writer, s solver.Solution) error {
	n := len(s.Remaining)
	best := s.Suggestions[0]
	var b strings.Builder
	switch {
	case n == 1:
		fmt.Fprintf(&b, "Guess %v: it is the only word that fits.\n", best.Word)
		_, err := io.WriteString(w, b.String())
		return err
	case s.Proven && s.Total == 0:
		fmt.Fprintf(&b, "Guess %v. No play is sure to find each of the %d words that fit in the guesses left; that is proven.\n", best.Word, n)
	case s.Proven:
		fmt.Fprintf(&b, "Guess %v. It is proven best: from here it takes %.3f guesses on average.\n", best.Word, float64(s.Total)/float64(n))
	case s.Total > 0:
		fmt.Fprintf(&b, "Guess %v. From here it takes %.3f guesses on average; no word can do with less than %.3f. There was no time to prove more.\n",
			best.Word, float64(s.Total)/float64(n), float64(s.Least)/float64(n))
	default:
		fmt.Fprintf(&b, "Guess %v. It looks best; that is not proven.\n", best.Word)
	}
	for _, g := range s.Suggestions {
		note := ""
		if g.Possible {
			note += "; it can be the word itself"
		}
		if g.Total > 0 {
			note += fmt.Sprintf("; %.3f guesses", float64(g.Total)/float64(n))
		}
		fmt.Fprintf(&b, "  %v%s.\n", g, note)
	}
	var fit []string
	for _, word := range s.Remaining[:min(n, maxCandidates)] {
		fit = append(fit, word.String())
	}
	if n > maxCandidates {
		fit = append(fit, "and others")
	}
	fmt.Fprintf(&b, "%d words fit: %s.\n", n, strings.Join(fit, ", "))
	_, err := io.WriteString(w, b.String())
	return err
}
