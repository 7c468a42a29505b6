// Package cli has what the subcommands of fivefold share: their input and output, how flags and
// arguments are read and what is said about wrong ones, help, progress, files to write, and
// exit codes.
package cli

import (
	"io"
	"strings"
	"time"

	"fivefold/bot/terminal/tty"
	"fivefold/game"
)

// Program is what every subcommand works with.
type Program struct {
	Env         map[string]string
	EnvFile     string // as --env-file names it; empty for .env in the working folder, if there is one
	In          io.Reader
	Out, ErrOut io.Writer
	Version     string // of the release
	Serves      bool   // whether it serves Discord, until a signal
	Tuning
}

// Tuning is what may differ from run to run; the zero value is what is usual.
type Tuning struct {
	Pick game.Pick        // draws answers and hints
	Now  func() time.Time // by which games are played
	// SearchTime is how long each search in a game may take, or one that a flag does not limit, and
	// ElsewhereTime one about a puzzle that is played elsewhere: most of them use all of it.
	SearchTime, ElsewhereTime time.Duration
	Patience                  time.Duration // see [discord.Options]
}

// Colour reports whether the output is to have colours.
func (p *Program) Colour() bool {
	return tty.HasColours(p.Out, p.Env)
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
