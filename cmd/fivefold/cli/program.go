// Package cli is shared by the subcommands of fivefold: input and output, flags and arguments, help,
// progress, files to write, and exit codes.
package cli

import (
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fivefold/bot/terminal/tty"
	"fivefold/game"
	"fivefold/game/marks"
)

// Program is what every subcommand works with.
type Program struct {
	Env         map[string]string
	EnvFile     string // that of --env-file; empty for .env in the working folder
	In          io.Reader
	Out, ErrOut io.Writer
	Version     string // of the release
	Serves      bool   // whether it serves Discord until a signal
	Tuning
}

// Tuning is what tests change. The zero value is usual.
type Tuning struct {
	Pick game.Pick        // draws answers and hints
	Now  func() time.Time // the clock of games
	// SearchTime limits a search in a game, ElsewhereTime one for a puzzle played elsewhere.
	SearchTime, ElsewhereTime time.Duration
	Patience                  time.Duration // see [discord.Options]
}

// Colour reports whether the output has colours.
func (p *Program) Colour() bool {
	return tty.HasColours(p.Out, p.Env)
}

// Proposes has completion propose values for a flag.
func Proposes(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // no such flag
	}
}

// HardFlag adds the flag for hard mode.
func HardFlag(cmd *cobra.Command, hard *marks.Hardness) {
	cmd.Flags().TextVar(hard, "hard", marks.Off, "hard mode, a `name`: "+strings.Join(marks.HardnessNames, ", "))
	Proposes(cmd, "hard", marks.HardnessNames...)
}

// Environment returns the variables by name. On Windows, where case does not matter, names are in
// upper case.
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
