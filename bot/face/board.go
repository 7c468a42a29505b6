package face

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/game"
)

// The arguments that only buttons and forms of a match have.
const (
	// ArgMatch is the match that they are about.
	ArgMatch = "match"
	// ArgVersion is the match's version when a form was opened.
	ArgVersion = "version"
	// ArgTyped is a guess that was refused, to be corrected.
	ArgTyped = "typed"
	// ArgLost is a lost match that is played on, and ArgFurther are the guesses made in it since, with spaces
	// between them.
	ArgLost, ArgFurther = "lost", "further"
	// ArgSure is set once the player knows the cost. Players of a stop can type it.
	ArgSure = "sure"
)

// MatchArgs are the arguments by which a button of a match finds it.
func MatchArgs(m game.Match) map[string]string {
	return map[string]string{"mode": ModeName(m.Mode), ArgMatch: string(m.ID)}
}

func (f Face) buttons(v View) [][]bot.Button {
	if v.Status() == game.Playing {
		row := []bot.Button{{Label: "Guess", Style: bot.ButtonPrimary, Command: f.Commands.Guess, Args: MatchArgs(v.Match)}}
		if left, limited := v.HintsLeft(); !limited || left > 0 {
			row = append(row, bot.Button{Label: "Hint", Command: f.Commands.Hint, Args: MatchArgs(v.Match)})
		}
		if v.Challenge != nil {
			row = append(row, f.Reports(*v.Challenge, MatchArgs(v.Match))...)
		}
		return [][]bot.Button{row}
	}
	if v.Concealed {
		return nil
	}
	var row []bot.Button
	if v.listed() && v.Used() > 0 && (v.Challenge == nil || v.Challenge.Shown()) {
		row = append(row, ReviewButton(v.ID))
	}
	if v.listed() && v.Mode.Personal() && v.Shared == "" && !v.Alone {
		row = append(row, bot.Button{Label: "Share", Command: bot.NameShare, Args: map[string]string{ArgMatch: string(v.ID)}})
	}
	if v.listed() && f.Hides(v.Status()) {
		row = append(row, f.PlayOnButton(v.ID, ""))
	}
	switch _, daily := v.Puzzle.Daily(); {
	case daily:
		row = append(row, dailyButton)
	case v.Puzzle == "": // it can be played once
		row = append(row, f.AgainButton(v.Match))
	}
	return slices.Collect(slices.Chunk(row, 5))
}

// dailyButton shows the puzzles of the day, and the past ones.
var dailyButton = bot.Button{Label: "Daily puzzles", Command: bot.NameDaily}

// AgainButton starts a game like a match: with its mode, hard mode and limit of hints. The match may have no state.
func (f Face) AgainButton(m game.Match) bot.Button {
	switch m.Mode {
	case game.Archive:
		return dailyButton
	case game.Challenged: // it has a word of its own
		m = game.Match{}
	case game.Racing:
		return bot.Button{Label: "New race", Style: bot.ButtonPrimary, Command: f.Commands.Race}
	}
	b := bot.Button{Label: "Play again", Style: bot.ButtonPrimary, Command: f.Commands.Start, Args: map[string]string{"mode": ModeName(m.Mode)}}
	if m.Mode == game.Daily {
		b.Label = "Play today’s puzzle"
	}
	if m.State != nil && m.State.Hard() {
		b.Args["hard"] = "true"
	}
	hints := strconv.Itoa(m.HintLimit.Most)
	if m.HintLimit.Most == 0 {
		hints = "off"
	}
	if m.HintLimit.Limited && slices.Contains(HintsOption().Choices, hints) { // a greater limit is the server's, and holds anyway
		b.Args["hints"] = hints
	}
	return b
}

// PlayOnButton asks for another guess in a lost match, after further ones.
func (f Face) PlayOnButton(m game.MatchID, further string) bot.Button {
	args := map[string]string{ArgLost: string(m)}
	if further != "" {
		args[ArgFurther] = further
	}
	return bot.Button{Label: "Play on", Command: f.Commands.Guess, Args: args}
}

// ArgReport is a decision about a challenge, and ArgRace the race that a button is about.
const (
	ArgReport = "report"
	ArgRace   = "race"
	// ArgBegin starts the race.
	ArgBegin = "begin"
)

