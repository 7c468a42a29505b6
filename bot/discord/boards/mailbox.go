package boards

import (
	"sync"
	"time"

	"fivefold/bot/discord/interaction"
)

// mailbox has what a board is to do. Its worker does one thing after another, and ends when there
// is nothing left. It is safe for concurrent use.
type mailbox struct {
	worker worker
	came   chan struct{} // has a value if something came since the worker looked; has room for one

	mu      sync.Mutex // protects the fields below
	tasks   []*task
	working bool   // whether something is being done
	newest  *state // the latest that was seen
	used    time.Time
}

// task is something that a board is to do.
type task struct {
	do    func()
	ended chan struct{} // closed when it was done, or has panicked
}

// put adds a task.
func (b *board) put(do func()) *task {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.add(do)
}

// offer is put if the task would be begun at once; otherwise it returns nil.
func (b *board) offer(do func()) *task {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.working || len(b.tasks) > 0 {
		return nil
	}
	return b.add(do)
}

// add is called with mu held.
func (b *board) add(do func()) *task {
	t := &task{do, make(chan struct{})}
	b.tasks = append(b.tasks, t)
	select {
	case b.came <- struct{}{}:
	default:
	}
	b.worker.wake(b.boards.jobs, b.work)
	return t
}

// withdraw removes a task. It reports false if the task has been begun.
func (b *board) withdraw(t *task) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for n, other := range b.tasks {
		if other == t {
			b.tasks = append(b.tasks[:n:n], b.tasks[n+1:]...)
			return true
		}
	}
	return false
}

// see notes that a state was seen, and that the board is used.
func (b *board) see(st *state) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used = time.Now()
	if b.newest == nil || b.newest.version <= st.version {
		b.newest = st
	}
}

// latest returns the latest state that was seen.
func (b *board) latest() *state {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.newest
}

// take begins the next task; it returns nil if there is none.
func (b *board) take() *task {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.working = len(b.tasks) > 0
	if !b.working {
		return nil
	}
	t := b.tasks[0]
	b.tasks = b.tasks[1:]
	return t
}

// begin begins something of the board's own, and reports whether that is possible: tasks come first.
func (b *board) begin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.working = len(b.tasks) == 0
	return b.working
}

// work does all tasks, and what the board has to do by itself when its time has come.
func (b *board) work() {
	for {
		if t := b.take(); t != nil {
			b.perform(t)
			continue
		}
		wait, own := b.due()
		switch {
		case own == nil:
			return
		case wait > 0:
			b.pause(wait)
		case b.begin():
			b.perform(&task{own, make(chan struct{})})
		}
	}
}

func (b *board) perform(t *task) {
	defer close(t.ended)
	defer interaction.LogPanic(b.boards.Log, "")
	t.do()
}

// pause waits for a while, or until something comes.
func (b *board) pause(wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	over := b.boards.jobs.over.Done()
	if b.boards.jobs.isEnding() {
		over = nil
	}
	select {
	case <-b.came:
	case <-timer.C:
	case <-over:
	}
}
