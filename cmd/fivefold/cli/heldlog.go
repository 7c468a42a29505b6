package cli

import (
	"bytes"
	"fmt"
	"io"

	"fivefold/bot/terminal/tty"
)

// heldLog keeps the lines that are written to it until they are released. It is not safe for
// concurrent use; a logger writes one line at a time.
type heldLog struct {
	to   io.Writer
	text []byte
	lost int // lines for which there was no room
}

// mostHeld is how many bytes of lines are kept: some hundreds of lines.
const mostHeld = 64 << 10

// HoldLog holds back log lines while a person is typing in the terminal that they go to, where
// they would appear in the middle of the screen. The function that it returns writes them; it
// is for when the screen is gone.
func (p *Program) HoldLog() (release func() error) {
	if !tty.IsTerminal(p.In) || !tty.IsTerminal(p.Out) || !tty.IsTerminal(p.ErrOut) {
		return func() error { return nil }
	}
	held := &heldLog{to: p.ErrOut}
	p.ErrOut = held
	return held.release
}

// Write implements [io.Writer].
func (h *heldLog) Write(b []byte) (int, error) {
	if h.lost > 0 || len(h.text)+len(b) > mostHeld {
		h.lost += bytes.Count(b, []byte("\n"))
	} else {
		h.text = append(h.text, b...)
	}
	return len(b), nil
}

func (h *heldLog) release() error {
	if h.lost > 0 {
		h.text = fmt.Appendf(h.text, "%d more lines of the log were left out\n", h.lost)
	}
	_, err := h.to.Write(h.text)
	return err
}
