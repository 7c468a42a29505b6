// Package cli has what the subcommands of fivefold share: their input and output, how flags and
// arguments are read and what is said about wrong ones, help and completion, progress, tables,
// files to write, and exit codes.
package cli

import (
	"fivefold/bot/terminal/tty"
	"io"
)

// Program is what every subcommand works with.
type Program struct {
	Env         map[string]string
	In          io.Reader
	Out, ErrOut io.Writer
	Version     string // of the release
	Serves      bool   // whether it serves Discord, until a signal
}

// Colour reports whether the output is to have colours.
func (p *Program) Colour() bool {
	return tty.HasColours(p.Out, p.Env)
}

// Environ is the environment as os.Environ returns it.
func (p *Program) Environ() []string {
	var all []string
	for name, value := range p.Env {
		all = append(all, name+"="+value)
	}
	return all
}
