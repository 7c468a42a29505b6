package record

import (
	"encoding/json"
	"fmt"

	"fivefold/game"
)

const totalsFormat = 1

type totalsRecord struct {
	Format  int           `json:"format"`
	Player  game.PlayerID `json:"player"`
	Daily   *countsRecord `json:"daily,omitempty"`
	Other   *countsRecord `json:"other,omitempty"`
	Streak  streakRecord  `json:"streak,omitzero"`
	Days    streakRecord  `json:"days,omitzero"`
	LastDay int           `json:"last_day,omitempty"`
}

type countsRecord struct {
	Played       int                   `json:"played,omitempty"`
	Won          int                   `json:"won,omitempty"`
	Distribution [game.MaxAttempts]int `json:"distribution"`
	Hints        int                   `json:"hints,omitempty"`
	Hinted       int                   `json:"hinted,omitempty"`
}

type streakRecord struct {
	Now  int `json:"now,omitempty"`
	Best int `json:"best,omitempty"`
}

// EncodeTotals returns the stored form of a player's totals.
func EncodeTotals(t game.Totals) ([]byte, error) {
	return json.Marshal(totalsRecord{
		totalsFormat, t.Player, counts(t.Daily), counts(t.Other), streakRecord(t.Streak), streakRecord(t.Days), t.LastDay,
	})
}

func counts(c game.Counts) *countsRecord {
	if c == (game.Counts{}) {
		return nil
	}
	r := countsRecord(c)
	return &r
}

// DecodeTotals reads what [EncodeTotals] writes, like [Codecs.DecodeMatch].
func DecodeTotals(data []byte) (game.Totals, error) {
	var r totalsRecord
	if err := decode(data, totalsFormat, &r, &r.Format); err != nil {
		return game.Totals{}, fmt.Errorf("totals: %w", err)
	}
	t := game.Totals{Player: r.Player, Streak: game.Streak(r.Streak), Days: game.Streak(r.Days), LastDay: r.LastDay}
	if r.Daily != nil {
		t.Daily = game.Counts(*r.Daily)
	}
	if r.Other != nil {
		t.Other = game.Counts(*r.Other)
	}
	return t, nil
}
