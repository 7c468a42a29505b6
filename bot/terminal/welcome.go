package terminal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/matches"
)

// open welcomes a person, and shows the latest open game.
func (p *person) open(ctx context.Context) (o outcome) {
	switch open := p.openMatches(ctx); {
	case p.Help != nil:
		o = p.respond(ctx, "show")
		o.reply = o.reply.Under(bot.Text(strings.TrimSuffix(p.Welcome, "\n")), bot.Line{})
		return o
	case p.First != "" && !p.others:
		return p.respond(ctx, p.First)
	case len(open) == 0:
		o = says(bot.Text(bot.Bold(fmt.Sprintf("Welcome, %s!", p.player)), " "+p.face().Task+": type one, then Enter. "+
			"Other games: "+strings.Join(bot.Each(p.Faces[1:], func(f face.Face) string { return "/" + f.Commands.Start }), ", ")+"."))
	default:
		o = p.carryOut(ctx, p.player, boardOf(p.Faces.Of(open[0].Kind), open[0]))
		o.reply = o.reply.Under(bot.Text(bot.Bold(fmt.Sprintf("Welcome back, %s!", p.player)), " Your game is still open."))
	}
	if !p.Screen {
		o.reply = o.reply.Say(bot.Text(bot.Bold("help"), " lists what you can type, ", bot.Bold("quit"), " leaves."))
	}
	return o
}

// openMatches returns the person's open matches here, the latest first.
func (p *person) openMatches(ctx context.Context) (open []game.Match) {
	if p.Games == nil {
		return nil
	}
	for _, f := range p.Faces {
		for _, mode := range game.Modes {
			m, err := p.Games.Latest(ctx, origin(p.player), matches.Target{Kind: f.Kind, Mode: mode})
			// The commands of an unreadable match report it.
			if err == nil && m.Status() == game.Playing && m.Location == location {
				open = append(open, m)
			}
		}
	}
	slices.SortStableFunc(open, func(a, b game.Match) int { return b.Changed().Compare(a.Changed()) })
	return open
}
