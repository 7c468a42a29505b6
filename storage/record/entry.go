package record

import (
	"encoding/binary"
	"fmt"
	"time"

	"fivefold/game"
)

// EncodeEntry returns a match with the requests that led to its versions 1, 2, ….
func EncodeEntry[T ~string | ~[]byte](requests []T, record []byte) []byte {
	b := binary.AppendUvarint(nil, uint64(len(requests)))
	for _, r := range requests {
		b = binary.AppendUvarint(b, uint64(len(r)))
		b = append(b, r...)
	}
	return append(b, record...)
}

// DecodeEntry is the inverse of [EncodeEntry]. The record is part of b. An error wraps
// [game.ErrDamaged].
func DecodeEntry(b []byte) (requests []game.RequestID, record []byte, err error) {
	next := func() (n uint64, ok bool) {
		n, size := binary.Uvarint(b)
		ok = size > 0 && n <= uint64(len(b)-size) // also if n counts requests: each takes a byte at least
		if ok {
			b = b[size:]
		}
		return n, ok
	}
	version, ok := next()
	for range version {
		var n uint64
		if n, ok = next(); !ok {
			break
		}
		requests = append(requests, game.RequestID(b[:n]))
		b = b[n:]
	}
	if !ok || version == 0 {
		return nil, nil, fmt.Errorf("match: %w", game.ErrDamaged)
	}
	return requests, b, nil
}

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
