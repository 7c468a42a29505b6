package cli

import (
	"fmt"
	"time"

	"fivefold/bot/terminal/tty"
)

// Progress returns a function that shows the progress of a long run on a terminal, and one that
// removes the line. Elsewhere they do nothing.
func (p *Program) Progress(what string) (show func(done, of int), end func()) {
	if !tty.IsTerminal(p.ErrOut) {
		return func(int, int) {}, func() {}
	}
	shown := 0 // how many columns the line has
	var drawn time.Time
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
		if of == 0 || time.Since(drawn) < 100*time.Millisecond {
			return
		}
		drawn = time.Now()
		line := fmt.Sprintf("%s: %d%%, %d of %d", what, 100*done/of, done, of)
		width, _ := tty.Size(p.ErrOut)
		draw(line[:min(len(line), max(width-1, 20))])
	}, end
}
