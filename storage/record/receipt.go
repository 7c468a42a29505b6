package record

import (
	"encoding/binary"
	"fmt"
	"time"

	"fivefold/game"
)

// Receipt is what a request led to. That of a request to clear a history has no match and
// version 0.
type Receipt struct {
	Version uint64
	// At is when the request was made, by Discord's clock where its id says that.
	At    time.Time
	Match game.MatchID
	// Player is who has slots with a mark of the clearing that the receipt is of, whose Version is 0.
	Player game.PlayerID
}

// Encode returns the stored form.
func (r Receipt) Encode() []byte {
	b := binary.BigEndian.AppendUint64(nil, r.Version)
	b = binary.BigEndian.AppendUint64(b, uint64(r.At.UnixMilli()))
	return append(append(b, r.Match...), r.Player...)
}

// DecodeReceipt is the inverse of [Receipt.Encode].
func DecodeReceipt(b []byte) (Receipt, error) {
	if len(b) < 16 {
		return Receipt{}, fmt.Errorf("receipt: %w", game.ErrDamaged)
	}
	r := Receipt{Version: binary.BigEndian.Uint64(b), At: time.UnixMilli(int64(binary.BigEndian.Uint64(b[8:])))}
	if r.Version == 0 {
		r.Player = game.PlayerID(b[16:])
	} else {
		r.Match = game.MatchID(b[16:])
	}
	return r, nil
}
