package postgres

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// writeBehind runs statements that no answer waits for. They save what can be made again, so it
// does not matter much if one is lost. Only store must be set.
type writeBehind struct {
	store *Store

	mu      sync.Mutex           // protects the fields below
	waiting map[string]statement // by name
	busy    bool                 // a worker is running
	ending  bool                 // nothing more is added
	workers sync.WaitGroup
}

type statement struct {
	sql  string
	args []any
}

// maxWaiting is how many statements may wait; more are dropped.
const maxWaiting = 4096

// atOnce is how many statements are one transaction at most.
const atOnce = 64

// add has a statement run soon. It may run twice. At most one statement of a name waits: if there is one
// already, it stays if firstStays is true, and is replaced otherwise.
func (w *writeBehind) add(name string, firstStays bool, sql string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, there := w.waiting[name]; there && firstStays || w.ending || len(w.waiting) >= maxWaiting {
		return
	}
	if w.waiting == nil {
		w.waiting = map[string]statement{}
	}
	w.waiting[name] = statement{sql, args}
	if !w.busy {
		w.busy = true
		w.workers.Go(w.run)
	}
}

// run runs the waiting statements until there are none.
func (w *writeBehind) run() {
	for {
		w.mu.Lock()
		all := w.waiting
		w.waiting = nil
		w.busy = len(all) > 0
		w.mu.Unlock()
		if len(all) == 0 {
			return
		}
		// In the order of their names, so that two processes do not wait for each other's rows.
		for names := range slices.Chunk(slices.Sorted(maps.Keys(all)), atOnce) {
			err := w.save(all, names)
			var refused *pgconn.PgError
			if errors.As(err, &refused) { // one of them, which must not take the others with it
				err = nil
				for _, name := range names {
					err = errors.Join(err, w.save(all, []string{name}))
				}
			}
			if err != nil {
				w.store.log.limited(slog.LevelWarn, "what no answer waits for could not be saved", err)
			}
		}
	}
}

// save runs the statements of some names in one transaction.
func (w *writeBehind) save(all map[string]statement, names []string) error {
	return w.store.write(context.Background(), func(ctx context.Context, t *try) error {
		b := &pgx.Batch{}
		for _, name := range names {
			b.Queue(all[name].sql, all[name].args...)
		}
		return t.send(ctx, b)
	})
}

// end waits until the waiting statements have run, and drops all that are added from now on.
func (w *writeBehind) end() {
	w.mu.Lock()
	w.ending = true
	w.mu.Unlock()
	w.workers.Wait()
}
