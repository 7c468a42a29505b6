package interaction

import (
	"errors"
	"fmt"
	"strings"

	"fivefold/bot"
	"fivefold/game/marks"
)

// Components of a message, see discord.com/developers/docs/components/reference.
type row struct {
	Type       int      `json:"type"`
	Components []button `json:"components"`
}

type button struct {
	Type     int    `json:"type"`
	Style    int    `json:"style"`
	Label    string `json:"label"`
	Emoji    *emoji `json:"emoji,omitempty"`
	CustomID string `json:"custom_id"`
	Disabled bool   `json:"disabled,omitempty"`
}

type emoji struct {
	Name string `json:"name"`
}

const (
	componentRow    = 1
	componentButton = 2
)

// The styles of buttons.
const (
	stylePrimary   = 1
	styleSecondary = 2
	styleSuccess   = 3
	styleDanger    = 4
)

// Discord's limits for buttons.
const (
	maxRows  = 5
	maxInRow = 5
	maxLabel = 80 // taken in UTF-16 units to be on the safe side
)

// buttonStyles are how buttons are shown. A tile is its square on a grey button, as
// there are no black or yellow ones. A green tile is on a green button: it must differ
// from a yellow one by more than the hue of its square.
var buttonStyles = [...]struct {
	style int
	tile  bool
	mark  marks.Mark // of the tile
	word  string     // for the mark
}{
	bot.ButtonSecondary: {style: styleSecondary},
	bot.ButtonPrimary:   {style: stylePrimary},
	bot.ButtonSuccess:   {style: styleSuccess},
	bot.ButtonDanger:    {style: styleDanger},
	bot.ButtonBlack:     {styleSecondary, true, marks.Black, "black"},
	bot.ButtonYellow:    {styleSecondary, true, marks.Yellow, "yellow"},
	bot.ButtonGreen:     {styleSuccess, true, marks.Green, "green"},
}

// renderButtons returns rows of buttons for a message, nil for none. Discord
// refuses a whole message because of one bad button, so bad buttons are left out
// and listed in the error.
func renderButtons(buttons [][]bot.Button, look bot.Look) ([]row, error) {
	var (
		rows   []row
		faults []error
		taken  = map[string]bool{} // custom_ids
	)
	for r, line := range buttons {
		rendered := row{Type: componentRow}
		for n, b := range line {
			d, err := renderButton(b, look, r, n)
			switch {
			case err != nil:
			case len(rows) == maxRows:
				err = fmt.Errorf("more than %d rows", maxRows)
			case len(rendered.Components) == maxInRow:
				err = fmt.Errorf("more than %d in a row", maxInRow)
			case taken[d.CustomID]:
				err = errors.New("another button makes the same request")
			}
			if err != nil {
				faults = append(faults, fmt.Errorf("button %d of row %d, %q: %w", n+1, r+1, b.Command, err))
				continue
			}
			taken[d.CustomID] = true
			rendered.Components = append(rendered.Components, d)
		}
		if len(rendered.Components) > 0 {
			rows = append(rows, rendered)
		}
	}
	return rows, errors.Join(faults...)
}

// renderButton renders the n-th button of a row, both counted from 0.
func renderButton(b bot.Button, look bot.Look, row, n int) (button, error) {
	if size := units(b.Label); strings.TrimSpace(b.Label) == "" || size > maxLabel {
		return button{}, fmt.Errorf("a label of %d characters, must be 1 to %d", size, maxLabel)
	}
	if int(b.Style) >= len(buttonStyles) {
		return button{}, fmt.Errorf("no style has number %d", b.Style)
	}
	style := buttonStyles[b.Style]
	d := button{Type: componentButton, Style: style.style, Label: b.Label, Disabled: b.Disabled}
	switch {
	case style.tile && look.Text:
		d.Label += " " + style.word
	case style.tile:
		d.Emoji = &emoji{look.Square(style.mark)}
	}
	var err error
	if b.Disabled {
		// It makes no request, but Discord wants a unique id.
		d.CustomID = fmt.Sprintf("#%d.%d", row+1, n+1)
	} else {
		d.CustomID, err = CustomID(b.Command, b.Args)
	}
	return d, err
}
