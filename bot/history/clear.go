package history

import (
	"context"

	"fivefold/bot"
	"fivefold/solver/solve"
)

func (h *Handlers) clear() bot.Command {
	return bot.Command{
		Name: bot.NameClear,
		Help: "Make yourself anonymous everywhere, and delete your statistics",
		Options: []bot.Option{
			{Name: "sure", Help: "Do it without asking first", Kind: bot.FlagOption},
		},
		Audience: bot.Asker,
		NotSaved: "your history is not cleared yet",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			switch {
			case r.Args["sure"] == "true":
				if err := solve.Clear(ctx, h.Sessions, r.Origin()); err != nil {
					return bot.Reply{}, err
				}
				if err := h.Games.ClearHistory(ctx, r.Origin()); err != nil {
					return bot.Reply{}, err
				}
				return bot.Reply{InPlace: r.FromComponent, Lines: []bot.Line{
					bot.Text(bot.Bold("Your history is cleared."), " No finished game names you any more, and you have no statistics and no solving record."),
				}}, nil
			case r.Args["sure"] == "false" && r.FromComponent:
				return bot.Reply{InPlace: true, Lines: []bot.Line{bot.Text("Nothing was changed.")}}, nil
			}
			return bot.Reply{InPlace: r.FromComponent, Lines: []bot.Line{
				bot.Text(bot.Bold("This makes you “somebody” in every finished game and deletes your statistics, wherever you played. It cannot be undone.")),
				bot.Text("Games that only you played in disappear from every list, and your record of solved puzzles starts again from nothing. A game or a puzzle that is still being played stays as it is. Today's daily puzzle cannot be played a second time."),
				bot.Text("Clear your history with ", bot.Slash(bot.NameClear, "sure", "true"), ".").AsTyped(),
			}, Buttons: [][]bot.Button{{
				{Label: "Clear my history", Style: bot.ButtonDanger, Command: bot.NameClear, Args: map[string]string{"sure": "true"}},
				{Label: "Keep it", Command: bot.NameClear, Args: map[string]string{"sure": "false"}},
			}}}, nil
		},
	}
}
