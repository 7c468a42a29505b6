package cli

import (
	"bytes"

	"fivefold/bot/terminal/tty"
)

// HoldLog holds back log lines while a person is typing in the terminal that they go to, where
// they would appear in the middle of the screen. The function that it returns writes them; it
// is for when the screen is gone.
func (p *Program) HoldLog() (release func() error) {
	if !tty.IsTerminal(p.In) || !tty.IsTerminal(p.Out) || !tty.IsTerminal(p.ErrOut) {
		return func() error { return nil }
	}
	to, held := p.ErrOut, new(bytes.Buffer)
	p.ErrOut = held
	return func() error {
		_, err := held.WriteTo(to)
		return err
	}
}
