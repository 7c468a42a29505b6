// Package play has the subcommand that plays in the terminal.
package play

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"fivefold/bot/terminal"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/game/marks"
)

// Command is the subcommand play.
func Command(p *cli.Program) *cobra.Command {
	var (
		daily, pokle bool
		hard         marks.Hardness
	)
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play in the terminal, with the same commands as on Discord",
		Long: "Play in the terminal, with the same commands as on Discord.\n\n" +
			"Lines are read from a pipe too. \"as NAME\" changes the player, \"quit\" ends. Games and statistics are kept " +
			"in terminal.db in the data folder.",
		Example: "  fivefold play\n" +
			"  fivefold play --daily\n" +
			"  printf '/wordle start\\n/guess slate\\n' | fivefold play",
		Args: cobra.NoArgs,
		RunE: settings.With(p, settings.OfGames, func(ctx context.Context, p *cli.Program, s settings.Settings, _ []string) error {
			first := ""
			switch {
			case pokle:
				first = "/pokle start"
			case daily || hard != marks.Off:
				first = "/wordle start"
			}
			if daily {
				first += " daily"
			}
			if hard != marks.Off {
				first += " " + hard.String()
			}
			return Play(ctx, p, s, first)
		}),
	}
	cmd.Flags().BoolVar(&daily, "daily", false, "begin with today's puzzle")
	cli.HardFlag(cmd, &hard)
	cmd.Flags().BoolVar(&pokle, "pokle", false, "begin with a game of Pokle")
	cmd.MarkFlagsMutuallyExclusive("hard", "pokle")
	return cmd
}

// Play plays in the terminal. It begins with the first line, if that is not empty.
func Play(ctx context.Context, p *cli.Program, s settings.Settings, first string) error {
	return app.Terminal(ctx, p, s, "Games are kept in %s.\n", func(ctx context.Context, a app.App, t terminal.Terminal) error {
		log := a.Bot.Log
		// Games that were idle, and races, end before the first line.
		if _, err := a.Games.EndIdle(ctx, s.Idle); err != nil && !errors.Is(err, game.ErrNotSaved) {
			log.Warn("could not end idle games", "error", err)
		}
		if err := a.Games.MeetDeadlines(ctx); err != nil && !errors.Is(err, game.ErrNotSaved) {
			log.Warn("could not end races", "error", err)
		}
		defer a.KeepTime(ctx, s.Idle, log)()
		t.Games, t.Faces, t.First = a.Games, a.Play.Faces, first
		return t.Run(ctx)
	})
}
