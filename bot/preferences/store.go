package preferences

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"fivefold/bot"
	"fivefold/game"
)

// Records keeps what was chosen as bytes; nil stands for nothing, and removes. It is safe for concurrent
// use, and what it has acknowledged outlives a loss of power. [game.Store.Clear] removes a player's look.
type Records interface {
	PlayerLook(ctx context.Context, player game.PlayerID) ([]byte, error)
	SetPlayerLook(ctx context.Context, player game.PlayerID, look []byte) error
	ServerChoice(ctx context.Context, guild game.GuildID) ([]byte, error)
	SetServerChoice(ctx context.Context, guild game.GuildID, choice []byte) error
}

// Store keeps what was chosen in records: JSON objects with a format number. An error for a record that
// cannot be read wraps [game.ErrDamaged]; setting the look or the preferences repairs it.
type Store struct{ Records }

// recordFormat is the format of both records.
const recordFormat = 1

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

type serverRecord struct {
	Format int  `json:"format"`
	Hints  *int `json:"hints,omitempty"` // the most in a game; none for any number
}

// decode reads a record and its format number.
func decode(data []byte, record any, format *int) error {
	err := json.Unmarshal(data, record)
	switch {
	case *format > recordFormat:
		return fmt.Errorf("format %d: %w", *format, game.ErrNewer)
	case err != nil || *format != recordFormat:
		return game.ErrDamaged
	}
	return nil
}

// PlayerLook returns what a player has chosen, the zero Look for nothing.
func (s Store) PlayerLook(ctx context.Context, player game.PlayerID) (bot.Look, error) {
	data, err := s.Records.PlayerLook(ctx, player)
	if err != nil || data == nil {
		return bot.Look{}, err
	}
	var r lookRecord
	if err := decode(data, &r, &r.Format); err != nil {
		return bot.Look{}, fmt.Errorf("look: %w", err)
	}
	colours, shapes := slices.Index(colourWords, r.Colours), slices.Index(shapeWords, r.Shapes)
	if colours < 0 || shapes < 0 {
		return bot.Look{}, fmt.Errorf("look: it has an unknown word: %w", game.ErrDamaged)
	}
	return bot.Look{Colours: bot.Colours(colours), Shapes: bot.Shapes(shapes), Text: r.Text}, nil
}

// SetPlayerLook replaces what a player has chosen.
func (s Store) SetPlayerLook(ctx context.Context, player game.PlayerID, l bot.Look) error {
	if l == (bot.Look{}) {
		return s.Records.SetPlayerLook(ctx, player, nil)
	}
	if int(l.Colours) >= len(colourWords) || int(l.Shapes) >= len(shapeWords) {
		return fmt.Errorf("look %+v has no stored form", l)
	}
	data, err := json.Marshal(lookRecord{recordFormat, colourWords[l.Colours], shapeWords[l.Shapes], l.Text})
	if err != nil {
		return err
	}
	return s.Records.SetPlayerLook(ctx, player, data)
}

// ServerPreferences returns what a server has chosen, the zero Server for nothing.
func (s Store) ServerPreferences(ctx context.Context, guild game.GuildID) (Server, error) {
	data, err := s.Records.ServerChoice(ctx, guild)
	if err != nil || data == nil {
		return Server{}, err
	}
	var r serverRecord
	if err := decode(data, &r, &r.Format); err != nil {
		return Server{}, fmt.Errorf("preferences of a server: %w", err)
	}
	switch {
	case r.Hints == nil:
		return Server{}, nil
	case *r.Hints < 0:
		return Server{}, fmt.Errorf("preferences of a server: %d hints: %w", *r.Hints, game.ErrDamaged)
	}
	return Server{Hints: game.HintLimit{Limited: true, Most: *r.Hints}}, nil
}

// SetServerPreferences replaces what a server has chosen.
func (s Store) SetServerPreferences(ctx context.Context, guild game.GuildID, p Server) error {
	if p == (Server{}) {
		return s.Records.SetServerChoice(ctx, guild, nil)
	}
	r := serverRecord{Format: recordFormat}
	if p.Hints.Limited {
		r.Hints = &p.Hints.Most
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return s.Records.SetServerChoice(ctx, guild, data)
}
