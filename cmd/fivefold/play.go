package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"fivefold/bot/terminal"
	"fivefold/cmd/fivefold/app"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
	"fivefold/game"
	"fivefold/storage"
)

// play is the subcommand play.
func (p program) play(ctx context.Context, s settings.Settings) error {
	release := p.HoldLog()
	log := s.Logger(p.ErrOut, slog.LevelWarn)
	err := app.Run(ctx, p.Program, s, settings.TerminalFile, storage.Options{Log: log}, func(ctx context.Context, a app.App, where string) error {
		if s.Idle > 0 { // games given up while nobody was here are over before the first line
			if _, _, err := a.Games.EndIdle(ctx, s.Idle); err != nil && !errors.Is(err, game.ErrNotSaved) {
				log.Warn("could not end idle games", "error", err)
			}
		}
		defer a.EndIdle(ctx, s.Idle, log)()
		t := terminal.Terminal{
			Bot: a.Bot, In: p.In, Out: p.Out, Player: app.Player(p.Program), Colour: p.Colour(),
			Welcome: fmt.Sprintf("Games are kept in %s.\n", strings.TrimPrefix(where, "bolt:")),
			Games:   a.Games, Faces: a.Play.Faces, HistoryFile: s.LinesFile(), Environ: p.Environ(),
			CanGuess: cli.CanGuess(s.Lists),
		}
		return t.Run(ctx)
	})
	return errors.Join(err, release())
}
