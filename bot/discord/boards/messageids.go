package boards

import (
	"context"
	"sync"
	"time"
)

// messageIDs finds out the ids of boards that were posted by an HTTP response, which does not say
// them. Ids are needed for pointers, for notices and after a restart, all of which can wait; so they
// are asked for at the pace of pointers, and as many wait at most. It is safe for concurrent use.
type messageIDs struct {
	worker worker

	mu    sync.Mutex // protects the fields below
	asked time.Time  // when an id was asked for last
	order []*board   // that wait
	at    map[*board]boardMessage
}

// find has the id of a board found out. A board that is posted again meanwhile is asked for once.
func (q *messageIDs) find(b *board, at boardMessage) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.at == nil {
		q.at = map[*board]boardMessage{}
	}
	if _, waits := q.at[b]; !waits {
		if len(q.order) >= maxPointers {
			return
		}
		q.order = append(q.order, b)
	}
	q.at[b] = at
	q.worker.wake(b.boards.jobs, q.findAll)
}

// findAll asks for the ids of the boards that wait, one after the other.
func (q *messageIDs) findAll() {
	for {
		q.mu.Lock()
		wait := pointerGap - time.Since(q.asked)
		if len(q.order) == 0 {
			q.mu.Unlock()
			return
		}
		if wait > 0 {
			q.mu.Unlock()
			time.Sleep(wait)
			continue
		}
		q.asked = time.Now()
		b := q.order[0]
		at := q.at[b]
		q.order = q.order[1:]
		delete(q.at, b)
		q.mu.Unlock()
		b.boards.jobs.run(func() { b.identify(at) })
	}
}

// identify asks for the id of the message that was posted at.
func (b *board) identify(at boardMessage) {
	ctx, cancel := context.WithTimeout(context.Background(), b.boards.Timeout)
	defer cancel()
	if at.Settle(ctx) != nil {
		return
	}
	id, err := b.boards.MessageID(ctx, at.App, at.Token, at.Target)
	if err != nil {
		b.boards.Log.Warn("could not look up a match's message", "error", err)
		return
	}
	b.put(func() { b.identified(at, id) })
}
