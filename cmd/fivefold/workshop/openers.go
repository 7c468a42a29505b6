package workshop

import (
	"bytes"
	"errors"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/solver"
)

// OpenersCommand is the subcommand openers, which go generate runs to make a file that
// is part of the program. Nobody else needs it, so it is hidden.
func OpenersCommand(p *cli.Program) *cobra.Command {
	var (
		hard bool
		out  string
	)
	cmd := &cobra.Command{
		Use:     "openers",
		Short:   "Work out the totals of all first guesses, for reviews",
		Hidden:  true,
		Example: "  fivefold openers -o openers.txt",
		Args:    cli.NoArguments,
	}
	flags := cmd.Flags()
	lists := settings.ListFlags(p, cmd)
	flags.BoolVar(&hard, "hard", false, "keep to hard mode")
	flags.StringVarP(&out, "output", "o", "", "write the totals to this `file`")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if out == "" {
			return cli.WrongUse("--output needs a file to write the totals to")
		}
		file, err := p.Output(out)
		if err != nil {
			return err
		}
		lists, err := lists()
		if err != nil {
			return err
		}
		progress, end := p.Progress("first guesses")
		var content bytes.Buffer
		err = solver.New(lists).WriteOpeners(cmd.Context(), &content, hard, progress)
		end()
		if err != nil && cmd.Context().Err() != nil {
			return errors.New("stopped; no file was written")
		}
		if err != nil {
			return err
		}
		return p.WriteOutput(file, content.Bytes())
	}
	return cmd
}
