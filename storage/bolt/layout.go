package bolt

import (
	"encoding/binary"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/game/wordle"
)

// The buckets of the file. Numbers in keys are big-endian, so that their order
// is the order of the keys; texts in keys end in NUL, which no identifier holds.
var (
	bucketMeta     = []byte("meta")     // keyFormat → the file's format number
	bucketMatches  = []byte("matches")  // match id → match record
	bucketChannels = []byte("channels") // channel → id of its latest match
	// bucketReceipts tells what a request led to: request → receipt.
	// bucketReceiptAges finds the oldest of them: milliseconds, request → nothing.
	bucketReceipts    = []byte("receipts")
	bucketReceiptAges = []byte("receipt-ages")
	bucketDrawn       = []byte("drawn")   // pool → its latest hidden words, oldest first, without separator
	bucketResults     = []byte("results") // number → result record; only ever appended to
	bucketTotals      = []byte("totals")  // guild NUL player → totals record; the empty guild is everywhere
	// bucketRanks and bucketRankChunks hold the leaderboards' order: see ranks.
	bucketRanks      = []byte("ranks")
	bucketRankChunks = []byte("rank-chunks")

	keyFormat = []byte("format")
)

// nothing is the value of a key that has none. It is not nil, which bbolt would
// give back, within the same transaction, as if the key were missing.
var nothing = []byte{}

func totalsKey(guild game.GuildID, player game.PlayerID) []byte {
	return append(guildPrefix(guild), player...)
}

func guildPrefix(guild game.GuildID) []byte {
	return append([]byte(guild), 0)
}

// rankKey orders the players of a guild as [game.Totals.Compare] does, and who
// compares equal by their identifier.
func rankKey(t game.Totals) []byte {
	key := binary.BigEndian.AppendUint32(nil, ^uint32(t.Won))
	key = binary.BigEndian.AppendUint32(key, uint32(t.Played))
	key = binary.BigEndian.AppendUint32(key, uint32(t.Attempts))
	return append(key, t.Player...)
}

// rankKeyPlayer is where the player begins in a rank key.
const rankKeyPlayer = 12

// receipt is what a request led to.
type receipt struct {
	version uint64
	match   game.MatchID
}

func (r receipt) encode() []byte {
	return append(binary.BigEndian.AppendUint64(nil, r.version), r.match...)
}

func decodeReceipt(b []byte) (receipt, error) {
	if len(b) <= 8 {
		return receipt{}, fmt.Errorf("receipt: %w", game.ErrDamaged)
	}
	return receipt{binary.BigEndian.Uint64(b), game.MatchID(b[8:])}, nil
}

func receiptAgeKey(at time.Time, request game.RequestID) []byte {
	return append(number(uint64(at.UnixMilli())), request...)
}

func number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// decodeDrawn reads a pool's hidden words.
func decodeDrawn(b []byte) ([]wordle.Word, error) {
	words := make([]wordle.Word, 0, len(b)/wordle.Length)
	for ; len(b) >= wordle.Length; b = b[wordle.Length:] {
		w, err := wordle.ParseWord(string(b[:wordle.Length]))
		if err != nil {
			return nil, fmt.Errorf("drawn words: %w", game.ErrDamaged)
		}
		words = append(words, w)
	}
	if len(b) != 0 {
		return nil, fmt.Errorf("drawn words: %w", game.ErrDamaged)
	}
	return words, nil
}

// buckets are those that a commit writes to.
type buckets struct {
	matches, channels, receipts, receiptAges, drawn, results, totals, ranks, rankChunks *bbolt.Bucket
}

func bucketsOf(tx *bbolt.Tx) buckets {
	return buckets{
		tx.Bucket(bucketMatches), tx.Bucket(bucketChannels), tx.Bucket(bucketReceipts), tx.Bucket(bucketReceiptAges),
		tx.Bucket(bucketDrawn), tx.Bucket(bucketResults), tx.Bucket(bucketTotals),
		tx.Bucket(bucketRanks), tx.Bucket(bucketRankChunks),
	}
}

func (b buckets) ranksOf(guild game.GuildID) ranks {
	return ranks{keys: b.ranks, chunks: b.rankChunks, prefix: guildPrefix(guild)}
}
