package boards

import (
	"context"
	"slices"
	"sync"
	"time"
)

// messageIDs finds out the ids of boards that were posted by an HTTP response, which does not say
// them. Ids are needed for pointers, for notices and after a restart, all of which can wait; so they
// are asked for at the pace of pointers, and as many wait at most. It is safe for concurrent use.
type messageIDs struct {
	worker *worker

	mu      sync.Mutex // protects the fields below
	asked   time.Time  // when an id was asked for last
	waiting []unidentified
}

// unidentified is a board's message whose id is not known.
type unidentified struct {
	board *board
	at    boardMessage
}

// find has the id of a board found out. A board that is posted again meanwhile is asked for once.
func (q *messageIDs) find(b *board, at boardMessage) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := slices.IndexFunc(q.waiting, func(u unidentified) bool { return u.board == b }); n >= 0 {
		q.waiting[n].at = at
	} else if len(q.waiting) < maxPointers {
		q.waiting = append(q.waiting, unidentified{b, at})
		q.worker.wake()
	}
}

// next asks for the id of the first board that waits.
func (q *messageIDs) next() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return -1
	}
	if wait := pointerGap - time.Since(q.asked); wait > 0 {
		return wait
	}
	q.asked = time.Now()
	u := q.waiting[0]
	q.waiting = q.waiting[1:]
	u.board.boards.jobs.run(u.identify)
	return 0
}

// identify asks for the id.
func (u unidentified) identify() {
	s := u.board.boards
	ctx, cancel := context.WithTimeout(context.Background(), s.Timeout)
	defer cancel()
	if u.at.Exchange.Settle(ctx) != nil {
		return
	}
	id, err := s.MessageID(ctx, u.at.App, u.at.Token, u.at.Target)
	if err != nil {
		s.Log.Warn("could not look up a match's message", "error", err)
		return
	}
	u.board.turn <- struct{}{}
	defer u.board.leave()
	u.board.identified(u.at, id)
}
