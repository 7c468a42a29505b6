package bot

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/solve"
)

// boardButtons are the buttons under a puzzle of the poker game: the cards of the
// board whose colours are entered, each with its mark, and what else can be done.
func boardButtons(help solve.BoardView, board pokle.Board, marks pokle.Feedback) [][]Button {
	p := help.Puzzle
	at := strconv.FormatUint(help.Version, 10)
	undo := Button{Label: "Undo", Command: NamePokleSolve, Args: map[string]string{"undo": "true", argAt: at}}
	begin := typedDeal{}.button("New deal", Quiet)
	if p.Status() != game.Playing {
		begin.Look = Main
		return [][]Button{{begin, undo}}
	}
	last := []Button{undo, begin}
	if len(p.Turns) == 0 {
		last = []Button{begin, dealOf(p.Setup.Deal).button("Correct the deal", Quiet)}
	}
	if board == (pokle.Board{}) {
		return [][]Button{last}
	}
	enter := func(label string, look Look, f pokle.Feedback) Button {
		return Button{Label: label, Look: look, Command: NamePokleSolve, Args: map[string]string{"guess": board.Plain(), "colours": pokle.Colours(f), argAt: at}}
	}
	row := []Button{enter("Enter", Main, marks)}
	if marks != pokle.AllGreen { // two equal buttons are one too many
		row = append(row, enter("All green", Good, pokle.AllGreen))
	}
	return [][]Button{cardButtons(board, marks, at), append(row, last...)}
}

// cardButtons are the five cards of a board. Each press takes one from grey to
// yellow, to green, and back to grey.
func cardButtons(board pokle.Board, marks pokle.Feedback, at string) []Button {
	after := map[byte]byte{'e': 'y', 'y': 'g', 'g': 'e'}
	var row []Button
	for i, card := range board {
		pressed := []byte(pokle.Colours(marks))
		pressed[i] = after[pressed[i]]
		row = append(row, Button{
			Label: card.String(), Look: tileLooks[marks.Mark(i)],
			Command: NamePokleSolve,
			Args:    map[string]string{argMarks: string(pressed), "guess": board.Plain(), argAt: at},
		})
	}
	return row
}

// withoutThose returns the row without buttons that ask for the same as one of those
// above it.
func withoutThose(row []Button, rows [][]Button) []Button {
	return slices.DeleteFunc(row, func(b Button) bool {
		return slices.ContainsFunc(slices.Concat(rows...), func(o Button) bool { return o.Command == b.Command && maps.Equal(o.Args, b.Args) })
	})
}

// pressCard shows the puzzle with the marks of a card that was pressed. It stores
// nothing.
func (b *Handlers) pressCard(ctx context.Context, r Request, typed string) (Reply, error) {
	marks, err := pokle.ParseFeedback(typed)
	board, wrong := pokle.ParseBoard(r.Args["guess"])
	version, ok := seen(r)
	if err != nil || wrong != nil || !ok {
		return Outdated(), nil
	}
	help, err := b.Boards.Show(ctx, r.Origin())
	if err != nil {
		return Reply{}, err
	}
	if p := help.Puzzle; version != help.Version || !p.Setup.HasDeal() || p.Status() != game.Playing {
		return outdatedBoard(help), nil
	}
	reply := boardReply(help, board, marks)
	reply.Lines = append(reply.Lines, Text("Colours of "+board.String()+" so far: "+pokle.Colours(marks)+". ", Bold("Enter"), " when they are right."))
	return reply, nil
}
