// Package race answers the commands of races: several players solve the same puzzle at the same time, each on a board of their
// own, and one board for everybody shows how far they are.
package race

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/play"
	"fivefold/game"
	"fivefold/game/matches"
)

// Handlers carries the dependencies of the commands. Set the fields before the first call.
type Handlers struct {
	Games *matches.Manager
	Faces face.Faces
	Play  *play.Handlers // which shows each racer's own board
	Log   *slog.Logger

	// drafts keeps each giver's refused challenge, to be corrected for a while. They tell answers, so they stay in memory.
	drafts sync.Map
}

// Commands returns the commands of a kind, none for a kind without races.
func (h *Handlers) Commands(f face.Face) []bot.Command {
	var all []bot.Command
	if f.Commands.Race != "" {
		all = append(all, h.race(f))
	}
	if f.Commands.Challenge != "" {
		all = append(all, h.challenge(f))
	}
	for i := range all {
		all[i].Audience, all[i].NewMessage, all[i].ShowCommand = bot.Undecided, true, f.Commands.Board
		all[i].Explain = func(_ bot.Request, err error) error { return f.Explain(err) }
	}
	return all
}

// How long a race may take, in minutes.
const (
	defaultMinutes = 10
)

func (h *Handlers) race(f face.Face) bot.Command {
	minutes := bot.Option{Name: "minutes", Help: fmt.Sprintf("How long it lasts, 1 to %d; %d if you don't say", game.MostRaceMinutes, defaultMinutes)}
	return bot.Command{
		Name: f.Commands.Race, Help: "Race the others: same puzzle, own boards",
		Options: append(slices.Clip(f.StartOptions), minutes), HiddenArgs: []string{face.ArgRace, face.ArgBegin},
		NotSaved: "you haven't joined a race",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			switch {
			case r.Context.AskerOnly:
				return bot.Reply{}, bot.Decline(bot.OnlyYouSee("nobody could join a race").With("."))
			case r.Alone():
				return bot.Reply{}, bot.Decline(bot.Text("There's nobody here to race. Try it in a channel or a group."))
			}
			if id := r.Args[face.ArgRace]; id != "" {
				join := h.Games.JoinRace
				if r.Args[face.ArgBegin] != "" {
					join = h.Games.BeginRace
				}
				race, m, err := join(ctx, r.Origin(), f.Kind, game.MatchID(id))
				switch {
				case errors.Is(err, game.ErrNotAllowed):
					return bot.Reply{}, bot.Refuse(err, bot.Text("Only ", race.Starter, " can start this race. It starts by itself once someone joins.").Named(race.Names))
				case err != nil && !m.Mode.Raced():
					return bot.Reply{}, err
				}
				return h.own(ctx, f, r, m, err)
			}
			here, err := h.Play.Settings.Load(ctx, r.Location.Guild)
			if err = cmp.Or(err, here.Allows(r)); err != nil {
				return bot.Reply{}, err
			}
			limit, ok := bot.Number(cmp.Or(r.Args["minutes"], strconv.Itoa(defaultMinutes)), 1, game.MostRaceMinutes)
			if !ok {
				return bot.Reply{}, bot.Decline(bot.Text(bot.Quote(r.Args["minutes"]), fmt.Sprintf(" isn't a number of minutes. A race takes 1 to %d.", game.MostRaceMinutes)))
			}
			race, m, err := h.Games.StartRace(ctx, r.Origin(), matches.RaceOptions{Kind: f.Kind, Hard: here.ReadHard(r), Time: time.Duration(limit) * time.Minute, Again: !r.FromComponent})
			started := race.Starter == r.Player && race.Version == 2 // the only racer is the starter
			switch {
			case err != nil && !m.Mode.Raced():
				return bot.Reply{}, err
			case err != nil || r.FromComponent && !started: // the board of the race is there already
				return h.own(ctx, f, r, m, err)
			}
			reply, err := h.board(ctx, f, race)
			if err != nil || r.Surface.HasButtons() {
				return reply, err
			}
			if race.Begins.IsZero() {
				reply = reply.Say(bot.Text("Everyone types ", bot.Slash(f.Commands.Race), ": ", race.Starter, " to start it, the others to join."))
			}
			own, err := h.own(ctx, f, r, m, nil)
			reply.Blocks, reply.Board = append(reply.Blocks, own.Blocks...), own.Board
			return reply, err
		},
	}
}

// own shows a racer's own board. An err means that this match kept the racer from joining another race.
func (h *Handlers) own(ctx context.Context, f face.Face, r bot.Request, m game.Match, err error) (bot.Reply, error) {
	if err == nil {
		return h.Play.ShowMatch(ctx, f, r, m)
	}
	name := face.ModeName(m.Mode)
	return h.Play.ShowMatch(ctx, f, r, m, bot.Text(bot.Bold("You're in another "+name+"."), " Finish it first, or give it up: ", bot.Slash(f.Commands.Stop, "mode", name), "."))
}

// End ends a race of the channel for everybody, or removes a challenge that each player solves alone. A button names the race; a
// stop means the latest race that fits its options. End asks first. If there is none that the player may end, the error is none.
func (h *Handlers) End(ctx context.Context, f face.Face, r bot.Request, none error) (bot.Reply, error) {
	id, mode := game.MatchID(r.Args[face.ArgRace]), face.ReadMode(r.Args["mode"], game.Current)
	may, _, err := h.Play.MayStop(ctx, r)
	if err != nil {
		return bot.Reply{}, err
	}
	all, err := h.Games.Store.Races(ctx, f.Kind, r.Location.Channel)
	for _, race := range slices.Backward(all) {
		if race.Closed() || !race.MayEnd(r.Player, may) || id != "" && race.ID != id || mode != game.Current && mode != race.Mode() {
			continue
		}
		if r.Args[face.ArgSure] == "" {
			question, b := "End this race for everyone?", bot.Button{Label: "End the race", Style: bot.ButtonDanger, Command: f.Commands.Stop}
			if race.Challenge != nil {
				question, b.Label = "Withdraw this challenge?", "Withdraw it"
			}
			b.Args = map[string]string{face.ArgRace: string(race.ID), face.ArgSure: "true"}
			return bot.Ephemeral(bot.Text(bot.Bold(question))).Row(b), nil
		}
		if race, err = h.Games.EndRace(ctx, r.Origin(), f.Kind, race.ID, may); err != nil {
			return bot.Reply{}, err
		}
		reply, err := h.board(ctx, f, race)
		reply.InPlace = true
		return reply, err
	}
	return bot.Reply{}, cmp.Or(err, none)
}
