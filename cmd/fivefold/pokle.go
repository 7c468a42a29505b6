package main

import (
	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
)

// pokleCommand is the subcommand pokle, for the poker game.
func (p program) pokleCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "pokle",
		Short:   "The poker game, Pokle: help with a puzzle, and simulations",
		Example: "  fivefold pokle solve\n  fivefold pokle simulate --deals 20",
		Args:    cli.OnlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(p.pokleSolveCommand(), p.pokleSimulateCommand())
	return cmd
}
