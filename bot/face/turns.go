package face

import (
	"strings"

	"fivefold/bot"
	"fivefold/game"
)

// pace says what comes next in a match in turns or by vote, without a proposed guess. It is empty for other matches.
func (f Face) pace(m game.Match) bot.Line {
	o := m.Order()
	switch {
	case !m.Mode.Paced():
		return bot.Line{}
	case m.Mode == game.Vote && len(o.Proposals) > 0:
		by := bot.Each(o.Proposals, func(c game.Call) game.PlayerID { return c.Player })
		have := []string{" has", " have"}[min(len(by), 2)-1]
		return bot.List(bot.Line{}, by, "and").With(have+" proposed · ends ", clock(o.Due))
	case m.Mode == game.Vote:
		return bot.Text("Propose a " + f.Noun + ": the most wanted one is played")
	case o.Due.IsZero():
		return bot.Text(o.Turn, "'s turn · press Join to take turns")
	}
	return bot.Text(o.Turn, "'s turn · it passes ", clock(o.Due))
}

// Turn tells a player of a match in turns whose turn it is, and when theirs comes.
func Turn(m game.Match, p game.PlayerID) bot.Line {
	o := m.Order()
	line := bot.Text("It's ", o.Turn, "'s turn; it passes ", clock(o.Due), ". ")
	if before := o.Before(p); before != o.Turn {
		line = line.With("Yours comes after ", before, "'s.")
	} else {
		line = line.With("You're next.")
	}
	return line.Named(m.Names)
}

// Noted tells a player that their guess in a match in turns or by vote was none yet: they have joined, or proposed it.
func Noted(m game.Match, p game.PlayerID) bot.Line {
	if m.Mode == game.Turns {
		return bot.Text(bot.Bold("You're in!"), " ", Turn(m, p))
	}
	o := m.Order()
	proposal := bot.Bold(strings.ToUpper(strings.TrimSpace(o.Proposal(p))))
	return bot.Text(proposal, " is your proposal. The vote ends ", clock(o.Due), "; guess again to change it.")
}
