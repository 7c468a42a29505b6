// Package licences shows the licences of the program and of everything in it.
package licences

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
)

//go:generate go run ./generate

// text is what the generator collected from the modules of the program.
//
//go:embed licences.txt
var text string

// Command is the subcommand licences.
func Command(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:     "licences",
		Short:   "Show the licences of the program and of what it is built with",
		Example: "  fivefold licences",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(p.Out, text)
			return err
		},
	}
}
