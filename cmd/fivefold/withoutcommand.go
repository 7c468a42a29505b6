package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"fivefold/bot/terminal/tty"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/play"
	"fivefold/cmd/fivefold/serve"
	"fivefold/cmd/fivefold/settings"
)

// withoutCommand is the program without a subcommand: a bot where there is a token, and
// otherwise the terminal. A token in a file .env that has no settings of our own may be that of
// another bot, so a person is asked; where there is nobody to ask, the log names the file.
func withoutCommand(ctx context.Context, p *cli.Program) error {
	serves, foreign, err := settings.FindToken(p)
	if err != nil {
		return fmt.Errorf("%s: %w", settings.DotEnv, err)
	}
	asks := foreign && tty.IsTerminal(p.In) && tty.IsTerminal(p.Out)
	if asks {
		if serves, err = askToServe(ctx, p); err != nil || ctx.Err() != nil {
			return err
		}
	}
	if !serves {
		s, err := settings.Read(p, settings.OfGames)
		if err != nil {
			return err
		}
		return play.Play(ctx, p, s, nil)
	}
	s, err := settings.Read(p, settings.OfBotToken)
	if err != nil {
		return err
	}
	if foreign && !asks {
		file, err := filepath.Abs(settings.DotEnv)
		if err != nil {
			return err
		}
		s.Logger(p.ErrOut, slog.LevelInfo).Warn("serving with the token in a file that has no settings of fivefold; \"fivefold play\" plays in the terminal", "file", file)
	}
	return serve.Discord(ctx, p, s, nil)
}

// askToServe asks whether to serve with the token in the file .env.
func askToServe(ctx context.Context, p *cli.Program) (bool, error) {
	if _, err := fmt.Fprintf(p.Out, "The file .env in this folder has a Discord token. Type yes to run the bot with it,\nor press Enter to play in the terminal: "); err != nil {
		return false, err
	}
	answer, _, err := cli.NewAsker(p.In).Ask(ctx)
	return strings.EqualFold(answer, "yes") || strings.EqualFold(answer, "y"), err
}
