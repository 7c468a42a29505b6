package bolt

import (
	"errors"
	"slices"
	"time"

	"fivefold/game"
	"fivefold/storage/record"
)

// receiptsKept is how long a receipt is kept, as [game.Change] promises.
const receiptsKept = 24 * time.Hour

// receipt is what a request led to, and when the request was made. Earlier releases stored when
// its match ended instead: the function made corrects that. A request to clear a history has no
// match, and version 0.
type receipt struct {
	version uint64
	at      time.Time
	match   game.MatchID
}

func (r receipt) encode() []byte {
	return record.Receipt{Version: r.version, At: r.at, Match: r.match}.Encode()
}

func decodeReceipt(b []byte) (receipt, error) {
	r, err := record.DecodeReceipt(b)
	return receipt{r.Version, r.At, r.Match}, err
}

// findReceipt looks for a request in the slot's latest match, unless that cannot be read,
// and among the receipts. The version of what it returns is 0 if there is none.
func (b buckets) findReceipt(s game.Slot, request game.RequestID) (receipt, error) {
	id, err := b.Bucket(bucketSlots).read([]byte(s.Key()))
	if id != nil && err == nil {
		var e matchEntry
		err = guard(func() error {
			e, err = loadEntry(b.Bucket(bucketMatches), id)
			return err
		})
		if i := slices.Index(e.requests, request); i >= 0 {
			return receipt{version: uint64(i + 1), match: game.MatchID(id)}, nil
		}
	}
	if err != nil && !errors.Is(err, game.ErrDamaged) {
		return receipt{}, err
	}
	if r := b.Bucket(bucketReceipts).Get([]byte(request)); r != nil {
		return decodeReceipt(r)
	}
	return receipt{}, nil
}

// keepReceipts keeps a receipt for each request of a match that has ended. Requests
// are looked up in the latest match first, which this one will not be for long.
func (b buckets) keepReceipts(c game.Change, requests []game.RequestID) error {
	for i, request := range requests {
		if err := b.keepReceipt(request, receipt{uint64(i + 1), c.At, c.Match.ID}); err != nil {
			return err
		}
	}
	return nil
}

// keepReceipt keeps a receipt and deletes up to two old ones, so that receipts do
// not pile up and no commit has many to delete. Request ids grow with time in every
// front, so the first keys are the oldest. Their age is that of the ids if these hold a
// time: our own clock may have been wrong when a receipt was kept.
func (b buckets) keepReceipt(request game.RequestID, now receipt) error {
	now.at = made(request, now)
	receipts := b.Bucket(bucketReceipts)
	if err := receipts.Put([]byte(request), now.encode()); err != nil {
		return err
	}
	oldest := receipts.stored.Cursor() // one that cannot be read goes too
	for range 2 {
		key, sealed := oldest.First()
		if key == nil {
			return nil
		}
		value, readable := unseal(bucketReceipts, key, sealed)
		r, err := decodeReceipt(value)
		if readable && err == nil && now.at.Sub(made(game.RequestID(key), r)) < receiptsKept {
			return nil
		}
		if err := oldest.Delete(); err != nil {
			return err
		}
	}
	return nil
}

// made is when a request was made: by its id if that holds a time, otherwise by its receipt.
func made(id game.RequestID, r receipt) time.Time {
	if at, ok := id.Made(); ok {
		return at
	}
	return r.at
}
