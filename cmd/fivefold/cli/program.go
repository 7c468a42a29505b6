// Package cli has what the subcommands of fivefold share: their input and output, how flags and
// arguments are read and what is said about wrong ones, help and completion, progress, tables,
// files to write, and exit codes.
package cli

import (
	"fivefold/bot/terminal/tty"
	"io"
	"strings"
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

// Environment returns the variables by name. On Windows names are in upper case: there,
// LocalAppData and LOCALAPPDATA are the same.
func Environment(system string, environ []string) map[string]string {
	env := map[string]string{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if system == "windows" {
			name = strings.ToUpper(name)
		}
		env[name] = value
	}
	return env
}
