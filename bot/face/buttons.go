package face

import (
	"strings"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
)

// The arguments that only buttons and forms have.
const (
	// ArgMatch is the match of the button.
	ArgMatch = "match"
	// ArgVersion is the match's version when a form was opened.
	ArgVersion = "version"
	// ArgTyped is a refused guess, to be corrected.
	ArgTyped = "typed"
	// ArgLost is a lost match to play on, and ArgFurther are the guesses made in it since, with spaces between them.
	ArgLost, ArgFurther = "lost", "further"
	// ArgSure confirms an action whose cost was shown. Players can type it for a stop.
	ArgSure = "sure"
	// ArgReport is a decision about a challenge.
	ArgReport = "report"
	// ArgRace is the button's race, and ArgBegin starts it.
	ArgRace, ArgBegin = "race", "begin"
	// ArgJoin joins a match in turns or by vote.
	ArgJoin = "join"
)

// MatchArgs are the arguments that identify a match for its buttons.
func MatchArgs(m game.Match) map[string]string {
	return map[string]string{"mode": ModeName(m.Mode), ArgMatch: string(m.ID)}
}

func (f Face) buttons(v View) (row []bot.Button) {
	if v.Status() == game.Playing {
		guess := bot.Button{Label: "Guess", Style: bot.ButtonPrimary, Command: f.Commands.Guess, Args: MatchArgs(v.Match)}
		if v.Mode == game.Vote {
			guess.Label = "Propose"
		}
		if row = append(row, guess); v.Mode.Paced() {
			join := bot.Button{Label: "Join", Command: f.Commands.Guess, Args: MatchArgs(v.Match)}
			join.Args[ArgJoin] = "y"
			row = append(row, join)
		}
		if left, limited := v.HintsLeft(); !limited || left > 0 {
			row = append(row, bot.Button{Label: "Hint", Command: f.Commands.Hint, Args: MatchArgs(v.Match)})
		}
		if v.New {
			row = append(row, bot.Button{Label: "How to play", Command: f.Commands.Rules})
		}
		if v.Challenge != nil {
			row = append(row, f.Reports(*v.Challenge, MatchArgs(v.Match))...)
		}
		return row
	}
	if v.Concealed {
		return nil
	}
	if v.Puzzle == "" { // daily puzzles can't be played again
		row = append(row, f.AgainButton(v.Match))
	}
	if v.listed() && v.Mode.Personal() && v.Shared == "" && !v.Alone {
		row = append(row, bot.Button{Label: "Share", Command: bot.NameShare, Args: map[string]string{ArgMatch: string(v.ID)}})
	}
	if v.listed() && v.Used() > 0 && (v.Challenge == nil || v.Challenge.Shown()) {
		row = append(row, ReviewButton(v.ID))
	}
	if v.listed() && f.Hides(v.Status()) {
		row = append(row, f.PlayOnButton(v.ID, ""))
	}
	if _, daily := v.Puzzle.Daily(); daily {
		row = append(row, DailyButton)
	}
	return row
}

// DailyButton shows the daily puzzles.
var DailyButton = bot.Button{Label: "Daily puzzles", Command: bot.NameDaily}

// StartButton starts a game in a mode.
func (f Face) StartButton(label string, m game.Mode) bot.Button {
	return bot.Button{Label: label, Command: f.Commands.Start, Args: map[string]string{"mode": ModeName(m)}}
}

// StartButtons start a game for everybody, where that is possible, one for the player alone, or today's puzzle.
func (f Face) StartButtons(r bot.Request) []bot.Button {
	row := []bot.Button{f.StartButton("Start one", game.Together), f.StartButton("Play alone", game.Solo), f.StartButton("Today's puzzle", game.Daily)}
	if r.Context.AskerOnly {
		row = row[1:]
	}
	row[0].Style = bot.ButtonPrimary
	return row
}

// AgainButton starts a game with the mode, hard mode and limit of hints of a match. The match's State may be nil.
func (f Face) AgainButton(m game.Match) bot.Button {
	switch m.Mode {
	case game.Practice:
		return DailyButton
	case game.Challenged: // a challenge can't be repeated: its giver chose the word
		m = game.Match{}
	case game.Racing:
		return bot.Button{Label: "New race", Style: bot.ButtonPrimary, Command: f.Commands.Race}
	}
	b := f.StartButton("Play again", m.Mode)
	b.Style = bot.ButtonPrimary
	if m.Mode == game.Daily {
		b.Label = "Today's puzzle"
	}
	if m.State != nil && m.State.Hard() != marks.Off {
		b.Args["hard"] = m.State.Hard().String()
	}
	limits := HintsOption().Choices[1:]                                      // by the most hints
	if most := m.HintLimit.Most; m.HintLimit.Limited && most < len(limits) { // a limit above all choices is the server's, and applies anyway
		b.Args["hints"] = limits[most]
	}
	return b
}

// PlayOnButton asks for another guess in a lost match, after the further ones.
func (f Face) PlayOnButton(m game.MatchID, further string) bot.Button {
	args := map[string]string{ArgLost: string(m)}
	if further != "" {
		args[ArgFurther] = further
	}
	return bot.Button{Label: "Play on", Command: f.Commands.Guess, Args: args}
}

// Correct is a button that opens the form with a refused guess, cut to fit into the button.
func (f Face) Correct(m game.Match, typed string) bot.Button {
	b := bot.Button{Label: "Correct it", Style: bot.ButtonPrimary, Command: f.Commands.Guess, Args: MatchArgs(m)}
	rest := []rune(strings.Join(strings.Fields(typed), " "))
	for rest = rest[:min(len(rest), f.MostTyped)]; len(rest) > 0; rest = rest[:len(rest)-1] {
		b.Args[ArgTyped] = string(rest)
		if len(b.Query()) <= bot.MaxButton {
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
