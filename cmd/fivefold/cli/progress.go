package cli

import (
	"fmt"
	"strings"
	"time"

	"fivefold/bot/terminal/tty"
)

// Progress returns a function that shows how much of a long run is done: on a terminal
// with the time left, elsewhere as a line every 30 seconds. A run of several
// stages counts each from 0. The second function removes the line.
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
	length, reached, shown := 0, 0, 0 // shown is how many columns the line has
	var began, drawn time.Time
	draw := func(line string) {
		fmt.Fprintf(p.ErrOut, "\r%-*s", shown, line)
		shown = len(line)
	}
	end = func() {
		if shown > 0 {
			draw("")
			fmt.Fprint(p.ErrOut, "\r")
		}
	}
	return func(done, of int) {
		now := time.Now()
		if of != length || done < reached {
			began, drawn, length = now, time.Time{}, of
		}
		reached = done
		if of == 0 || now.Sub(drawn) < 100*time.Millisecond {
			return
		}
		drawn = now
		line := fmt.Sprintf("%s: %d%%, %d of %d", what, 100*done/of, done, of)
		width, _ := tty.Size(p.ErrOut)
		if took := now.Sub(began); width >= narrow && done > 0 && took >= time.Second {
			line += ", " + timeLeft(took, done, of) + " left"
		}
		draw(line[:min(len(line), max(width-1, 20))])
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

// narrow is the number of columns below which the time left is not shown.
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
