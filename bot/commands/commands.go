// Package commands joins the commands of all handlers in one table.
package commands

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/daily"
	"fivefold/bot/daypost"
	"fivefold/bot/face"
	"fivefold/bot/history"
	"fivefold/bot/kinds"
	botleague "fivefold/bot/league"
	"fivefold/bot/play"
	"fivefold/bot/preferences"
	"fivefold/bot/privacy"
	"fivefold/bot/race"
	"fivefold/bot/settings"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/league"
	"fivefold/game/matches"
	"fivefold/game/statistics"
)

// Handlers answers all commands.
type Handlers struct {
	Play    *play.Handlers
	Race    *race.Handlers
	History *history.Handlers
	Daily   *daily.Handlers

	Preferences *preferences.Handlers
	Settings    *settings.Handlers
	DayPost     *daypost.Handlers
	League      *botleague.Handlers
	Privacy     *privacy.Handlers

	kinds kinds.Kinds
}

// Dependencies are needed by the handlers. Set all fields.
type Dependencies struct {
	Kinds      kinds.Kinds
	Games      *matches.Manager // with the rules of the kinds
	Finished   *finished.Matches
	Statistics statistics.Store

	Preferences preferences.Store
	Settings    settings.Records
	DayPosts    daypost.Records
	League      league.Store
	Reminders   game.ReminderStore

	Log *slog.Logger
}

// New returns handlers that share the dependencies.
func New(p Dependencies) Handlers {
	faces := p.Kinds.Faces()
	chosen := settings.Store{Records: p.Settings, Now: p.Games.Clock}
	if p.Games != nil {
		p.Games.Words, p.Games.Idle = chosen.NeverUsed, chosen.Idle
	}
	own := &play.Handlers{Games: p.Games, Finished: p.Finished, Statistics: p.Statistics, Faces: faces, Log: p.Log, Settings: chosen}
	days := &daypost.Handlers{Settings: chosen, Records: p.DayPosts, Games: p.Games, Finished: p.Finished, Statistics: p.Statistics, Reminders: p.Reminders, Faces: faces, Log: p.Log}
	races := &race.Handlers{Games: p.Games, Faces: faces, Play: own, Log: p.Log}
	own.Race, own.EndRace = races.Lines, races.End
	return Handlers{
		Play: own,
		Race: races,
		History: &history.Handlers{
			Games: p.Games, Finished: p.Finished, Statistics: p.Statistics, Faces: faces, Settings: chosen.Load, Log: p.Log,
		},

		Daily:       &daily.Handlers{Games: p.Games, Finished: p.Finished, Statistics: p.Statistics, Faces: faces, Play: own},
		Preferences: &preferences.Handlers{Store: p.Preferences, Reminders: p.Reminders, HasPost: days.Posts, Faces: faces},
		Settings:    &settings.Handlers{Store: chosen, Refusal: days.Refusal, Faces: faces},
		DayPost:     days,
		League:      &botleague.Handlers{Store: p.League},
		Privacy:     &privacy.Handlers{Finished: p.Finished},
		kinds:       p.Kinds,
	}
}

// Shows sets the function that shows the boards of matches and races that change without a request, for fronts that
// keep their messages. Call it once, before the manager is used.
func (h Handlers) Shows(show bot.Show) {
	h.Play.Shows(show)
	h.Race.Shows(show)
}

