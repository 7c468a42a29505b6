package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

func (h *Handlers) boardCommand() bot.Command {
	return bot.Command{
		Name: bot.NameSolveBoards, HiddenArgs: []string{argMarks, argAt}, Run: h.boards, ShowCommand: bot.NameSolveBoards,
		Help: "What to try next in your puzzle of 2, 4 or 8 boards from elsewhere",
		Options: []bot.Option{
			{Name: "feedback", MultiWord: true, Help: "The colours on each open board, such as bbygb gbbbb; squares work too"},
			{Name: "guess", Help: "Your word, if it isn't the one I proposed"},
			{Name: "new", Choices: []string{"no", "2", "4", "8"}, Help: "Begin a new puzzle with so many boards"},
			{Name: "undo", Kind: bot.FlagOption, Help: "Take back the last line"},
		},
	}
}

// boardWays say how to go on with several boards.
var boardWays = ways{
	bot.Slash(bot.NameSolveBoards, "undo", "true"), bot.Slash(bot.NameSolveBoards, "feedback", "bbygb gbbbb", "guess", "crane"),
	bot.Slash(bot.NameSolveBoards, "new", "4"), bot.Slash(bot.NameSolveBoards),
}

// boards begins a puzzle, takes back a line and enters one, as far as each is asked for. Or it shows the marks of a pressed button.
func (h *Handlers) boards(ctx context.Context, r bot.Request) (bot.Reply, error) {
	word, typed := solve.SplitBoards(r.Args["guess"], r.Args["feedback"], h.Lists.CanGuess)
	var guess wordle.Word
	var given []marks.Feedback
	var err error
	if word != "" {
		if guess, err = wordgame.Read(word); err != nil {
			return bot.Reply{}, err
		}
	}
	for _, one := range typed {
		f, err := letterMarks.read(one)
		if err != nil {
			return bot.Reply{}, err
		}
		given = append(given, *f)
	}
	if shown, err := wordle.ParseFeedback(r.Args[argMarks]); err == nil {
		v, err := h.Words.UpdateBoards(ctx, r.Origin(), versionOf(r), nil)
		if len(given) >= len(v.Boards.Open()) {
			given = nil
		}
		return answer(boardReply(v, given, shown), err, func(err error) error { return err })
	}
	size, kept := strconv.Atoi(r.Args["new"])
	undo, enters := r.Args["undo"] == "true", word != "" || typed != nil
	if kept != nil && !undo && !enters {
		return h.updateBoards(ctx, r, nil)
	}
	return h.updateBoards(ctx, r, func(b solve.Boards) (_ solve.Boards, err error) {
		if kept == nil {
			b = slices.Repeat(solve.Boards{{Setup: solve.WordSetup{Boards: size}}}, size)
		}
		if undo {
			b, err = b.Undo()
		}
		if err != nil || !enters {
			return b, err
		}
		return b.Enter(cmp.Or(guess, b.First().Next()), given)
	})
}

func (h *Handlers) updateBoards(ctx context.Context, r bot.Request, rule func(solve.Boards) (solve.Boards, error)) (bot.Reply, error) {
	v, err := h.Words.UpdateBoards(ctx, r.Origin(), versionOf(r), change(func(s *solve.Session) *solve.Boards { return &s.Boards }, rule))
	return answer(boardReply(v, nil, blank), err, func(err error) error {
		switch open := v.Boards.Open(); {
		case v.Boards == nil && errors.Is(err, solve.ErrOver):
			return bot.RefuseWith(err, boardReply(v, nil, blank))
		case errors.Is(err, solve.ErrCount):
			return bot.Refuse(err, onBoards("Enter five marks for each open board. Open now: board", open))
		case errors.Is(err, solve.ErrNoTurn) && r.Args["line"] != "":
			return bot.Refuse(err, bot.Text("That board has no such line. See them all: ", boardWays.show, "."))
		}
		return refuseWords(v.Boards.Used(), err, boardWays)
	})
}

// onBoards ends a sentence with the numbers of boards.
func onBoards(text string, numbers []int) bot.Line {
	if len(numbers) > 1 {
		text += "s"
	}
	return bot.List(bot.Text(text+" "), bot.Each(numbers, strconv.Itoa), "and").With(".")
}

