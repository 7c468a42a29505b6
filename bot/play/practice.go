package play

import (
	"context"
	"errors"
	"fmt"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/matches"
)

// Practise starts a match of a past daily puzzle, outside the count.
func (h *Handlers) Practise(ctx context.Context, f face.Face, r bot.Request, number int) (bot.Reply, error) {
	hints, err := h.HintLimit(ctx, r)
	if err != nil {
		return bot.Reply{}, err
	}
	m, err := h.Games.Start(ctx, r.Origin(), matches.StartOptions{Kind: f.Kind, Mode: game.Practice, Past: number, Hints: hints})
	switch today := h.Games.Today(); {
	case errors.As(err, new(*game.SecretError)):
		return bot.Reply{}, bot.Refuse(err, bot.Text("You are still playing that daily puzzle. Finish it first: ",
			bot.Slash(f.Commands.Board, "mode", face.ModeName(game.Daily)), "."))
	case errors.Is(err, game.ErrNotPast) && number == today:
		return bot.Reply{}, bot.Refuse(err, bot.Text("That is today's puzzle. Play it with ", bot.Slash(f.Commands.Start, "mode", face.ModeName(game.Daily)), "."))
	case errors.Is(err, game.ErrNotPast) && today <= 1:
		return bot.Reply{}, bot.Refuse(err, bot.Text("There is no past puzzle yet."))
	case errors.Is(err, game.ErrNotPast):
		return bot.Reply{}, bot.Refuse(err, bot.Text(fmt.Sprintf("The past puzzles have the numbers 1 to %d.", today-1)))
	case errors.Is(err, game.ErrAlreadyPlaying):
		line := bot.Text(bot.Bold("You are practising already."), " Here it is:")
		if m.Puzzle != game.DailyPuzzle(number) {
			line = bot.Text(bot.Bold("You are practising another one already."), " Finish it, or stop it with ",
				bot.Slash(f.Commands.Stop, "mode", face.ModeName(game.Practice)), ":")
		}
		return h.ShowMatch(ctx, f, r, m, line)
	case errors.Is(err, game.ErrAlreadyPlayed):
		return h.ShowMatch(ctx, f, r, m, bot.Text(bot.Bold("You have just practised that one."), " Here it is:"))
	case err != nil:
		return bot.Reply{}, err
	}
	return h.begun(ctx, f, r, m)
}
