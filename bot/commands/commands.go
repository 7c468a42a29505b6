// Package commands puts the commands of all handlers together into one table.
package commands

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/daypost"
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
	DayPost     *daypost.Handlers

	kinds kinds.Kinds
}

// Dependencies are what the commands work with. All fields must be set.
type Dependencies struct {
	Kinds      kinds.Kinds
	Games      *game.Manager // has the rules of the kinds
	Statistics game.Statistics
	Sessions   solve.Store // of help with puzzles played elsewhere

	Preferences preferences.Store
	DayPosts    daypost.Records
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
		DayPost:     &daypost.Handlers{Records: p.DayPosts, Games: p.Games, Faces: faces, Log: p.Log},
		kinds:       p.Kinds,
	}
}

// Table returns every command, in the order of the help: those of the first game, those
// about finished games, those of the other games, and help with puzzles.
func (h Handlers) Table() bot.Table {
	t := &bot.Table{Groups: map[string]string{
		"review":      "Finished games: how good each guess was, a list of them, and replays",
		"preferences": "How games look to you, and how they are played in this server",
	}}
	var elsewhere []bot.Command
	for i, k := range h.kinds {
		f := k.Face
		t.Groups[first(f.Commands.Start)] = f.About
		t.Commands = append(append(t.Commands, h.Play.Commands(f)...), h.History.Stats(f))
		if i == 0 {
			t.Commands = append(t.Commands, h.History.Commands()...)
		}
		if k.Help != "" {
			t.Groups[first(k.Help)] = k.About
			elsewhere = append(elsewhere, k.Elsewhere...)
		} else {
			t.Commands = append(t.Commands, k.Elsewhere...)
		}
		t.Commands = append(t.Commands, rulesOf(t, h.kinds, i))
	}
	t.Commands = append(append(t.Commands, h.Preferences.Commands()...), h.DayPost.Command())
	t.Commands = append(t.Commands, elsewhere...)
	return *t
}

// rulesOf returns the command that says how a kind is played, and lists its other commands. For
// the first kind it lists all commands but those that another command lists.
func rulesOf(t *bot.Table, all kinds.Kinds, i int) bot.Command {
	f := all[i].Face
	listedBy := map[string]string{} // by first word
	for i, other := range all {
		if i > 0 {
			listedBy[first(other.Face.Commands.Start)] = other.Face.Commands.Rules
		}
		if other.Help != "" {
			listedBy[first(other.Help)] = other.Help
		}
	}
	return bot.Command{
		Name: f.Commands.Rules, Help: f.RulesHelp, Audience: bot.Asker, ShowCommand: f.Commands.Board,
		Run: func(_ context.Context, r bot.Request) (bot.Reply, error) {
			lines := append(slices.Clip(f.HowToPlay()), bot.Text(bot.Bold("Commands")))
			for _, c := range t.Commands {
				lister := listedBy[first(c.Name)]
				if c.Name == f.Commands.Rules || !r.Surface.Lists(c) {
					continue // the player knows the former
				}
				if i > 0 && lister == f.Commands.Rules || i == 0 && (lister == "" || lister == c.Name) {
					lines = append(lines, c.HelpLine())
				}
			}
			return bot.Reply{Lines: lines}, nil
		},
	}
}

// first is the first word of a command's name.
func first(name string) string {
	word, _, _ := strings.Cut(name, " ")
	return word
}
