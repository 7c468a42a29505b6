package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"fivefold/bot/terminal/tty"
)

// progress returns a function that shows how much of a long run is done: on a terminal
// as a bar with the time left, elsewhere as a line every 30 seconds. A run of several
// stages counts each from 0. The second function removes the bar.
func (p *program) progress(what string) (show func(done, of int), end func()) {
	if !tty.IsTerminal(p.errOut) {
		const every = 30 * time.Second
		last := time.Now()
		return func(done, of int) {
			if now := time.Now(); now.Sub(last) >= every {
				last = now
				fmt.Fprintf(p.errOut, "%s: %d of %d\n", what, done, of)
			}
		}, func() {}
	}
	var bar *progressbar.ProgressBar
	length, reached := 0, 0
	end = func() {
		if bar != nil {
			// A bar that cannot be drawn is no reason to stop the work.
			_ = bar.Clear()
		}
	}
	return func(done, of int) {
		if bar == nil || of != length || done < reached {
			end()
			bar = progressbar.NewOptions(of, progressbar.OptionSetWriter(p.errOut), progressbar.OptionSetDescription(what),
				progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
			length = of
		}
		reached = done
		_ = bar.Set(done)
	}, end
}
