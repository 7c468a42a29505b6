package record

import (
	"encoding/json"
	"fmt"

	"fivefold/bot/preferences"
	"fivefold/game"
)

const serverFormat = 1

type serverRecord struct {
	Format int  `json:"format"`
	Hints  *int `json:"hints,omitempty"` // the most in a game; none for any number
}

// EncodeServer returns the stored form of a server's preferences.
func EncodeServer(s preferences.Server) ([]byte, error) {
	r := serverRecord{Format: serverFormat}
	if s.Hints.Limited {
		r.Hints = &s.Hints.Most
	}
	return json.Marshal(r)
}

// DecodeServer reads what any release so far has stored. The error wraps [game.ErrNewer] or
// [game.ErrDamaged].
func DecodeServer(data []byte) (preferences.Server, error) {
	var r serverRecord
	if err := decode(data, serverFormat, &r, &r.Format); err != nil {
		return preferences.Server{}, fmt.Errorf("preferences of a server: %w", err)
	}
	if r.Hints == nil {
		return preferences.Server{}, nil
	}
	if *r.Hints < 0 {
		return preferences.Server{}, fmt.Errorf("preferences of a server: %d hints: %w", *r.Hints, game.ErrDamaged)
	}
	return preferences.Server{Hints: game.HintLimit{Limited: true, Most: *r.Hints}}, nil
}
