package face

import (
	"errors"
	"fmt"
	"maps"
	"time"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
)

// Given names the giver of a challenge, which may be over, and the clue.
func (f Face) Given(giver game.PlayerID, c game.Challenge, over bool) bot.Line {
	line := bot.Text(giver, " challenges you!")
	if over {
		line = bot.Text(giver, "'s challenge.")
	}
	switch {
	case c.Hidden():
		return line.With(" The clue was reported: ", bot.Spoiler(c.Clue))
	case c.Shown() && c.Clue != "":
		return line.With(" Clue: “" + c.Clue + "”")
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
	switch {
	case r.Begins.IsZero():
		return bot.Text("starts when ", r.Starter, fmt.Sprintf(" says so, or %.0f seconds after a second player joins.", game.Countdown.Seconds())).Named(r.Names)
	case !guessed && r.Challenge == nil:
		return bot.Text("starts ", clock(r.Begins), " and ends ", clock(r.Ends), ".")
	}
	return bot.Text("ends ", clock(r.Ends), ".")
}

func clock(at time.Time) bot.Span { return bot.When(at, at.UTC().Format("at 15:04:05 UTC")) }

// Running is the heading of a race that has not ended, and the line below it.
func (f Face) Running(r game.Race, guessed bool) (heading, subtext bot.Line) {
	title, same := "Race", "Same puzzle for all"
	if r.Hard != marks.Off {
		title += ", " + r.Hard.Mode()
	}
	switch {
	case r.Challenge != nil:
		return bot.Text("Challenge · ends ", clock(r.Ends)), f.Given(r.Starter, *r.Challenge, false)
	case r.Begins.IsZero():
		return bot.Text(title + " · " + bot.Plural(int(r.Time/time.Minute), "minute")), bot.Text(same+". It ", Clock(r, false))
	case !guessed:
		return bot.Text(title+" · ends ", clock(r.Ends)), bot.Text(same+". It starts ", clock(r.Begins), ".")
	}
	return bot.Text(title+" · ends ", clock(r.Ends)), bot.Text(same + ". First to solve it wins.")
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
		game.ErrFull:     bot.Text(fmt.Sprintf("All %d places are taken. Catch the next one!", game.MostPlayers)),
		game.ErrGiver:    bot.Text("It's your " + f.Noun + ". Sit back and watch."),
	})
}
