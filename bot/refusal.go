package bot

import (
	"cmp"
	"context"
	"errors"

	"fivefold/game"
)

// Refusal is an error with the reply that explains it.
type Refusal struct {
	Reply
	cause error
}

func (r Refusal) Error() string { return r.cause.Error() }
func (r Refusal) Unwrap() error { return r.cause }

// Refuse returns the cause as a [Refusal]. Only the asker sees the lines.
func Refuse(cause error, lines ...Line) error { return RefuseWith(cause, Ephemeral(lines...)) }

// Decline is [Refuse] without another cause.
func Decline(lines ...Line) error { return Refuse(errDeclined, lines...) }

var errDeclined = errors.New("not allowed, or not possible")

// RefuseWith is [Refuse] with a whole reply, which may have buttons.
func RefuseWith(cause error, r Reply) error { return Refusal{r, cause} }

// RefuseAs refuses an error with the line of its cause, found by [errors.Is]. If one cause wraps another, the outer one
// counts. RefuseAs returns an error without a line unchanged.
func RefuseAs(err error, lines map[error]Line) error {
	var found error
	for cause := range lines {
		if errors.Is(err, cause) && (found == nil || errors.Is(cause, found)) {
			found = cause
		}
	}
	if found == nil {
		return err
	}
	return Refuse(err, lines[found])
}

// NoAttempt ends the refusal of a guess.
const NoAttempt = "No guess was used."

// explain puts an error of a command into words: what was wrong, and what to do. The words come from the error itself
// if it is a [Refusal], then from the command's Explain, then from here. Any other error is logged, and the player sees
// an [Apology].
func (b *Bot) explain(c Command, r Request, err error) Reply {
	refusal, refused := errors.AsType[Refusal](err)
	if !refused && c.Explain != nil {
		refusal, refused = errors.AsType[Refusal](c.Explain(r, err))
	}
	if refused {
		return refusal.Reply
	}
	switch {
	case errors.Is(err, game.ErrExpired):
		return problem(TooLate, "That took too long on our side, so I didn't do it. "+NoAttempt+" Try again.")
	case errors.Is(err, game.ErrBusy):
		return Busy()
	case errors.Is(err, game.ErrNotSaved): // the store logs it, once a minute
		return Ephemeral(Text("I can't save right now; " + cmp.Or(c.NotSaved, "nothing was changed") + ". Try again in a while."))
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		b.Log.Warn("could not carry out a request in time", "request", r, "error", err)
		return problem(Failed, "That took too long on our side. Look at ", Slash(c.ShowCommand), " and try again.")
	}
	b.Log.Error("could not carry out a request", "request", r, "error", err)
	return Apology(r.ID)
}

// outdated answers a request for a command that no longer exists. Show is the command to use instead, or empty.
func outdated(show string) Reply {
	if show == "" {
		return Ephemeral(Text("That doesn't work any more. ", Slash(NameHelp), " lists the commands."))
	}
	return Ephemeral(Text("That doesn't work any more. Use ", Slash(show), " instead."))
}

// OnlyYouSee refuses to do something public where only the asker sees replies: see [Context.AskerOnly]. The consequence
// continues "Only you see my replies here, so".
func OnlyYouSee(consequence string) Line {
	return Text("Only you see my replies here, so " + consequence + ". This server hides the replies of apps that members install for themselves. " +
		"Ask for me to be added to the server")
}

// Apology answers a request that failed on our side. The log has the details with the request.
func Apology(r game.RequestID) Reply {
	return problem(Failed, "Something went wrong on our side. Your game is safe. Try again. If it happens again, send request number ",
		string(r), " to the bot's operator.")
}

// Busy answers a request that was dropped because too much is going on. The request has changed nothing.
func Busy() Reply {
	return problem(TooBusy, "I'm busy just now, so I didn't do that. "+NoAttempt+" Try again in a moment.")
}

// OneAtATime answers a player whose earlier requests are still being worked on. The request has changed nothing.
func OneAtATime() Reply {
	return problem(TooBusy, "One at a time, please: I'm still on your last request, so I didn't do this. Try again in a moment.")
}

// problem is the reply to a request that was not carried out. The parts are as in [Text].
func problem(p Problem, parts ...any) Reply {
	reply := Ephemeral(Text(parts...))
	reply.Problem = p
	return reply
}
