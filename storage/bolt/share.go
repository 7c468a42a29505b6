package bolt

import (
	"context"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

func (s *Store) Share(ctx context.Context, match game.MatchID, channel game.ChannelID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := s.commit(ctx, func(tx *bbolt.Tx) error { return buckets{tx, s.codecs}.share(match, channel) })
	if errors.Is(err, game.ErrConflict) { // it is public already
		return nil
	}
	return err
}

// share makes a match public. The error is game.ErrConflict if it is public already.
func (b buckets) share(match game.MatchID, channel game.ChannelID) error {
	if b.stale(histories) != nil { // the match may be in those that have been made already
		return fmt.Errorf("%s: %w", histories.name, game.ErrRebuilding)
	}
	id := []byte(match)
	stored, err := decodeNumber(b.Bucket(bucketNumbers).Get(id))
	if err != nil {
		return err
	}
	if stored == 0 {
		return game.ErrNotInHistory
	}
	e, err := loadEntry(b.Bucket(bucketMatches), id)
	if err != nil {
		return err
	}
	m, err := b.codecs.DecodeMatch(e.record)
	if err != nil {
		return err
	}
	if m.Result().Public() {
		return game.ErrConflict
	}
	return b.deriveNow(histories, func() error {
		own := b.Bucket(bucketOwn).Get(indexKey(playerPrefix(m.Named()[0], m.Location.Community()), stored))
		if !isEntry(own) {
			return fmt.Errorf("match %s is missing in its player's history: %w", match, game.ErrDamaged)
		}
		r, err := b.loadResult(own[:8])
		if err != nil {
			return err
		}
		if r.Match != match {
			return fmt.Errorf("match %s is another one in its player's history: %w", match, game.ErrDamaged)
		}
		f := finished{r, m.Named()}
		for _, old := range rows(f, entry{log: r.Number}, stored, 0)[2:] {
			if err := b.put(row{old.bucket, old.key, nil}); err != nil {
				return err
			}
		}
		m.Shared, f.Shared = channel, channel
		matchRecord, err := b.codecs.EncodeMatch(m)
		if err != nil {
			return err
		}
		resultRecord, err := record.EncodeResult(f.Result)
		if err != nil {
			return err
		}
		if err := b.put(row{bucketMatches, id, matchEntry{e.requests, matchRecord}.encode()}, row{bucketResults, number(r.Number), resultRecord}); err != nil {
			return err
		}
		return b.remember(f, stored)
	})
}
