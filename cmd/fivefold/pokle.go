package main

import (
	"github.com/spf13/cobra"
)

// pokleCommand is the subcommand pokle, for the poker game.
func (p *program) pokleCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pokle",
		Short: "The poker game: five cards on the board from who was ahead on each street",
		Args:  cobra.NoArgs,
	}
	cmd.AddCommand(p.pokleSolveCommand(), p.pokleSimulateCommand())
	return cmd
}
