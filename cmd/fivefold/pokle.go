package main

import (
	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/solve"
	"fivefold/cmd/fivefold/workshop"
)

// pokleCommand is the subcommand pokle, for the poker game.
func pokleCommand(p *cli.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "pokle",
		Short:   "The poker game, Pokle: help with a puzzle, and simulations",
		Example: "  fivefold pokle solve\n  fivefold pokle simulate --deals 20",
		Args:    cli.OnlyCommands,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(solve.PokleCommand(p), workshop.PokleCommand(p))
	return cmd
}
