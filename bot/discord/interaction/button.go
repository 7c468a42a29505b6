package interaction

import (
	"errors"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/game/marks"
)

// row and button are components of a message, see discord.com/developers/docs/components/reference.
type row struct {
	Type       discordgo.ComponentType `json:"type"`
	Components []button                `json:"components"`
}

type button struct {
	Type     discordgo.ComponentType `json:"type"`
	Style    discordgo.ButtonStyle   `json:"style"`
	Label    string                  `json:"label"`
	Emoji    *emoji                  `json:"emoji,omitempty"`
	CustomID string                  `json:"custom_id"`
	Disabled bool                    `json:"disabled,omitempty"`
}

type emoji struct {
	Name string `json:"name"`
}

const maxLabel = 80 // characters of a button, taken in UTF-16 units to be on the safe side

// buttonStyles are the looks of buttons. A tile is shown as its square on a grey button, since there are no black or yellow
// buttons. A green tile is on a green button, to differ from a yellow one by more than the hue of its square.
var buttonStyles = [...]struct {
	style discordgo.ButtonStyle
	tile  bool
	mark  marks.Mark // of the tile
	word  string     // for the mark
}{
	bot.ButtonSecondary: {style: discordgo.SecondaryButton},
	bot.ButtonPrimary:   {style: discordgo.PrimaryButton},
	bot.ButtonSuccess:   {style: discordgo.SuccessButton},
	bot.ButtonDanger:    {style: discordgo.DangerButton},
	bot.ButtonBlack:     {discordgo.SecondaryButton, true, marks.Black, "black"},
	bot.ButtonYellow:    {discordgo.SecondaryButton, true, marks.Yellow, "yellow"},
	bot.ButtonGreen:     {discordgo.SuccessButton, true, marks.Green, "green"},
}

// renderButtons returns rows of buttons for a message, nil for none. Discord refuses a whole message because of one bad button.
// So buttons whose request is too long, or the same as another's, are left out and listed in the error.
func renderButtons(buttons [][]bot.Button, look bot.Look) ([]row, error) {
	var (
		rows   []row
		faults []error
		taken  = map[string]bool{} // custom_ids
	)
	for r, line := range buttons {
		rendered := row{Type: discordgo.ActionsRowComponent}
		for n, b := range line {
			id, err := CustomID(b.Command, b.Args)
			if b.Disabled { // it makes no request, but Discord wants a unique id
				id, err = fmt.Sprintf("#%d.%d", r+1, n+1), nil
			}
			if err == nil && taken[id] {
				err = errors.New("another button makes the same request")
			}
			if err != nil {
				faults = append(faults, fmt.Errorf("button %d of row %d, %q: %w", n+1, r+1, b.Command, err))
				continue
			}
			taken[id] = true
			rendered.Components = append(rendered.Components, renderButton(b, look, id))
		}
		if len(rendered.Components) > 0 {
			rows = append(rows, rendered)
		}
	}
	return rows, errors.Join(faults...)
}

func renderButton(b bot.Button, look bot.Look, id string) button {
	style := buttonStyles[b.Style]
	d := button{Type: discordgo.ButtonComponent, Style: style.style, Label: clip(b.Label, maxLabel), Disabled: b.Disabled, CustomID: id}
	switch {
	case style.tile && look.Text:
		d.Label += " " + style.word
	case style.tile:
		d.Emoji = &emoji{look.Square(style.mark)}
	}
	return d
}
