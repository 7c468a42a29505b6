package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"fivefold/bot/terminal"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/solve"
)

// beginning is how a puzzle is to be begun, or gone on with.
type beginning struct {
	hard     bool   // in hard mode; otherwise as it is
	strategy string // empty for the one it has
}

// helpPuzzle is the subcommand solve without arguments: help with a puzzle that is
// played elsewhere, in the terminal and from its store.
func (p *program) helpPuzzle(ctx context.Context, lists *wordle.Lists, begin beginning) error {
	if begin.strategy != "" {
		if err := solver.CheckStrategy(begin.strategy); err != nil {
			return err
		}
	}
	s, err := p.settings(false)
	if err != nil {
		return err
	}
	// Trees are for the lists of the settings, and only hints look into them.
	s.lists, s.trees = lists, nil
	return p.withBot(ctx, s, terminalFile, p.logger(s, slog.LevelWarn), func(a app, where string) error {
		goesOn, err := p.begin(ctx, a.Solve.Words, begin)
		if err != nil {
			return err
		}
		if goesOn {
			if _, err := io.WriteString(p.out, "Your puzzle goes on; \"new\" begins another one.\n\n"); err != nil {
				return err
			}
		}
		t := terminal.Terminal{
			Bot: a.Bot, In: p.in, Out: p.out, Player: p.player(), Colour: p.colour(),
			Welcome: fmt.Sprintf("Help with a word puzzle that you play elsewhere. Type the tiles of the word proposed,\n"+
				"such as bbygb, or your own word and its tiles: crane bbygb. \"help\" tells more, \"quit\" leaves.\n"+
				"Puzzles are kept in %s.\n", strings.TrimPrefix(where, "bolt:")),
			First: "next", Solve: true,
		}
		return t.Run(ctx)
	})
}

// begin makes the player's puzzle one to go on with: a new one where the last is
// over. It reports whether there are lines already.
func (p *program) begin(ctx context.Context, h *solve.Words, begin beginning) (goesOn bool, err error) {
	origin := func() game.Origin {
		return game.Origin{Request: terminal.NewRequestID(), Place: terminal.Place, Player: p.player()}
	}
	notes, err := h.Peek(ctx, p.player())
	if err != nil {
		return false, err
	}
	if notes.Puzzle.Status() != game.Playing {
		help, err := h.Begin(ctx, origin(), 0, begin.hard)
		if err != nil {
			return false, err
		}
		notes.Puzzle = help.Puzzle
	}
	if begin.hard && !notes.Puzzle.Setup.Hard || begin.strategy != "" && begin.strategy != notes.Puzzle.Setup.Strategy {
		_, err = h.Update(ctx, origin(), 0, func(z solve.WordPuzzle) (solve.WordPuzzle, error) {
			s := z.Setup
			s.Hard = s.Hard || begin.hard
			if begin.strategy != "" {
				s.Strategy = begin.strategy
			}
			return z.With(s), nil
		})
	}
	return len(notes.Puzzle.Turns) > 0, err
}
