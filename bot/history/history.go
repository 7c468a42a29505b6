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
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/solver/solve"
)

// Handlers carries the commands' dependencies. Set the fields before the first call.
type Handlers struct {
	Games      *matches.Manager
	Finished   *finished.Matches
	Statistics statistics.Store
	Faces      face.Faces
	Sessions   solve.Store // cleared together with a history
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

func (h *Handlers) explain(_ bot.Request, err error) error {
	list := bot.Slash(bot.NameList)
	if secret, ok := errors.AsType[*game.SecretError](err); ok {
		daily := func(command string) bot.Span { return bot.Slash(command, "mode", face.ModeName(game.Daily)) }
		commands := h.Faces.Of(secret.Kind).Commands
		switch {
		case secret.Race:
			return bot.Refuse(err, bot.Text("Others may still be in that race. Come back when it is over."))
		case secret.Playing:
			return bot.Refuse(err, bot.Text("You are still playing that daily puzzle. Finish it first: ", daily(commands.Board), "."))
		}
		return bot.Refuse(err, bot.Text("That is today's puzzle, and you have not finished it. Play it first: ", daily(commands.Start), "."))
	}
	return bot.RefuseAs(err, map[error]bot.Line{
		game.ErrNotFinished:  bot.Text("That game is still being played. Come back when it is over; ", list, " shows the finished ones."),
		game.ErrNoMatch:      bot.Text("No game has been started here yet. Start one with ", bot.Slash(h.Faces[0].Commands.Start), "."),
		game.ErrOtherChannel: bot.Text("That game was played in a channel that you cannot read. ", list, " shows the games there are."),
		game.ErrForgotten:    bot.Text("That game is no longer kept; it still counts in the statistics. ", list, " shows the games there are."),
		game.ErrRemoved:      bot.Text("That challenge was removed. ", list, " shows the games there are."),
		game.ErrNotInHistory: bot.Text("There is no such finished game here, or it is another player's own. ", list, " shows the games there are."),
	})
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
			f, err := h.Finished.Share(ctx, r.Origin(), which)
			if err != nil {
				return bot.Reply{}, bot.RefuseAs(err, map[error]bot.Line{
					game.ErrNoMatch:     bot.Text("You haven't finished a solo or daily game here yet. Everyone can see the other games anyway."),
					game.ErrNotAlone:    bot.Text("Everybody where that game was played can see it already: ", bot.Slash(bot.NameReview, "number", r.Args["number"]), "."),
					game.ErrNotOwn:      bot.Text("You can share only your own games."),
					game.ErrStillRacing: stillRacing,
				})
			}
			lines := append([]bot.Line{bot.Text(r.Player, ", "+face.ModeName(f.Match.Mode)+":")}, h.Faces.Of(f.Match.Kind).ShareLines(f.Match)...)
			return bot.Reply{Blocks: bot.Lines(append(lines, bot.Text("Every guess: ", bot.Slash(bot.NameReview, "number", fmt.Sprint(f.Number)), "."))...)}, nil
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
			said := func(lines ...bot.Line) bot.Reply {
				return bot.Reply{Blocks: bot.Lines(lines...), InPlace: r.FromComponent}
			}
			switch {
			case r.Args["sure"] == "true":
				err := solve.Clear(ctx, h.Sessions, r.Origin())
				if err == nil {
					err = h.Finished.Clear(ctx, r.Origin())
				}
				return said(bot.Text(bot.Bold("Your history is cleared."), " No finished game names you any more, and you have no statistics and no solving record.")), err
			case r.Args["sure"] == "false" && r.FromComponent:
				return said(bot.Text("Nothing was changed.")), nil
			}
			return said(
				bot.Text(bot.Bold("This makes you “somebody” in every finished game and deletes your statistics, wherever you played. It cannot be undone.")),
				bot.Text("Games that only you played in disappear from every list, and your record of solved puzzles starts again from nothing. You won't have a place in this month's tables. A game or a puzzle that is still being played stays as it is. Today's daily puzzle cannot be played a second time."),
			).Row(
				bot.Button{Label: "Clear my history", Style: bot.ButtonDanger, Command: bot.NameClear, Args: map[string]string{"sure": "true"}},
				bot.Button{Label: "Keep it", Command: bot.NameClear, Args: map[string]string{"sure": "false"}},
			), nil
		},
	}
}