// boardReply shows a player's puzzle of several boards: what to try next and why, the lines, what fits each board, and how to go
// on. Its buttons are for the board after those whose feedback is given, with the marks shown.
func boardReply(v solve.BoardView, given []marks.Feedback, shown marks.Feedback) bot.Reply {
	button := func(label, option, value string) bot.Button {
		return bot.Button{Label: label, Command: bot.NameSolveBoards, Args: map[string]string{option: value, argAt: strconv.FormatUint(v.Version, 10)}}
	}
	sizes := []bot.Button{button("2 boards", "new", "2"), button("4 boards", "new", "4"), button("8 boards", "new", "8")}
	if v.Boards == nil {
		return bot.Ephemeral(bot.Text("I propose a word, you guess it there and tell me the colours you got on each board. Only you see this."),
			bot.Text("How many boards does your puzzle have? ", boardWays.begin.On("Tap the number"))).Row(sizes...)
	}
	open, next, used := v.Boards.Open(), v.Boards.First().Next(), v.Boards.Used()
	reply, last := ended(v.Boards.Status(), used), []bot.Button{button("Undo", "undo", "true")}
	if open != nil {
		reply = bot.Reply{InPlace: true}
		reply.Heading, reply.Subtext, _ = nextWord(v.Left[open[0]-1], boardWays.own)
	} else {
		last = append(sizes, last...)
	}
	drawn := picture.WordBoards{Attempts: v.Boards[0].Setup.Limit()}
	var lines []string
	var known []bot.Line
	var correct []bot.Button
	var fits []int // the boards on which the next word is possible
	for i, b := range v.Left {
		number, turns := strconv.Itoa(i+1), b.Words.Turns
		board, line := picture.WordBoard{}, bot.Text(bot.Bold(number), ": ")
		for _, t := range turns {
			board.Rows = append(board.Rows, picture.WordRow{Word: t.Guess.String(), Marks: t.Feedback})
		}
		switch {
		case b.Words.Status() == game.Won:
			board.Found = len(turns)
			known = append(known, line.With(fmt.Sprintf("%v in %d", turns[board.Found-1].Guess, board.Found)))
		case b.Contradiction != nil:
			what, why, after := contradictionLines(b, boardWays.own)
			known = append(append(known, line.With(what, ". ", why)), after...)
			correct = append(correct, corrections(b, "Board "+number+", line ", button("", "board", number).Args)...)
		default:
			known = append(known, line.With(fitting(b.Left)))
			if slices.ContainsFunc(b.Left, func(p weighted.Possible) bool { return p.Word == next }) {
				fits = append(fits, i+1)
			}
		}
		drawn.Boards = append(drawn.Boards, board)
		lines = append(lines, number+": "+strings.Join(bot.Each(turns, func(t wordle.Turn) string { return t.Guess.String() + " " + letterMarks.write(t.Feedback) }), ", "))
	}
	if p := v.Boards.First(); p.Chosen == 0 && next != 0 {
		reply.Subtext = bot.Text("It narrows down the words best.")
		if fits != nil && used > 0 {
			reply.Subtext = onBoards("It fits board", fits)
		}
	}
	if used > 0 { // else all words fit
		reply = reply.Add(&bot.Picture{Name: "boards.png", Alt: strings.Join(lines, ". "), Draw: drawn.Draw, Instead: bot.Each(lines, func(l string) bot.Line { return bot.Text(l) })}).Say(known...)
	}
	reply = reply.Add(bot.Rows(correct...)...)
	if open == nil || next == 0 {
		return reply.Row(last...)
	}
	args := button("", "guess", strings.ToLower(next.String())).Args
	if written := bot.Each(given, letterMarks.write); written != nil {
		args["feedback"] = strings.Join(written, " ")
		last[0] = button("Back", argMarks, written[len(written)-1])
		last[0].Args["feedback"] = strings.Join(written[:len(written)-1], " ")
	}
	row, enter := letterMarks.entryButtons(strings.Split(next.String(), ""), shown, bot.NameSolveBoards, args)
	if len(given)+1 < len(open) {
		enter[0].Label = "Next board"
		for _, b := range enter {
			b.Args[argMarks] = letterMarks.write(blank)
		}
	}
	return reply.Say(bot.Text(fmt.Sprintf("What colours did it get on board %d? ", open[len(given)]), boardWays.own.On(tapThem))).Row(row...).Row(append(enter, last...)...)
}
