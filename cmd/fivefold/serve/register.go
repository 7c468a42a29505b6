package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/discord"
	"fivefold/bot/kinds"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
)

// RegisterCommand is the subcommand register.
func RegisterCommand(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "register",
		Short: "Register the commands, for a bot that takes interactions by HTTP",
		Long: "Register the commands with Discord, for a bot that takes interactions by HTTP: with\n" +
			"FIVEFOLD_HTTP, no process does that by itself, nor does it upload tiles: \"fivefold\n" +
			"emojis\" does. Run it once, and after each upgrade. It needs DISCORD_TOKEN, and with\n" +
			"DISCORD_GUILD_ID it registers the commands in that server only.",
		Example: "  fivefold register",
		Args:    cli.NoArguments,
		RunE:    settings.With(p, settings.OfBotToken, register),
	}
}

// register registers the commands with Discord, and says where and whether any has changed.
func register(ctx context.Context, p *cli.Program, s settings.Settings, _ []string) error {
	changed, err := discord.Register(ctx, discord.Options{
		Token: string(s.Token), Guild: s.Guild, BaseURL: s.BaseURL, Log: s.Logger(p.ErrOut, slog.LevelWarn),
		Bot: &bot.Bot{Table: commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{Lists: s.Lists})}).Table()},
	})
	if errors.Is(err, discord.ErrToken) {
		return explainToken(err)
	}
	if err != nil {
		return fmt.Errorf("the commands are not registered: %w", err)
	}
	where, how := "everywhere", "now"
	if s.Guild != "" {
		where = "in the server " + s.Guild
	}
	if !changed {
		how = "as they were"
	}
	_, err = fmt.Fprintf(p.Out, "The commands are registered %s, %s.\n", where, how)
	return err
}
