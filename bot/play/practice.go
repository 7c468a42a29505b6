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
	here, err := h.Settings.Load(ctx, r.Location.Guild)
	if err != nil {
		return bot.Reply{}, err
	}
	m, err := h.Games.Start(ctx, r.Origin(), matches.StartOptions{Kind: f.Kind, Mode: game.Practice, Past: number, Hints: here.HintLimit(r)})
	switch today := h.Games.Today(); {
	case errors.As(err, new(*game.SecretError)):
		there := bot.Button{Label: "Go there", Style: bot.ButtonPrimary, Command: f.Commands.Board, Args: map[string]string{"mode": face.ModeName(game.Daily)}}
		return bot.Reply{}, bot.RefuseWith(err, bot.Ephemeral(bot.Text("You're still playing that daily. Finish it first.")).Row(there))
	case errors.Is(err, game.ErrNotPast) && number == today:
		return bot.Reply{}, bot.RefuseWith(err, bot.Ephemeral(bot.Text("That's today's puzzle.")).Row(f.StartButton("Play", game.Daily)))
	case errors.Is(err, game.ErrNotPast) && today <= 1:
		return bot.Reply{}, bot.Refuse(err, bot.Text("There's no past puzzle yet."))
	case errors.Is(err, game.ErrNotPast):
		return bot.Reply{}, bot.Refuse(err, bot.Text(fmt.Sprintf("Past puzzles have the numbers 1 to %d.", today-1)))
	case errors.Is(err, game.ErrAlreadyPlaying):
		if m.Puzzle == game.DailyPuzzle(number) {
			return h.ShowMatch(ctx, f, r, m, bot.Text("You're playing this one already"))
		}
		reply, err := h.ShowMatch(ctx, f, r, m, bot.Text("Finish this one first, or give up"))
		return reply.Row(bot.Button{Label: "Give up", Style: bot.ButtonDanger, Command: f.Commands.Stop, Args: face.MatchArgs(m)}), err
	case errors.Is(err, game.ErrAlreadyPlayed):
		return h.ShowMatch(ctx, f, r, m, bot.Text("You've just played this one"))
	case err != nil:
		return bot.Reply{}, err
	}
	return h.begun(ctx, f, r, m)
}