// Given says who gives the puzzle of a challenge, and the clue.
func (f Face) Given(giver game.PlayerID, c game.Challenge) bot.Line {
	line := bot.Text(giver, " has chosen the "+f.Noun+".")
	switch {
	case c.Hidden():
		return line.With(" The clue was reported: ", bot.Spoiler(c.Clue))
	case c.Shown() && c.Clue != "":
		return line.With(" Clue: ", bot.Bold(c.Clue))
	}
	return line
}

// Reports are the buttons that report a challenge or, after that, keep or remove it.
func (f Face) Reports(c game.Challenge, args map[string]string) []bot.Button {
	button := func(label string, to game.Report, s bot.ButtonStyle) bot.Button {
		b := bot.Button{Label: label, Style: s, Command: f.Commands.Challenge, Args: maps.Clone(args)}
		b.Args[ArgReport] = string(to)
		return b
	}
	switch c.Report {
	case game.NotReported:
		return []bot.Button{button("Report", game.Reported, bot.ButtonSecondary)}
	case game.Reported:
		return []bot.Button{button("Moderators: keep", game.Kept, bot.ButtonSuccess), button("Moderators: remove", game.Removed, bot.ButtonDanger)}
	}
	return nil
}

// Explain puts an error of the kind's rules, of a race or of a challenge into words. It returns other errors as they are.
func (f Face) Explain(err error) error {
	if early, ok := errors.AsType[*game.NotBegunError](err); ok {
		return bot.Refuse(err, bot.Text(bot.Bold("The race hasn't started."), " It ", Clock(early.Race, false)))
	}
	return bot.RefuseAs(f.ExplainRules(err), map[error]bot.Line{
		game.ErrRaceOver: f.RaceOver(),
		game.ErrRaceFull: bot.Text(fmt.Sprintf("This race is full: %d players are in it. Join the next one.", game.MostRacers)),
		game.ErrGiver:    bot.Text("You have chosen the " + f.Noun + " yourself, so you can only watch."),
	})
}

// RaceOver says that a race is over.
func (f Face) RaceOver() bot.Line {
	return bot.Text(bot.Bold("The race is over."), " Start the next one with ", bot.Slash(f.Commands.Race), ".")
}

// Event says what a player did last in a match: "ben guessed CRONY."
func (f Face) Event(m game.Match) bot.Line {
	var hint game.Hint
	for _, h := range m.Hints { // a suggestion that is given again is the last in the list, but not the latest
		if h.Version > hint.Version {
			hint = h
		}
	}
	used := len(m.Moves)
	switch {
	case m.Stop != nil:
		return bot.Text(m.Stop.Player, " stopped the game.")
	case m.Status() == game.Won:
		return bot.Text(m.Winner(), " found it: ", bot.Bold(f.Guessed(m.State, used)), "!")
	case used > 0 && m.Moves[used-1].Version > hint.Version:
		return bot.Text(m.Moves[used-1].Player, " guessed ", bot.Bold(f.Guessed(m.State, used)), ".")
	case hint.Version > 0:
		return bot.Text(hint.Player, " took a hint.")
	}
	return bot.Line{}
}

// live returns the lines of a live board alone: what was done last, and the hints that still help. See [View.Live].
func (f Face) live(v View) []bot.Line {
	if !v.Live || v.Status() != game.Playing {
		return nil
	}
	var lines []bot.Line
	if !v.Mode.Personal() && v.Event.Text != nil {
		lines = append(lines, v.Event)
	}
	for _, h := range v.Hints {
		if h.Kind == game.HintSuggestion && h.After < v.Used() {
			continue // it was for an earlier guess
		}
		lines = append(lines, bot.Text(bot.Bold("Hint:"), " ", f.HintLine(h)))
	}
	return lines
}

// Correct is a button that opens the form with a refused guess in it, cut to what a button can hold.
func (f Face) Correct(m game.Match, typed string) bot.Button {
	b := bot.Button{Label: "Correct it", Style: bot.ButtonPrimary, Command: f.Commands.Guess, Args: MatchArgs(m)}
	rest := []rune(strings.Join(strings.Fields(typed), " "))
	for rest = rest[:min(len(rest), f.MostTyped)]; len(rest) > 0; rest = rest[:len(rest)-1] {
		b.Args[ArgTyped] = string(rest)
		if b.Size() <= bot.MaxButton {
			return b
		}
	}
	delete(b.Args, ArgTyped)
	return b
}

// ReviewButton shows the review of a finished match.
func ReviewButton(m game.MatchID) bot.Button {
	return bot.Button{Label: "Review", Command: bot.NameReview, Args: map[string]string{ArgMatch: string(m)}}
}