// Table returns every command in the order of the help: those of the first game, of finished games, of the other games,
// and of help with puzzles from elsewhere.
func (h Handlers) Table() bot.Table {
	t := &bot.Table{Groups: map[string]string{
		"review":      "Finished games: a list, replays, and how good each guess was",
		"preferences": "How games look to you",
	}}
	var elsewhere []bot.Command
	for i, k := range h.kinds {
		f := k.Face
		helped := []game.Kind{f.Kind}
		for _, other := range h.kinds {
			if i == 0 && other.Elsewhere == nil {
				helped = append(helped, other.Face.Kind)
			}
		}
		help := h.Play.OwnFirst(helped, k.Elsewhere)
		t.Groups[first(f.Commands.Start)] = f.About
		t.Commands = append(append(t.Commands, h.Race.OnBoards(f, append(h.Play.Commands(f), h.Race.Commands(f)...))...), h.History.Stats(f))
		if i == 0 {
			t.Commands = append(append(t.Commands, h.Daily.Command()), h.History.Commands()...)
		}
		if k.About != "" {
			t.Groups[first(help[0].Name)] = k.About
			elsewhere = append(elsewhere, help...)
		} else {
			t.Commands = append(t.Commands, help...)
		}
		t.Commands = append(t.Commands, rulesOf(t, k, h.kinds.Faces()))
	}
	t.Commands = append(append(t.Commands, h.Preferences.Commands()...), h.Settings.Command(), h.League.Command(), h.Privacy.Command())
	t.Commands = append(t.Commands, elsewhere...)
	return *t
}

const argAll = "all"

// rulesOf returns the command that explains a kind and what to play, each with a button. Another button lists all commands.
func rulesOf(t *bot.Table, k kinds.Kind, all face.Faces) bot.Command {
	f := k.Face
	return bot.Command{
		Name: f.Commands.Rules, Help: f.RulesHelp, Audience: bot.Asker, ShowCommand: f.Commands.Board, HiddenArgs: []string{argAll},
		Run: func(_ context.Context, r bot.Request) (bot.Reply, error) {
			if r.Args[argAll] != "" {
				return everyCommand(t, r.Surface), nil
			}
			reply := bot.Reply{Heading: bot.Text(strings.TrimSpace("How to play " + f.Title)), Blocks: bot.Lines(f.HowToPlay...)}
			try := func(title, text string, b bot.Button) {
				if b.Command != "" {
					reply = reply.Add(bot.Beside{Text: []bot.Line{bot.Text(bot.Bold(title), ": "+text)}, Button: b})
				}
			}
			try("Game", "everyone here guesses together.", bot.Button{Label: "Start one", Command: f.Commands.Start, Style: bot.ButtonPrimary})
			try("Daily", "one puzzle a day, the same for everyone.", bot.Button{Label: "Play today's", Command: bot.NameDaily})
			try("Race", "same puzzle, own boards, first to solve it wins.", bot.Button{Label: "Race", Command: f.Commands.Race})
			try("Challenge", "pick a "+f.Noun+" for the others to find.", bot.Button{Label: "Challenge", Command: f.Commands.Challenge})
			for _, helper := range k.Elsewhere[:min(1, len(k.Elsewhere))] {
				try("Helper", "stuck in a puzzle elsewhere? I'll find the next guess.", bot.Button{Label: "Help me", Command: helper.Name})
			}
			others := slices.DeleteFunc(slices.Clone(all), func(other face.Face) bool { return other.Kind == f.Kind })
			reply = reply.Say(bot.Text("Other games:")).Add(bot.Rows(bot.Each(others, func(f face.Face) bot.Button {
				return bot.Button{Label: f.Name(), Command: f.Commands.Rules}
			})...)...)
			return reply.Row(bot.Button{Label: "All commands", Command: f.Commands.Rules, Args: map[string]string{argAll: "yes"}}), nil
		},
	}
}

// everyCommand lists the commands, with one line for each first word.
func everyCommand(t *bot.Table, s bot.Surface) bot.Reply {
	lines, last := []bot.Line(nil), ""
	for _, c := range t.Commands {
		if !s.Lists(c) {
			continue
		}
		if group := first(c.Name); group != last || group == c.Name {
			lines, last = append(lines, bot.Text(bot.Slash(c.Name))), group
			continue
		}
		end := &lines[len(lines)-1]
		*end = end.With(" ", bot.Slash(c.Name))
	}
	return bot.Reply{Heading: bot.Text("All commands"), Blocks: bot.Lines(lines...)}
}

func first(name string) string {
	word, _, _ := strings.Cut(name, " ")
	return word
}
