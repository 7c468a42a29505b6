// Package league imports results of the newspaper's puzzle: a command on a message, with buttons for the names in a summary.
package league

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/shares"
)

// Newspaper is the newspaper's app on Discord. What it has written is official. Its id is public, as in the documentation of
// CreateInvite::target_application_id in docs.rs/serenity.
const Newspaper game.PlayerID = "1211781489931452447"

// Handlers carries the command's dependencies. Set the fields before the first call.
type Handlers struct{ Store league.Store }

// Arguments of buttons and of the menu: a name to claim; or a claim, by its player and by a hash of the name, which can be too
// long for a button, and whether to confirm it or to take it back.
const argName, argPlayer, argHash, argConfirm = "name", "player", "hash", "confirm"

// Command returns the command.
func (h *Handlers) Command() bot.Command {
	return bot.Command{
		Name: bot.NameImport, Help: "Count a Wordle result, or all of the daily summary", OnMessage: true,
		HiddenArgs: []string{argName, argPlayer, argHash, argConfirm},
		Audience:   bot.Undecided, // names in a summary are for everyone to claim
		NotSaved:   "nothing was imported", ShowCommand: bot.NameHelp,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			switch {
			case r.Message != nil:
				return h.imports(ctx, r)
			case r.Location.Guild == "" || !r.FromComponent:
				return bot.Reply{}, bot.Decline(bot.Text("Use ", bot.Bold("Import results"), " on a message with a Wordle result."))
			case r.Args[argPlayer] != "":
				return h.settle(ctx, r)
			}
			return h.claim(ctx, r)
		},
		Explain: func(_ bot.Request, err error) error {
			if other, ok := errors.AsType[shares.OtherGame](err); ok && other != shares.Ours {
				return bot.Refuse(err, bot.Text("That's from "+string(other)+"; I only read Wordle results."))
			}
			return bot.RefuseAs(err, map[error]bot.Line{
				shares.Ours:       bot.Text("My own games count already. There's nothing to import."),
				shares.ErrNothing: bot.Text("I can't find a result there. I look for lines like “Wordle 1,234 4/6”."),
				shares.ErrSquares: bot.Text("The squares there don't match the score. Paste the whole result again."),
				shares.ErrTwice:   bot.Text("There are two different results of one player there, so I took none."),
				shares.ErrCut:     bot.Text("I can't read all of that summary, so I took none of it."),
				league.ErrFuture:  bot.Text("That puzzle isn't out yet, so I took nothing."),
				league.ErrInvalid: bot.Text("That can't be a name in a summary."),
				league.ErrNoClaim: bot.Text("That claim is settled already."),
				game.ErrNotOwn:    bot.Text("That's somebody else's result. Only they can import it."),
			})
		},
	}
}

// imports imports the results of a message: a player's own, or those of the newspaper's app's summary.
func (h *Handlers) imports(ctx context.Context, r bot.Request) (reply bot.Reply, err error) {
	m := r.Message
	results, summary, err := shares.Read(m.Text, m.Written)
	switch {
	case err != nil:
		return reply, err
	case summary && m.Author != Newspaper:
		return reply, bot.Decline(bot.Text("That's a copy of the summary. Use ", bot.Bold("Import results"), " on the app's own message."))
	case !summary && m.Author != r.Player:
		return reply, game.ErrNotOwn
	}
	names := &bot.Menu{Label: "That's me", Command: bot.NameImport, Option: argName}
	for i := range results {
		switch one := &results[i]; {
		case !summary:
			one.Player, one.Name = r.Player, bot.Printable(r.Global)
		case one.Player == "":
			one.Official, one.Name = true, bot.Printable(one.Name)
			names.Choices = append(names.Choices, bot.MenuChoice{Label: one.Name, Value: one.Name, Help: score(*one)})
		default:
			one.Official, one.Name = true, m.Names[one.Player]
		}
	}
	heading, dropped := bot.Text("Imported"), bot.Line{}
	if summary {
		heading = bot.Text(fmt.Sprintf("Wordle %d", results[0].Number))
	}
	if r.Location.Guild == "" && names.Choices != nil {
		results, names.Choices = slices.DeleteFunc(results, func(one league.Result) bool { return one.Player == "" }), nil
		dropped = bot.Small("Names without a mention count only in a server, where someone can confirm them.")
	}
	found, err := h.Store.Import(ctx, r.Origin(), results)
	reply = said(found, summary)
	if reply.Heading = heading; dropped.Text != nil {
		reply = reply.Say(dropped)
	}
	if !summary || len(found.New)+len(found.Replaced) == 0 && len(found.Known) > 0 {
		reply.Audience = bot.Asker
	}
	return reply.Add(names), err
}

