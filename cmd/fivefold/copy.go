package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/bolt"
	"fivefold/storage/postgres"
	"fivefold/storage/record"
)

// copyCommand is the subcommand copy.
func (p *program) copyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Move the bot's store to a database, to another one or to a file",
		Long: "Copy all games, statistics and settings from one store to another, and compare them.\n" +
			"Both are written as in FIVEFOLD_STORE, bolt:PATH or postgres://…. FROM stays as it\n" +
			"is. TO is a file that does not exist yet, or a database with empty tables: make\n" +
			"those with \"fivefold migrate\".\n\n" +
			"Nothing may use FROM meanwhile. A file is locked; of a database, stop all bots.\n" +
			"If something did change, the copy fails at the end.\n\n" +
			"A copy that was interrupted goes on where it ended when the same command is run\n" +
			"again. Until it is whole, a file is called TO.unfinished, and no bot starts with the\n" +
			"database. Passwords can come from PGPASSWORD or PGPASSFILE.",
		Example: "  fivefold copy bolt:fivefold.db 'postgres://fivefold@db.example/fivefold'\n" +
			"  fivefold copy 'postgres://fivefold@db.example/fivefold' bolt:fivefold.db",
		Args:              twoArguments("FROM", "TO"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, url := range args {
				if err := storage.Check(url); err != nil {
					return wrongUseError{err}
				}
			}
			s, err := p.settings(ofGames)
			if err != nil {
				return err
			}
			return p.copy(cmd.Context(), args[0], args[1], string(s.password))
		},
	}
}

// copy copies one store to another, shows its progress and says what was copied.
func (p *program) copy(ctx context.Context, from, to, password string) error {
	stage, show, end := "", func(int, int) {}, func() {}
	defer func() { end() }()
	done, err := storage.Copy(ctx, from, to, storage.CopyOptions{Password: password, Progress: func(now string, done, of int) {
		if now != stage {
			end()
			stage = now
			show, end = p.progress(now)
		}
		show(done, of)
	}})
	end()
	if err != nil {
		return explainCopy(err, done.Began)
	}
	how := "Copied"
	if done.Resumed {
		how = "Went on with a copy that was interrupted, and copied"
	}
	_, err = fmt.Fprintf(p.out, "%s %s to %s. Records: %d, all of them compared.\n", how, storage.Name(from), storage.Name(to), done.Records)
	return err
}

// explainCopy returns the error of a copy with advice on what to do about it. Began is
// [storage.Copied].Began.
func explainCopy(err error, began bool) error {
	advice := "run the same command again: it goes on where it ended"
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("the copy is not whole yet; run the same command again, and it goes on where it ended: %w", err)
	case errors.Is(err, bolt.ErrLocked):
		advice = "stop what uses it, and run the same command again"
	case errors.Is(err, postgres.ErrSchema):
		advice = "run \"fivefold migrate\" first, with " + envStore + " set to the database"
	case postgres.Advice(err) != "":
		advice = postgres.Advice(err) + "; the same command goes on where it ended"
	case errors.Is(err, record.ErrNotEmpty):
		advice = "TO must be a file that does not exist yet, or a database with empty tables; nothing was changed"
	case errors.Is(err, game.ErrDamaged):
		advice = "run \"fivefold repair FILE\" on the file first, or restore a backup of the database"
	case errors.Is(err, storage.ErrChanged), errors.Is(err, storage.ErrDiffers):
		advice = "stop all bots that use either store, remove what was copied, and copy again"
	case !began:
		return err
	}
	return fmt.Errorf("%w\n%s", err, advice)
}
