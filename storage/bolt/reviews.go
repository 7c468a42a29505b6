package bolt

import (
	"context"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

var bucketReviews = []byte("reviews") // match id → review record

func (s *Store) Review(ctx context.Context, match game.MatchID) (r game.Review, ok bool, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		record := tx.Bucket(bucketReviews).Get([]byte(match))
		if record == nil {
			return nil
		}
		ok = true
		if r, err = game.DecodeReview(record); err != nil {
			return fmt.Errorf("match %s: %w", match, err)
		}
		return nil
	})
	return r, ok && err == nil, err
}

func (s *Store) SaveReview(ctx context.Context, match game.MatchID, r game.Review) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	record, err := game.EncodeReview(r)
	if err != nil {
		return fmt.Errorf("review of match %s: %w", match, err)
	}
	err = s.group.commit(ctx, func(tx *bbolt.Tx) error {
		reviews := tx.Bucket(bucketReviews)
		if tx.Bucket(bucketNumbers).Get([]byte(match)) == nil || reviews.Get([]byte(match)) != nil {
			return game.ErrConflict
		}
		return reviews.Put([]byte(match), record)
	})
	if errors.Is(err, game.ErrConflict) {
		return nil // there is one already, or none is wanted
	}
	return err
}
