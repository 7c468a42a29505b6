package record

import (
	"encoding/json"
	"fmt"
	"slices"

	"fivefold/bot"
	"fivefold/game"
)

const lookFormat = 1

type lookRecord struct {
	Format  int    `json:"format"`
	Colours string `json:"colours,omitempty"`
	Shapes  string `json:"shapes,omitempty"`
	Text    bool   `json:"text,omitempty"`
}

// The stored words for colours and shapes. They must not change.
var (
	colourWords = []string{bot.StandardColours: "", bot.ContrastColours: "contrast"}
	shapeWords  = []string{bot.TileShapes: "", bot.SquareShapes: "squares", bot.SignShapes: "signs"}
)

// EncodeLook returns the stored form of a player's look.
func EncodeLook(l bot.Look) ([]byte, error) {
	if int(l.Colours) >= len(colourWords) || int(l.Shapes) >= len(shapeWords) {
		return nil, fmt.Errorf("look %+v has no stored form", l)
	}
	return json.Marshal(lookRecord{lookFormat, colourWords[l.Colours], shapeWords[l.Shapes], l.Text})
}

// DecodeLook reads what any release so far has stored. The error wraps [game.ErrNewer] or
// [game.ErrDamaged].
func DecodeLook(data []byte) (bot.Look, error) {
	var r lookRecord
	if err := decode(data, lookFormat, &r, &r.Format); err != nil {
		return bot.Look{}, fmt.Errorf("look: %w", err)
	}
	colours, shapes := slices.Index(colourWords, r.Colours), slices.Index(shapeWords, r.Shapes)
	if colours < 0 || shapes < 0 {
		return bot.Look{}, fmt.Errorf("look: it has an unknown word: %w", game.ErrDamaged)
	}
	return bot.Look{Colours: bot.Colours(colours), Shapes: bot.Shapes(shapes), Text: r.Text}, nil
}
