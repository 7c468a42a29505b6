package solve

import (
	"errors"
	"fmt"
	"maps"
	"strings"

	"fivefold/bot"
	"fivefold/game/marks"
	"fivefold/game/pokle"
)

type notation struct {
	each    string // what a mark is for, and how it is written
	example string
	write   func(marks.Feedback) string
}

var (
	letterMarks = notation{
		"letter of the guess: b for black or grey, y for yellow, g for green", "bbygb",
		func(f marks.Feedback) string { return strings.ToLower(f.String()) },
	}
	cardMarks = notation{
		"card of the guess: g for green, y for yellow, e for grey", "gyeyg",
		pokle.WriteFeedback,
	}
)

// refuse says why a text is not five marks; err is the one of [marks.Parse].
func (n notation) refuse(typed string, err error) error {
	what := "has no mark in it"
	var fault *marks.Error
	if errors.As(err, &fault) {
		switch {
		case fault.Unknown > 0:
			what = fmt.Sprintf("has something other than a mark at position %d", fault.Unknown)
		case fault.Marks > 0:
			what = "has " + bot.Plural(fault.Marks, "mark")
		}
	}
	return bot.Refuse(err, bot.Text(bot.Quote(typed), " "+what+". Feedback is five marks, one for each "+n.each+", such as ", bot.Bold(n.example), ". Squares work too."))
}

// argMarks is the argument of the buttons for marks: all five as they are after the button
// is used. They are kept in the message only; nothing is stored until the player enters
// them.
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
