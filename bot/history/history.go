// Package history answers the commands about finished games: reviews, lists, replays, and statistics.
package history

import (
	"context"
	"errors"
	"log/slog"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/settings"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/statistics"
)

// Handlers carries the commands' dependencies. Set the fields before the first call.
type Handlers struct {
	Games      *matches.Manager
	Finished   *finished.Matches
	Statistics statistics.Store
	Faces      face.Faces
	Settings   func(context.Context, game.GuildID) (settings.Settings, error) // of a server; nil for none
	Log        *slog.Logger
}

// Commands returns the commands of /review.
func (h *Handlers) Commands() []bot.Command {
	all := []bot.Command{h.review(), h.list(), h.replay(), h.share()}
	for i := range all {
		all[i].Explain, all[i].ShowCommand = h.explain, bot.NameList
	}
	return all
}

func (h *Handlers) explain(r bot.Request, err error) error {
	list := bot.Slash(bot.NameList)
	if secret, ok := errors.AsType[*game.SecretError](err); ok {
		daily := func(command string) bot.Span { return bot.Slash(command, "mode", face.ModeName(game.Daily)) }
		commands := h.Faces.Of(secret.Kind).Commands
		switch {
		case secret.Race:
			return bot.Refuse(err, bot.Text("Others may still be in that race. Come back when it's over."))
		case secret.Playing:
			return bot.Refuse(err, bot.Text("You're still playing that daily. Finish it first: ", daily(commands.Board), "."))
		}
		return bot.Refuse(err, bot.Text("That's today's puzzle. Play it first: ", daily(commands.Start), "."))
	}
	if errors.Is(err, game.ErrNoMatch) {
		return bot.RefuseWith(err, bot.Ephemeral(bot.Text("No game here yet.")).Row(h.Faces[0].StartButtons(r)...))
	}
	return bot.RefuseAs(err, map[error]bot.Line{
		game.ErrNotFinished:  bot.Text("That game isn't over yet. ", list, " shows the finished ones."),
		game.ErrOtherChannel: bot.Text("That game was played in a channel you can't read. ", list, " shows the others."),
		game.ErrForgotten:    bot.Text("That game is too old to show, but it still counts. ", list, " shows the newer ones."),
		game.ErrRemoved:      bot.Text("That challenge was removed. ", list, " shows the other games."),
		game.ErrNotInHistory: bot.Text("There's no finished game with that number here. ", list, " shows the numbers."),
	})
}

func (h *Handlers) share() bot.Command {
	return bot.Command{
		Name: bot.NameShare, Help: "Show everyone how your solo or daily game went, without the word",
		Options:    []bot.Option{{Name: "number", Help: "Its number in the list (your latest without one)"}},
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
					game.ErrNoMatch:     bot.Text("You haven't finished a solo game or a daily here yet."),
					game.ErrNotAlone:    bot.Text("Everyone who was there can see that game already: ", bot.Slash(bot.NameReview, "number", r.Args["number"]), "."),
					game.ErrNotOwn:      bot.Text("You can share only your own games."),
					game.ErrStillRacing: stillRacing,
				})
			}
			return h.Faces.Of(f.Match.Kind).Shared(f.Match, r.Player), nil
		},
	}
}
