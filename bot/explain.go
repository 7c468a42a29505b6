package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// refusal is an error that carries the words for it.
type refusal struct {
	Reply
	cause error
}

func (r refusal) Error() string { return r.cause.Error() }
func (r refusal) Unwrap() error { return r.cause }

// refuse makes an error of what the player is to be told.
func refuse(cause error, lines ...Line) error {
	return refusal{private(lines...), cause}
}

const noAttempt = "No attempt was used."

// explain is the one place where errors become words. Every sentence says what
// was wrong and what to do. What is not a player's doing is logged and told
// without details.
func (b *Bot) explain(r Request, err error) Reply {
	var (
		told     refusal
		repeated *wordle.RepeatedError
		hard     *wordle.HardModeError
	)
	if errors.As(err, &told) {
		return told.Reply
	}
	if strings.HasPrefix(r.Command, "pokle ") {
		if reply, ok := explainPokle(err); ok {
			return reply
		}
	}
	switch {
	case errors.Is(err, game.ErrNoMatch):
		return private(say("No game has been started here yet. Start one with ", mention(nameStart), "."))
	case errors.Is(err, game.ErrEnded):
		return private(say("This game is over. Start the next one with ", mention(nameStart), "."))
	case errors.Is(err, game.ErrPlaying):
		return private(say("The game here is still being played; see it with ", mention(nameBoard),
			". When it is over it can be reviewed. ", mention(nameList), " shows the finished ones."))
	case errors.Is(err, game.ErrNoGame):
		return private(say("There is no such finished game here; perhaps who played it has cleared their history. ",
			mention(nameList), " shows those there are."))
	case errors.Is(err, game.ErrRunning):
		return private(say("A game is being played here already. See it with ", mention(nameBoard),
			" and join in with ", mention(nameGuess), "."))
	case errors.Is(err, game.ErrAllKnown):
		return private(say("The board and the hints so far already tell everything of that kind. See the board with ", mention(nameBoard), "."))
	case errors.As(err, &repeated):
		return private(say(fmt.Sprintf("That word was guessed already, as attempt %d. Try another one. ", repeated.Attempt), noAttempt))
	case errors.As(err, &hard):
		return private(say("Hard mode: "+hardClue(hard)+" ", noAttempt))
	case errors.Is(err, solver.ErrNothingFits):
		return private(say("No word I know fits this board any more, so I have nothing to suggest. Letters and positions still work: ",
			mention(nameHint+" letter"), "."))
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		b.Log.Warn("request timed out", "request", r, "error", err)
		look := nameBoard
		switch first, _, _ := strings.Cut(r.Command, " "); {
		case first == "solve":
			look = nameNext
		case r.Command == namePokleSolve:
			look = namePokleSolve
		case first == "pokle":
			look = namePokleBoard
		}
		return private(say("That took too long on our side. Please look at ", mention(look), " and try again."))
	}
	b.Log.Error("request failed", "request", r, "error", err)
	return Apology(r.ID)
}

func hardClue(e *wordle.HardModeError) string {
	switch {
	case e.Green:
		return fmt.Sprintf("%c is green at position %d and must stay there.", e.Letter, e.Position)
	case e.Times == 1:
		return fmt.Sprintf("%c, yellow at position %d, must be used again.", e.Letter, e.Position)
	}
	times := "twice"
	if e.Times > 2 {
		times = fmt.Sprintf("%d times", e.Times)
	}
	return fmt.Sprintf("%c, yellow at position %d, must be used at least %s.", e.Letter, e.Position, times)
}
