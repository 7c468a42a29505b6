// Package solve has the commands that help with puzzles played elsewhere: /solve for
// word puzzles and /pokle solve for the poker game.
package solve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
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

// notSaved says what became of a request whose change could not be saved.
const notSaved = "your puzzle was not changed"

// versionOf returns the version that a button was shown with, or 0 for a typed command.
// It returns false if the argument is not a version.
func versionOf(r bot.Request) (version uint64, ok bool) {
	at, pressed := r.Args[argAt]
	if !pressed {
		return 0, true
	}
	version, err := strconv.ParseUint(at, 10, 64)
	return version, err == nil && version > 0
}

// updater is Update of [solve.Words] or [solve.Boards].
type updater[P, V any] func(ctx context.Context, o game.Origin, seen uint64, rule func(P) (P, error)) (V, error)

// update changes the player's puzzle by a rule and shows it. Explain puts an error of
// the rule into words.
func update[P, V any](
	ctx context.Context, r bot.Request, do updater[P, V], rule func(P) (P, error), show func(V) bot.Reply, explain func(bot.Request, V, error) (bot.Reply, error),
) (bot.Reply, error) {
	version, ok := versionOf(r)
	if !ok {
		show := bot.NameSolveShow
		if r.Command == pokergame.NameSolve {
			show = r.Command
		}
		return bot.Outdated(show), nil
	}
	v, err := do(ctx, r.Origin(), version, rule)
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
	return above(bot.Reply{Lines: []bot.Line{bot.Text("That button belonged to an earlier state, so it changed nothing. This is where you are:")}}, now)
}

// above puts the lines and buttons of one reply above those of another, without its form.
// Of buttons that do the same, one stays.
func above(top, below bot.Reply) bot.Reply {
	below.Lines = append(top.Lines, below.Lines...)
	taken := slices.Concat(top.Buttons...)
	rows := top.Buttons
	for _, row := range below.Buttons {
		row = slices.DeleteFunc(row, func(b bot.Button) bool {
			return slices.ContainsFunc(taken, func(o bot.Button) bool { return o.Command == b.Command && maps.Equal(o.Args, b.Args) })
		})
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	below.Buttons, below.Form, below.InPlace = rows, nil, true
	return below
}

// endLine says how a puzzle ended.
func endLine(won bool, guesses int) bot.Line {
	if won {
		return bot.Text(bot.Bold(fmt.Sprintf("Solved in %d of 6. Well done!", guesses)))
	}
	return bot.Text(bot.Bold("Six guesses, and not found. Better luck next time!"))
}
