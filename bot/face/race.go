package face

import (
	"errors"
	"fmt"
	"maps"
	"time"

	"fivefold/bot"
	"fivefold/game"
)

// Given names the giver of a challenge, and the clue.
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

// Reports are the buttons to report a challenge, and then to keep or remove it.
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

// Clock says when a race starts and ends; after the first guess, only when it ends.
func Clock(r game.Race, guessed bool) bot.Line {
	at := func(at time.Time) bot.Span { return bot.When(at, at.UTC().Format("at 15:04:05 UTC")) }
	switch {
	case r.Begins.IsZero():
		return bot.Text("starts when ", r.Starter, fmt.Sprintf(" says so, or %.0f seconds after a second player has joined.", game.Countdown.Seconds()))
	case !guessed && r.Challenge == nil:
		return bot.Text("starts ", at(r.Begins), " and ends ", at(r.Ends), ".")
	}
	return bot.Text("ends ", at(r.Ends), ".")
}

// RaceOver refuses to join a race that has ended.
func (f Face) RaceOver() bot.Line {
	return bot.Text(bot.Bold("The race is over."), " Start the next one with ", bot.Slash(f.Commands.Race), ".")
}

// Explain puts an error of the kind's rules, of a race or of a challenge into words. It returns other errors unchanged.
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
