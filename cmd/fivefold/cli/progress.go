package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"fivefold/bot/terminal/tty"
)

// Progress returns a function that shows how much of a long run is done: on a terminal
// as a bar with the time left, elsewhere as a line every 30 seconds. A run of several
// stages counts each from 0. The second function removes the bar.
func (p *Program) Progress(what string) (show func(done, of int), end func()) {
	if !tty.IsTerminal(p.ErrOut) {
		const every = 30 * time.Second
		last := time.Now()
		return func(done, of int) {
			if now := time.Now(); now.Sub(last) >= every {
				last = now
				fmt.Fprintf(p.ErrOut, "%s: %d of %d\n", what, done, of)
			}
		}, func() {}
	}
	var bar *progressbar.ProgressBar
	length, reached := 0, 0
	var began, described time.Time
	end = func() {
		if bar != nil {
			// A bar that cannot be drawn is no reason to stop the work.
			_ = bar.Clear()
		}
	}
	return func(done, of int) {
		if bar == nil || of != length || done < reached {
			end()
			began = time.Now()
			described = began
			bar = progressbar.NewOptions(of, progressbar.OptionSetWriter(p.ErrOut), progressbar.OptionSetDescription(what),
				progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
				progressbar.OptionSetPredictTime(false)) // it is 0s at first, and unlabelled
			length = of
		}
		reached = done
		_ = bar.Set(done)
		if width, _ := tty.Size(p.ErrOut); width >= narrow && done > 0 && time.Since(described) >= time.Second {
			described = time.Now()
			bar.Describe(what + ", " + timeLeft(time.Since(began), done, of) + " left")
		}
	}, end
}

// TerminalProgress is progress on a terminal, and shows nothing elsewhere: these runs take
// seconds, and their output is read by programs.
func (p *Program) TerminalProgress(what string) (show func(done, of int), end func()) {
	if !tty.IsTerminal(p.ErrOut) {
		return nil, func() {}
	}
	return p.Progress(what)
}

// narrow is the number of columns below which a bar does not show the time left.
const narrow = 60

// timeLeft returns how long the rest takes at the same pace, rounded up to whole seconds or,
// from a minute on, minutes.
func timeLeft(took time.Duration, done, of int) string {
	left := time.Duration(float64(took) * float64(of-done) / float64(done))
	if left > 59*time.Second {
		left = (left + time.Minute - 1).Truncate(time.Minute)
		return strings.TrimSuffix(left.String(), "0s")
	}
	return (left + time.Second - 1).Truncate(time.Second).String()
}
