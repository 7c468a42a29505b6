package preferences

import (
	"context"
	"fmt"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

func (h *Handlers) server() bot.Command {
	hints := face.HintsOption()
	hints.Help = "The most in a game; on: any number. Only someone who can manage the server can change it"
	return bot.Command{
		Name:     bot.NameServerPreferences,
		Help:     "How many hints games here allow",
		Options:  []bot.Option{hints},
		Audience: bot.Asker,
		NotSaved: "the server's preferences stay as they are",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			guild := r.Location.Guild
			if guild == "" {
				return bot.Reply{}, bot.Decline(bot.Text("Server preferences can only be changed in a server. Your own: ", bot.Slash(bot.NamePreferences), "."))
			}
			typed := r.Args[hints.Name]
			if typed == "" {
				now, err := h.Store.ServerHints(ctx, guild)
				return serverReply(now, r.MayManageServer), err
			}
			if !r.MayManageServer {
				return bot.Reply{}, bot.Decline(bot.Text("Only someone who can manage this server can change that. Nothing was changed."))
			}
			limit, err := face.ReadHints(typed)
			if err != nil {
				return bot.Reply{}, err
			}
			if err := r.Origin().CheckExpiry(); err != nil {
				return bot.Reply{}, err
			}
			return serverReply(limit, true), h.Store.SetServerHints(ctx, guild, limit)
		},
	}
}

func serverReply(l game.HintLimit, mayChange bool) bot.Reply {
	hints := "on"
	switch {
	case l.Limited && l.Most == 0:
		hints = "off"
	case l.Limited:
		hints = fmt.Sprintf("at most %d a game", l.Most)
	}
	lines := []bot.Line{bot.Text("Hints in this server: ", bot.Bold(hints), ". Whoever starts a game can allow fewer. A game that is being played stays as it is.")}
	if mayChange {
		lines = append(lines, bot.Text("Change it with ", bot.Slash(bot.NameServerPreferences, "hints", "off"), ", or on, or a number."),
			bot.Text("For the results of the daily puzzles, posted each day: ", bot.Slash(bot.NameDayPost), "."))
	}
	return bot.Reply{Lines: lines}
}
