package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"fivefold/bot/discord"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
)

// EmojisCommand is the subcommand emojis.
func EmojisCommand(p *cli.Program) *cobra.Command {
	removeOld := false
	c := &cobra.Command{
		Use:   "emojis",
		Short: "Upload the tiles as emojis of the bot",
		Long: "Upload the tiles that boards are drawn with, as emojis that belong to the bot. A\n" +
			"running bot does that too, more slowly; until they are there, it shows squares.\n" +
			"Only missing ones are uploaded. Other emojis of the bot stay. It needs\n" +
			"DISCORD_TOKEN.",
		Example: "  fivefold emojis\n" +
			"  fivefold emojis --remove-old",
		Args: cli.NoArguments,
		RunE: settings.With(p, settings.OfBotToken, func(ctx context.Context, p *cli.Program, s settings.Settings, _ []string) error {
			return uploadEmojis(ctx, p, s, removeOld)
		}),
	}
	c.Flags().BoolVar(&removeOld, "remove-old", false, "remove the tiles of earlier releases; a bot that still runs one shows\ntheir names until it is restarted")
	return c
}

func uploadEmojis(ctx context.Context, p *cli.Program, s settings.Settings, removeOld bool) error {
	show, end := p.Progress("uploading")
	report, err := discord.SyncEmojis(ctx, discord.Options{
		Token: string(s.Token), BaseURL: s.BaseURL, Log: s.Logger(p.ErrOut, slog.LevelWarn),
	}, removeOld, show)
	end()
	if errors.Is(err, discord.ErrToken) {
		return explainToken(err)
	}
	if err != nil {
		return fmt.Errorf("%d tiles were uploaded, then it failed; start it again to go on: %w", report.Uploaded, err)
	}
	fmt.Fprintf(p.Out, "Tiles: %d, of which %d were uploaded now.\n", report.All, report.Uploaded)
	if report.Removed+report.Old > 0 {
		fmt.Fprintf(p.Out, "Tiles of earlier releases: %d removed, %d left; \"fivefold emojis --remove-old\" removes them.\n", report.Removed, report.Old)
	}
	return nil
}

// explainToken says what to do about a token that Discord refuses. It is a wrong setting, so that no
// supervisor starts the program again and again.
func explainToken(err error) error {
	return cli.WrongUse("%w: check %s, or make a new token on the developer portal's page of the bot", err, settings.EnvToken)
}
