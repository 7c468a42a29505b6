package postgres

import (
	"context"
	"log/slog"
	"sync"

	"github.com/jackc/pgx/v5"
)

// behind saves what no answer waits for: what is lost is made again. The zero value with a
// store is ready.
type behind struct {
	store *Store

	mu      sync.Mutex // protects the fields below
	waiting map[string]statement
	busy    bool
	ending  bool
	workers sync.WaitGroup
}

type statement struct {
	sql  string
	args []any
}

// mostBehind is how many statements may wait; more are dropped.
const mostBehind = 4096

// add saves something by a statement that may run twice. Of those with a name, only one waits:
// the first one if that stays, and otherwise the last one.
func (w *behind) add(name string, firstStays bool, sql string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, there := w.waiting[name]; there && firstStays || w.ending || len(w.waiting) >= mostBehind {
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

// run saves what waits until nothing does.
func (w *behind) run() {
	for {
		w.mu.Lock()
		all := w.waiting
		w.waiting = nil
		w.busy = len(all) > 0
		w.mu.Unlock()
		if len(all) == 0 {
			return
		}
		err := w.store.write(context.Background(), func(ctx context.Context, t *try) error {
			b := &pgx.Batch{}
			for _, s := range all {
				b.Queue(s.sql, s.args...)
			}
			return t.send(ctx, b)
		})
		if err != nil {
			w.store.log.now(slog.LevelWarn, "what no answer waits for could not be saved", err)
		}
	}
}

// end saves what waits, and takes nothing more.
func (w *behind) end() {
	w.mu.Lock()
	w.ending = true
	w.mu.Unlock()
	w.workers.Wait()
}
