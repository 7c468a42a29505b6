package main

import (
	"bytes"
	"errors"

	"github.com/spf13/cobra"

	"fivefold/solver"
)

// openersCommand is the subcommand openers, which go generate runs to make a file that
// is part of the program. Nobody else needs it, so it is hidden.
func (p *program) openersCommand() *cobra.Command {
	var (
		hard bool
		out  string
	)
	cmd := &cobra.Command{
		Use:    "openers",
		Short:  "Work out the totals of all first guesses, for reviews",
		Hidden: true,
		Args:   cobra.NoArgs,
	}
	flags := cmd.Flags()
	lists := p.listFlags(cmd)
	flags.BoolVar(&hard, "hard", false, "keep to hard mode")
	flags.StringVarP(&out, "output", "o", "", "the file to write the totals to")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if out == "" {
			return errors.New("--output needs a file to write the totals to")
		}
		lists, err := lists()
		if err != nil {
			return err
		}
		progress, end := p.progress("first guesses")
		var file bytes.Buffer
		err = solver.New(lists).WriteOpeners(cmd.Context(), &file, hard, progress)
		end()
		if err != nil {
			return err
		}
		return p.writeOutput(out, "totals", file.Bytes())
	}
	return cmd
}
