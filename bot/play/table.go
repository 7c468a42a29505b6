package play

import (
	"log/slog"

	"fivefold/bot"
	"fivefold/bot/solve"

	"fivefold/game"
)

// Handlers is what the commands work with.
type Handlers struct {
	Games *game.Manager
	Solve *solve.Handlers
	Log   *slog.Logger

	table bot.Table
}

// Table returns every command.
func (b *Handlers) Table() bot.Table {
	commands := []bot.Command{
		b.wordleStart(), b.guess(), b.hint(), b.wordleBoard(), b.wordleStop(), b.stats(),
		b.reviewGame(), b.reviewList(), b.reviewReplay(), b.reviewClear(), b.wordleHelp(),
		b.pokleStart(), b.pokleGuess(), b.pokleHint(), b.pokleBoard(), b.pokleStop(), b.pokleStats(), b.Solve.BoardCommand(), b.pokleRules(),
	}
	b.table = bot.Table{Commands: append(commands, b.Solve.WordCommands()...), Groups: map[string]string{
		"wordle": "The five-letter word game of this channel",
		"pokle":  "The poker game: find the five cards on the table",
		"solve":  "Help with a word puzzle that you play elsewhere; only you see it",
		"review": "Finished games: how good each guess was, a list of them, each step again",
	}}
	for i := range b.table.Commands {
		c := &b.table.Commands[i]
		if c.Look == "" {
			c.Explain, c.Look = b.explain, lookOf(c.Name)
		}
	}
	return b.table
}
