package cli

import (
	"bytes"

	"fivefold/bot/terminal/tty"
)

// HoldLog holds back the log while a person types in the terminal that it goes to. Release writes it,
// once the screen is gone.
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
