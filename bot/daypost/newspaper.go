package daypost

import (
	"context"
	"fmt"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/league"
)

// mostNamed is the most players whom a line of results of the newspaper's puzzle names.
const mostNamed = 10

// newspaper adds lines with a server's results of the newspaper's puzzle that came out on the day of daily n: first those that its app
// has written, then those that players have pasted.
func (h *Handlers) newspaper(ctx context.Context, guild game.GuildID, n int, reply bot.Reply) (bot.Reply, error) {
	number := game.NewspaperNumber(game.DailyDate(n))
	heading := fmt.Sprintf("Newspaper %d", number)
	for _, k := range []game.Kind{league.Official, league.Claimed} {
		found, err := h.Statistics.Daily(ctx, k, guild, number, mostNamed)
		if err != nil {
			return reply, err
		}
		if k == league.Claimed {
			heading += ", claimed"
		}
		line := bot.Text(bot.Bold(heading))
		for _, one := range found.Listed {
			line = bot.Join(line, bot.Text(face.Score(one.Won, one.Guesses, one.Limit, one.Hints)+" ", one.Player))
			reply.Names = reply.Names.With(one.Player, one.Name)
		}
		if more := found.Players - len(found.Listed); more > 0 {
			line = bot.Join(line, bot.Text(fmt.Sprintf("and %d more", more)))
		}
		if found.Players > 0 {
			reply = reply.Say(line)
		}
	}
	return reply, nil
}
