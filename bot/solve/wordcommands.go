package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/solver/solve"
)

// WordCommands are the commands for word puzzles, in the order of the help.
func (h *Handlers) WordCommands() []bot.Command {
	mode := wordgame.HardOption
	mode.Required = true
	all := []bot.Command{
		{
			Name: bot.NameSolveNext, HiddenArgs: []string{argMarks, argAt}, Run: h.next,
			Help: "Enter a guess and its colours, or the colours of the word I proposed",
			Options: []bot.Option{
				{Name: "guess", Help: "Your word, if it isn't the one I proposed", Complete: h.completeGuess, Prompt: "Type a word of five letters"},
				{Name: "feedback", Help: "Its colours: g green, y yellow, b grey, such as bbygb; squares work too"},
			},
		},
		{
			Name: bot.NameSolveNew, HiddenArgs: []string{argAt}, Run: h.begin,
			Help: "Begin a new puzzle", Options: []bot.Option{wordgame.HardOption},
		},
		{
			Name: bot.NameSolveShow, Run: h.look,
			Help: "What to try next in your puzzle from elsewhere",
		},
		{Name: bot.NameSolveUndo, Pressed: true, HiddenArgs: []string{argAt}, Run: h.undo, Help: "Take back the last line"},
		{
			Name: bot.NameSolveChange, Pressed: true, HiddenArgs: []string{argAt}, Run: h.correct,
			Help: "Correct the colours of a line",
			Options: []bot.Option{
				{Name: "line", Help: "Which line", Required: true},
				{Name: "feedback", Help: "Its colours, such as bbygb", Required: true},
				{Name: "board", Named: true, Help: "Which of several boards"},
			},
		},
		{Name: bot.NameSolveTop, Pressed: true, Run: h.look, Help: "The best words for the next guess, with the numbers"},
		{Name: bot.NameSolveWords, Pressed: true, Run: h.look, Help: "The words that fit, most likely first"},
		{
			Name: bot.NameSolveHard, Pressed: true, Run: h.set,
			Help: "Only try words that hard or ultra-hard mode allows", Options: []bot.Option{mode},
		},
		{
			Name: bot.NameSolveStrategy, Pressed: true, Run: h.set,
			Help: "Choose how I pick words",
			Options: []bot.Option{{
				Name: "name", Required: true, Choices: optimal.StrategyNames(),
				Help: "optimal: the fewest guesses; the others look one guess ahead",
			}},
		},
		{Name: bot.NameSolveRecord, Pressed: true, Run: h.look, Help: "How many puzzles you've solved with my help"},
		h.boardCommand(),
	}
	for i := range all {
		all[i].Audience, all[i].ShowCommand, all[i].NotSaved = bot.Asker, cmp.Or(all[i].ShowCommand, bot.NameSolveShow), notSaved
		all[i].Explain = explainSession
	}
	return all
}

func (h *Handlers) next(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if r.Args[argMarks] != "" {
		return h.updateWords(ctx, r, nil)
	}
	typed := solve.SplitTurn(r.Args["guess"], r.Args["feedback"], h.Lists.CanGuess)
	if typed == (wordle.Typed{}) {
		return h.look(ctx, r)
	}
	var guess wordle.Word
	if typed.Guess != "" {
		var err error
		if guess, err = wordgame.Read(typed.Guess); err != nil {
			return bot.Reply{}, err
		}
	}
	feedback, err := letterMarks.read(typed.Feedback)
	if err != nil {
		return bot.Reply{}, err
	}
	return h.updateWords(ctx, r, func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
		guess = cmp.Or(guess, p.Next()) // in a retry, still the one that the player saw
		return p.Enter(guess, feedback)
	})
}

func (h *Handlers) begin(ctx context.Context, r bot.Request) (bot.Reply, error) {
	v, err := h.Words.Update(ctx, r.Origin(), versionOf(r), func(s solve.Session) (solve.Session, error) { return s.Begin(marks.ReadHardness(r.Args["hard"])), nil })
	return answer(showWords(v), err, func(err error) error { return err })
}

// look shows the puzzle or, where that is asked for, its best words, the words that fit or the record.
func (h *Handlers) look(ctx context.Context, r bot.Request) (bot.Reply, error) {
	v, err := h.Words.Update(ctx, r.Origin(), 0, nil)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case r.Command == bot.NameSolveTop && len(v.Words.Proposed) > 0:
		return topReply(v), nil
	case r.Command == bot.NameSolveWords && len(v.Left) > 0:
		return wordsReply(v), nil
	case r.Command == bot.NameSolveRecord:
		return recordReply(v.Finished()), nil
	}
	return showWords(v), nil
}

func (h *Handlers) undo(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return h.updateWords(ctx, r, solve.WordPuzzle.Undo)
}

func (h *Handlers) correct(ctx context.Context, r bot.Request) (bot.Reply, error) {
	line, _ := strconv.Atoi(r.Args["line"]) // no line if it isn't a number
	f, err := letterMarks.read(r.Args["feedback"])
	if err != nil {
		return bot.Reply{}, err
	}
	if number, _ := strconv.Atoi(r.Args["board"]); r.Args["board"] != "" {
		return h.updateBoards(ctx, r, nil, func(b solve.Boards) (solve.Boards, error) { return b.Change(number, line, *f) })
	}
	return h.updateWords(ctx, r, func(p solve.WordPuzzle) (solve.WordPuzzle, error) { return p.Change(line, *f) })
}

// set changes the strategy or hard mode.
func (h *Handlers) set(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return h.updateWords(ctx, r, func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
		setup := p.Setup
		if r.Command == bot.NameSolveStrategy {
			setup.Strategy = r.Args["name"]
		} else {
			setup.Hard = marks.ReadHardness(r.Args["hard"])
		}
		return p.With(setup), nil
	})
}

