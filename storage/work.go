package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// workRecord says who does a regular task, and until when. Times go by the clocks of the processes:
// the lease only keeps others from useless work.
type workRecord struct {
	Due        time.Time `json:"due"`
	Owner      string    `json:"owner,omitempty"`
	Lease      time.Time `json:"lease"` // the owner has the work until then
	Generation uint64    `json:"generation"`
}

func decodeWork(p ordered.Pair) (workRecord, error) {
	var w workRecord
	b, err := value(p)
	if err == nil && b != nil && json.Unmarshal(b, &w) != nil {
		err = fmt.Errorf("work: %w", game.ErrDamaged)
	}
	return w, err
}

func (w workRecord) encode(key string) (ordered.Pair, error) {
	data, err := json.Marshal(w)
	return ordered.Pair{Key: key, Value: data}, err
}

// TakeWork implements [game.WorkStore].
func (s *Store) TakeWork(ctx context.Context, name string, lease time.Duration) (work game.Work, taken bool, err error) {
	err = s.change(ctx, func(ctx context.Context, _ int) (ordered.Change, error) {
		there, err := s.get(ctx, topicWork+name)
		if err != nil {
			return ordered.Change{}, err
		}
		w, err := decodeWork(there[0])
		if s.unlessDamaged(err) != nil {
			return ordered.Change{}, err
		}
		now := time.Now()
		if now.Before(w.Due) || w.Owner != "" && now.Before(w.Lease) {
			return ordered.Change{}, game.ErrConflict
		}
		w.Owner, w.Lease, w.Generation = s.owner, now.Add(lease), w.Generation+1
		work = game.Work{Name: name, Owner: s.owner, Generation: w.Generation}
		p, err := w.encode(there[0].Key)
		return ordered.Change{If: there, Set: []ordered.Pair{p}}, err
	})
	if errors.Is(err, game.ErrConflict) {
		return game.Work{}, false, nil
	}
	return work, err == nil, err
}

// EndWork implements [game.WorkStore].
func (s *Store) EndWork(ctx context.Context, work game.Work, wait time.Duration) error {
	err := s.change(ctx, func(ctx context.Context, _ int) (ordered.Change, error) {
		there, err := s.get(ctx, topicWork+work.Name)
		if err != nil {
			return ordered.Change{}, err
		}
		w, err := decodeWork(there[0])
		if err != nil {
			return ordered.Change{}, err
		}
		if w.Owner != work.Owner || w.Generation != work.Generation {
			return ordered.Change{}, game.ErrConflict
		}
		w.Owner, w.Due = "", time.Now().Add(wait)
		p, err := w.encode(there[0].Key)
		return ordered.Change{If: there, Set: []ordered.Pair{p}}, err
	})
	if errors.Is(err, game.ErrConflict) { // another process has it by now
		return nil
	}
	return err
}
