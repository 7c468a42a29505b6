package record

import (
	"encoding/json"
	"fmt"

	"fivefold/game"
)

const totalsFormat = 1

type totalsRecord struct {
	Format       int                   `json:"format"`
	Player       game.PlayerID         `json:"player"`
	Played       int                   `json:"played,omitempty"`
	Won          int                   `json:"won,omitempty"`
	Helped       int                   `json:"helped,omitempty"`
	Credit       int                   `json:"credit,omitempty"`
	WonCredit    int                   `json:"won_credit,omitempty"`
	Attempts     int                   `json:"attempts,omitempty"`
	Streak       int                   `json:"streak,omitempty"`
	BestStreak   int                   `json:"best_streak,omitempty"`
	Distribution [game.MaxAttempts]int `json:"distribution"`
	Hints        int                   `json:"hints,omitempty"`
}

// EncodeTotals returns the stored form of a player's totals.
func EncodeTotals(t game.Totals) ([]byte, error) {
	return json.Marshal(totalsRecord{
		totalsFormat, t.Player, t.Played, t.Won, t.Helped, t.Credit, t.WonCredit, t.Attempts, t.Streak, t.BestStreak, t.Distribution, t.Hints,
	})
}

// DecodeTotals reads what [EncodeTotals] writes, like [Codecs.DecodeMatch].
func DecodeTotals(data []byte) (game.Totals, error) {
	var r totalsRecord
	if err := decode(data, totalsFormat, &r, &r.Format); err != nil {
		return game.Totals{}, fmt.Errorf("totals: %w", err)
	}
	return game.Totals{
		Player: r.Player, Played: r.Played, Won: r.Won, Helped: r.Helped, Credit: r.Credit, WonCredit: r.WonCredit, Attempts: r.Attempts,
		Streak: r.Streak, BestStreak: r.BestStreak, Distribution: r.Distribution, Hints: r.Hints,
	}, nil
}
