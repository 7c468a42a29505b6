package play

import (
	"context"
	"errors"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/finished"
)

var errNotPlayedOn = bot.Decline(bot.Text("You can't play on in this game any more."))

// playOn makes a guess in a lost match that the asker may see, for the asker alone and outside the count. Without a
// guess it asks for one. Nothing is stored: the button has the guesses so far, and all are scored again.
func (h *Handlers) playOn(ctx context.Context, f face.Face, r bot.Request, typed string) (bot.Reply, error) {
	lost := game.MatchID(r.Args[face.ArgLost])
	past, err := h.Finished.Match(ctx, r.Viewer(), finished.Past{Match: lost})
	switch m := past.Match; {
	case errors.Is(err, game.ErrNotInHistory), errors.Is(err, game.ErrRemoved), errors.Is(err, game.ErrOtherChannel), errors.As(err, new(*game.SecretError)),
		err == nil && (m.Kind != f.Kind || !f.PlaysOn || m.Status() != game.Lost):
		return bot.Reply{}, errNotPlayedOn
	case err != nil:
		return bot.Reply{}, err
	}
	again := f.PlayOnButton(lost, r.Args[face.ArgFurther])
	if len(again.Query()) > bot.MaxButton { // forged: longer than our buttons
		return bot.Reply{}, errNotPlayedOn
	}
	if typed == "" {
		reply := bot.Ephemeral(bot.Text("Press the button to guess.")).Row(again)
		reply.Form = guessForm(f, again.Args, f.Example(past.Match.State), "")
		return reply, nil
	}
	further := append(strings.Fields(r.Args[face.ArgFurther]), strings.TrimSpace(typed))
	lines, over, err := f.PlayOn(past.Match.State, further)
	if err != nil {
		return bot.Reply{}, correctable(f, err, again)
	}
	reply := bot.Ephemeral(lines...)
	reply.InPlace = len(further) > 1 // the first reply leaves the board's message alone
	next := f.PlayOnButton(lost, strings.Join(further, " "))
	if over {
		next = face.ReviewButton(lost)
		next.Args[bot.ArgOpen] = "y"
	}
	return reply.Row(next), nil
}
