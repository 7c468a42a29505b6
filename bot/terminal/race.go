package terminal

import (
	"context"
	"fmt"
	"time"

	"fivefold/bot"
	"fivefold/game"
)

// standings says how the race of the match on the board goes, and whether it has ended. There are no lines without a race.
func (p *person) standings(ctx context.Context) (lines []bot.Line, closed bool) {
	if p.match == nil || !p.match.Mode.Raced() {
		return nil, false
	}
	race, err := p.Games.RaceOf(ctx, *p.match)
	all, failed := p.Games.Standings(ctx, race)
	if err != nil || failed != nil || race.Version == 0 {
		return nil, false // the commands of a race report errors
	}
	lines = append(lines, bot.Text(bot.Bold("Race · "+clock(race, p.Games.Clock()))))
	for _, s := range all {
		switch took := s.Match.Ended().Sub(race.Begins).Round(time.Second); {
		case s.Is(game.Won):
			lines = append(lines, bot.Text(fmt.Sprintf("%d. ", s.Rank), s.Player, fmt.Sprintf(" in %d, %d:%02d", s.Match.Used(), took/time.Minute, took%time.Minute/time.Second)))
		case s.Is(game.Playing):
			lines = append(lines, bot.Text(s.Player, ": "+bot.Plural(s.Match.Used(), "guess")))
		case s.Match.Version > 0:
			lines = append(lines, bot.Text(s.Player, ": not this time"))
		}
	}
	return lines, race.Closed()
}

// clock says how much time a race has left.
func clock(r game.Race, now time.Time) string {
	switch left := r.Ends.Sub(now); {
	case r.Begins.IsZero():
		return "waiting for players"
	case now.Before(r.Begins):
		return "starts in " + bot.Plural(int(r.Begins.Sub(now).Seconds())+1, "second")
	case r.Closed() || left <= 0:
		return "over"
	case left > 2*time.Minute:
		return bot.Plural(int(left.Round(time.Minute)/time.Minute), "minute") + " left"
	default:
		return bot.Plural(int(left.Seconds())+1, "second") + " left"
	}
}
