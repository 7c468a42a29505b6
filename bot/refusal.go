package bot

import (
	"cmp"
	"context"
	"errors"

	"fivefold/game"
)

// Refusal is an error that carries the words for it.
type Refusal struct {
	Reply
	cause error
}

func (r Refusal) Error() string { return r.cause.Error() }
func (r Refusal) Unwrap() error { return r.cause }

// Refuse makes an error of the lines to show the player, and nobody else.
func Refuse(cause error, lines ...Line) error { return RefuseWith(cause, Ephemeral(lines...)) }

// Decline is [Refuse] where nothing else is the cause.
func Decline(lines ...Line) error { return Refuse(errDeclined, lines...) }

var errDeclined = errors.New("not allowed, or not possible")

// RefuseWith is [Refuse] with a whole reply, which may have buttons.
func RefuseWith(cause error, r Reply) error { return Refusal{r, cause} }

// NoAttempt ends the refusal of a guess.
const NoAttempt = "No attempt was used."

// explain puts an error of a command into words: what was wrong, and what to do. An error that nobody has words for
// is logged, and the player sees none of its details.
func (b *Bot) explain(c Command, r Request, err error) Reply {
	if refusal, ok := errors.AsType[Refusal](err); ok {
		return refusal.Reply
	}
	if c.Explain != nil {
		if reply, ok := c.Explain(r, err); ok {
			return reply
		}
	}
	switch {
	case errors.Is(err, game.ErrExpired):
		return problem(TooLate, "That took too long on our side, so it was not done. "+NoAttempt+" Please try again.")
	case errors.Is(err, game.ErrBusy):
		return Busy()
	case errors.Is(err, game.ErrNotSaved): // the store logs that, once a minute
		return Ephemeral(Text("I cannot save at the moment; " + cmp.Or(c.NotSaved, "nothing was changed") + ". Please try again later."))
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		b.Log.Warn("request timed out", "request", r, "error", err)
		return problem(Failed, "That took too long on our side. Please look at ", Slash(c.ShowCommand), " and try again.")
	}
	b.Log.Error("request failed", "request", r, "error", err)
	return Apology(r.ID)
}