func (h *Handlers) updateWords(ctx context.Context, r bot.Request, rule func(solve.WordPuzzle) (solve.WordPuzzle, error)) (bot.Reply, error) {
	v, err := h.Words.Update(ctx, r.Origin(), versionOf(r), change(func(s *solve.Session) *solve.WordPuzzle { return &s.Words }, rule))
	shown, _ := wordle.ParseFeedback(r.Args[argMarks]) // blank, unless a button for marks was pressed
	if err != nil {
		shown = blank
	}
	return answer(wordReply(v, shown), err, func(err error) error { return refuseWords(len(v.Words.Turns), err, wordWays) })
}

// ways are what a player can type or press to go on.
type ways struct{ undo, own, begin, show bot.Span }

var wordWays = ways{slashUndo, slashOwn, bot.Slash(bot.NameSolveNew), bot.Slash(bot.NameSolveShow)}

// refuseWords turns err into a refusal that says why a puzzle with n lines was not changed. Other errors stay as they are.
func refuseWords(n int, err error, to ways) error {
	if repeated, ok := errors.AsType[*marks.RepeatedError](err); ok {
		return bot.Refuse(err, bot.Text(fmt.Sprintf("You already have that word in line %d. Wrong colours? Take back the lines from there: ", repeated.Attempt), to.undo, "."))
	}
	if hard, ok := errors.AsType[*wordle.HardModeError](err); ok {
		return bot.Refuse(err, bot.Text(wordgame.HardClue(hard)+" Pick another word, or leave "+hard.Hard.Mode()+": ", slashEasy.On("Leave "+hard.Hard.Mode()), "."))
	}
	noTurn := bot.Text("There's no line yet. Enter your first guess and its colours: ", to.own, ".")
	if n > 0 {
		noTurn = bot.Text(fmt.Sprintf("The last line is line %d. See them all: ", n), to.show, ".")
	}
	return bot.RefuseAs(err, map[error]bot.Line{
		solve.ErrOver:      bot.Text("This puzzle is over. Begin the next one: ", to.begin, ", or take back the last line: ", to.undo, "."),
		solve.ErrNoGuess:   bot.Text("I have no word to propose. Enter your guess too: ", to.own, ", or take back the last line: ", to.undo, "."),
		solve.ErrNoTurn:    noTurn,
		solve.ErrGreenTurn: bot.Text("All green means found, but more lines follow. Take them back first: ", to.undo, "."),
	})
}

// What a player can type or press to go on.
var (
	slashUndo = bot.Slash(bot.NameSolveUndo).On("Undo")
	slashOwn  = bot.Slash(bot.NameSolveNext, "guess", "crane", "feedback", "bbygb")
	slashEasy = bot.Slash(bot.NameSolveHard, "hard", marks.Off.String())
)

// completeGuess proposes the best words for a player's puzzle, then those that fit, then others of the list.
func (h *Handlers) completeGuess(ctx context.Context, r bot.Request, typed string) []bot.Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	if t := solve.SplitTurn(typed, "", h.Lists.CanGuess); t.Feedback != "" {
		if choices := completeFeedback(t.Guess, t.Feedback); t.Guess != "" || choices != nil {
			return choices
		}
	}
	if _, err := wordle.ParseWord(typed); typed != "" && (errors.Is(err, wordle.ErrLetter) || len(typed) > wordle.Length) {
		return wordgame.CompleteWord(h.Lists, typed, wordgame.NoGame)
	}
	v, err := h.Words.Peek(ctx, r.Player)
	if err != nil {
		if ctx.Err() == nil { // otherwise the player has typed on
			h.Log.Warn("could not propose words for a puzzle", "request", r, "error", err)
		}
		return wordgame.CompleteWord(h.Lists, typed, wordgame.NoGame)
	}
	var choices []bot.Choice
	seen := map[wordle.Word]bool{}
	propose := func(w wordle.Word, comment string) {
		value := strings.ToLower(w.String())
		if len(choices) < bot.MaxChoices && !seen[w] && strings.HasPrefix(value, typed) {
			seen[w] = true
			choices = append(choices, bot.Choice{Name: w.String() + " — " + comment, Value: value})
		}
	}
	for _, a := range v.Words.Proposed {
		comment := "a best word, can't be the answer"
		if a.Chance > 0 {
			comment = "a best word, " + chance(a.Chance) + " chance"
		}
		propose(a.Word, comment)
	}
	for _, p := range shown(v.Left) {
		propose(p.Word, "fits, "+chance(p.Chance)+" chance")
	}
	if typed != "" {
		for _, w := range h.Lists.WithPrefix(typed) {
			if !slices.ContainsFunc(v.Words.Turns, func(t wordle.Turn) bool { return t.Guess == w }) {
				propose(w, "doesn't fit")
			}
		}
		for i, t := range v.Words.Turns {
			propose(t.Guess, fmt.Sprintf("line %d already", i+1))
		}
	}
	if len(choices) == 0 {
		return wordgame.CompleteWord(h.Lists, typed, wordgame.NoGame)
	}
	return choices
}

// completeFeedback shows how feedback is read once all its marks are typed, after a guess or without one.
func completeFeedback(guess, typed string) []bot.Choice {
	f, err := wordle.ParseFeedback(typed)
	w, wrong := wordle.ParseWord(guess)
	switch value := letterMarks.write(f); {
	case err != nil || guess != "" && wrong != nil:
		return nil
	case guess == "":
		return []bot.Choice{{Name: value + " — colours", Value: value}}
	default:
		return []bot.Choice{{Name: w.String() + " and its colours, " + value, Value: strings.ToLower(w.String()) + " " + value}}
	}
}