// said says what was imported, in a line for each outcome: players with results or, for a player's own, the numbers of puzzles.
func said(found league.Imported, summary bool) (reply bot.Reply) {
	for _, group := range []struct {
		what    string
		results []league.Result
	}{{"New: ", found.New}, {"Official now: ", found.Replaced}, {"Known already: ", found.Known}, {"Nobody's yet: ", found.Waiting}} {
		items := bot.Each(group.results, func(one league.Result) bot.Line {
			reply.Names = reply.Names.With(one.Player, one.Name)
			switch {
			case !summary:
				return bot.Text(fmt.Sprint(one.Number, " ", score(one)))
			case one.Player == "":
				return bot.Text(one.Name + " " + score(one))
			}
			return bot.Text(one.Player, " "+score(one))
		})
		if items != nil {
			reply = reply.Say(bot.List(bot.Text(group.what), items, ""))
		}
	}
	return reply
}

// score is a result as the newspaper writes it: "4/6", or "4/6*" in hard mode.
func score(r league.Result) string {
	return face.Score(r.Won, r.Guesses, league.Attempts, 0) + map[bool]string{true: "*"}[r.Hard]
}

// claim lets a player claim a name, or says whose it is.
func (h *Handlers) claim(ctx context.Context, r bot.Request) (reply bot.Reply, err error) {
	name := bot.Printable(r.Args[argName])
	claimed, err := h.Store.Claim(ctx, r.Origin(), name)
	if err != nil {
		return reply, err
	}
	own, back := claimed.Player == r.Player, button("Take it back", claimed, "no")
	reply.Names = game.Names{}.With(claimed.Player, claimed.Called)
	if own && !claimed.Confirmed {
		reply.Heading = bot.Text("That's me")
		confirm := button("Confirm", claimed, "yes")
		confirm.Style = bot.ButtonSuccess
		return reply.Say(
			bot.Text(r.Player, " says: I'm ", bot.Quote(name), " in the Wordle summaries."), bot.Small("Someone who manages this server can confirm it once."),
		).Row(confirm, back), nil
	}
	reply.Audience = bot.Asker
	if reply = reply.Say(bot.Text(bot.Quote(name), " is ", claimed.Player, "'s name here.")); own || r.MayManageServer {
		return reply.Row(back), nil
	}
	return reply.Say(bot.Text("They can take it back, and so can anyone who manages this server.")), nil
}

// settle confirms a claim, or takes it back.
func (h *Handlers) settle(ctx context.Context, r bot.Request) (bot.Reply, error) {
	player, confirm := game.PlayerID(r.Args[argPlayer]), r.Args[argConfirm] == "yes"
	all, err := h.Store.Aliases(ctx, r.Location.Guild)
	i := slices.IndexFunc(all, func(a league.Alias) bool { return a.Player == player && hash(a.Name) == r.Args[argHash] })
	switch {
	case err != nil || i < 0:
		return bot.Reply{}, cmp.Or(err, league.ErrNoClaim)
	case !r.MayManageServer && (confirm || r.Player != player):
		return bot.Reply{}, bot.Decline(bot.Text("That's up to someone who manages this server."))
	}
	a, reply, heading, what := all[i], bot.Reply{}, bot.Text("Name free again"), bot.Text(r.Player, " took back the name ", bot.Quote(all[i].Name), ".")
	if confirm {
		var found league.Imported
		found, err = h.Store.Confirm(ctx, r.Origin(), a.Name, player)
		reply = said(found, true).Row(button("Take it back", a, "no"))
		heading, what = bot.Text("That's ", player), bot.Text(r.Player, " confirmed the name ", bot.Quote(a.Name), ".")
	} else {
		err = h.Store.TakeBack(ctx, r.Origin(), a.Name, player)
	}
	reply.InPlace, reply.Heading, reply.Names = true, heading, reply.Names.With(player, a.Called).With(r.Player, r.PrintableName())
	return reply.Under(what), err
}

// button settles a claim.
func button(label string, a league.Alias, confirm string) bot.Button {
	return bot.Button{Label: label, Command: bot.NameImport, Args: map[string]string{argPlayer: string(a.Player), argHash: hash(a.Name), argConfirm: confirm}}
}

// hash stands for a name in a button. It tells names apart that a player has made up so that a confirmation hits another one.
func hash(name string) string { return fmt.Sprintf("%.10x", sha256.Sum256([]byte(name))) }
