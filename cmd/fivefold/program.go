package main

import (
	"fivefold/bot/terminal/tty"
	"io"
)

// program is what every subcommand works with.
type program struct {
	env         map[string]string
	in          io.Reader
	out, errOut io.Writer
	version     string // of the release
	serves      bool   // whether it serves Discord, until a signal
}

// colour reports whether the output is to have colours.
func (p *program) colour() bool {
	return tty.HasColours(p.out, p.env)
}

// environ is the environment as os.Environ returns it.
func (p *program) environ() []string {
	var all []string
	for name, value := range p.env {
		all = append(all, name+"="+value)
	}
	return all
}
