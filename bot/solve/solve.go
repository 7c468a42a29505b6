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
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
)

// Handlers carries out the commands. Set its fields before the first call.
type Handlers struct {
	Words *solve.Words
	Cards *solve.Cards
	Lists *wordle.Lists
	Log   *slog.Logger
}

// argAt is the version of the session that a button shows.
const argAt = bot.ArgAt

const notSaved = "your puzzle was not changed"

// versionOf returns the version of the session that the player saw, or 0 for a typed command.
func versionOf(r bot.Request) uint64 {
	version, _ := strconv.ParseUint(r.Args[argAt], 10, 64)
	return version
}

// explainSession tells a player that the stored session is damaged.
func explainSession(_ bot.Request, err error) error {
	return bot.RefuseAs(err, map[error]bot.Line{
		solve.ErrUnreadable: bot.Text("I can't read your puzzles and your record any more: their data is damaged. I've put it aside; start again with ",
			bot.Slash(bot.NameSolveNew), " or ", bot.Slash(pokergame.NameSolve), "."),
	})
}

// outdated shows the current state, since the pressed button was on an older message.
func outdated(now bot.Reply) bot.Reply {
	return under(bot.Text("You've moved on since that button. Here's where you are:"), now)
}

// answer returns now, the reply after a change of a puzzle, or the refusal of the change for err.
func answer(now bot.Reply, err error, refuse func(error) error) (bot.Reply, error) {
	switch {
	case errors.Is(err, solve.ErrOutdated):
		return outdated(now), nil
	case err != nil:
		return bot.Reply{}, refuse(err)
	}
	return now, nil
}

// change returns a rule for sessions that applies one to a part. It is nil if the part's rule is.
func change[P any](part func(*solve.Session) *P, rule func(P) (P, error)) func(solve.Session) (solve.Session, error) {
	if rule == nil {
		return nil
	}
	return func(s solve.Session) (solve.Session, error) {
		var err error
		*part(&s), err = rule(*part(&s))
		return s, err
	}
}

// under returns a reply below a line and without its form.
func under(line bot.Line, r bot.Reply) bot.Reply {
	r.Form, r.InPlace = nil, true
	return r.Under(line)
}

// ended is the reply for a puzzle that is over, without its board.
func ended(s game.Status, guesses int) bot.Reply {
	if s == game.Won {
		return bot.Reply{InPlace: true, Tone: bot.Happy, Heading: bot.Text(fmt.Sprintf("Solved in %d! Well done", guesses))}
	}
	return bot.Reply{InPlace: true, Tone: bot.Sad, Heading: bot.Text("Not this time")}
}

// notation says how the feedback of a kind of puzzle is written.
type notation struct {
	each    string // what a mark is for, and how it is written
	example string
	parse   func(string) (marks.Feedback, error)
	write   func(marks.Feedback) string
}

var (
	letterMarks = notation{
		"letter of the guess: g for green, y for yellow, b for grey", "bbygb", wordle.ParseFeedback,
		func(f marks.Feedback) string { return strings.ToLower(f.String()) },
	}
	cardMarks = notation{
		"card of the guess: g for green, y for yellow, e for grey", "gyeyg",
		pokle.ParseFeedback, pokle.WriteFeedback,
	}
)

// read reads typed feedback; nil if nothing was typed. The error is a refusal.
func (n notation) read(typed string) (*marks.Feedback, error) {
	if typed == "" {
		return nil, nil
	}
	f, err := n.parse(typed)
	if err == nil {
		return &f, nil
	}
	what := "has no mark in it"
	if fault, ok := errors.AsType[*marks.Error](err); ok && fault.Unknown > 0 {
		what = fmt.Sprintf("has something I can't read at position %d", fault.Unknown)
	} else if ok && fault.Marks > 0 {
		what = "has " + bot.Plural(fault.Marks, "mark")
	}
	return nil, bot.Refuse(err, bot.Text(bot.Quote(typed), " "+what+". It takes five, one for each "+n.each+", such as ", bot.Bold(n.example), ". Squares work too."))
}

// tapThem tells how to enter marks by buttons.
const tapThem = "Tap them, then Enter"

// argMarks names the argument of buttons for marks: all five marks after a press. Only the message keeps them until
// the player enters them.
const argMarks = "marks"

// blank is the feedback that the buttons for marks begin with.
const blank marks.Feedback = 0

var markStyles = [...]bot.ButtonStyle{marks.Black: bot.ButtonBlack, marks.Yellow: bot.ButtonYellow, marks.Green: bot.ButtonGreen}

// entryButtons returns a row of buttons that change the mark of a letter or card from black to yellow to green and back. It also
// returns the buttons that enter the marks shown or all green, after feedback in the arguments. Every button runs the command with
// the arguments and its own marks.
func (n notation) entryButtons(labels []string, shown marks.Feedback, command string, args map[string]string) (row, enter []bot.Button) {
	button := func(label string, style bot.ButtonStyle, arg string, f marks.Feedback) bot.Button {
		all := maps.Clone(args)
		all[arg] = strings.TrimSpace(all[arg] + " " + n.write(f))
		return bot.Button{Label: label, Style: style, Command: command, Args: all}
	}
	for i, label := range labels {
		mark := shown.Mark(i)
		row = append(row, button(label, markStyles[mark], argMarks, shown.With(i, (mark+1)%marks.Mark(len(markStyles)))))
	}
	enter = []bot.Button{button("Enter", bot.ButtonPrimary, "feedback", shown)}
	if shown != marks.AllGreen { // Discord refuses two buttons that do the same
		enter = append(enter, button("All green", bot.ButtonSuccess, "feedback", marks.AllGreen))
	}
	return row, enter
}
