package history

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/finished"
)

const pageSize = 10

// anything is the first choice of an option that limits a list: no limit.
const anything = "any"

var outcomes = []string{anything, string(game.Won), string(game.Lost), string(game.Stopped)}

func (h *Handlers) list() bot.Command {
	return bot.Command{
		Name: bot.NameList, Help: "The finished games here, newest first", Options: h.listOptions(), HiddenArgs: []string{bot.ArgOpen}, Audience: bot.Asker,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			f, before, err := h.filter(r)
			if err != nil {
				return bot.Reply{}, err
			}
			page, err := h.Finished.History(ctx, r.Viewer(), f, before)
			if err != nil {
				return bot.Reply{}, err
			}
			reply := bot.Reply{Blocks: append(bot.Lines(h.listLines(f, before, page)...), h.listButtons(r, page)...), InPlace: r.FromComponent}
			reply.Reveal = bot.RevealButton(bot.NameList, h.pageArgs(r, before))
			return reply, nil
		},
	}
}

// listOptions are the options of the list. The last one says where a page begins.
func (h *Handlers) listOptions() []bot.Option {
	options := []bot.Option{
		{Name: "player", Help: "Only games with this player", Kind: bot.PlayerOption},
		{Name: "outcome", Help: "Only games with this outcome", Choices: outcomes},
	}
	kinds := []string{anything}
	for _, f := range h.Faces {
		kinds = append(kinds, string(f.Kind))
		if f.Search != nil {
			options = append(options, *f.Search)
		}
	}
	return append(options,
		bot.Option{Name: "game", Help: "Only games of this kind", Choices: kinds},
		bot.Option{Name: "before", Help: "Only games with a smaller number than this"})
}

// filter returns the filter of a request and the number before which its page begins, or 0.
func (h *Handlers) filter(r bot.Request) (f finished.Filter, before uint64, err error) {
	f = finished.Filter{Player: game.PlayerID(r.Args["player"]), Limit: pageSize}
	if outcome := r.Args["outcome"]; outcome != anything {
		f.Status = game.Status(outcome)
	}
	if kind := r.Args["game"]; kind != anything {
		f.Kind = game.Kind(kind)
	}
	for _, own := range h.Faces {
		if own.Search == nil || r.Args[own.Search.Name] == "" {
			continue
		}
		typed := r.Args[own.Search.Name]
		if !own.IsGuess(typed) {
			return f, 0, bot.Decline(bot.Text(bot.Quote(typed), " cannot be the "+own.Noun+" of a game: it needs "+strings.ToLower(own.FormLabel)+"."))
		}
		f.Answer = strings.ToUpper(strings.TrimSpace(typed))
	}
	if typed := r.Args["before"]; typed != "" {
		before, err = parseNumber(typed)
	}
	return f, before, err
}

func (h *Handlers) listLines(f finished.Filter, before uint64, page finished.Page) []bot.Line {
	if len(page.Entries) == 0 {
		switch {
		case page.HasNewer:
			return []bot.Line{bot.Text(fmt.Sprintf("No such game has a number below %d.", before))}
		case f.Player != "" || f.Status != "" || f.Answer != "" || f.Kind != "":
			return []bot.Line{bot.Text("No finished game here matches that. ", bot.Slash(bot.NameList), " shows them all.")}
		}
		return []bot.Line{bot.Text("No game has been finished here yet. Start one with ", bot.Slash(h.Faces[0].Commands.Start), ".")}
	}
	lines := append([]bot.Line{bot.Text(bot.Bold("Finished games"), ", newest first")}, bot.Each(page.Entries, h.entryLine)...)
	return append(lines, bot.Text("Review one with ", bot.Slash(bot.NameReview, "number", ""), ", or replay it with ", bot.Slash(bot.NameReplay, "number", ""), "."))
}

const maxNames = 3

// entryLine describes a game in a line: "12. 2026-11-21, won in 4: MAJOR — ana, ben".
func (h *Handlers) entryLine(e finished.Entry) bot.Line {
	if e.Sight == finished.NumberOnly {
		return bot.Text(fmt.Sprintf("%d. A game in a channel that you cannot read", e.Number))
	}
	how := fmt.Sprintf("won in %d", e.Result.Attempts)
	if e.Result.Helped() {
		how += " with hints"
	}
	switch e.Result.Status {
	case game.Lost:
		how = "lost"
	case game.Stopped:
		how = "stopped after " + bot.Plural(e.Result.Attempts, "attempt")
		if e.Result.Attempts == 0 {
			how = "stopped at once"
		}
		if e.Result.CountsAsLost() {
			how += ", which counts as lost"
		}
	}
	answer := bot.Bold(h.Answer(e))
	if e.Result.Answer != "" && h.Faces.Of(e.Result.Kind).Hides(e.Result.Status) {
		answer = bot.Spoiler(answer.Text)
	}
	line := bot.Text(fmt.Sprintf("%d. ", e.Number), day(e.Result.Ended), ", "+how+": ", answer)
	if !e.Result.Public() {
		return line.With(" — only you see it")
	}
	before := " — "
	for i, p := range e.Result.Participants {
		if i == maxNames {
			return line.With(fmt.Sprintf(" and %d more", len(e.Result.Participants)-i))
		}
		line, before = line.With(before, p.Player), ", "
	}
	return line
}

// Answer writes the answer of a finished match as the viewer of the entry may see it. A daily puzzle that the viewer can still
// play has only its number; a running race and a removed challenge show nothing.
func (h *Handlers) Answer(e finished.Entry) string {
	if number, daily := e.Result.Puzzle.Daily(); daily && e.Sight == finished.WithoutAnswer {
		return fmt.Sprintf("daily puzzle %d", number)
	}
	if e.Sight == finished.WithoutAnswer {
		return "a hidden " + h.Faces.Of(e.Result.Kind).Noun
	}
	if e.Result.Answer == "" {
		return "a removed challenge"
	}
	return e.Result.Answer
}

func (h *Handlers) pageArgs(r bot.Request, before uint64) map[string]string {
	args := map[string]string{}
	maps.Copy(args, r.Args)
	maps.DeleteFunc(args, func(name, value string) bool { return value == "" || name == "before" || name == bot.ArgOpen })
	if before > 0 {
		args["before"] = fmt.Sprint(before)
	}
	return args
}

func (h *Handlers) listButtons(r bot.Request, page finished.Page) []bot.Block {
	var row []bot.Button
	if page.HasNewer {
		row = append(row, bot.Button{Label: "Newer", Command: bot.NameList, Args: h.pageArgs(r, page.Newer)})
	}
	if page.HasOlder {
		row = append(row, bot.Button{Label: "Older", Command: bot.NameList, Args: h.pageArgs(r, page.Older)})
	}
	return bot.Rows(row...)
}
