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
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/solver/solve"
)

// WordCommands are the commands for word puzzles, in the order of the help.
func (h *Handlers) WordCommands() []bot.Command {
	flag := func(name, help string) []bot.Option {
		return []bot.Option{{Name: name, Help: help, Kind: bot.FlagOption}}
	}
	all := []bot.Command{
		{
			Name: bot.NameSolveNext, HiddenArgs: []string{argMarks, argAt}, Run: h.next,
			Help: "Enter a guess and its feedback, or feedback for the proposed word",
			Options: []bot.Option{
				{Name: "guess", Help: "The word you guess, if it is not the one proposed", Complete: h.completeGuess, Prompt: "Type a word of five letters"},
				{Name: "feedback", Help: "What it got: b black or grey, y yellow, g green, such as bbygb; squares work too"},
			},
		},
		{
			Name: bot.NameSolveNew, HiddenArgs: []string{argAt}, Run: h.begin,
			Help: "Begin a new puzzle; an unfinished one does not count", Options: flag("hard", "The puzzle is in hard mode"),
		},
		{
			Name: bot.NameSolveShow, Run: h.look,
			Help: "Help with a word puzzle played elsewhere: where you are, and what to try next",
		},
		{Name: bot.NameSolveUndo, Pressed: true, HiddenArgs: []string{argAt}, Run: h.undo, Help: "Take back the last line"},
		{
			Name: bot.NameSolveChange, Pressed: true, HiddenArgs: []string{argAt}, Run: h.correct,
			Help: "Correct the feedback of a line",
			Options: []bot.Option{
				{Name: "line", Help: "Which one, from 1", Required: true, Choices: []string{"1", "2", "3", "4", "5", "6"}},
				{Name: "feedback", Help: "What its word got, such as bbygb", Required: true},
			},
		},
		{Name: bot.NameSolveTop, Pressed: true, Run: h.look, Help: "The best words for the next guess, with figures"},
		{Name: bot.NameSolveWords, Pressed: true, Run: h.look, Help: "The words that fit, most likely first"},
		{
			Name: bot.NameSolveHard, Pressed: true, Run: h.setHard,
			Help: "Propose only words that hard mode allows; off proposes all words again", Options: flag("off", "Leave hard mode"),
		},
		{
			Name: bot.NameSolveStrategy, Pressed: true, Run: h.setStrategy,
			Help: "Choose how words are proposed, from now on",
			Options: []bot.Option{{
				Name: "name", Required: true, Choices: optimal.StrategyNames(),
				Help: "optimal: the fewest guesses; the others look only one guess ahead",
			}},
		},
		{Name: bot.NameSolveRecord, Pressed: true, Run: h.record, Help: "How many puzzles you have solved with help, and in how many guesses"},
	}
	for i := range all {
		all[i].Audience, all[i].ShowCommand, all[i].NotSaved = bot.Asker, bot.NameSolveShow, notSaved
		all[i].Explain = explainSession
	}
	return all
}

func (h *Handlers) next(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if pressed := r.Args[argMarks]; pressed != "" {
		return h.changeMark(ctx, r, pressed)
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
	v, err := h.Words.Begin(ctx, r.Origin(), versionOf(r), r.Args["hard"] == "true")
	return wordsAfter(v, err)
}

// look shows the puzzle or, where that is asked for, its best words or the words that fit.
func (h *Handlers) look(ctx context.Context, r bot.Request) (bot.Reply, error) {
	v, err := h.Words.Show(ctx, r.Origin())
	switch {
	case err != nil:
		return bot.Reply{}, err
	case r.Command == bot.NameSolveTop && len(v.Puzzle.Proposed) > 0:
		return topReply(v), nil
	case r.Command == bot.NameSolveWords && len(v.Possible) > 0:
		return wordsReply(v), nil
	}
	return showWords(v), nil
}

func (h *Handlers) undo(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return h.updateWords(ctx, r, solve.WordPuzzle.Undo)
}

func (h *Handlers) correct(ctx context.Context, r bot.Request) (bot.Reply, error) {
	line, _ := strconv.Atoi(r.Args["line"]) // one of the choices
	f, err := letterMarks.read(r.Args["feedback"])
	if err != nil {
		return bot.Reply{}, err
	}
	return h.updateWords(ctx, r, func(p solve.WordPuzzle) (solve.WordPuzzle, error) { return p.Change(line, *f) })
}

func (h *Handlers) setHard(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return h.updateWords(ctx, r, func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
		return p.With(solve.WordSetup{Hard: r.Args["off"] != "true", Strategy: p.Setup.Strategy}), nil
	})
}

func (h *Handlers) setStrategy(ctx context.Context, r bot.Request) (bot.Reply, error) {
	return h.updateWords(ctx, r, func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
		return p.With(solve.WordSetup{Hard: p.Setup.Hard, Strategy: r.Args["name"]}), nil
	})
}

func (h *Handlers) record(ctx context.Context, r bot.Request) (bot.Reply, error) {
	v, err := h.Words.Peek(ctx, r.Player)
	if errors.Is(err, solve.ErrUnreadable) {
		v, err = h.Words.Show(ctx, r.Origin()) // puts the damaged session aside
	}
	if err != nil {
		return bot.Reply{}, err
	}
	lines := []bot.Line{recordLine(v.Record)}
	if won, _ := v.Record.Solved(); won > 0 {
		lines = append(lines, face.Chart(v.Record.Distribution)...)
	}
	return bot.Reply{Lines: lines, Buttons: [][]bot.Button{back}, InPlace: true}, nil
}

