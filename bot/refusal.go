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

// RefuseAs refuses an error with the line for what it is, as [errors.Is] has it: the line of a cause goes before that of
// one which the cause wraps. An error without a line is returned as it is.
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
const NoAttempt = "No attempt was used."

// explain puts an error of a command into words: what was wrong, and what to do. An error that nobody has words for
// is logged, and the player sees none of its details.
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
		return problem(TooLate, "That took too long on our side, so it was not done. "+NoAttempt+" Please try again.")
	case errors.Is(err, game.ErrBusy):
		return Busy()
	case errors.Is(err, game.ErrNotSaved): // the store logs that, once a minute
		return Ephemeral(Text("I cannot save at the moment; " + cmp.Or(c.NotSaved, "nothing was changed") + ". Please try again later."))
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		b.Log.Warn("could not carry out a request in time", "request", r, "error", err)
		return problem(Failed, "That took too long on our side. Please look at ", Slash(c.ShowCommand), " and try again.")
	}
	b.Log.Error("could not carry out a request", "request", r, "error", err)
	return Apology(r.ID)
}

// outdated is the reply to a button, form or command of an earlier release that no longer works, with
// the command that shows what it was about; empty if that is not known.
func outdated(show string) Reply {
	if show == "" {
		return Ephemeral(Text("That does not work any more. ", Slash(NameHelp), " lists the commands."))
	}
	return Ephemeral(Text("That does not work any more. Please use ", Slash(show), " instead."))
}

// OnlyYouSee refuses what needs others to see it, in a place where they do not: see
// [Context.AskerOnly]. The consequence continues "Only you can see my answers here, so".
func OnlyYouSee(consequence string) Line {
	return Text("Only you can see my answers here, so " + consequence + ": this server hides the answers of apps that members have installed for themselves. " +
		"Ask for me to be added to the server")
}

// Apology is the reply when answering itself went wrong; the details were logged with the request.
func Apology(r game.RequestID) Reply {
	return problem(Failed, "Something went wrong on our side; nothing that was accepted is lost. Please try again. If it happens again, send request number ",
		string(r), " to the bot's operator.")
}

// Busy is the reply to a request that was not begun, or not finished, since too much is asked
// for at once. The request has changed nothing.
func Busy() Reply {
	return problem(TooBusy, "I am busy just now, so that was not done. "+NoAttempt+" Please try again in a moment.")
}

// OneAtATime is the reply to a player who asks for more while earlier requests are still being
// answered. The request has changed nothing.
func OneAtATime() Reply {
	return problem(TooBusy, "One at a time, please: I am still working on what you asked before. That was not done; please try again in a moment.")
}

// problem is the reply to a request that was not carried out, with a text of parts as in [Text].
func problem(p Problem, parts ...any) Reply {
	reply := Ephemeral(Text(parts...))
	reply.Problem = p
	return reply
}
