// Package play has the subcommand that plays in the terminal.
package play

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds"
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
		daily bool
		hard  marks.Hardness
	)
	games := bot.Each(kinds.All(kinds.Parts{}).Faces(), func(f face.Face) string { return strings.Fields(f.Commands.Start)[0] })
	cmd := &cobra.Command{
		Use:   "play [GAME]",
		Short: "Play in the terminal, with the same commands as on Discord",
		Long: "Play in the terminal, with the same commands as on Discord.\n\n" +
			"A game is " + strings.Join(games[:len(games)-1], ", ") + " or " + games[len(games)-1] + ". " +
			"Lines are read from a pipe too. \"as NAME\" changes the player, \"quit\" ends. Games and statistics are kept " +
			"in terminal.db in the data folder.",
		Example: "  fivefold play\n" +
			"  fivefold play --daily\n" +
			"  fivefold play octo\n" +
			"  printf '/wordle start\\n/guess slate\\n' | fivefold play",
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: games,
		RunE: settings.With(p, settings.OfGames, func(ctx context.Context, p *cli.Program, s settings.Settings, args []string) error {
			first, name := "", cmp.Or(strings.Join(args, ""), games[0])
			if len(args) > 0 || daily || hard != marks.Off {
				first = "/" + name + " start"
			}
			if hard != marks.Off && name != games[0] {
				return cli.WrongUse("--hard: hard mode is only in %s", games[0])
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
