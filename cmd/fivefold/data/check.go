// Package data has the subcommands that check, repair, copy, back up and restore the bot's store.
package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"fivefold/bot/kinds"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/storage/check"
	"fivefold/storage/engine"
)

// CheckCommand is the subcommand check.
func CheckCommand(p *cli.Program) *cobra.Command {
	return onStore(p, &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check every record of the bot's store, or of a backup",
		Long: "Check every page and every record of the bot's store, and whether the log, the statistics and the indexes " +
			"agree; or those of FILE, a backup. Nothing is changed. The bot must be stopped; while it runs, check a " +
			"backup. The exit code is 0 only if all is well.",
		Example: "  fivefold check\n  fivefold check today.db",
	}, func(ctx context.Context, _ settings.Settings, path string) error { return checkFile(ctx, p, path) })
}

// onStore completes a subcommand that works on the file given, or else on the bot's store. It explains the error of run.
func onStore(p *cli.Program, cmd *cobra.Command, run func(ctx context.Context, s settings.Settings, path string) error) *cobra.Command {
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.RunE = settings.With(p, settings.OfStore, func(ctx context.Context, p *cli.Program, s settings.Settings, args []string) error {
		if len(args) == 1 {
			return app.Explain(ctx, run(ctx, s, args[0]), s, args[0])
		}
		path, err := engine.Path(s.StoreURL(settings.BotFile))
		if errors.Is(err, engine.ErrNoFile) && cmd.Name() == "repair" {
			path, err = s.Store, nil
		}
		if err != nil {
			return err
		}
		return app.Explain(ctx, run(ctx, s, path), s, path)
	})
	return cmd
}

// checkFile prints what is in a file and what is wrong with it. The error is a [game.ErrDamaged] if anything is.
func checkFile(ctx context.Context, p *cli.Program, path string) error {
	show, end := p.Progress("Checking")
	var affected []check.Affected
	records, problems, err := check.File(ctx, path, kinds.Codecs(), check.Options{Report: func(f check.Finding) {
		end()
		fmt.Fprintln(p.Out, f)
	}, Progress: show, Affected: func(a check.Affected) { affected = append(affected, a) }})
	end()
	printAffected(p.Out, affected)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Out, "%s: records: %d; problems: %d\n", path, records, problems)
	if problems > 0 {
		return fmt.Errorf("%s has problems: %d: %w", path, problems, game.ErrDamaged)
	}
	return nil
}

// printAffected writes a table of damaged games, if there are any.
func printAffected(w io.Writer, all []check.Affected) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer t.Flush() // the check goes on without it
	for i, a := range all {
		if i == 0 {
			fmt.Fprintln(t, "game\twhere\tplayers\tended (UTC)\tlost")
		}
		ended, lost := "", "no: a repair mends it"
		if !a.Ended.IsZero() {
			ended = a.Ended.UTC().Format(time.DateTime)
		}
		if a.Lost {
			lost = "yes, at least in part"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", a.Game, a.Where, strings.Trim(fmt.Sprint(a.Who), "[]"), ended, lost)
	}
}
