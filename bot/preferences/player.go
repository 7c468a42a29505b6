package preferences

import (
	"context"
	"slices"

	"fivefold/bot"
)

// What players type for colours and shapes.
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
				if err := r.Origin().CheckExpiry(); err != nil {
					return bot.Reply{}, err
				}
				if err := h.Store.SetPlayerLook(ctx, r.Player, look); err != nil {
					return bot.Reply{}, err
				}
			}
			return h.playerReply(look), nil
		},
	}
}

// playerReply shows a player's look, and how to change it.
func (h *Handlers) playerReply(l bot.Look) bot.Reply {
	text := "off"
	if l.Text {
		text = "on"
	}
	reply := bot.Reply{InPlace: true, Lines: []bot.Line{
		bot.Text(bot.Bold("Replies that only you see"), ": colours ", bot.Bold(colourNames[l.Colours]), ", shapes ", bot.Bold(shapeNames[l.Shapes]),
			", text for a screen reader ", bot.Bold(text), ". It looks like this:"),
	}}
	for _, f := range h.Faces {
		reply.Lines = append(reply.Lines, f.SampleRow())
	}
	reply.Lines = append(reply.Lines, bot.Text(meaning(l)), bot.Text("A board that everybody sees, and lines to share, stay as they are."))
	choice := func(label, option, value string, current bool) bot.Button {
		b := bot.Button{Label: label, Command: bot.NamePreferences, Args: map[string]string{option: value}}
		if current {
			b.Style = bot.ButtonPrimary
		}
		return b
	}
	var colours, shapes []bot.Button
	for i, label := range []string{bot.StandardColours: "Standard colours", bot.ContrastColours: "High contrast"} {
		colours = append(colours, choice(label, "colours", colourNames[i], int(l.Colours) == i))
	}
	for i, label := range []string{bot.TileShapes: "Tiles", bot.SquareShapes: "Squares", bot.SignShapes: "Signs"} {
		shapes = append(shapes, choice(label, "shapes", shapeNames[i], int(l.Shapes) == i))
	}
	words := choice("Text for a screen reader", "text", "true", false)
	if l.Text {
		words = choice("Tiles instead of text", "text", "false", false)
	}
	reply.Buttons = [][]bot.Button{colours, shapes, {words}}
	return reply
}

// meaning says what the colours mean.
func meaning(l bot.Look) string {
	if l.Colours == bot.ContrastColours && !l.Text {
		return "Orange is what texts call green: in its place. Blue is what they call yellow: elsewhere, or of the same rank or suit."
	}
	return "Green: in its place. Yellow: elsewhere, or of the same rank or suit. Black or grey: neither."
}
