// Package solve has the commands that help with puzzles played elsewhere: /solve for
// word puzzles and /pokle solve for the poker game.
package solve

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
)

// Handlers has what the commands work with. Its fields must be set and not changed afterwards.
type Handlers struct {
	Words  *solve.Words
	Boards *solve.Boards
	Lists  *wordle.Lists
	Log    *slog.Logger
}

// argAt is the argument of buttons that holds the version of the player's session that
// they were shown with. A typed command has none.
const argAt = "at"

const notSaved = "your puzzle was not changed"

// versionOf returns the version that a button was shown with, or 0 for a typed command.
func versionOf(r bot.Request) uint64 {
	version, _ := strconv.ParseUint(r.Args[argAt], 10, 64)
	return version
}

// puzzle is one of the two kinds of puzzles, with guesses of one type.
type puzzle[P, G any] interface {
	Choose(G) (P, error)
	Add(marks.Turn[G]) (P, error)
	Next() G
}

// enter returns the rule that enters a guess with its feedback, or chooses the next guess.
func enter[P puzzle[P, G], G comparable](guess, feedback string, n notation, read func(string) (G, error)) (rule func(P) (P, error), err error) {
	var turn marks.Turn[G]
	if guess != "" {
		if turn.Guess, err = read(guess); err != nil {
			return nil, err
		}
		if feedback == "" {
			return func(p P) (P, error) { return p.Choose(turn.Guess) }, nil
		}
	}
	if turn.Feedback, err = n.read(feedback); err != nil {
		return nil, n.refuse(feedback, err)
	}
	return func(p P) (P, error) {
		if turn.Guess == *new(G) {
			turn.Guess = p.Next() // once only: if another request comes first, another guess is next when the rule runs again
		}
		return p.Add(turn)
	}, nil
}

// changed shows a puzzle after a change, or explains in words why there was none.
func changed[V any](r bot.Request, v V, err error, show func(V) bot.Reply, explain func(bot.Request, V, error) (bot.Reply, error)) (bot.Reply, error) {
	switch {
	case errors.Is(err, solve.ErrOutdated):
		return outdated(show(v)), nil
	case err != nil:
		return explain(r, v, err)
	}
	return show(v), nil
}

// explainSession puts into words that what is stored of a player's puzzles cannot be read.
func explainSession(_ bot.Request, err error) error {
	return bot.RefuseAs(err, map[error]bot.Line{
		solve.ErrUnreadable: bot.Text("I cannot read your puzzles and your record here any more: their data is damaged. I put it aside; please start again with ",
			bot.Slash(bot.NameSolveNew), " or ", bot.Slash(pokergame.NameSolve), "."),
	})
}

// outdated shows the current state to a player who used a button of an older message.
func outdated(now bot.Reply) bot.Reply {
	return under(bot.Text("That button belonged to an earlier state, so it changed nothing. This is where you are:"), now)
}

// under puts a reply under a line, without its form.
func under(line bot.Line, r bot.Reply) bot.Reply {
	r.Lines, r.Form, r.InPlace = append([]bot.Line{line}, r.Lines...), nil, true
	return r
}

func endLine(won bool, guesses int) bot.Line {
	if won {
		return bot.Text(bot.Bold(fmt.Sprintf("Solved in %d of 6. Well done!", guesses)))
	}
	return bot.Text(bot.Bold("Six guesses, and not found. Better luck next time!"))
}

type notation struct {
	each    string // what a mark is for, and how it is written
	example string
	read    func(string) (marks.Feedback, error)
	write   func(marks.Feedback) string
}

var (
	letterMarks = notation{
		"letter of the guess: b for black or grey, y for yellow, g for green", "bbygb", wordle.ParseFeedback,
		func(f marks.Feedback) string { return strings.ToLower(f.String()) },
	}
	cardMarks = notation{
		"card of the guess: g for green, y for yellow, e for grey", "gyeyg",
		pokle.ParseFeedback, pokle.WriteFeedback,
	}
)

// refuse says why a text is not five marks; err is the one of [marks.Parse].
func (n notation) refuse(typed string, err error) error {
	what := "has no mark in it"
	if fault, ok := errors.AsType[*marks.Error](err); ok && fault.Unknown > 0 {
		what = fmt.Sprintf("has something other than a mark at position %d", fault.Unknown)
	} else if ok && fault.Marks > 0 {
		what = "has " + bot.Plural(fault.Marks, "mark")
	}
	return bot.Refuse(err, bot.Text(bot.Quote(typed), " "+what+". Feedback is five marks, one for each "+n.each+", such as ", bot.Bold(n.example), ". Squares work too."))
}

// argMarks is the argument of the buttons for marks: all five as they are after the button is used. They are kept in
// the message only; nothing is stored until the player enters them.
const argMarks = "marks"

// blank is what the buttons for marks show at first.
const blank marks.Feedback = 0

var markStyles = [...]bot.ButtonStyle{marks.Black: bot.ButtonBlack, marks.Yellow: bot.ButtonYellow, marks.Green: bot.ButtonGreen}

// entryButtons returns a row with a button for each letter or card of a guess, with its mark, and
// the buttons that enter the marks shown, or all green. Those of the row change a mark from black to
// yellow, to green and back to black. All ask for the command with the arguments, and with marks.
func (n notation) entryButtons(labels []string, shown marks.Feedback, command string, args map[string]string) (row, enter []bot.Button) {
	button := func(label string, style bot.ButtonStyle, arg string, f marks.Feedback) bot.Button {
		all := maps.Clone(args)
		all[arg] = n.write(f)
		return bot.Button{Label: label, Style: style, Command: command, Args: all}
	}
	for i, label := range labels {
		mark := shown.Mark(i)
		row = append(row, button(label, markStyles[mark], argMarks, shown.With(i, (mark+1)%marks.Mark(len(markStyles)))))
	}
	enter = []bot.Button{button("Enter", bot.ButtonPrimary, "feedback", shown)}
	if shown != marks.AllGreen { // otherwise the second would do the same, which is not allowed
		enter = append(enter, button("All green", bot.ButtonSuccess, "feedback", marks.AllGreen))
	}
	return row, enter
}

// soFar is the line under marks that have not been entered yet.
func (n notation) soFar(guess fmt.Stringer, shown marks.Feedback) bot.Line {
	return bot.Text(fmt.Sprintf("Feedback for %v so far: %s. ", guess, n.write(shown)), bot.Bold("Enter"), " when it is right.")
}
