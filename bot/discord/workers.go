package discord

import "time"

// workers runs functions in goroutines. A goroutine that is done waits a while for another function: a new goroutine grows
// its stack several times while it answers, which took a twelfth of the bot's processor time in the part load of cmd/soak.
type workers struct {
	free chan func()     // unbuffered: only an idle goroutine receives from it
	over <-chan struct{} // closed when idle goroutines are to end
}

// idleFor is how long a goroutine waits for the next function.
const idleFor = time.Second

// run runs a function in a goroutine.
func (w workers) run(f func()) {
	select {
	case w.free <- f:
	default:
		go w.work(f)
	}
}

func (w workers) work(f func()) {
	idle := time.NewTimer(idleFor)
	for {
		f()
		idle.Reset(idleFor)
		select {
		case f = <-w.free:
		case <-idle.C:
			return
		case <-w.over:
			return
		}
	}
}
