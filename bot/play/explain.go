package play

import (
	"errors"
	"fmt"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// explain puts the errors of game and solver into words.
func (b *Handlers) explain(r bot.Request, err error) (bot.Reply, bool) {
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
		return bot.Ephemeral(bot.Text("No game has been started here yet. Start one with ", bot.Slash(bot.NameStart), ".")), true
	case errors.Is(err, game.ErrEnded):
		return bot.Ephemeral(bot.Text("This game is over. Start the next one with ", bot.Slash(bot.NameStart), ".")), true
	case errors.Is(err, game.ErrPlaying):
		return bot.Ephemeral(bot.Text("The game here is still being played; see it with ", bot.Slash(bot.NameBoard),
			". When it is over it can be reviewed. ", bot.Slash(bot.NameList), " shows the finished ones.")), true
	case errors.Is(err, game.ErrNoGame):
		return bot.Ephemeral(bot.Text("There is no such finished game here; perhaps who played it has cleared their history. ",
			bot.Slash(bot.NameList), " shows those there are.")), true
	case errors.Is(err, game.ErrRunning):
		return bot.Ephemeral(bot.Text("A game is being played here already. See it with ", bot.Slash(bot.NameBoard),
			" and join in with ", bot.Slash(bot.NameGuess), ".")), true
	case errors.Is(err, game.ErrAllKnown):
		return bot.Ephemeral(bot.Text("The board and the hints so far already tell everything of that kind. See the board with ", bot.Slash(bot.NameBoard), ".")), true
	case errors.As(err, &repeated):
		return bot.Ephemeral(bot.Text(fmt.Sprintf("That word was guessed already, as attempt %d. Try another one. ", repeated.Attempt), bot.NoAttempt)), true
	case errors.As(err, &hard):
		return bot.Ephemeral(bot.Text("Hard mode: "+face.HardClue(hard)+" ", bot.NoAttempt)), true
	case errors.Is(err, solver.ErrNothingFits):
		return bot.Ephemeral(bot.Text("No word I know fits this board any more, so I have nothing to suggest. Letters and positions still work: ",
			bot.Slash(bot.NameHint+" letter"), ".")), true
	}
	return bot.Reply{}, false
}

// lookOf is the command that shows how things are after another one took too long.
func lookOf(command string) string {
	if strings.HasPrefix(command, "pokle ") {
		return bot.NamePokleBoard
	}
	return bot.NameBoard
}
