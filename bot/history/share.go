package history

import (
	"context"
	"errors"
	"fmt"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

func (h *Handlers) share() bot.Command {
	return bot.Command{
		Name: bot.NameShare,
		Help: "Share a solo or daily game, without its answer",
		Options: []bot.Option{
			{Name: "number", Help: "Which game, by its number in the list", Required: true},
		},
		Audience:   bot.Undecided, // a refusal is for the asker alone
		NotSaved:   "nothing was shared",
		NewMessage: true,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if r.Context.AskerOnly {
				return bot.Reply{}, refuseAskerOnly()
			}
			number, err := parseNumber(r.Args["number"])
			if err != nil {
				return bot.Reply{}, err
			}
			f, err := h.Games.Share(ctx, r.Origin(), number)
			switch {
			case errors.Is(err, game.ErrNotAlone):
				return bot.Reply{}, bot.Refuse(err, bot.Text("Everybody where that game was played can see it already: ",
					bot.Slash(bot.NameReview, "number", fmt.Sprint(number)), "."))
			case errors.Is(err, game.ErrNotOwn):
				return bot.Reply{}, bot.Refuse(err, bot.Text("You can share only your own games."))
			case errors.Is(err, game.ErrStillRacing):
				return bot.Reply{}, bot.Refuse(err, stillRacing)
			case err != nil:
				return bot.Reply{}, err
			}
			lines := append([]bot.Line{bot.Text(r.Player, ", "+face.ModeName(f.Match.Mode)+":")}, h.Faces.Of(f.Match.Kind).ShareLines(f.Match)...)
			return bot.Reply{Lines: append(lines, bot.Text("Every guess: ", bot.Slash(bot.NameReview, "number", fmt.Sprint(f.Number)), "."))}, nil
		},
	}
}
