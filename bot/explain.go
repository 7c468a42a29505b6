package bot

import (
	"errors"
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// explain puts the errors of game and solver into words.
func (b *Handlers) explain(r Request, err error) (Reply, bool) {
	var (
		repeated *wordle.RepeatedError
		hard     *wordle.HardModeError
	)
	if strings.HasPrefix(r.Command, "pokle ") {
		if reply, ok := explainPokle(err); ok {
			return reply, true
		}
	}
	switch {
	case errors.Is(err, game.ErrNoMatch):
		return Ephemeral(Text("No game has been started here yet. Start one with ", Slash(NameStart), ".")), true
	case errors.Is(err, game.ErrEnded):
		return Ephemeral(Text("This game is over. Start the next one with ", Slash(NameStart), ".")), true
	case errors.Is(err, game.ErrPlaying):
		return Ephemeral(Text("The game here is still being played; see it with ", Slash(NameBoard),
			". When it is over it can be reviewed. ", Slash(NameList), " shows the finished ones.")), true
	case errors.Is(err, game.ErrNoGame):
		return Ephemeral(Text("There is no such finished game here; perhaps who played it has cleared their history. ",
			Slash(NameList), " shows those there are.")), true
	case errors.Is(err, game.ErrRunning):
		return Ephemeral(Text("A game is being played here already. See it with ", Slash(NameBoard),
			" and join in with ", Slash(NameGuess), ".")), true
	case errors.Is(err, game.ErrAllKnown):
		return Ephemeral(Text("The board and the hints so far already tell everything of that kind. See the board with ", Slash(NameBoard), ".")), true
	case errors.As(err, &repeated):
		return Ephemeral(Text(fmt.Sprintf("That word was guessed already, as attempt %d. Try another one. ", repeated.Attempt), NoAttempt)), true
	case errors.As(err, &hard):
		return Ephemeral(Text("Hard mode: "+hardClue(hard)+" ", NoAttempt)), true
	case errors.Is(err, solver.ErrNothingFits):
		return Ephemeral(Text("No word I know fits this board any more, so I have nothing to suggest. Letters and positions still work: ",
			Slash(NameHint+" letter"), ".")), true
	}
	return Reply{}, false
}

// lookOf is the command that shows how things are after another one took too long.
func lookOf(command string) string {
	switch first, _, _ := strings.Cut(command, " "); {
	case first == "solve":
		return NameNext
	case command == NamePokleSolve:
		return NamePokleSolve
	case first == "pokle":
		return NamePokleBoard
	}
	return NameBoard
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
