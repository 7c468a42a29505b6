// Package serve has the subcommands that run the bot and ask it.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"

	"github.com/spf13/cobra"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/commands"
	"fivefold/bot/discord"
	"fivefold/bot/discord/application"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
	"fivefold/bot/kinds"
	"fivefold/bot/metrics"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/storage"
	"fivefold/storage/engine"
)

// gcPercent is GOGC for a bot, unless the environment sets it. Go's default takes a seventh of the
// processor time under load, although little memory is in use.
const gcPercent = 300

// memoryLimit is GOMEMLIMIT for a bot in bytes, unless the environment sets it. With gcPercent alone, the 130 MiB
// of a busy bot would grow to four times as much.
const memoryLimit = 256 << 20

// BotCommand is the subcommand bot.
func BotCommand(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:   "bot",
		Short: "Serve Discord; needs DISCORD_TOKEN",
		Long: "Serve Discord until SIGINT or SIGTERM. It needs DISCORD_TOKEN; \"fivefold help settings\" lists all settings. " +
			"Games and statistics are kept in fivefold.db in the data folder.",
		Example: "  fivefold bot\n" +
			"  FIVEFOLD_LOG=json fivefold bot",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p.Serves = true
			s, err := settings.Read(p, settings.OfBot)
			if err != nil {
				return err
			}
			return Bot(cmd.Context(), p, s)
		},
	}
}

// Bot serves Discord until ctx ends.
func Bot(ctx context.Context, p *cli.Program, s settings.Settings) error {
	if p.Env["GOGC"] == "" {
		debug.SetGCPercent(gcPercent)
	}
	if p.Env["GOMEMLIMIT"] == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	log := s.Logger(p.ErrOut, slog.LevelInfo)
	table := commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{Lists: s.Lists})}).Table()
	m := metrics.New(p.Version, bot.Each(table.Commands, func(c bot.Command) string { return c.Name }))
	return app.Run(ctx, p, s, settings.BotFile, storage.Options{Options: engine.Options{Observer: m, Log: log}, Check: true}, func(ctx context.Context, a app.App, where string) error {
		log.Info("starting", "version", p.Version, "store", where, "words", len(s.Lists.Answers()))
		clock := new(admission.Clock)
		if p.Now == nil {
			a.Games.Now = clock.Now
		}
		byHTTP, err := listenHTTP(s.HTTP, log)
		if err != nil {
			return err
		}
		probes, end, err := operate(ctx, p, s, a, m, log)
		if err != nil {
			return err
		}
		defer end()
		if byHTTP != nil {
			byHTTP.Other = probes
		}
		err = discord.Run(ctx, discord.Options{
			Token: string(s.Token), Guild: s.Guild, BaseURL: s.BaseURL, Shards: s.Shards, Bot: a.Bot, Clock: clock, Registrations: a.Store,
			Boards: a.Store, Servers: a.Store, Watch: a.Shows, Post: func(ctx context.Context, to bot.Channels) {
				defer a.KeepTime(ctx, s.Idle, log)()
				a.DayPost.Keep(ctx, a.Store, to)
			},
			Work: a.Games.Work, Permits: a.Permits, Log: log, Observer: m, Tiles: true, HTTP: byHTTP, Patience: p.Patience,
		})
		if errors.Is(err, application.ErrPublicKey) {
			return cli.WrongUse("%w: copy %s again from the developer portal's page General Information", err, settings.EnvPublicKey)
		}
		if errors.Is(err, calls.ErrToken) {
			return explainToken(err)
		}
		if err == nil {
			log.Info("stopped")
		}
		return err
	})
}

// listenHTTP listens for interactions by HTTP, or returns nil if they come over the gateway. The caller sets
// Other. Errors name the setting that is wrong.
func listenHTTP(h settings.HTTP, log *slog.Logger) (*endpoint.Options, error) {
	if h.Address == "" {
		return nil, nil
	}
	l, err := net.Listen("tcp", h.Address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", settings.EnvHTTP, err)
	}
	log.Info("taking interactions by HTTP", "at", "http://"+l.Addr().String()+h.Path)
	return &endpoint.Options{Listener: l, Path: h.Path, PublicKey: h.PublicKey}, nil
}
