package bolt

import (
	"encoding/binary"
	"fmt"
	"strings"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// The buckets of the file; history.go and reviews.go have more. Every value but the
// format number has a checksum: see checksum.go. Numbers in keys are
// big-endian, so that keys are in their order; texts in keys end in NUL, which no
// identifier contains. Some buckets keep a name from before the word for their content
// changed.
var (
	bucketMeta     = []byte("meta")     // keyFormat → the file's format number, keySecret → 32 random bytes, names of derivations that are stale
	bucketMatches  = []byte("matches")  // match id → match entry
	bucketSlots    = []byte("channels") // key of a slot → id of its latest match
	bucketReceipts = []byte("receipts") // request → receipt, for the requests of ended matches and those to clear a history
	bucketRecent   = []byte("drawn")    // list → its latest answers, oldest first, each with NUL after it
	bucketResults  = []byte("results")  // number → result record; changed only by Share and Clear
	bucketTotals   = []byte("totals")   // scope player → totals record
	bucketSessions = []byte("notes")    // player → session record; since format 2
	// bucketRanks and bucketRankChunks hold the leaderboards' order: see ranks.
	bucketRanks      = []byte("ranks")
	bucketRankChunks = []byte("rank-chunks")

	bucketPuzzles = []byte("puzzles") // kind NUL puzzle → its game without a guess; since format 5

	// bucketDamaged holds, as they are, the records that could not be read when something
	// else took their place: bucket NUL key → bytes. Since format 6.
	bucketDamaged = []byte("damaged")

	// bucketArchive and bucketForgotten hold what remains of results that were removed from
	// the log: see Store.Forget. Since format 7.
	bucketArchive   = []byte("archive")   // player NUL kind NUL guild → totals record, of the removed results only
	bucketForgotten = []byte("forgotten") // community → the number of the match in its history that was removed last; keyForgotten → forgotten

	// In bucketForgotten. No community is called that.
	keyForgotten = []byte("\x00")

	// In bucketMeta.
	keyFormat       = []byte("format")         // without a checksum
	keyFormatSealed = []byte("format-checked") // the same number with a checksum; since format 6
	keySecret       = []byte("secret")         // since format 5
	keyGuilds       = []byte("command-guilds") // the guilds of Store.CommandGuilds, each with NUL after it; may be missing
)

// nothing is the value of a key that needs none. It is not nil: within the same
// transaction bbolt would return nil, as if the key were missing.
var nothing = []byte{}

func (b buckets) totalsKey(s game.Scope, player game.PlayerID) []byte {
	return append(b.scopePrefix(s), player...)
}

// scopePrefix returns the prefix of the keys of a scope: the kind's prefix, the guild and
// NUL. Keys of different scopes always differ: no guild begins with NUL, and after an
// empty guild and its NUL a key of a kind without a prefix has no other NUL.
func (b buckets) scopePrefix(s game.Scope) []byte {
	return []byte(b.codecs.Prefix(s.Kind) + string(s.Guild) + "\x00")
}

// rankKey orders the players of a scope as [game.Totals.Compare] does, and players who
// compare equal by their identifier. Formats before 8 had another order.
func rankKey(t game.Totals) []byte {
	key := binary.BigEndian.AppendUint32(nil, ^uint32(t.LowerBound()))
	key = binary.BigEndian.AppendUint64(key, ^uint64(t.WonCredit))
	key = binary.BigEndian.AppendUint64(key, uint64(t.Attempts))
	key = binary.BigEndian.AppendUint32(key, ^uint32(t.Helped))
	return append(key, t.Player...)
}

// rankKeyPlayer is where the player begins in a rank key.
const rankKeyPlayer = 24

// matchEntry is a match as it is stored: the requests that led to each of its
// versions, then its record. With them in one place, a guess writes to one leaf
// of the file, and the number of requests is the version.
type matchEntry struct {
	requests []game.RequestID // of version 1, 2, …
	record   []byte
}

func (e matchEntry) version() uint64 { return uint64(len(e.requests)) }

func (e matchEntry) encode() []byte { return record.EncodeEntry(e.requests, e.record) }

// decodeMatchEntry reads an entry. Its record is part of b.
func decodeMatchEntry(b []byte) (matchEntry, error) {
	requests, data, err := record.DecodeEntry(b)
	return matchEntry{requests, data}, err
}

func number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func encodeAnswers(answers []string) []byte {
	value := []byte{}
	for _, a := range answers {
		value = append(append(value, a...), 0)
	}
	return value
}

// decodeAnswers reads a list of answers.
func decodeAnswers(b []byte) ([]string, error) {
	if len(b) == 0 {
		return nil, nil
	}
	text, ok := strings.CutSuffix(string(b), "\x00")
	if !ok {
		return nil, fmt.Errorf("recent answers: %w", game.ErrDamaged)
	}
	return strings.Split(text, "\x00"), nil
}

func puzzleKey(k game.Kind, p game.PuzzleID) []byte { return []byte(string(k) + "\x00" + string(p)) }

// buckets is a transaction with methods for our buckets. It opens each bucket only when it
// is needed, since that costs a search.
type buckets struct {
	*bbolt.Tx
	codecs record.Codecs
}

// Bucket returns one of our buckets.
func (b buckets) Bucket(name []byte) bucket { return bucket{b.Tx.Bucket(name), name} }

func (b buckets) ranksOf(s game.Scope) ranks {
	return ranks{keys: b.Bucket(bucketRanks), chunks: b.Bucket(bucketRankChunks), prefix: b.scopePrefix(s)}
}
