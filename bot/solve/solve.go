// Package solve has the commands that help with puzzles played elsewhere: /solve for
// word puzzles and /pokle solve for the poker game.
package solve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
)

// Handlers has what the commands work with. Its fields must be set and not changed
// afterwards.
type Handlers struct {
	Words  *solve.Words
	Boards *solve.Boards
	Lists  *wordle.Lists
	Log    *slog.Logger
}

// argAt is the argument of buttons that holds the version of the player's session that
// they were shown with. A typed command has none.
const argAt = "at"

const notSaved = "your puzzle was not changed"

// versionOf returns the version that a button was shown with, or 0 for a typed command.
func versionOf(r bot.Request) uint64 {
	version, _ := strconv.ParseUint(r.Args[argAt], 10, 64)
	return version
}

// updater is Update of [solve.Words] or [solve.Boards].
type updater[P, V any] func(ctx context.Context, o game.Origin, seen uint64, rule func(P) (P, error)) (V, error)

// update changes the player's puzzle by a rule and shows it. Explain puts an error of
// the rule into words.
func update[P, V any](
	ctx context.Context, r bot.Request, do updater[P, V], rule func(P) (P, error), show func(V) bot.Reply, explain func(bot.Request, V, error) (bot.Reply, error),
) (bot.Reply, error) {
	v, err := do(ctx, r.Origin(), versionOf(r), rule)
	switch {
	case errors.Is(err, solve.ErrOutdated):
		return outdated(show(v)), nil
	case err != nil:
		return explain(r, v, err)
	}
	return show(v), nil
}

// explainSession puts into words that a player must not be helped with a puzzle, or that what is stored of
// the player's puzzles cannot be read.
func explainSession(_ bot.Request, err error) (bot.Reply, bool) {
	var fed *fedError
	if errors.As(err, &fed) {
		return fedReply(fed), true
	}
	if !errors.Is(err, solve.ErrUnreadable) {
		return bot.Reply{}, false
	}
	return bot.Ephemeral(bot.Text("I cannot read your puzzles and your record here any more: their data is damaged. I put it aside; please start again with ",
		bot.Slash(bot.NameSolveNew), " or ", bot.Slash(pokergame.NameSolve), ".")), true
}

// outdated shows the current state to a player who used a button of an older message.
func outdated(now bot.Reply) bot.Reply {
	return under(bot.Text("That button belonged to an earlier state, so it changed nothing. This is where you are:"), now)
}

// under puts a reply under a line, without its form.
func under(line bot.Line, r bot.Reply) bot.Reply {
	r.Lines, r.Form, r.InPlace = append([]bot.Line{line}, r.Lines...), nil, true
	return r
}

func endLine(won bool, guesses int) bot.Line {
	if won {
		return bot.Text(bot.Bold(fmt.Sprintf("Solved in %d of 6. Well done!", guesses)))
	}
	return bot.Text(bot.Bold("Six guesses, and not found. Better luck next time!"))
}