func (h *Handlers) updateWords(ctx context.Context, r bot.Request, rule func(solve.WordPuzzle) (solve.WordPuzzle, error)) (bot.Reply, error) {
	v, err := h.Words.Update(ctx, r.Origin(), versionOf(r), rule)
	return wordsAfter(v, err)
}

// wordsAfter shows a puzzle after a change, or says why it was not changed.
func wordsAfter(v solve.WordView, err error) (bot.Reply, error) {
	switch {
	case errors.Is(err, solve.ErrOutdated):
		return outdated(showWords(v)), nil
	case err != nil:
		return bot.Reply{}, refuseWords(v, err)
	}
	return showWords(v), nil
}

// changeMark shows the puzzle with the marks of a pressed button.
func (h *Handlers) changeMark(ctx context.Context, r bot.Request, pressed string) (bot.Reply, error) {
	v, err := h.Words.Show(ctx, r.Origin())
	if err != nil {
		return bot.Reply{}, err
	}
	next := v.Puzzle.Next()
	shown, err := wordle.ParseFeedback(pressed)
	if err != nil || versionOf(r) != v.Version || next == 0 {
		return outdated(showWords(v)), nil
	}
	reply := wordReply(v, shown)
	reply.Lines = append(reply.Lines, letterMarks.soFar(next, shown))
	return reply, nil
}

// refuseWords returns the refusal for why a puzzle cannot be changed. Other errors stay as they are.
func refuseWords(v solve.WordView, err error) error {
	n, show := len(v.Puzzle.Turns), bot.Slash(bot.NameSolveShow)
	if repeated, ok := errors.AsType[*wordle.RepeatedError](err); ok {
		return bot.Refuse(err, bot.Text(fmt.Sprintf("You already have that word in line %d. If its feedback is wrong, take back the lines from there on with ", repeated.Attempt), slashUndo, "."))
	}
	if hard, ok := errors.AsType[*wordle.HardModeError](err); ok {
		return bot.Refuse(err, bot.Text(wordgame.HardClue(hard)+" Choose another word, or leave hard mode with ", bot.Slash(bot.NameSolveHard, "off", "true").On(anyWord), "."))
	}
	noTurn := bot.Text("There is no line yet. Enter your first guess and its feedback: ", slashOwn, ".")
	if n > 0 {
		noTurn = bot.Text(fmt.Sprintf("There is no such line; the last one is line %d. See them all with ", n), show, ".")
	}
	return bot.RefuseAs(err, map[error]bot.Line{
		solve.ErrOver:        bot.Text("This puzzle is over. Begin the next one with ", bot.Slash(bot.NameSolveNew), ", or take back the last line with ", slashUndo, "."),
		solve.ErrDoubtfulWin: bot.Text(fmt.Sprintf("Line %d is all green, but it does not agree with the lines before it. Correct those, or take it back with ", n), slashUndo, ". ", show, " shows which ones."),
		solve.ErrNoGuess:     bot.Text("No word is proposed, so please enter your guess too: ", slashOwn, ". Or take back the last line with ", slashUndo, "."),
		solve.ErrNoTurn:      noTurn,
		solve.ErrGreenTurn:   bot.Text("All green ends the puzzle, but there are lines after that one. Take them back first: ", slashUndo, "."),
	})
}

// What a player can type or press to go on.
var (
	slashUndo    = bot.Slash(bot.NameSolveUndo).On("Undo")
	slashOwn     = bot.Slash(bot.NameSolveNext, "guess", "crane", "feedback", "bbygb")
	slashCorrect = bot.Slash(bot.NameSolveChange, "line", "", "feedback", "")
)

// completeGuess proposes the best words for a player's puzzle, then those that fit, then others of the list.
func (h *Handlers) completeGuess(ctx context.Context, r bot.Request, typed string) []bot.Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	if t := solve.SplitTurn(typed, "", h.Lists.CanGuess); t.Feedback != "" && (t.Guess != "" || !solve.ResemblesFeedback(t.Feedback)) {
		return h.completeFeedback(ctx, r, t.Guess, t.Feedback)
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
	for _, a := range v.Puzzle.Proposed {
		comment := "a best word, cannot be the answer"
		if a.Chance > 0 {
			comment = "a best word, the answer with a chance of " + chance(a.Chance)
		}
		propose(a.Word, comment)
	}
	for _, p := range shown(v.Possible) {
		propose(p.Word, "fits, chance "+chance(p.Chance))
	}
	if typed != "" {
		for _, w := range h.Lists.WithPrefix(typed) {
			if !slices.ContainsFunc(v.Puzzle.Turns, func(t wordle.Turn) bool { return t.Guess == w }) {
				propose(w, "does not fit")
			}
		}
		for i, t := range v.Puzzle.Turns {
			propose(t.Guess, fmt.Sprintf("line %d already", i+1))
		}
	}
	if len(choices) == 0 {
		return wordgame.CompleteWord(h.Lists, typed, wordgame.NoGame)
	}
	return choices
}

// completeFeedback shows how feedback is read once all its marks are typed, after a guess or without one.
func (h *Handlers) completeFeedback(ctx context.Context, r bot.Request, guess, typed string) []bot.Choice {
	f, err := wordle.ParseFeedback(typed)
	if err != nil {
		return nil
	}
	value := letterMarks.write(f)
	if guess != "" {
		w, err := wordle.ParseWord(guess)
		if err != nil {
			return nil
		}
		return []bot.Choice{{Name: w.String() + " and its feedback, " + value, Value: strings.ToLower(w.String()) + " " + value}}
	}
	name := value + " — feedback"
	if v, err := h.Words.Peek(ctx, r.Player); err == nil && v.Puzzle.Next() != 0 {
		name += " for " + v.Puzzle.Next().String()
	}
	return []bot.Choice{{Name: name, Value: value}}
}
