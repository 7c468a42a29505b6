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

// open welcomes a person.
func (p *person) open(ctx context.Context) outcome {
	var lines []bot.Line
	if p.Games != nil {
		lines = p.welcome(ctx)
	}
	for line := range strings.Lines(p.Welcome) {
		lines = append(lines, bot.Text(strings.TrimSuffix(line, "\n")))
	}
	if p.Help != nil {
		lines = append(append(lines, bot.Line{}), p.respond(ctx, "show").reply.Lines()...)
	}
	o := says(lines...)
	switch {
	case p.First != "":
		o = p.respond(ctx, p.First).after(o)
	case p.match != nil:
		f := p.Faces.Of(p.match.Kind)
		board := p.handle(ctx, origin(p.player), boardOf(f, *p.match))
		o.reply = board.Under(lines...)
	}
	return o
}

// welcome lists the puzzles and the open games.
func (p *person) welcome(ctx context.Context) []bot.Line {
	lines := []bot.Line{bot.Text(bot.Bold("Welcome to Fivefold: two puzzles, alone or together."))}
	for _, f := range p.Faces {
		lines = append(lines, bot.Text(bot.Bold(f.Name()), ": find the "+f.Typing.Goal+". "+f.Typing.Begin))
	}
	if today := p.Games.Today(); today > 0 {
		line := bot.Text(fmt.Sprintf("Today's dailies, number %d: ", today))
		for i, f := range p.Faces {
			if i > 0 {
				line = line.With("; ")
			}
			line = line.With(bot.Slash(f.Commands.Start, "mode", "daily"), p.dailyStatus(ctx, f, today))
		}
		lines = append(lines, line.With("."))
	}
	open := p.openMatches(ctx)
	for i, m := range open {
		f := p.Faces.Of(m.Kind)
		name := matchName(f, m) + ", " + bot.Plural(m.State.AttemptsLeft(), "attempt") + " left"
		if i == 0 {
			p.match = &open[0]
			lines = append(lines, bot.Text(bot.Bold("Still open: "+name+"."), " Type "+howToGuess(f, m)+"."))
			continue
		}
		lines = append(lines, bot.Text("Also open: "+name+". See it with ", bot.Slash(f.Commands.Board, "mode", face.ModeName(m.Mode)), "."))
	}
	if p.Colour {
		return append(lines, bot.Text("A command begins with a slash: ", bot.Bold("/help"), " lists them, ", bot.Bold("/quit"), " leaves."))
	}
	return append(lines, bot.Text(bot.Bold("help"), " lists what you can type, ", bot.Bold("quit"), " leaves."))
}

// dailyStatus is the player's state in today's puzzle of a game.
func (p *person) dailyStatus(ctx context.Context, f face.Face, today int) string {
	m, err := p.Games.Latest(ctx, origin(p.player), matches.Target{Kind: f.Kind, Mode: game.Daily})
	if err != nil {
		return "" // not started; other errors are reported by the puzzle's commands
	}
	if number, _ := m.Puzzle.Daily(); number != today {
		return fmt.Sprintf(" (number %d is still open)", number)
	}
	return " (" + statusWords(m) + ")"
}

// openMatches returns the person's open matches here, the latest first.
func (p *person) openMatches(ctx context.Context) []game.Match {
	var open []game.Match
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
