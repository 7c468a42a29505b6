// Package history answers the commands about finished games: reviews, lists, replays,
// statistics, and clearing them.
package history

import (
	"errors"
	"log/slog"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/solver/solve"
)

// Handlers has what the commands work with. Its fields must be set and not changed
// afterwards.
type Handlers struct {
	Games      *game.Manager
	Statistics game.Statistics
	Faces      face.Faces
	Sessions   solve.Store // which are cleared together with a history
	Log        *slog.Logger
}

// Commands returns the commands of /review.
func (h *Handlers) Commands() []bot.Command {
	all := []bot.Command{h.review(), h.list(), h.replay(), h.share(), h.clear()}
	for i := range all {
		all[i].Explain, all[i].ShowCommand = h.explain, bot.NameList
	}
	return all
}

// explain puts an error about a finished match into words.
func (h *Handlers) explain(_ bot.Request, err error) (bot.Reply, bool) {
	var secret *game.SecretError
	var line bot.Line
	list := bot.Slash(bot.NameList)
	switch {
	case errors.As(err, &secret) && secret.Playing:
		line = bot.Text("You are still playing that daily puzzle. Finish it first: ",
			bot.Slash(h.Faces.Of(secret.Kind).Commands.Board, "mode", face.ModeName(game.Daily)), ".")
	case errors.As(err, &secret):
		line = bot.Text("That is today's puzzle, and you have not finished it. Play it first: ",
			bot.Slash(h.Faces.Of(secret.Kind).Commands.Start, "mode", face.ModeName(game.Daily)), ".")
	case errors.Is(err, game.ErrNoMatch):
		line = bot.Text("No game has been started here yet. Start one with ", bot.Slash(h.Faces[0].Commands.Start), ".")
	case errors.Is(err, game.ErrOtherChannel):
		line = bot.Text("That game was played in a channel that you cannot read. ", list, " shows the games there are.")
	case errors.Is(err, game.ErrForgotten):
		line = bot.Text("That game is no longer kept; it still counts in the statistics. ", list, " shows the games there are.")
	case errors.Is(err, game.ErrRemoved):
		line = bot.Text("That challenge was removed. ", list, " shows the games there are.")
	case errors.Is(err, game.ErrNotInHistory):
		line = bot.Text("There is no such finished game here, or it is another player's own. ", list, " shows the games there are.")
	default:
		return bot.Reply{}, false
	}
	return bot.Ephemeral(line), true
}
