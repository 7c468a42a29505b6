package serve

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"fivefold/bot/commands"
	"fivefold/bot/discord/application"
	"fivefold/bot/discord/calls"
	"fivefold/bot/kinds"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
)

// RegisterCommand is the subcommand register.
func RegisterCommand(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "register",
		Short: "Register the commands and upload the tiles, for a bot by HTTP",
		Long: "Register the commands with Discord, and upload the tiles that boards are drawn with, as emojis that belong to " +
			"the bot: with FIVEFOLD_HTTP, no process does that by itself. Run it once, and after each upgrade; only what " +
			"is missing is uploaded. It needs DISCORD_TOKEN, and with DISCORD_GUILD_ID it registers the commands in that " +
			"server only.",
		Example: "  fivefold register",
		Args:    cobra.NoArgs,
		RunE:    settings.With(p, settings.OfBot, register),
	}
}

// register registers the commands with Discord, uploads tiles, and says what has changed.
func register(ctx context.Context, p *cli.Program, s settings.Settings, _ []string) error {
	log := s.Logger(p.ErrOut, slog.LevelWarn)
	client := calls.New(calls.Options{Token: string(s.Token), BaseURL: s.BaseURL, Timeout: 20 * time.Second, Log: log, Spacing: calls.Spacing})
	table := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{Lists: s.Lists})}).Table()
	about, err := application.AskOnce(ctx, client)
	changed := false
	if err == nil {
		changed, err = application.Commands{API: client, Timeout: time.Minute, Table: table, App: about.ID, Guild: s.Guild, Log: log}.RegisterOnce(ctx)
	}
	if final := calls.FinalError(err); final != nil {
		return explainToken(final)
	}
	if err != nil {
		return fmt.Errorf("the commands are not registered: %w", err)
	}
	where, how := "everywhere", "now"
	if s.Guild != "" {
		where = "in server " + s.Guild + " only"
	}
	if !changed {
		how = "as they were"
	}
	fmt.Fprintf(p.Out, "The commands are registered %s, %s.\n", where, how)
	show, end := p.Progress("uploading")
	all, uploaded, err := application.Tiles{API: client, App: about.ID, Log: log}.Sync(ctx, func(done, of int) {
		if done == 0 {
			fmt.Fprintf(p.Out, "Uploading %d tiles, which can take minutes. If it is stopped, start it again: it goes on from there.\n", of)
		}
		show(done, of)
	})
	end()
	if err != nil {
		return fmt.Errorf("%d tiles were uploaded, then it failed; start it again to go on: %w", uploaded, err)
	}
	_, err = fmt.Fprintf(p.Out, "Tiles: %d, of which %d were uploaded now.\n", all, uploaded)
	return err
}

// explainToken says what to do about a token that Discord refuses. As wrong use, it keeps supervisors from
// starting the program again.
func explainToken(err error) error {
	return cli.WrongUse("%w: check %s, or make a new token on the developer portal's page of the bot", err, settings.EnvToken)
}
