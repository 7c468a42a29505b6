package commands

import (
	"context"
	"log/slog"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/history"
	"fivefold/bot/play"
	"fivefold/bot/preferences"
	botsolve "fivefold/bot/solve"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
)

// Handlers has the handlers of all commands.
type Handlers struct {
	Play    *play.Handlers
	History *history.Handlers
	Solve   *botsolve.Handlers

	Preferences *preferences.Handlers
}

// Dependencies are what the commands work with. All fields must be set.
type Dependencies struct {
	Games      *game.Manager
	Statistics game.Statistics
	Lists      *wordle.Lists
	Words      *solve.Words
	Boards     *solve.Boards

	Preferences preferences.Store
	Names       *bot.Names

	Log *slog.Logger
}

// New returns the handlers for the program's kinds of games, and for those of more faces.
func New(p Dependencies, more ...face.Face) Handlers {
	serverHints := func(ctx context.Context, guild game.GuildID) (game.HintLimit, error) {
		server, err := p.Preferences.ServerPreferences(ctx, guild)
		return server.Hints, err
	}
	words := face.Wordle(p.Lists)
	faces := append(face.Faces{words, face.Pokle(face.CompleteCards(p.Games))}, more...)
	return Handlers{
		Play: &play.Handlers{Games: p.Games, Faces: faces, Names: p.Names, Log: p.Log, ServerHints: serverHints},
		History: &history.Handlers{
			Games: p.Games, Statistics: p.Statistics, Faces: faces, Words: p.Words, Log: p.Log, CompleteWord: words.Guess[0].Complete,
		},
		Solve: &botsolve.Handlers{Words: p.Words, Boards: p.Boards, Lists: p.Lists, Log: p.Log},

		Preferences: &preferences.Handlers{Store: p.Preferences, HintsOption: face.HintsOption(), ReadHints: face.ReadHints},
	}
}
