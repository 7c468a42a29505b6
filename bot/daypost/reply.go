package daypost

import (
	"context"
	"fmt"
	"strconv"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// reply is what a post says.
func (h *Handlers) reply(_ context.Context, _ game.GuildID, p post) (bot.Reply, error) {
	reply := bot.Reply{Lines: []bot.Line{bot.Text(bot.Bold(fmt.Sprintf("Daily puzzle %d", p.To+1)), " is here:")}}
	var row []bot.Button
	for _, f := range h.Faces {
		row = append(row, bot.Button{
			Label: "Play " + f.Title, Style: bot.ButtonPrimary, Command: f.Commands.Start, Args: map[string]string{"mode": face.ModeName(game.Daily)},
		})
	}
	reply.Buttons = [][]bot.Button{append(row, p.tiles())}
	return reply, nil
}

// tiles is the button that shows the tiles of the puzzles that a post reports, and by which the post is known.
func (p post) tiles() bot.Button {
	return bot.Button{Label: "Tiles", Command: bot.NameDayPost, Args: map[string]string{
		argDay: p.Day, argFrom: strconv.Itoa(min(p.From, p.To)), argTo: strconv.Itoa(p.To),
	}}
}
