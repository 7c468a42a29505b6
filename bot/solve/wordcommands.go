package solve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/solve"
)

// WordCommands are the commands for word puzzles, in the order of the help.
func (h *Handlers) WordCommands() []bot.Command {
	flag := func(name, help string) []bot.Option {
		return []bot.Option{{Name: name, Help: help, Kind: bot.FlagOption}}
	}
	// update runs a rule for the player's puzzle.
	update := func(rule func(r bot.Request, p solve.WordPuzzle) (solve.WordPuzzle, error)) func(context.Context, bot.Request) (bot.Reply, error) {
		return func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			return h.updateWords(ctx, r, func(p solve.WordPuzzle) (solve.WordPuzzle, error) { return rule(r, p) })
		}
	}
	shown := func(show func(solve.WordView) bot.Reply) func(context.Context, bot.Request) (bot.Reply, error) {
		return func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			v, err := h.Words.Show(ctx, r.Origin())
			return show(v), err
		}
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
			Name: bot.NameSolveNew, HiddenArgs: []string{argAt}, Help: "Begin a new puzzle; an unfinished one does not count", Run: h.begin,
			Options: flag("hard", "The puzzle is in hard mode"),
		},
		{Name: bot.NameSolveShow, Help: "Help with a word puzzle played elsewhere: where you are, and what to try next", Run: shown(showWords)},
		{
			Name: bot.NameSolveUndo, Pressed: true, HiddenArgs: []string{argAt}, Help: "Take back the last line",
			Run: update(func(_ bot.Request, p solve.WordPuzzle) (solve.WordPuzzle, error) { return p.Undo() }),
		},
		{
			Name: bot.NameSolveChange, Pressed: true, HiddenArgs: []string{argAt}, Help: "Correct the feedback of a line",
			Run: update(func(r bot.Request, p solve.WordPuzzle) (solve.WordPuzzle, error) {
				line, _ := strconv.Atoi(r.Args["line"]) // one of the choices
				f, err := wordle.ParseFeedback(r.Args["feedback"])
				if err != nil {
					return p, letterMarks.refuse(r.Args["feedback"], err)
				}
				return p.Change(line, f)
			}),
			Options: []bot.Option{
				{Name: "line", Help: "Which one, from 1", Required: true, Choices: []string{"1", "2", "3", "4", "5", "6"}},
				{Name: "feedback", Help: "What its word got, such as bbygb", Required: true},
			},
		},
		{Name: bot.NameSolveTop, Pressed: true, Help: "The best words for the next guess, with figures", Run: shown(topReply)},
		{Name: bot.NameSolveWords, Pressed: true, Help: "The words that fit, most likely first", Run: shown(wordsReply)},
		{
			Name: bot.NameSolveHard, Pressed: true, Help: "Propose only words that hard mode allows; off proposes all words again", Options: flag("off", "Leave hard mode"),
			Run: update(func(r bot.Request, p solve.WordPuzzle) (solve.WordPuzzle, error) {
				setup := p.Setup
				setup.Hard = r.Args["off"] != "true"
				return p.With(setup), nil
			}),
		},
		{
			Name: bot.NameSolveStrategy, Pressed: true, Help: "Choose how words are proposed, from now on",
			Options: []bot.Option{{
				Name: "name", Required: true, Choices: solver.StrategyNames(),
				Help: "optimal: the fewest guesses; the others look only one guess ahead",
			}},
			Run: update(func(r bot.Request, p solve.WordPuzzle) (solve.WordPuzzle, error) {
				setup := p.Setup
				setup.Strategy = r.Args["name"]
				return p.With(setup), nil
			}),
		},
		{Name: bot.NameSolveRecord, Pressed: true, Help: "How many puzzles you have solved with help, and in how many guesses", Run: h.record},
	}
	for i := range all {
		all[i].Audience, all[i].ShowCommand, all[i].NotSaved = bot.Asker, bot.NameSolveShow, notSaved
		all[i].Explain = explainSession
	}
	return all
}

func (h *Handlers) next(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if typed := r.Args[argMarks]; typed != "" {
		return h.changeMark(ctx, r, typed)
	}
	guess, typed := h.readNext(r.Args["guess"], r.Args["feedback"])
	if guess == "" && typed == "" {
		v, err := h.Words.Show(ctx, r.Origin())
		return showWords(v), err
	}
	rule, err := enter[solve.WordPuzzle](guess, typed, letterMarks, wordgame.Read)
	if err != nil {
		return bot.Reply{}, err
	}
	return h.updateWords(ctx, r, rule)
}

func (h *Handlers) begin(ctx context.Context, r bot.Request) (bot.Reply, error) {
	v, err := h.Words.Begin(ctx, r.Origin(), versionOf(r), r.Args["hard"] == "true")
	return changed(r, v, err, showWords, explainWords)
}

