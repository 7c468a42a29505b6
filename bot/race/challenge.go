package race

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/clue"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/matches"
)

// The options of a challenge that others must not see.
const (
	optionPuzzle = "word"
	optionClue   = "clue"
)

// argAgain opens the form with the refused draft.
const argAgain = "again"

const maxClue = 100

// draftKept is how long a draft can be corrected.
const draftKept = 15 * time.Minute

type draft struct{ puzzle, clue string }

func (h *Handlers) challenge(f face.Face) bot.Command {
	return bot.Command{
		Name: f.Commands.Challenge, Help: "Pick a " + f.Noun + " for the others to find, with a clue",
		Options: []bot.Option{
			{Name: optionPuzzle, Help: "The " + f.Noun + " to find", Secret: true},
			{Name: optionClue, Help: "A clue for everyone to see", Secret: true, MultiWord: true},
			{Name: "mode", Help: "together: everyone here; solo: each alone", Choices: []string{face.ModeName(game.Together), face.ModeName(game.Solo)}},
		},
		HiddenArgs: []string{face.ArgMatch, face.ArgRace, face.ArgReport, argAgain}, NotSaved: "nothing was changed",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if to := game.Report(r.Args[face.ArgReport]); to != "" {
				return h.report(ctx, f, r, to)
			}
			if r.Context.AskerOnly {
				return bot.Reply{}, bot.Decline(bot.OnlyYouSee("nobody could find your " + f.Noun).With("."))
			}
			if r.Alone() {
				return bot.Reply{}, bot.Decline(bot.Text("There's nobody here to challenge. Try it in a channel or a group."))
			}
			here, err := h.Play.Settings.Load(ctx, r.Location.Guild)
			if err = cmp.Or(err, here.Allows(r)); err != nil {
				return bot.Reply{}, err
			}
			typed := &draft{strings.TrimSpace(r.Args[optionPuzzle]), strings.Join(strings.Fields(r.Args[optionClue]), " ")}
			mode := face.ReadMode(r.Args["mode"], game.Together)
			if typed.puzzle == "" && !r.Surface.HasButtons() { // nothing can be pressed to join one
				all, err := h.Games.Store.Races(ctx, f.Kind, r.Location.Channel)
				if err != nil {
					return bot.Reply{}, err
				}
				for _, race := range slices.Backward(all) {
					if race.Challenge != nil && !race.Closed() && race.Starter != r.Player {
						r.Args = map[string]string{face.ArgRace: string(race.ID)}
						return h.race(f).Run(ctx, r)
					}
				}
			}
			if typed.puzzle == "" || typed.clue == "" {
				if kept, ok := h.drafts.Load(r.Player); ok && r.Args[argAgain] != "" {
					typed = kept.(*draft)
				}
				return typed.form(f, mode), nil
			}
			err = typed.check(f)
			if err == nil && slices.Contains(here.Words, strings.ToUpper(typed.puzzle)) {
				err = bot.Decline(bot.Text("This server never uses that word. Pick another."))
			}
			if refusal, ok := errors.AsType[bot.Refusal](err); ok {
				h.drafts.Store(r.Player, typed)
				time.AfterFunc(draftKept, func() { h.drafts.CompareAndDelete(r.Player, typed) })
				again := bot.Button{Label: "Correct it", Style: bot.ButtonPrimary, Command: f.Commands.Challenge, Args: map[string]string{"mode": face.ModeName(mode), argAgain: "y"}}
				return bot.Reply{}, bot.RefuseWith(err, refusal.Reply.Row(again))
			}
			if err != nil {
				return bot.Reply{}, err
			}
			m, race, err := h.Games.Challenge(ctx, r.Origin(), matches.ChallengeOptions{Kind: f.Kind, Alone: mode == game.Solo, Puzzle: typed.puzzle, Clue: typed.clue, Hints: here.HintLimit(r)})
			switch {
			case errors.Is(err, game.ErrAlreadyPlaying):
				return bot.Reply{}, bot.Refuse(err, bot.Text("There's a game here already. Wait until it's over, or let everyone play alone: ",
					bot.Slash(f.Commands.Challenge, "mode", face.ModeName(game.Solo)), "."))
			case err != nil:
				return bot.Reply{}, err
			case mode == game.Solo:
				return h.board(ctx, f, race)
			}
			reply, err := h.Play.ShowMatch(ctx, f, r, m)
			reply.InPlace = false
			return reply, err
		},
	}
}

// check refuses a draft that makes no challenge.
func (d *draft) check(f face.Face) error {
	if !f.IsGuess(d.puzzle) {
		return bot.Decline(bot.Text("Your "+f.Noun+" needs "+strings.ToLower(f.FormLabel)+"; ", bot.Quote(d.puzzle), " won't do."))
	}
	if len([]rune(d.clue)) > maxClue {
		return bot.Decline(bot.Text(fmt.Sprintf("A clue has at most %d characters.", maxClue)))
	}
	return bot.RefuseAs(clue.Check(d.puzzle, d.clue), map[error]bot.Line{
		clue.ErrHurts: bot.Text("That could hurt someone. Pick another."),
		clue.ErrTells: bot.Text("Your clue has the " + f.Noun + " in it. Pick another."),
		clue.ErrLink:  bot.Text("A clue can't have a link. Pick another."),
	})
}

func (d *draft) form(f face.Face, mode game.Mode) bot.Reply {
	reply := bot.Ephemeral(bot.Text("Add your "+f.Noun+" and a clue: ", bot.Slash(f.Commands.Challenge, optionPuzzle, "", optionClue, ""), "."))
	reply.Form = &bot.Form{Title: "Challenge the others", Command: f.Commands.Challenge, Args: map[string]string{"mode": face.ModeName(mode)}, Fields: []bot.Field{
		{Name: optionPuzzle, Label: "Your " + f.Noun + ", " + strings.ToLower(f.FormLabel), Help: f.Example(nil), Value: atMost(f.MostTyped, d.puzzle), Required: true, Max: f.MostTyped},
		{Name: optionClue, Label: "A clue for everyone", Value: atMost(maxClue, d.clue), Required: true, Max: maxClue},
	}}
	return reply
}

// atMost returns the first n characters of a text.
func atMost(n int, text string) string {
	all := []rune(text)
	return string(all[:min(n, len(all))])
}

func (h *Handlers) report(ctx context.Context, f face.Face, r bot.Request, to game.Report) (reply bot.Reply, err error) {
	if to == game.Reported && r.Context.Place == bot.InGroup { // a group has no moderators
		to, r.MayManage = game.Removed, true
	}
	if id := r.Args[face.ArgRace]; id != "" {
		var race game.Race
		if race, err = h.Games.ReportRace(ctx, r.Origin(), f.Kind, game.MatchID(id), to, r.MayManage); err == nil {
			reply, err = h.board(ctx, f, race)
		}
	} else {
		var m game.Match
		t := matches.Target{Kind: f.Kind, Mode: game.Together, Match: game.MatchID(r.Args[face.ArgMatch])}
		if m, err = h.Games.ReportMatch(ctx, r.Origin(), t, to, r.MayManage); err == nil {
			reply, err = h.Play.ShowMatch(ctx, f, r, m)
		}
	}
	over := bot.Text("This challenge is over.")
	if errors.As(err, new(*game.OtherMatchError)) {
		err = bot.Refuse(err, over)
	}
	reply.InPlace = true
	return reply, bot.RefuseAs(err, map[error]bot.Line{
		game.ErrNotAllowed: bot.Text("Only " + r.Surface.Manager() + " can decide that."),
		game.ErrEnded:      over, game.ErrRaceOver: over,
	})
}
