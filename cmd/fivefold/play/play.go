// Package play plays in the terminal, and lists what was played there.
package play

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/bot/terminal"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/storage"
)

// Command is the subcommand play.
func Command(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "play",
		Short: "Play in the terminal, with the same commands as on Discord",
		Long: "Play in the terminal, with the same commands as on Discord.\n\n" +
			"Lines are read from a pipe too. \"as NAME\" changes the player, \"quit\" ends.\n" +
			"Games and statistics are kept in terminal.db in the data folder, and what was\n" +
			"typed in the file lines.",
		Example: "  fivefold play\n" +
			"  printf '/wordle start\\n/guess crane\\n' | fivefold play",
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := settings.Read(p, settings.OfGames)
			if err != nil {
				return err
			}
			return Play(cmd.Context(), p, s)
		},
	}
}

// Play plays in the terminal.
func Play(ctx context.Context, p *cli.Program, s settings.Settings) error {
	release := p.HoldLog()
	log := s.Logger(p.ErrOut, slog.LevelWarn)
	err := app.Run(ctx, p, s, settings.TerminalFile, storage.Options{Log: log}, func(ctx context.Context, a app.App, where string) error {
		if s.Idle > 0 { // games given up while nobody was here are over before the first line
			if _, _, err := a.Games.EndIdle(ctx, s.Idle); err != nil && !errors.Is(err, game.ErrNotSaved) {
				log.Warn("could not end idle games", "error", err)
			}
		}
		defer a.EndIdle(ctx, s.Idle, log)()
		t := terminal.Terminal{
			Bot: a.Bot, In: p.In, Out: p.Out, Player: app.Player(p), Colour: p.Colour(),
			Welcome: fmt.Sprintf("Games are kept in %s.\n", strings.TrimPrefix(where, "bolt:")),
			Games:   a.Games, Faces: a.Play.Faces, HistoryFile: s.LinesFile(), Environ: p.Environ(),
			CanGuess: cli.CanGuess(s.Lists),
		}
		return t.Run(ctx)
	})
	return errors.Join(err, release())
}
