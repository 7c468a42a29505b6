// Package privacy answers /privacy: what is kept about a player, as a file too, and how it is deleted.
package privacy

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"fivefold/bot"
	"fivefold/game/finished"
)

// Handlers carries the command's dependencies. Set the field before the first call.
type Handlers struct{ Finished *finished.Matches }

// The actions of the command, and its other arguments.
const (
	show, export, remove = "show", "export", "delete"
	argBefore            = "before" // where the next part of an export begins: see [finished.Matches.Export]
	argSure              = "sure"
)

// mostBytes is the size of a file that Discord takes with a message, 10 MiB (2026-08), less what comes with it.
const mostBytes = 10_000_000

// Kept says what a player's records of each topic are, in the order of the page. A %d is their number.
var Kept = []struct{ Topic, What string }{
	{"player", "%d finished games that name you"},
	{"total", "Your statistics and streaks"},
	{"look", "How games look to you"},
	{"reminder", "Whether and when to remind you of your streak"},
	{"league", "Your results of the newspaper's puzzle"},
	{"aliased", "Your names in servers' summaries of it"},
	{"manages", "Your changes of servers' settings"},
	{"session", "Your puzzles from elsewhere, and how they went"},
	{"board", "Where your latest boards are"},
	{"aside", "Records of yours that can't be read any more"},
}

// Command returns the command /privacy.
func (h *Handlers) Command() bot.Command {
	return bot.Command{
		Name: bot.NamePrivacy, Help: "What I keep about you: see it, get it as a file, or delete it",
		Options: []bot.Option{
			{Name: "action", Help: "show, export or delete", Choices: []string{show, export, remove}},
			{Name: argSure, Help: "Delete without the question", Kind: bot.FlagOption},
		},
		HiddenArgs: []string{argBefore},
		Audience:   bot.Asker,
		NotSaved:   "nothing was deleted",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			switch r.Args["action"] {
			case export:
				return h.export(ctx, r)
			case remove:
				return h.delete(ctx, r)
			}
			return h.show(ctx, r)
		},
	}
}

func button(label, action string, style bot.ButtonStyle, more ...string) bot.Button {
	args := map[string]string{"action": action}
	for i := 0; i < len(more); i += 2 {
		args[more[i]] = more[i+1]
	}
	return bot.Button{Label: label, Style: style, Command: bot.NamePrivacy, Args: args}
}

func (h *Handlers) show(ctx context.Context, r bot.Request) (bot.Reply, error) {
	held, err := h.Finished.Store.Held(ctx, r.Player)
	reply := bot.Reply{InPlace: r.FromComponent, Heading: bot.Text("Your data"), Subtext: bot.Text("What I keep about you")}
	for _, k := range Kept {
		switch n := held[k.Topic]; {
		case n == 1 && k.Topic == "player":
			reply = reply.Say(bot.Text("• One finished game that names you"))
		case n > 0 && k.Topic == "player":
			reply = reply.Say(bot.Text("• " + fmt.Sprintf(k.What, n)))
		case n > 0:
			reply = reply.Say(bot.Text("• " + k.What))
		}
	}
	if len(reply.Blocks) == 0 {
		reply = reply.Say(bot.Text("Nothing yet, apart from games that aren't over."))
	}
	return reply.Row(button("Export", export, bot.ButtonSecondary), button("Delete", remove, bot.ButtonDanger)), err
}

// export answers with a file. A terminal has the whole store as a file already.
func (h *Handlers) export(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if r.Surface == bot.InTerminal {
		return bot.Ephemeral(bot.Text("It's all in one file on this machine. ", bot.Bold("fivefold export"), " writes your games as a table.")), nil
	}
	before, err := strconv.ParseUint("0"+r.Args[argBefore], 10, 64)
	if err != nil {
		before = 0
	}
	file, rest, until, err := h.Finished.Export(ctx, r.Player, before, mostBytes)
	if err != nil {
		return bot.Reply{}, err
	}
	reply := bot.Reply{Heading: bot.Text("Your data as a file")}.Say(
		bot.Text("Others are “player 2” and so on. Words that are still in play are left out."),
	).Add(&bot.Picture{
		Name: "fivefold.json", Alt: "Your data", Draw: func(bool) []byte { return file }, Instead: []bot.Line{bot.Text("I couldn't attach the file. Try again later.")},
	})
	if rest > 0 {
		reply = reply.Say(bot.Text("The file is full. Games before ", until.Format(time.DateOnly), " are left out.")).
			Row(button("Export the rest", export, bot.ButtonSecondary, argBefore, strconv.FormatUint(rest, 10)))
	}
	return reply, nil
}

func (h *Handlers) delete(ctx context.Context, r bot.Request) (bot.Reply, error) {
	reply := bot.Reply{InPlace: r.FromComponent}
	switch {
	case r.Args[argSure] == "true":
		return reply.Say(bot.Text(bot.Bold("Your data is deleted."), " Nothing I keep names you now.")), h.Finished.Delete(ctx, r.Origin())
	case r.Args[argSure] == "false" && r.FromComponent:
		return reply.Say(bot.Text("Nothing has changed.")), nil
	}
	reply.Heading = bot.Text("Delete your data?")
	return reply.Say(
		bot.Text("Your statistics, streaks, imported results and preferences go, and so does your place on this month's leaderboards. Games with others will call you “somebody”. Games you play alone end and disappear."),
		bot.Text("Backups keep your data until they expire."),
		bot.Text(bot.Bold("This can't be undone."), " Today's daily can't be played again."),
	).Row(button("Delete my data", remove, bot.ButtonDanger, argSure, "true"), button("Keep it", remove, bot.ButtonSecondary, argSure, "false")), nil
}
