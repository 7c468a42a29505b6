package play

import (
	"context"
	"fivefold/bot"
	"fmt"
	"strconv"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
)

// argMarks is the argument of the tile buttons that holds the marks as they are
// after the press: the message is their only memory, and nothing is stored until
// the player is done. A command that is typed has none.
const argMarks = "marks"

// blank is what the tile buttons show at first.
const blank wordle.Feedback = 0

// tileLooks are the looks of tile buttons, by mark.
var tileLooks = [...]bot.Look{wordle.Black: bot.Black, wordle.Yellow: bot.Yellow, wordle.Green: bot.Green}

// puzzleButtons are the buttons under a puzzle.
func puzzleButtons(help game.Help, marks wordle.Feedback) [][]bot.Button {
	p := help.Puzzle
	at := strconv.FormatUint(help.Version, 10)
	undo := bot.Button{Label: "Undo", Command: bot.NameUndo, Args: map[string]string{argAt: at}, Disabled: len(p.Turns) == 0}
	begin := bot.Button{Label: "New puzzle", Command: bot.NameNew, Args: map[string]string{argAt: at}}
	if p.Status() != game.Playing {
		begin.Look = bot.Main
		return [][]bot.Button{{begin, {Label: "New in hard mode", Command: bot.NameNew, Args: map[string]string{"hard": "true", argAt: at}}, undo}}
	}
	var rows [][]bot.Button
	if help.Trouble != nil {
		var row []bot.Button
		for _, near := range help.Trouble.Nearest {
			line, tiles := strconv.Itoa(help.Trouble.Line), letters5(near.Feedback)
			row = append(row, bot.Button{
				Label: "Line " + line + ": " + tiles, Look: bot.Main,
				Command: bot.NameChange, Args: map[string]string{"line": line, "tiles": tiles, argAt: at},
			})
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	var last []bot.Button
	if w := p.Next(); w != 0 {
		word := strings.ToLower(w.String())
		enter := func(label string, look bot.Look, f wordle.Feedback) bot.Button {
			return bot.Button{Label: label, Look: look, Command: bot.NameNext, Args: map[string]string{"guess": word, "tiles": letters5(f), argAt: at}}
		}
		rows = append(rows, tileButtons(w, marks, at))
		last = append(last, enter("Enter", bot.Main, marks))
		if marks != wordle.AllGreen { // two equal buttons are one too many
			last = append(last, enter("All green", bot.Good, wordle.AllGreen))
		}
	}
	last = append(last, undo)
	if len(p.Advice) > 0 {
		last = append(last, bot.Button{Label: "Other words", Command: bot.NameTop})
	} else {
		last = append(last, begin)
	}
	return append(rows, last)
}

// tileButtons are the five tiles of a word. Each press takes a tile from black to
// yellow, to green, and back to black.
func tileButtons(w wordle.Word, marks wordle.Feedback, at string) []bot.Button {
	after := map[byte]byte{'b': 'y', 'y': 'g', 'g': 'b'}
	var row []bot.Button
	for i := range wordle.Length {
		pressed := []byte(letters5(marks))
		pressed[i] = after[pressed[i]]
		row = append(row, bot.Button{
			Label: string(w.Letter(i)), Look: tileLooks[marks.Mark(i)],
			Command: bot.NameNext,
			Args:    map[string]string{argMarks: string(pressed), argAt: at},
		})
	}
	return row
}

// press shows the puzzle with the marks of a tile that was pressed. It stores
// nothing.
func (b *Handlers) press(ctx context.Context, r bot.Request, typed string) (bot.Reply, error) {
	marks, err := wordle.ParseFeedback(typed)
	version, ok := seen(r)
	if err != nil || !ok {
		return bot.Outdated(), nil
	}
	help, err := b.Helper.Show(ctx, r.Origin())
	if err != nil {
		return bot.Reply{}, err
	}
	p := help.Puzzle
	if version != help.Version || p.Next() == 0 {
		return outdatedPuzzle(help), nil
	}
	reply := puzzleReply(help, marks)
	reply.Lines = append(reply.Lines, bot.Text(fmt.Sprintf("Tiles of %v so far: %s. ", p.Next(), letters5(marks)), bot.Bold("Enter"), " when they are right."))
	return reply, nil
}
