package play

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// OwnFirst returns commands for help with puzzles from elsewhere. While the player has a daily, race or solo challenge of ours
// open, of one of the kinds and wherever it was begun, they refuse and lead there.
func (h *Handlers) OwnFirst(kinds []game.Kind, help []bot.Command) []bot.Command {
	help = slices.Clone(help)
	for i, c := range help {
		help[i].Options = slices.Clone(c.Options)
		help[i].Run = func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if m, err := h.Games.Open(ctx, r.Origin(), kinds...); err != nil || m.Version > 0 {
				return finishFirst(h.Faces.Of(m.Kind), m), err
			}
			return c.Run(ctx, r)
		}
		for j, o := range c.Options {
			if o.Complete == nil {
				continue
			}
			help[i].Options[j].Complete = func(ctx context.Context, r bot.Request, typed string) []bot.Choice {
				if m, err := h.Games.Open(ctx, r.Origin(), kinds...); err != nil { // the command itself reports it
					return nil
				} else if m.Version > 0 {
					return []bot.Choice{{Name: finishFirst(h.Faces.Of(m.Kind), m).Lines()[0].Text[0].Text, Value: "?"}}
				}
				return o.Complete(ctx, r, typed)
			}
		}
	}
	return help
}

// finishFirst names the match to finish before help, with buttons that lead to it and end it.
func finishFirst(f face.Face, m game.Match) bot.Reply {
	name := "your " + face.ModeName(m.Mode)
	if number, daily := m.Puzzle.Daily(); daily {
		name = strings.TrimSpace(f.Title + fmt.Sprintf(" puzzle %d", number))
	}
	row := []bot.Button{{Label: "Go there", Style: bot.ButtonPrimary, Command: f.Commands.Board, Args: face.MatchArgs(m)}}
	if left, limited := m.HintsLeft(); !limited || left > 0 {
		row = append(row, bot.Button{Label: "Hint", Command: f.Commands.Hint, Args: face.MatchArgs(m)})
	}
	row = append(row, bot.Button{Label: "Give up", Style: bot.ButtonDanger, Command: f.Commands.Stop, Args: face.MatchArgs(m)})
	return bot.Ephemeral(bot.Text(bot.Bold("Finish or give up " + name + " first."))).Row(row...)
}
