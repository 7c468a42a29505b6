package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fivefold/game"
)

// Row is a record as it moves from one store to another. Indexes and histories, which follow
// from other records, do not move: each store makes its own.
type Row struct {
	Table      Table
	Key, Value []byte
}

// Table says what a row is. Identifiers and keys in a row hold no NUL, and numbers are
// big-endian in 8 bytes.
type Table string

const (
	TableMeta        Table = "meta"        // one of the Meta constants → its value
	TableDamaged     Table = "damaged"     // place of a record that could not be read → its bytes
	TableCommunities Table = "communities" // community → number given last in its history
	TableForgotten   Table = "forgotten"   // community → number removed last from its history
	TableResults     Table = "results"     // number in the log → number in the community, or 0, and record
	TableMatches     Table = "matches"     // match → what EncodeEntry returns
	TableSlots       Table = "slots"       // key of the slot → its latest match
	TableReceipts    Table = "receipts"    // request → what Receipt.Encode returns
	TableRecent      Table = "recent"      // list → its latest answers, each with NUL after it
	TablePuzzles     Table = "puzzles"     // kind NUL puzzle → record
	TableArchive     Table = "archive"     // what TotalsKey returns → record
	TableClearing    Table = "clearing"    // player → number in the log up to which the player is removed
	TableReviews     Table = "reviews"     // match → record
	TableSessions    Table = "sessions"    // player → record
	TableLooks       Table = "looks"       // player → record
	TableServers     Table = "servers"     // guild → record
	TableBoards      Table = "boards"      // key of the slot → match NUL message
	TableTotals      Table = "totals"      // what TotalsKey returns → record
)

// The keys of TableMeta.
const (
	MetaGuilds    = "command-guilds" // the servers with commands, each with NUL after it
	MetaForgotten = "forgotten"      // number in the log of the result removed last, and when its match ended, in milliseconds
	MetaGiven     = "given"          // number in the log that was given last
	MetaSecret    = "secret"         // of daily puzzles
)

// Tables are all tables, in the order in which they move: a store may need results when it
// gets matches.
var Tables = []Table{
	TableMeta, TableDamaged, TableCommunities, TableForgotten, TableResults, TableMatches, TableSlots, TableReceipts, TableRecent,
	TablePuzzles, TableArchive, TableClearing, TableReviews, TableSessions, TableLooks, TableServers, TableBoards, TableTotals,
}

// Mark says how far a copy into a store has come. A store that has one is not whole.
type Mark struct {
	Source string `json:"source"` // the source's fingerprint when the copy began
	Table  Table  `json:"table"`  // of the last row written; empty before the first
	After  []byte `json:"after"`  // its key
	Rows   int    `json:"rows"`   // written so far
}

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

// LastMade returns when the latest of a match's requests was made whose id says that, by
// Discord's clock. The request that ends an idle match does not say it.
func LastMade[T ~string | ~[]byte](requests []T) (at time.Time, ok bool) {
	for _, r := range slices.Backward(requests) {
		if at, ok = game.RequestID(r).Made(); ok {
			break
		}
	}
	return at, ok
}

// Receipt is what a request led to. That of a request to clear a history has no match and
// version 0.
type Receipt struct {
	Version uint64
	// At is when the request was made, by Discord's clock where its id says that.
	At    time.Time
	Match game.MatchID
}

// Encode returns the stored form.
func (r Receipt) Encode() []byte {
	b := binary.BigEndian.AppendUint64(nil, r.Version)
	b = binary.BigEndian.AppendUint64(b, uint64(r.At.UnixMilli()))
	return append(b, r.Match...)
}

// DecodeReceipt is the inverse of [Receipt.Encode].
func DecodeReceipt(b []byte) (Receipt, error) {
	if len(b) < 16 {
		return Receipt{}, fmt.Errorf("receipt: %w", game.ErrDamaged)
	}
	at := time.UnixMilli(int64(binary.BigEndian.Uint64(b[8:])))
	return Receipt{binary.BigEndian.Uint64(b), at, game.MatchID(b[16:])}, nil
}

