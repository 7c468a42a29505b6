package storage

import (
	"context"
	"errors"
	"sync"
	"time"

	"fivefold/game"
	"fivefold/game/work"
	"fivefold/storage/check"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// Run does the regular work of a store until ctx ends. It finishes deletions that were cut off and removes old receipts. With
// Options.Keep it removes old games, and with Options.Check it checks every record once a week. It returns when all of this has
// stopped.
func (s *Store) Run(ctx context.Context) {
	var tasks sync.WaitGroup
	if s.check {
		tasks.Go(func() {
			work.Keep(ctx, s.log, "could not check the store", 0, checkLease, func() error { return s.checkIfDue(ctx) })
		})
	}
	work.Keep(ctx, s.log, "could not finish deleting the data, or remove what is old", 0, tidyEvery, func() error { return s.tidy(ctx) })
	tasks.Wait()
}

// tidyEvery is how often Run looks for deletions to finish and for old records.
const tidyEvery = time.Minute

// tidy finishes deletions, and removes receipts and games that were kept for long enough. Their age counts from now or from the
// latest result, whichever is earlier, so that a clock that is ahead removes nothing too early.
func (s *Store) tidy(ctx context.Context) error {
	err := s.resumeDeletions(ctx)
	latest := ordered.Prefix(schema.TopicResult)
	latest.Limit, latest.Backward = 1, true
	last, failed := ordered.Scan(ctx, s.m, latest)
	if err = errors.Join(err, failed); len(last) == 0 {
		return err
	}
	at := schema.TimeOf(schema.NumberIn(last[0].Key))
	if now := time.Now(); now.Before(at) {
		at = now
	}
	err = errors.Join(err, s.sweep(ctx, at.Add(-receiptsKept)), s.sweepDeleted(ctx, at))
	if s.keep > 0 {
		gone, failed := s.Forget(ctx, at.Add(-s.keep))
		if err = errors.Join(err, failed); gone > 0 {
			s.log.Info("removed finished games that were kept long enough", "games", gone)
		}
	}
	return err
}

// inBatches plans and commits batch after batch until one has fewer items than atOnce, and returns the number of items in all.
// After each batch it rests for rest times as long as the batch took, so that other commits come between.
func (s *Store) inBatches(ctx context.Context, atOnce, rest int, fill func(p *plan) (n int)) (done int, err error) {
	for {
		began, n := time.Now(), 0
		err := s.change(ctx, func(p *plan) {
			if n = fill(p); len(p.change.Set) == 0 {
				p.fail(game.ErrConflict)
			}
		})
		if errors.Is(err, game.ErrConflict) { // nothing is left
			return done, nil
		}
		if err != nil {
			return done, err
		}
		if done += n; n < atOnce {
			return done, nil
		}
		if err := work.Sleep(ctx, time.Duration(rest)*time.Since(began)); err != nil {
			return done, err
		}
	}
}

const (
	checkEvery = 7 * 24 * time.Hour
	// checkLease is how long a check keeps other processes from starting one, and how often Run looks whether a check is due.
	checkLease = time.Hour
)

// Check checks every record: see [check.Map].
func (s *Store) Check(ctx context.Context, o check.Options) (problems int, err error) {
	return check.Map(ctx, s.m, s.codecs.Codecs, o)
}

// checkIfDue checks every record once a week, mends records that follow from others, and logs the findings. The check rests
// most of the time.
func (s *Store) checkIfDue(ctx context.Context) error {
	taken, due, err := s.TakeWork(ctx, "check", checkLease)
	if s.checked.Store(err == nil && !due); !due {
		return err
	}
	logged, wait := 0, checkEvery
	_, err = s.Check(ctx, check.Options{Mend: true, Rest: 9, Report: func(f check.Finding) {
		s.problems.Add(1)
		if logged++; logged <= 10 { // "fivefold check" prints the others
			s.log.Error("found a damaged record", "topic", schema.TopicOf(f.Key), "what", f.What, "mended", f.Derived)
		}
	}})
	if s.checked.Store(err == nil); err != nil {
		wait = 0 // the check is due again at once
	}
	ctx, cancel := work.Lingering(ctx)
	defer cancel()
	return errors.Join(err, s.EndWork(ctx, taken, wait))
}

// Checked reports whether the check of Run has ended or is not due, and how many problems it has found so far.
func (s *Store) Checked() (ended bool, problems int) { return s.checked.Load(), int(s.problems.Load()) }

// resumeDeletions finishes the deletions that were cut off.
func (s *Store) resumeDeletions(ctx context.Context) error {
	pending, err := ordered.Scan(ctx, s.m, ordered.Prefix(schema.TopicDeleting))
	for _, p := range pending {
		err = errors.Join(err, s.finishDelete(ctx, game.PlayerID(p.Key[len(schema.TopicDeleting):])))
	}
	return err
}

const (
	// receiptsKept is how long a receipt is kept, as [matches.Change] promises.
	receiptsKept = 24 * time.Hour
	// sweepAtOnce is how many receipts are removed in one commit.
	sweepAtOnce = 500
)

// sweep removes receipts of requests that were made before a time.
func (s *Store) sweep(ctx context.Context, before time.Time) error {
	_, err := s.inBatches(ctx, sweepAtOnce, 1, func(p *plan) int { return p.sweep(ctx, before) })
	return err
}

// sweep plans the next commit of [Store.sweep]. Each front gives later requests greater ids. Discord's ids are numbers, so they
// and the others are read apart, each oldest first.
func (p *plan) sweep(ctx context.Context, before time.Time) (n int) {
	digits := ordered.Query{From: schema.TopicReceipt, To: schema.TopicReceipt + ":", Limit: sweepAtOnce}
	rest := ordered.Query{From: digits.To, To: ordered.End(schema.TopicReceipt), Limit: sweepAtOnce}
	for _, receipts := range p.read(ctx, digits, rest) {
		for _, there := range receipts {
			r, err := schema.DecodeAs[schema.Receipt](there)
			if err == nil && !r.At.Before(before) {
				break
			}
			p.write(there.Key, nil)
		}
	}
	return len(p.change.Set)
}

// sweepDeleted removes what deletions have marked in months that are closed by now.
func (s *Store) sweepDeleted(ctx context.Context, at time.Time) error {
	return ordered.Each(ctx, s.m, ordered.Query{From: schema.TopicDeleted, To: schema.TopicDeleted + game.OpenMonths(at)[0]}, func(batch []ordered.Pair) error {
		return s.m.Commit(ctx, ordered.Change{Set: ordered.Removed(batch)})
	})
}
