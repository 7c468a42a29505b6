// Package preferences answers the command that sets a player's look of replies.
package preferences

import (
	"context"
	"slices"
	"strconv"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// Handlers carries the commands' dependencies. Set the fields before the first call.
type Handlers struct {
	Store     Store
	Reminders game.ReminderStore
	HasPost   func(context.Context, game.GuildID) (bool, error) // whether a server has a daily post
	Faces     face.Faces                                        // whose tiles show a look
}

// Commands returns the commands of /preferences.
func (h *Handlers) Commands() []bot.Command {
	return []bot.Command{h.player()}
}

// The names of colours and shapes, as players type them.
var (
	colourNames = []string{bot.StandardColours: "standard", bot.ContrastColours: "contrast"}
	shapeNames  = []string{bot.TileShapes: "tiles", bot.SquareShapes: "squares", bot.SignShapes: "signs"}
)

func (h *Handlers) player() bot.Command {
	return bot.Command{
		Name: bot.NamePreferences,
		Help: "How games look to you, and a reminder",
		Options: []bot.Option{
			{Name: "colours", Help: "standard: green and yellow; contrast: orange and blue", Choices: colourNames},
			{Name: "shapes", Help: "tiles with letters, coloured squares, or signs that differ in shape too", Choices: shapeNames},
			{Name: "text", Help: "Words instead of tiles and pictures, for a screen reader", Kind: bot.FlagOption},
			{Name: "reminder", Help: "Before your daily streak ends: by direct message, or by name in this server's daily post", Choices: reminderNames},
		},
		Audience: bot.Asker,
		NotSaved: "your preferences stay as they are",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			now, unreadable := h.Store.PlayerLook(ctx, r.Player)
			if unreadable != nil && len(r.Args) == 0 {
				return bot.Reply{}, unreadable // with an argument it is set again
			}
			wish, err := h.remind(ctx, r)
			if err != nil {
				return bot.Reply{}, err
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
			if look != now || unreadable != nil {
				if err := h.Store.SetPlayerLook(r.Origin().ForCommit(ctx), r.Player, look); err != nil {
					return bot.Reply{}, err
				}
			}
			return h.playerReply(r, look, wish), nil
		},
	}
}

// What the choices mean, in the order of their names.
var (
	colourMeanings = []string{"Green and yellow", "Orange and blue, high contrast"}
	shapeMeanings  = []string{"Tiles with letters", "Coloured squares", "Signs, each mark in a shape of its own"}
)

func (h *Handlers) playerReply(r bot.Request, l bot.Look, wish game.Reminder) bot.Reply {
	reply := bot.Reply{
		InPlace: true, Heading: bot.Text("Your preferences"),
		Subtext: bot.Text("Looks are for replies that only you see. Shared boards and results don't change."),
	}
	var samples []string // kinds with words have the same
	for _, f := range h.Faces {
		if text := f.Sample.TileText(); !slices.Contains(samples, text) {
			reply, samples = reply.Say(f.Sample), append(samples, text)
		}
	}
	state, turn := "off", "on"
	if l.Text {
		state, turn = turn, state
	}
	text := bot.Beside{
		Text:   []bot.Line{bot.Text(bot.Bold("Screen reader text"), ": "+state)},
		Button: bot.Button{Label: "Turn " + turn, Command: bot.NamePreferences, Args: map[string]string{"text": strconv.FormatBool(!l.Text)}},
	}
	meaning := "Green: in its place. Yellow: elsewhere, or the same rank or suit. Grey: neither."
	if l.Colours == bot.ContrastColours && !l.Text {
		meaning = "Orange: in its place (I'll call it green). Blue: elsewhere, or the same rank or suit (yellow). Grey: neither."
	}
	reply = reply.Say(bot.Text(meaning)).Add(
		menu("Colours", "colours", colourNames, colourMeanings, colourMeanings[l.Colours]),
		menu("Shapes", "shapes", shapeNames, shapeMeanings, shapeMeanings[l.Shapes]), text)
	if !r.Surface.HasButtons() { // a terminal reminds nobody
		return reply
	}
	return reply.Add(reminderMenu(r, wish)...)
}

// menu returns a menu whose label says what is chosen now.
func menu(label, option string, names, meanings []string, now string) *bot.Menu {
	m := &bot.Menu{Label: label + ": " + now, Command: bot.NamePreferences, Option: option}
	for i, name := range names {
		m.Choices = append(m.Choices, bot.MenuChoice{Label: meanings[i], Value: name})
	}
	return m
}