func (h *Handlers) record(ctx context.Context, r bot.Request) (bot.Reply, error) {
	v, err := h.Words.Peek(ctx, r.Player)
	if errors.Is(err, solve.ErrUnreadable) {
		v, err = h.Words.Show(ctx, r.Origin()) // puts it aside
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
	return changed(r, v, err, showWords, explainWords)
}

// changeMark shows the puzzle with the marks that a button for one of them asks for.
func (h *Handlers) changeMark(ctx context.Context, r bot.Request, typed string) (bot.Reply, error) {
	v, err := h.Words.Show(ctx, r.Origin())
	if err != nil {
		return bot.Reply{}, err
	}
	next := v.Puzzle.Next()
	shown, err := wordle.ParseFeedback(typed)
	if err != nil || versionOf(r) != v.Version || next == 0 {
		return outdated(showWords(v)), nil
	}
	reply := wordReply(v, shown)
	reply.Lines = append(reply.Lines, letterMarks.soFar(next, shown))
	return reply, nil
}

// explainWords puts into words why a puzzle cannot be changed as asked. It returns other errors as they are.
func explainWords(_ bot.Request, v solve.WordView, err error) (bot.Reply, error) {
	n, show := len(v.Puzzle.Turns), bot.Slash(bot.NameSolveShow)
	if repeated, ok := errors.AsType[*wordle.RepeatedError](err); ok {
		return bot.Reply{}, bot.Refuse(err, bot.Text(fmt.Sprintf("You already have that word in line %d. If its feedback is wrong, take back the lines from there on with ", repeated.Attempt), slashUndo, "."))
	}
	if hard, ok := errors.AsType[*wordle.HardModeError](err); ok {
		return bot.Reply{}, bot.Refuse(err, bot.Text(wordgame.HardClue(hard)+" Choose another word, or leave hard mode with ", bot.Slash(bot.NameSolveHard, "off", "true").On(anyWord), "."))
	}
	noTurn := bot.Text("There is no line yet. Enter your first guess and its feedback: ", slashOwn, ".")
	if n > 0 {
		noTurn = bot.Text(fmt.Sprintf("There is no such line; the last one is line %d. See them all with ", n), show, ".")
	}
	return bot.Reply{}, bot.RefuseAs(err, map[error]bot.Line{
		solve.ErrOver:        bot.Text("This puzzle is over. Begin the next one with ", bot.Slash(bot.NameSolveNew), ", or take back the last line with ", slashUndo, "."),
		solve.ErrDoubtfulWin: bot.Text(fmt.Sprintf("Line %d is all green, but it does not agree with the lines before it. Correct those, or take it back with ", n), slashUndo, ". ", show, " shows which ones."),
		solve.ErrNoGuess:     bot.Text("No word is proposed, so please enter your guess too: ", slashOwn, ". Or take back the last line with ", slashUndo, "."),
		solve.ErrNoTurn:      noTurn,
		solve.ErrGreenTurn:   bot.Text("All green ends the puzzle, but there are lines after that one. Take them back first: ", slashUndo, "."),
	})
}

// What players can type or press: a word of their own with its feedback, a correction, and to take back a line.
var (
	slashUndo    = bot.Slash(bot.NameSolveUndo).On("Undo")
	slashOwn     = bot.Slash(bot.NameSolveNext, "guess", "crane", "feedback", "bbygb")
	slashCorrect = bot.Slash(bot.NameSolveChange, "line", "", "feedback", "")
)

// readNext decides what is a guess and what is feedback. A player may put both into either field, in either order, such
// as "crane bbygb", or only feedback into that of the guess, even with a mistake. A single word that is in the list
// is always a guess.
func (h *Handlers) readNext(guess, typed string) (string, string) {
	guess, typed = strings.TrimSpace(guess), strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(typed), ":"))
	turns := wordle.SplitTurns(guess+" "+typed, h.Lists.CanGuess, false)
	if len(turns) != 1 || guess == "" && turns[0].Feedback == "" {
		return guess, typed
	}
	t := turns[0]
	if w, err := wordle.ParseWord(t.Guess); t.Feedback == "" && (err != nil || !h.Lists.CanGuess(w)) && resemblesFeedback(t.Guess) {
		return "", t.Guess
	}
	return t.Guess, t.Feedback
}

// resemblesFeedback reports whether a text consists of marks, or of four and one other character.
func resemblesFeedback(text string) bool {
	_, err := marks.Parse(text)
	fault, isFault := errors.AsType[*marks.Error](err)
	if all := []rune(text); isFault && fault.Unknown > 0 && len(all) == marks.Length {
		_, err = marks.Parse(string(slices.Delete(all, fault.Unknown-1, fault.Unknown)))
		fault, isFault = errors.AsType[*marks.Error](err)
	}
	return isFault && fault.Unknown == 0
}

// completeGuess proposes guesses for a player's puzzle: the best ones first, then what
// fits, then what is in the list.
func (h *Handlers) completeGuess(ctx context.Context, r bot.Request, typed string) []bot.Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	if guess, feedback := h.readNext(typed, ""); feedback != "" && (guess != "" || !resemblesFeedback(feedback)) {
		return h.completeFeedback(ctx, r, guess, feedback)
	}
	if _, err := wordle.ParseWord(typed); typed != "" && (errors.Is(err, wordle.ErrLetter) || len(typed) > wordle.Length) {
		return wordgame.CompleteWord(h.Lists, typed, wordgame.NoGame)
	}
	v, err := h.Words.Peek(ctx, r.Player)
	if err != nil {
		if ctx.Err() == nil { // or else the player has typed on
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

// completeFeedback shows how feedback is read that a player types after a guess, or in its place. There is
// nothing to propose until all marks are there.
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
