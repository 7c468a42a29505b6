package race

import (
	"context"
	"errors"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// The options of a challenge that others must not see.
const (
	optionPuzzle = "word"
	optionClue   = "clue"
)

const maxClue = 100

func (h *Handlers) challenge(f face.Face) bot.Command {
	return bot.Command{
		Name: f.Commands.Challenge, Help: "Choose a " + f.Noun + " for the others, with a clue",
		Options: []bot.Option{
			{Name: optionPuzzle, Help: "The " + f.Noun + " to find", Secret: true},
			{Name: optionClue, Help: "What to say about it", Secret: true, MultiWord: true},
			{Name: "mode", Help: "together: everybody here; solo: each of them alone", Choices: []string{face.ModeName(game.Together), face.ModeName(game.Solo)}},
		},
		HiddenArgs: []string{face.ArgMatch, face.ArgRace, face.ArgReport}, NotSaved: "nothing was changed",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			if to := game.Report(r.Args[face.ArgReport]); to != "" {
				return h.report(ctx, f, r, to)
			}
			if r.Context.AskerOnly {
				return bot.Reply{}, bot.Decline(bot.OnlyYouSee("nobody could find your " + f.Noun).With("."))
			}
			puzzle, clue := strings.TrimSpace(r.Args[optionPuzzle]), strings.Join(strings.Fields(r.Args[optionClue]), " ")
			mode := face.ReadMode(r.Args["mode"], game.Together)
			if puzzle == "" || clue == "" {
				return h.form(f, mode), nil
			}
			if len([]rune(clue)) > maxClue {
				return bot.Reply{}, bot.Decline(bot.Text("That clue is too long. A clue has at most 100 characters."))
			}
			state, err := f.Challenge(puzzle, clue)
			if err != nil {
				return bot.Reply{}, err
			}
			hints, err := h.Play.HintLimit(ctx, r)
			if err != nil {
				return bot.Reply{}, err
			}
			m, race, err := h.Games.Challenge(ctx, r.Origin(), game.ChallengeOptions{Kind: f.Kind, Alone: mode == game.Solo, State: state, Clue: clue, Hints: hints})
			switch {
			case errors.Is(err, game.ErrAlreadyPlaying):
				return bot.Reply{}, bot.Refuse(err, bot.Text("There is a game here already. Challenge the others when it is over, or each of them alone: ",
					bot.Slash(f.Commands.Challenge, "mode", face.ModeName(game.Solo)), "."))
			case err != nil:
				return bot.Reply{}, err
			case mode == game.Solo:
				return h.board(ctx, f, race)
			}
			reply, err := h.Play.Show(ctx, f, r, m)
			reply.InPlace = false
			return reply, err
		},
	}
}

func (h *Handlers) form(f face.Face, mode game.Mode) bot.Reply {
	reply := bot.Ephemeral(bot.Text("Please add the "+f.Noun+" and a clue: ", bot.Slash(f.Commands.Challenge, optionPuzzle, "", optionClue, ""), "."))
	reply.Form = &bot.Form{Title: "A challenge", Command: f.Commands.Challenge, Args: map[string]string{"mode": face.ModeName(mode)}, Fields: []bot.Field{
		{Name: optionPuzzle, Label: "The " + f.Noun + ", " + strings.ToLower(f.FormLabel), Help: f.Example, Required: true, Max: f.MostTyped},
		{Name: optionClue, Label: "A clue, which everybody sees", Required: true, Max: maxClue},
	}}
	return reply
}

// report reports a challenge, or decides about a report.
func (h *Handlers) report(ctx context.Context, f face.Face, r bot.Request, to game.Report) (reply bot.Reply, err error) {
	if id := r.Args[face.ArgRace]; id != "" {
		var race game.Race
		if race, err = h.Games.ReportRace(ctx, r.Origin(), f.Kind, game.MatchID(id), to, r.MayManage); err == nil {
			reply, err = h.board(ctx, f, race)
		}
	} else {
		var m game.Match
		t := game.Target{Kind: f.Kind, Mode: game.Together, Match: game.MatchID(r.Args[face.ArgMatch])}
		if m, err = h.Games.ReportMatch(ctx, r.Origin(), t, to, r.MayManage); err == nil {
			reply, err = h.Play.Show(ctx, f, r, m)
		}
	}
	var other *game.OtherMatchError
	switch {
	case errors.Is(err, game.ErrNotAllowed):
		err = bot.Refuse(err, bot.Text("Only "+r.Surface.Manager()+" can decide that."))
	case errors.Is(err, game.ErrEnded), errors.As(err, &other):
		err = bot.Refuse(err, bot.Text("This challenge is over."))
	}
	reply.InPlace = true
	return reply, err
}
