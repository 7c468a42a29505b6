package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// decodeReview reads the review of a match. A missing or unreadable review is nil, so that it is made again.
func (s *Store) decodeReview(match game.Match, p ordered.Pair) (game.Review, error) {
	data, err := schema.Value(p)
	if err == nil && data == nil {
		return nil, nil
	}
	codec, failed := s.codecs.Of(match.Kind)
	var r game.Review
	if err = cmp.Or(err, failed); err == nil {
		r, err = codec.ReadReview(data)
	}
	if err != nil {
		return nil, s.unlessDamaged(fmt.Errorf("review of match %s: %w", match.ID, err))
	}
	return r, nil
}

// Reviews implements [finished.Store].
func (s *Store) Reviews(ctx context.Context, matches ...game.MatchID) (all []finished.Reviewed, err error) {
	var keys []string
	for _, m := range matches {
		keys = append(keys, schema.MatchKey(m), schema.ReviewKey(m))
	}
	there, err := s.m.Get(ctx, keys...)
	for ; err == nil && len(there) > 0; there = there[2:] {
		var v schema.EndedMatch
		v, err = s.inHistory(there[0])
		if errors.Is(err, game.ErrNotInHistory) || errors.Is(err, game.ErrDamaged) {
			err = nil
			continue
		}
		if err == nil {
			f := finished.Reviewed{Finished: game.Finished{LogPosition: v.Position, Match: v.Match}}
			f.Review, err = s.decodeReview(v.Match, there[1])
			all = append(all, f)
		}
	}
	return all, err
}

// SaveReview implements [finished.Store]. It saves in the background; the match may change before that. Close cuts the saving
// off, since a review can be made again.
func (s *Store) SaveReview(_ context.Context, match game.Match, r game.Review) error {
	data, err := record.Encode(r)
	if err != nil {
		return fmt.Errorf("review of match %s: %w", match.ID, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Err() != nil {
		return nil
	}
	s.background.Go(func() {
		err := s.replace(s.closing, func(there []ordered.Pair) ([]ordered.Pair, error) {
			_, err := s.inHistory(there[0])
			old, newer := s.decodeReview(match, there[1])
			if errors.Is(err, game.ErrNotInHistory) || old != nil { // there is a review already, or the match has left the histories
				err = game.ErrConflict
			}
			return []ordered.Pair{{Key: there[1].Key, Value: data}}, cmp.Or(err, newer)
		}, schema.MatchKey(match.ID), schema.ReviewKey(match.ID))
		if err != nil && s.closing.Err() == nil && !errors.Is(err, game.ErrConflict) && !errors.Is(err, game.ErrNotSaved) {
			s.log.Error("could not save a review", "match", match.ID, "error", err)
		}
	})
	return nil
}
