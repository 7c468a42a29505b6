package record

import (
	"errors"
	"testing"

	"fivefold/bot"
	"fivefold/game"
)

func TestLook(t *testing.T) {
	seen := map[string]bool{}
	for _, colours := range []bot.Colours{bot.StandardColours, bot.ContrastColours} {
		for _, shapes := range []bot.Shapes{bot.TileShapes, bot.SquareShapes, bot.SignShapes} {
			for _, text := range []bool{false, true} {
				want := bot.Look{Colours: colours, Shapes: shapes, Text: text}
				data, err := EncodeLook(want)
				if err != nil || seen[string(data)] {
					t.Errorf("%+v is stored as %s, %v", want, data, err)
				}
				seen[string(data)] = true
				if got, err := DecodeLook(data); got != want || err != nil {
					t.Errorf("%s is %+v, %v, want %+v", data, got, err, want)
				}
			}
		}
	}
	if _, err := EncodeLook(bot.Look{Shapes: 3}); err == nil {
		t.Error("a look that does not exist is stored")
	}
	for data, want := range map[string]error{
		`{"format":1,"colours":"pink"}`: game.ErrDamaged,
		`{"format":1,"shapes":"round"}`: game.ErrDamaged,
		`{"format":0}`:                  game.ErrDamaged,
		`{`:                             game.ErrDamaged,
		`{"format":2}`:                  game.ErrNewer,
	} {
		if got, err := DecodeLook([]byte(data)); !errors.Is(err, want) {
			t.Errorf("%s is %+v, %v, want %v", data, got, err, want)
		}
	}
	const stored = `{"format":1,"colours":"contrast","shapes":"signs","text":true}` // by the first release that had it
	if got, err := DecodeLook([]byte(stored)); got != (bot.Look{Colours: bot.ContrastColours, Shapes: bot.SignShapes, Text: true}) || err != nil {
		t.Errorf("%s is %+v, %v", stored, got, err)
	}
}
