// Package history answers the commands about finished games: reviews, lists, replays, statistics, and clearing them.
package history

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/solver/solve"
)

// Handlers has what the commands work with. Its fields must be set and not changed afterwards.
type Handlers struct {
	Games    *game.Manager
	Faces    face.Faces
	Sessions solve.Store // which are cleared together with a history
	Log      *slog.Logger
}

// Commands returns the commands of /review.
func (h *Handlers) Commands() []bot.Command {
	all := []bot.Command{h.review(), h.list(), h.replay(), h.share(), h.clear()}
	for i := range all {
		all[i].Explain, all[i].ShowCommand = h.explain, bot.NameList
	}
	return all
}

func (h *Handlers) explain(_ bot.Request, err error) (bot.Reply, bool) {
	var secret *game.SecretError
	var line bot.Line
	list := bot.Slash(bot.NameList)
	switch {
	case errors.As(err, &secret) && secret.Race:
		line = bot.Text("Others may still be in that race. Come back when it is over.")
	case errors.As(err, &secret) && secret.Playing:
		line = bot.Text("You are still playing that daily puzzle. Finish it first: ",
			bot.Slash(h.Faces.Of(secret.Kind).Commands.Board, "mode", face.ModeName(game.Daily)), ".")
	case errors.As(err, &secret):
		line = bot.Text("That is today's puzzle, and you have not finished it. Play it first: ",
			bot.Slash(h.Faces.Of(secret.Kind).Commands.Start, "mode", face.ModeName(game.Daily)), ".")
	case errors.Is(err, game.ErrNotFinished):
		line = bot.Text("That game is still being played. Come back when it is over; ", list, " shows the finished ones.")
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

func (h *Handlers) share() bot.Command {
	return bot.Command{
		Name: bot.NameShare, Help: "Share a solo or daily game, without its answer",
		Options:    []bot.Option{{Name: "number", Help: "Which game, by its number in the list; without one, your latest"}},
		HiddenArgs: []string{face.ArgMatch},
		Audience:   bot.Undecided, // a refusal is for the asker alone
		NotSaved:   "nothing was shared",
		NewMessage: true,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if r.Context.AskerOnly {
				return bot.Reply{}, errAskerOnly
			}
			which, err := past(r)
			if err != nil {
				return bot.Reply{}, err
			}
			f, err := h.Games.Share(ctx, r.Origin(), which)
			switch {
			case errors.Is(err, game.ErrNoMatch):
				return bot.Reply{}, bot.Refuse(err, bot.Text("You haven't finished a solo or daily game here yet. Everyone can see the other games anyway."))
			case errors.Is(err, game.ErrNotAlone):
				return bot.Reply{}, bot.Refuse(err, bot.Text("Everybody where that game was played can see it already: ", bot.Slash(bot.NameReview, "number", r.Args["number"]), "."))
			case errors.Is(err, game.ErrNotOwn):
				return bot.Reply{}, bot.Refuse(err, bot.Text("You can share only your own games."))
			case errors.Is(err, game.ErrStillRacing):
				return bot.Reply{}, bot.Refuse(err, stillRacing)
			case err != nil:
				return bot.Reply{}, err
			}
			lines := append([]bot.Line{bot.Text(r.Player, ", "+face.ModeName(f.Match.Mode)+":")}, h.Faces.Of(f.Match.Kind).ShareLines(f.Match)...)
			number, err := h.Games.NumberOf(ctx, f)
			if err != nil { // it is shared all the same
				h.Log.Warn("could not find the number of a game that was shared", "request", r, "error", err)
				return bot.Reply{Lines: lines}, nil
			}
			return bot.Reply{Lines: append(lines, bot.Text("Every guess: ", bot.Slash(bot.NameReview, "number", fmt.Sprint(number)), "."))}, nil
		},
	}
}

func (h *Handlers) clear() bot.Command {
	return bot.Command{
		Name: bot.NameClear, Help: "Make yourself anonymous everywhere, and delete your statistics",
		Options:  []bot.Option{{Name: "sure", Help: "Do it without asking first", Kind: bot.FlagOption}},
		Audience: bot.Asker,
		NotSaved: "your history is not cleared yet",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			reply := bot.Reply{InPlace: r.FromComponent}
			switch {
			case r.Args["sure"] == "true":
				err := solve.Clear(ctx, h.Sessions, r.Origin())
				if err == nil {
					err = h.Games.ClearHistory(ctx, r.Origin())
				}
				reply.Lines = []bot.Line{bot.Text(bot.Bold("Your history is cleared."), " No finished game names you any more, and you have no statistics and no solving record.")}
				return reply, err
			case r.Args["sure"] == "false" && r.FromComponent:
				reply.Lines = []bot.Line{bot.Text("Nothing was changed.")}
				return reply, nil
			}
			reply.Lines = []bot.Line{
				bot.Text(bot.Bold("This makes you “somebody” in every finished game and deletes your statistics, wherever you played. It cannot be undone.")),
				bot.Text("Games that only you played in disappear from every list, and your record of solved puzzles starts again from nothing. You won't have a place in this month's tables. A game or a puzzle that is still being played stays as it is. Today's daily puzzle cannot be played a second time."),
				bot.Text("Clear your history with ", bot.Slash(bot.NameClear, "sure", "true"), ".").AsTyped(),
			}
			return reply.Row(
				bot.Button{Label: "Clear my history", Style: bot.ButtonDanger, Command: bot.NameClear, Args: map[string]string{"sure": "true"}},
				bot.Button{Label: "Keep it", Command: bot.NameClear, Args: map[string]string{"sure": "false"}},
			), nil
		},
	}
}
