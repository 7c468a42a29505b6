package play

import (
	"context"
	"fivefold/bot"
	"maps"
	"slices"
	"strconv"

	"fivefold/game"
	"fivefold/game/pokle"
)

// boardButtons are the buttons under a puzzle of the poker game: the cards of the
// board whose colours are entered, each with its mark, and what else can be done.
func boardButtons(help game.BoardHelp, board pokle.Board, marks pokle.Feedback) [][]bot.Button {
	p := help.Puzzle
	at := strconv.FormatUint(help.Version, 10)
	undo := bot.Button{Label: "Undo", Command: bot.NamePokleSolve, Args: map[string]string{"undo": "true", argAt: at}}
	begin := typedDeal{}.button("New deal", bot.Quiet)
	if p.Status() != game.Playing {
		begin.Look = bot.Main
		return [][]bot.Button{{begin, undo}}
	}
	last := []bot.Button{undo, begin}
	if len(p.Steps) == 0 {
		last = []bot.Button{begin, dealOf(p.Deal).button("Correct the deal", bot.Quiet)}
	}
	if board == (pokle.Board{}) {
		return [][]bot.Button{last}
	}
	enter := func(label string, look bot.Look, f pokle.Feedback) bot.Button {
		return bot.Button{Label: label, Look: look, Command: bot.NamePokleSolve, Args: map[string]string{"guess": board.Plain(), "colours": pokle.Colours(f), argAt: at}}
	}
	row := []bot.Button{enter("Enter", bot.Main, marks)}
	if marks != pokle.AllGreen { // two equal buttons are one too many
		row = append(row, enter("All green", bot.Good, pokle.AllGreen))
	}
	return [][]bot.Button{cardButtons(board, marks, at), append(row, last...)}
}

// cardButtons are the five cards of a board. Each press takes one from grey to
// yellow, to green, and back to grey.
func cardButtons(board pokle.Board, marks pokle.Feedback, at string) []bot.Button {
	after := map[byte]byte{'e': 'y', 'y': 'g', 'g': 'e'}
	var row []bot.Button
	for i, card := range board {
		pressed := []byte(pokle.Colours(marks))
		pressed[i] = after[pressed[i]]
		row = append(row, bot.Button{
			Label: card.String(), Look: tileLooks[marks.Mark(i)],
			Command: bot.NamePokleSolve,
			Args:    map[string]string{argMarks: string(pressed), "guess": board.Plain(), argAt: at},
		})
	}
	return row
}

// withoutThose returns the row without buttons that ask for the same as one of those
// above it.
func withoutThose(row []bot.Button, rows [][]bot.Button) []bot.Button {
	return slices.DeleteFunc(row, func(b bot.Button) bool {
		return slices.ContainsFunc(slices.Concat(rows...), func(o bot.Button) bool { return o.Command == b.Command && maps.Equal(o.Args, b.Args) })
	})
}

// pressCard shows the puzzle with the marks of a card that was pressed. It stores
// nothing.
func (b *Handlers) pressCard(ctx context.Context, r bot.Request, typed string) (bot.Reply, error) {
	marks, err := pokle.ParseFeedback(typed)
	board, wrong := pokle.ParseBoard(r.Args["guess"])
	version, ok := seen(r)
	if err != nil || wrong != nil || !ok {
		return bot.Outdated(), nil
	}
	help, err := b.Helper.ShowBoard(ctx, r.Origin())
	if err != nil {
		return bot.Reply{}, err
	}
	if p := help.Puzzle; version != help.Version || !p.HasDeal() || p.Status() != game.Playing {
		return outdatedBoard(help), nil
	}
	reply := boardReply(help, board, marks)
	reply.Lines = append(reply.Lines, bot.Text("Colours of "+board.String()+" so far: "+pokle.Colours(marks)+". ", bot.Bold("Enter"), " when they are right."))
	return reply, nil
}
