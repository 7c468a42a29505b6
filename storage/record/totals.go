package record

import (
	"encoding/json"
	"fmt"

	"fivefold/game"
)

const totalsFormat = 1

type totalsRecord struct {
	Format int
	game.Totals
}

// EncodeTotals returns the stored form of a player's totals.
func EncodeTotals(t game.Totals) ([]byte, error) { return json.Marshal(totalsRecord{totalsFormat, t}) }

// DecodeTotals reads what [EncodeTotals] writes, like [Codecs.DecodeMatch].
func DecodeTotals(data []byte) (game.Totals, error) {
	var r totalsRecord
	if err := decode(data, totalsFormat, &r, &r.Format); err != nil {
		return game.Totals{}, fmt.Errorf("totals: %w", err)
	}
	return r.Totals, nil
}
