package bot

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
)

// argMarks is the argument of the tile buttons that holds the marks as they are
// after the press: the message is their only memory, and nothing is stored until
// the player is done. A command that is typed has none.
const argMarks = "marks"

// blank is what the tile buttons show at first.
const blank wordle.Feedback = 0

// tileLooks are the looks of tile buttons, by mark.
var tileLooks = [...]Look{wordle.Black: Black, wordle.Yellow: Yellow, wordle.Green: Green}

// puzzleButtons are the buttons under a puzzle.
func puzzleButtons(help solve.WordView, marks wordle.Feedback) [][]Button {
	p := help.Puzzle
	at := strconv.FormatUint(help.Version, 10)
	undo := Button{Label: "Undo", Command: NameUndo, Args: map[string]string{argAt: at}, Disabled: len(p.Turns) == 0}
	begin := Button{Label: "New puzzle", Command: NameNew, Args: map[string]string{argAt: at}}
	if p.Status() != game.Playing {
		begin.Look = Main
		return [][]Button{{begin, {Label: "New in hard mode", Command: NameNew, Args: map[string]string{"hard": "true", argAt: at}}, undo}}
	}
	var rows [][]Button
	if help.Contradiction != nil {
		var row []Button
		for _, near := range help.Contradiction.Nearest {
			line, tiles := strconv.Itoa(help.Contradiction.Turn), letters5(near.Feedback)
			row = append(row, Button{
				Label: "Line " + line + ": " + tiles, Look: Main,
				Command: NameChange, Args: map[string]string{"line": line, "tiles": tiles, argAt: at},
			})
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	var last []Button
	if w := p.Next(); w != 0 {
		word := strings.ToLower(w.String())
		enter := func(label string, look Look, f wordle.Feedback) Button {
			return Button{Label: label, Look: look, Command: NameNext, Args: map[string]string{"guess": word, "tiles": letters5(f), argAt: at}}
		}
		rows = append(rows, tileButtons(w, marks, at))
		last = append(last, enter("Enter", Main, marks))
		if marks != wordle.AllGreen { // two equal buttons are one too many
			last = append(last, enter("All green", Good, wordle.AllGreen))
		}
	}
	last = append(last, undo)
	if len(p.Proposed) > 0 {
		last = append(last, Button{Label: "Other words", Command: NameTop})
	} else {
		last = append(last, begin)
	}
	return append(rows, last)
}

// tileButtons are the five tiles of a word. Each press takes a tile from black to
// yellow, to green, and back to black.
func tileButtons(w wordle.Word, marks wordle.Feedback, at string) []Button {
	after := map[byte]byte{'b': 'y', 'y': 'g', 'g': 'b'}
	var row []Button
	for i := range wordle.Length {
		pressed := []byte(letters5(marks))
		pressed[i] = after[pressed[i]]
		row = append(row, Button{
			Label: string(w.Letter(i)), Look: tileLooks[marks.Mark(i)],
			Command: NameNext,
			Args:    map[string]string{argMarks: string(pressed), argAt: at},
		})
	}
	return row
}

// press shows the puzzle with the marks of a tile that was pressed. It stores
// nothing.
func (b *Handlers) press(ctx context.Context, r Request, typed string) (Reply, error) {
	marks, err := wordle.ParseFeedback(typed)
	version, ok := seen(r)
	if err != nil || !ok {
		return Outdated(), nil
	}
	help, err := b.Words.Show(ctx, r.Origin())
	if err != nil {
		return Reply{}, err
	}
	p := help.Puzzle
	if version != help.Version || p.Next() == 0 {
		return outdatedPuzzle(help), nil
	}
	reply := puzzleReply(help, marks)
	reply.Lines = append(reply.Lines, Text(fmt.Sprintf("Tiles of %v so far: %s. ", p.Next(), letters5(marks)), Bold("Enter"), " when they are right."))
	return reply, nil
}
