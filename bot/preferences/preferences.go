// Package preferences answers the commands that set a player's look of replies and a server's rules for games.
package preferences

import (
	"context"
	"fmt"
	"slices"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// Handlers carries the commands' dependencies. Set the fields before the first call.
type Handlers struct {
	Store Store
	Faces face.Faces // whose tiles show a look
}

// Commands returns the commands of /preferences.
func (h *Handlers) Commands() []bot.Command {
	return []bot.Command{h.player(), h.server()}
}

// The names of colours and shapes, as players type them.
var (
	colourNames = []string{bot.StandardColours: "standard", bot.ContrastColours: "contrast"}
	shapeNames  = []string{bot.TileShapes: "tiles", bot.SquareShapes: "squares", bot.SignShapes: "signs"}
)

func (h *Handlers) player() bot.Command {
	return bot.Command{
		Name: bot.NamePreferences,
		Help: "How games look in replies that only you see",
		Options: []bot.Option{
			{Name: "colours", Help: "standard: green and yellow; contrast: orange and blue", Choices: colourNames},
			{Name: "shapes", Help: "tiles with letters, coloured squares, or signs that differ without colour", Choices: shapeNames},
			{Name: "text", Help: "Tiles and pictures in words, for a screen reader", Kind: bot.FlagOption},
		},
		Audience: bot.Asker,
		NotSaved: "your preferences stay as they are",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			now, err := h.Store.PlayerLook(ctx, r.Player)
			if err != nil && len(r.Args) == 0 {
				return bot.Reply{}, err // with an argument it is set again
			}
			look := now
			if i := slices.Index(colourNames, r.Args["colours"]); i >= 0 {
				look.Colours = bot.Colours(i)
			}
			if i := slices.Index(shapeNames, r.Args["shapes"]); i >= 0 {
				look.Shapes = bot.Shapes(i)
			}
			if text := r.Args["text"]; text != "" {
				look.Text = text == "true"
			}
			if look != now || err != nil {
				if err := h.Store.SetPlayerLook(r.Origin().ForCommit(ctx), r.Player, look); err != nil {
					return bot.Reply{}, err
				}
			}
			return h.playerReply(look), nil
		},
	}
}

func (h *Handlers) playerReply(l bot.Look) bot.Reply {
	text := map[bool]string{false: "off", true: "on"}[l.Text]
	reply := bot.Reply{InPlace: true, Blocks: bot.Lines(
		bot.Text(bot.Bold("Replies that only you see"), ": colours ", bot.Bold(colourNames[l.Colours]), ", shapes ", bot.Bold(shapeNames[l.Shapes]),
			", text for a screen reader ", bot.Bold(text), ". It looks like this:"),
	)}
	for _, f := range h.Faces {
		reply = reply.Say(f.Sample)
	}
	reply = reply.Say(bot.Text(meaning(l)), bot.Text("A board that everybody sees, and lines to share, stay as they are."))
	choices := func(option string, names []string, current int, labels ...string) (row []bot.Button) {
		for i, label := range labels {
			b := bot.Button{Label: label, Command: bot.NamePreferences, Args: map[string]string{option: names[i]}}
			if i == current {
				b.Style = bot.ButtonPrimary
			}
			row = append(row, b)
		}
		return row
	}
	words := choices("text", []string{"true"}, -1, "Text for a screen reader")
	if l.Text {
		words = choices("text", []string{"false"}, -1, "Tiles instead of text")
	}
	return reply.Row(choices("colours", colourNames, int(l.Colours), "Standard colours", "High contrast")...).
		Row(choices("shapes", shapeNames, int(l.Shapes), "Tiles", "Squares", "Signs")...).Row(words...)
}

func meaning(l bot.Look) string {
	if l.Colours == bot.ContrastColours && !l.Text {
		return "Orange is what texts call green: in its place. Blue is what they call yellow: elsewhere, or of the same rank or suit."
	}
	return "Green: in its place. Yellow: elsewhere, or of the same rank or suit. Black or grey: neither."
}

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
			limit := face.ReadHints(typed)
			return serverReply(limit, true), h.Store.SetServerHints(r.Origin().ForCommit(ctx), guild, limit)
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
	return bot.Reply{Blocks: bot.Lines(lines...)}
}
