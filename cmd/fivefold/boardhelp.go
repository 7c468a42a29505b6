package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"
	"unicode"

	botsolve "fivefold/bot/solve"

	"fivefold/bot"
	"fivefold/bot/terminal"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
)

// helpBoards is the subcommand pokle solve without arguments: help with a puzzle of
// the poker game that is played elsewhere, in the terminal and from its store.
func (p *program) helpBoards(ctx context.Context, limit time.Duration) error {
	s, err := p.settings(false)
	if err != nil {
		return err
	}
	return p.withBot(ctx, s, terminalFile, p.logger(s, slog.LevelWarn), func(a app, where string) error {
		a.Solve.Boards.Solver = boardSolver(limit)
		notes, err := a.Solve.Boards.Peek(ctx, p.player())
		if err != nil {
			return err
		}
		if z := notes.Puzzle; len(z.Turns) > 0 && z.Status() == game.Playing {
			if _, err := io.WriteString(p.out, "Your puzzle goes on; a new deal begins another one.\n\n"); err != nil {
				return err
			}
		}
		t := terminal.Terminal{
			Bot: a.Bot, In: p.in, Out: p.out, Player: p.player(), Colour: p.colour(),
			Welcome: fmt.Sprintf("Help with a poker puzzle that you play elsewhere. Type its deal, then the colours of the board\n"+
				"proposed, such as gyeyg, or your own board and its colours: 4C 4H QH AC JC gyeyg.\n"+
				"\"help\" tells more, \"quit\" leaves. The puzzle is kept in %s.\n", strings.TrimPrefix(where, "bolt:")),
			First: "show", Pokle: true,
		}
		return t.Run(ctx)
	})
}

// boardSolver returns a solver that looks for a board for so long.
func boardSolver(limit time.Duration) *boards.Solver {
	return &boards.Solver{Time: max(limit, 1)} // 0 would be a second
}

// judgeBoard is the subcommand pokle solve with arguments.
func (p *program) judgeBoard(ctx context.Context, words []string, limit time.Duration) error {
	q, err := readBoardQuestion(words)
	if err != nil {
		return err
	}
	var z solve.BoardPuzzle
	if z.Setup.Deal, err = q.deal(); err != nil {
		return err
	}
	for i, s := range q.Steps {
		step, err := s.parse(z.Setup.Deal)
		if err == nil {
			z, err = z.Add(step)
		}
		if err != nil {
			return fmt.Errorf("guess %d: %w", i+1, err)
		}
	}
	h := solve.Boards{Solver: boardSolver(limit)}
	help, err := h.Judge(ctx, z)
	if errors.Is(err, boards.ErrNothingFits) {
		return fmt.Errorf("%w: check its cards, and the places of player 1, 2 and 3 on flop, turn and river", err)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.out, terminal.Draw(bot.Reply{Lines: botsolve.BoardLines(help)}, p.colour()))
	return err
}

// readBoardQuestion reads the words of a deal, and of guesses with their colours.
func readBoardQuestion(words []string) (boardQuestion, error) {
	const cards, places = pokle.Players * pokle.HoleCards, pokle.Streets * pokle.Players
	var q boardQuestion
	wrong := errors.New("a deal is six cards and nine places, such as QD QC 10H 2H 9H KH 213 132 213")
	if len(words) < cards {
		return q, wrong
	}
	for i := 0; i < cards; i += pokle.HoleCards {
		q.Hands = append(q.Hands, strings.Join(words[i:i+pokle.HoleCards], " "))
	}
	words = words[cards:]
	digits := ""
	for len(digits) < places && len(words) > 0 {
		digits += strings.Map(func(r rune) rune {
			if r == ',' || r == '/' || unicode.IsSpace(r) {
				return -1
			}
			return r
		}, words[0])
		words = words[1:]
	}
	if len(digits) != places {
		return q, wrong
	}
	for i := 0; i < places; i += pokle.Players {
		q.Places = append(q.Places, digits[i:i+pokle.Players])
	}
	const step = pokle.BoardCards + 1
	if len(words)%step != 0 {
		return q, errors.New("each guess is five cards with its colours behind them, such as 4C 4H QH AC JC gyeyg")
	}
	for ; len(words) > 0; words = words[step:] {
		q.Steps = append(q.Steps, boardStep{Guess: strings.Join(words[:pokle.BoardCards], " "), Colours: words[pokle.BoardCards]})
	}
	return q, nil
}
