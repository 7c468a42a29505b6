package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"
)

// progress is the line that shows what is being done: on a terminal always the same one,
// elsewhere a new one now and then.
type progress struct {
	out      io.Writer
	terminal bool

	mu       sync.Mutex // protects the fields below
	part     string
	doing    string
	began    time.Time
	answered *atomic.Int64
	stop     chan struct{}
	stopped  sync.WaitGroup
}

func newProgress(out io.Writer) *progress {
	f, ok := out.(*os.File)
	return &progress{out: out, terminal: ok && term.IsTerminal(int(f.Fd()))}
}

// begin shows a part until end.
func (p *progress) begin(part string) {
	p.mu.Lock()
	p.part, p.doing, p.began, p.answered = part, "", time.Now(), new(atomic.Int64)
	p.stop = make(chan struct{})
	p.mu.Unlock()
	every := 15 * time.Second
	if p.terminal {
		every = time.Second
	}
	p.stopped.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-tick.C:
				p.show()
			}
		}
	})
}

func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	start, end := "", "\n"
	if p.terminal {
		start, end = "\r\x1b[K", ""
	}
	fmt.Fprintf(p.out, "%s...  %s %v: %d answers, %s%s", start, p.part, time.Since(p.began).Round(time.Second), p.answered.Load(), p.doing, end)
}

// now says what is being done.
func (p *progress) now(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing = fmt.Sprintf(format, args...)
}

// end takes the line away.
func (p *progress) end() {
	close(p.stop)
	p.stopped.Wait()
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
