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
	return &cobra.Command{
		Use:   "emojis",
		Short: "Upload the tiles as emojis of the bot",
		Long: "Upload the tiles that boards are drawn with, as emojis that belong to the bot. A\n" +
			"running bot does that too, more slowly; until they are there, it shows squares.\n" +
			"Only missing ones are uploaded. Other emojis of the bot stay. It needs\n" +
			"DISCORD_TOKEN.",
		Example: "  fivefold emojis",
		Args:    cli.NoArguments,
		RunE:    settings.With(p, settings.OfBotToken, uploadEmojis),
	}
}

func uploadEmojis(ctx context.Context, p *cli.Program, s settings.Settings, _ []string) error {
	show, end := p.Progress("uploading")
	all, uploaded, err := discord.SyncEmojis(ctx, discord.Options{
		Token: string(s.Token), BaseURL: s.BaseURL, Log: s.Logger(p.ErrOut, slog.LevelWarn),
	}, show)
	end()
	if errors.Is(err, discord.ErrToken) {
		return explainToken(err)
	}
	if err != nil {
		return fmt.Errorf("%d tiles were uploaded, then it failed; start it again to go on: %w", uploaded, err)
	}
	_, err = fmt.Fprintf(p.Out, "Tiles: %d, of which %d were uploaded now.\n", all, uploaded)
	return err
}

// explainToken says what to do about a token that Discord refuses. It is a wrong setting, so that no
// supervisor starts the program again and again.
func explainToken(err error) error {
	return cli.WrongUse("%w: check %s, or make a new token on the developer portal's page of the bot", err, settings.EnvToken)
}
