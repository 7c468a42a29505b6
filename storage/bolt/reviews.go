package bolt

import (
	"context"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

var bucketReviews = []byte("reviews") // match id → review record

func (s *Store) Review(ctx context.Context, match game.Match) (r game.Review, ok bool, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		data := buckets{tx, s.codecs}.Bucket(bucketReviews).Get([]byte(match.ID))
		if data == nil {
			return nil
		}
		ok = true
		if r, err = s.codecs.DecodeReview(match.Kind, data); err != nil {
			return fmt.Errorf("match %s: %w", match.ID, err)
		}
		return nil
	})
	return r, ok && err == nil, err
}

func (s *Store) SaveReview(ctx context.Context, match game.Match, r game.Review) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := s.codecs.EncodeReview(match.Kind, r)
	if err != nil {
		return fmt.Errorf("review of match %s: %w", match.ID, err)
	}
	err = s.group.commit(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		reviews := b.Bucket(bucketReviews)
		if !b.Bucket(bucketNumbers).has([]byte(match.ID)) || reviews.has([]byte(match.ID)) {
			return game.ErrConflict
		}
		return reviews.Put([]byte(match.ID), data)
	})
	if errors.Is(err, game.ErrConflict) {
		return nil // there is one already, or none is wanted
	}
	return err
}
