package commands

import (
	"context"
	"log/slog"

	"fivefold/bot"
	"fivefold/bot/history"
	"fivefold/bot/kinds"
	"fivefold/bot/play"
	"fivefold/bot/preferences"
	"fivefold/game"
	"fivefold/solver/solve"
)

// Handlers has the handlers of all commands.
type Handlers struct {
	Play    *play.Handlers
	History *history.Handlers

	Preferences *preferences.Handlers

	kinds kinds.Kinds
}

// Dependencies are what the commands work with. All fields must be set.
type Dependencies struct {
	Kinds      kinds.Kinds
	Games      *game.Manager // has the rules of the kinds
	Statistics game.Statistics
	Sessions   solve.Store // of help with puzzles played elsewhere

	Preferences preferences.Store
	Names       *bot.Names

	Log *slog.Logger
}

// New returns the handlers.
func New(p Dependencies) Handlers {
	serverHints := func(ctx context.Context, guild game.GuildID) (game.HintLimit, error) {
		server, err := p.Preferences.ServerPreferences(ctx, guild)
		return server.Hints, err
	}
	faces := p.Kinds.Faces()
	return Handlers{
		Play: &play.Handlers{Games: p.Games, Faces: faces, Names: p.Names, Log: p.Log, ServerHints: serverHints},
		History: &history.Handlers{
			Games: p.Games, Statistics: p.Statistics, Faces: faces, Sessions: p.Sessions, Log: p.Log,
		},

		Preferences: &preferences.Handlers{Store: p.Preferences, Faces: faces},
		kinds:       p.Kinds,
	}
}
