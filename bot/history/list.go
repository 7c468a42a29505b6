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
		Name: bot.NameList, Help: "Games finished here, newest first", Options: h.listOptions(), HiddenArgs: []string{bot.ArgOpen}, Audience: bot.Asker,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			f, before, err := h.filter(r)
			if err != nil {
				return bot.Reply{}, err
			}
			page, err := h.Finished.History(ctx, r.Viewer(), f, before)
			if err != nil {
				return bot.Reply{}, err
			}
			var row []bot.Button
			if page.HasNewer {
				row = append(row, bot.Button{Label: "Newer", Command: bot.NameList, Args: pageArgs(r, page.Newer)})
			}
			if page.HasOlder {
				row = append(row, bot.Button{Label: "Older", Command: bot.NameList, Args: pageArgs(r, page.Older)})
			}
			reply := h.listed(r, f, page).Add(bot.Rows(row...)...)
			reply.InPlace = r.FromComponent
			reply.Reveal = bot.RevealButton(bot.NameList, pageArgs(r, before))
			return reply, nil
		},
	}
}

// listOptions are the options of the list. The last one says where a page begins.
func (h *Handlers) listOptions() []bot.Option {
	options := []bot.Option{
		{Name: "player", Help: "Only games with this player", Kind: bot.PlayerOption},
		{Name: "outcome", Help: "Only games that ended like this", Choices: outcomes},
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
		bot.Option{Name: "before", Help: "Only games before this number"})
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
			return f, 0, bot.Decline(bot.Text(bot.Quote(typed), " can't be the "+own.Noun+" of a game: it needs "+strings.ToLower(own.FormLabel)+"."))
		}
		f.Answer = strings.ToUpper(strings.TrimSpace(typed))
	}
	if typed := r.Args["before"]; typed != "" {
		before, err = parseNumber(typed)
	}
	return f, before, err
}

// listed shows a page of a list, with a menu of its games.
func (h *Handlers) listed(r bot.Request, f finished.Filter, page finished.Page) bot.Reply {
	if len(page.Entries) == 0 {
		if page.HasNewer || f.Player != "" || f.Status != "" || f.Answer != "" || f.Kind != "" {
			return bot.Reply{}.Say(bot.Text("No finished game here matches that. ", bot.Slash(bot.NameList), " shows them all."))
		}
		return bot.Reply{}.Say(bot.Text("No finished game here yet.")).Row(h.Faces[0].StartButtons(r)...)
	}
	reply := bot.Reply{Heading: bot.Text("Finished games"), Names: game.Names{}}
	menu := &bot.Menu{Label: "Review one …", Command: bot.NameReview, Option: "number"}
	for _, e := range page.Entries {
		reply = reply.Say(h.entryLine(e))
		maps.Copy(reply.Names, e.Result.Names)
		if e.Result.Answer != "" && e.Result.Attempts > 0 {
			label := fmt.Sprintf("%d. Not found", e.Number)
			if e.Result.Status == game.Won {
				label = fmt.Sprintf("%d. %s in %d", e.Number, e.Result.Answer, e.Result.Attempts)
			}
			menu.Choices = append(menu.Choices, bot.MenuChoice{Label: label, Value: fmt.Sprint(e.Number)})
		}
	}
	return reply.Add(menu)
}

const maxNames = 3

// entryLine describes a game in a line: "12. MAJOR in 4 · ana, ben · 2026-11-21".
func (h *Handlers) entryLine(e finished.Entry) bot.Line {
	if e.Sight == finished.NumberOnly {
		return bot.Text(fmt.Sprintf("%d. A game in a channel you can't read", e.Number))
	}
	answer := bot.Bold(h.Answer(e))
	if e.Result.Answer != "" && h.Faces.Of(e.Result.Kind).Hides(e.Result.Status) {
		answer = bot.Spoiler(answer.Text)
	}
	line := bot.Text(fmt.Sprintf("%d. ", e.Number), answer)
	switch {
	case e.Result.Status == game.Won:
		line = line.With(fmt.Sprintf(" in %d", e.Result.Attempts))
		if e.Result.Helped() {
			line = line.With(" with hints")
		}
	case e.Result.Status == game.Stopped && !e.Result.CountsAsLost():
		line = line.With(", stopped")
	default:
		line = line.With(", not found")
	}
	all := e.Result.Participants
	players := bot.Each(all[:min(maxNames, len(all))], func(p game.Participant) any { return p.Player })
	if more := len(all) - maxNames; more > 0 {
		players = append(players, fmt.Sprintf("%d more", more))
	}
	switch {
	case !e.Result.Public():
		line = line.With(" · only you see it")
	case players != nil:
		line = bot.List(line.With(" · "), players, "")
	}
	return line.With(" · ", day(e.Result.Ended))
}

// Answer writes the answer of a finished match as the viewer of the entry may see it. A daily puzzle that the viewer can still
// play has only its number; a running race and a removed challenge show nothing.
func (h *Handlers) Answer(e finished.Entry) string {
	if number, daily := e.Result.Puzzle.Daily(); daily && e.Sight == finished.WithoutAnswer {
		return fmt.Sprintf("Daily %d", number)
	}
	if e.Sight == finished.WithoutAnswer {
		return "A hidden " + h.Faces.Of(e.Result.Kind).Noun
	}
	if e.Result.Answer == "" {
		return "A removed challenge"
	}
	return e.Result.Answer
}

// pageArgs are the arguments of a request for another page of the same list.
func pageArgs(r bot.Request, before uint64) map[string]string {
	args := map[string]string{}
	maps.Copy(args, r.Args)
	maps.DeleteFunc(args, func(name, value string) bool { return value == "" || name == "before" || name == bot.ArgOpen })
	if before > 0 {
		args["before"] = fmt.Sprint(before)
	}
	return args
}