// TotalsKey is the key of a player's totals. It begins with the player, so that all of a
// player's can be found.
func TotalsKey(p game.PlayerID, s game.Scope) []byte {
	return []byte(string(p) + "\x00" + string(s.Kind) + "\x00" + string(s.Guild))
}

// ParseTotalsKey is the inverse of [TotalsKey].
func ParseTotalsKey(key []byte) (game.PlayerID, game.Scope, error) {
	player, rest, ok := strings.Cut(string(key), "\x00")
	kind, guild, found := strings.Cut(rest, "\x00")
	if !ok || !found {
		return "", game.Scope{}, fmt.Errorf("the key names no player and kind: %w", game.ErrDamaged)
	}
	return game.PlayerID(player), game.Scope{Kind: game.Kind(kind), Guild: game.GuildID(guild)}, nil
}

// Decode returns nil if a row by itself can be read, and otherwise an error that wraps
// [game.ErrDamaged] or [game.ErrNewer]. Reviews are not decoded: only the match says of which
// kind they are.
func (all Codecs) Decode(r Row) error {
	isNumber := func(b []byte) error {
		if len(b) != 8 {
			return fmt.Errorf("not a number: %w", game.ErrDamaged)
		}
		return nil
	}
	var err error
	switch r.Table {
	case TableCommunities, TableForgotten, TableClearing:
		err = isNumber(r.Value)
	case TableResults:
		if len(r.Key) != 8 || len(r.Value) < 8 {
			return fmt.Errorf("no number: %w", game.ErrDamaged)
		}
		_, err = all.DecodeResult(r.Value[8:])
	case TableMatches:
		_, _, err = all.DecodeMatchRow(r)
	case TableReceipts:
		_, err = DecodeReceipt(r.Value)
	case TableRecent:
		if len(r.Value) == 0 || r.Value[len(r.Value)-1] != 0 {
			err = game.ErrDamaged
		}
	case TablePuzzles:
		kind, _, _ := strings.Cut(string(r.Key), "\x00")
		_, err = all.DecodePuzzle(game.Kind(kind), r.Value)
	case TableArchive, TableTotals:
		var p game.PlayerID
		if p, _, err = ParseTotalsKey(r.Key); err == nil {
			var t game.Totals
			if t, err = DecodeTotals(r.Value); err == nil && t.Player != p {
				err = fmt.Errorf("it is another player's: %w", game.ErrDamaged)
			}
		}
	case TableSessions:
		_, err = DecodeSession(r.Value)
	case TableLooks:
		_, err = DecodeLook(r.Value)
	case TableServers:
		_, err = DecodeServer(r.Value)
	case TableMeta, TableDamaged, TableSlots, TableReviews, TableBoards:
	default:
		return fmt.Errorf("there is no table %q", r.Table)
	}
	return err
}

// DecodeMatchRow returns the match of a row of TableMatches, and its requests.
func (all Codecs) DecodeMatchRow(r Row) (m game.Match, requests []game.RequestID, err error) {
	requests, data, err := DecodeEntry(r.Value)
	if err == nil {
		m, err = all.DecodeMatch(data)
	}
	if err == nil && (string(m.ID) != string(r.Key) || m.Version != uint64(len(requests))) {
		err = fmt.Errorf("it says that it is match %s at version %d: %w", m.ID, m.Version, game.ErrDamaged)
	}
	if err != nil {
		return game.Match{}, nil, err
	}
	return m, requests, nil
}

// ErrNotEmpty: records cannot be copied into a store that has some.
var ErrNotEmpty = errors.New("the store is not empty")

// Before reports whether a table moves before another one.
func (t Table) Before(other Table) bool {
	return slices.Index(Tables, t) < slices.Index(Tables, other)
}
