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
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
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
	guess, err := wordgame.Read(word)
	if err != nil && word != "" {
		return bot.Reply{}, err
	}
	var given []marks.Feedback
	for _, one := range typed {
		f, err := letterMarks.read(one)
		if err != nil {
			return bot.Reply{}, err
		}
		given = append(given, *f)
	}
	size, kept := strconv.Atoi(r.Args["new"])
	undo, enters := r.Args["undo"] == "true", word != "" || given != nil
	if r.Args[argMarks] != "" || kept != nil && !undo && !enters {
		return h.updateBoards(ctx, r, given, nil)
	}
	return h.updateBoards(ctx, r, nil, func(b solve.Boards) (_ solve.Boards, err error) {
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

// updateBoards changes a player's puzzle. The reply continues with the board after those whose feedback is given.
func (h *Handlers) updateBoards(
	ctx context.Context, r bot.Request, given []marks.Feedback, rule func(solve.Boards) (solve.Boards, error),
) (bot.Reply, error) {
	v, err := h.Words.UpdateBoards(ctx, r.Origin(), versionOf(r), change(func(s *solve.Session) *solve.Boards { return &s.Boards }, rule))
	shown, _ := wordle.ParseFeedback(r.Args[argMarks]) // an error means blank
	open := v.Boards.Open()
	if err != nil || len(given) >= len(open) {
		given, shown = nil, blank
	}
	return answer(boardReply(v, given, shown), err, func(err error) error {
		switch {
		case v.Boards == nil && errors.Is(err, solve.ErrOver):
			return bot.RefuseWith(err, boardReply(v, nil, blank))
		case errors.Is(err, solve.ErrCount):
			return bot.Refuse(err, bot.List(bot.Text("Enter five marks for each open board: "), bot.Each(open, strconv.Itoa), "and").With("."))
		}
		return refuseWords(v.Boards.Used(), err, boardWays)
	})
}

// boardReply shows a player's puzzle of several boards: what to try next and why, the lines, what fits each board, and how to go
// on. Its buttons are for the board after those whose feedback is given, with the marks shown.
func boardReply(v solve.View[solve.WordView], given []marks.Feedback, shown marks.Feedback) bot.Reply {
	button := func(label, option, value string) bot.Button {
		return bot.Button{Label: label, Command: bot.NameSolveBoards, Args: map[string]string{option: value, argAt: strconv.FormatUint(v.Version, 10)}}
	}
	sizes := []bot.Button{button("2 boards", "new", "2"), button("4 boards", "new", "4"), button("8 boards", "new", "8")}
	if v.Boards == nil {
		return bot.Ephemeral(bot.Text("I propose a word, you guess it there and tell me the colours you got on each board. Only you see this."),
			bot.Text("How many boards does your puzzle have? ", boardWays.begin.On("Tap the number"))).Row(sizes...)
	}
	var known []bot.Line
	var correct []bot.Button
	status := game.Won // unless a board is lost
	for i, b := range v.Left {
		number := strconv.Itoa(i + 1)
		line := bot.Text(bot.Bold(number))
		for _, t := range b.Words.Turns {
			line = line.With(fmt.Sprintf(" %v %s", t.Guess, letterMarks.write(t.Feedback)))
		}
		switch {
		case b.Words.Turns == nil: // any word fits
		case b.Words.Status() == game.Won:
			known = append(known, line.With(": found."))
		case b.Contradiction != nil:
			what, why, after, buttons := contradictionLines(b, boardWays.own, "Board "+number+", line ", button("", "board", number).Args)
			known, correct = append(append(known, line.With(": ", what, ". ", why)), after...), append(correct, buttons...)
		default:
			status = b.Words.Status()
			known = append(known, line.With(fmt.Sprintf(": %d left%s.", len(b.Left), listed(b.Left))))
		}
	}
	open, next, used := v.Boards.Open(), v.Boards.First().Next(), v.Boards.Used()
	reply, last := ended(status, used), append(sizes, button("Undo", "undo", "true"))
	if open != nil {
		reply, last = bot.Reply{InPlace: true}, last[len(sizes):]
		reply.Heading, reply.Subtext, _ = nextWord(v.Left[open[0]-1], boardWays.own)
	}
	reply = reply.Say(known...).Add(bot.Rows(correct...)...)
	if next == 0 {
		return reply.Row(last...)
	}
	if given != nil {
		last = []bot.Button{{Label: "Back", Command: bot.NameSolveBoards}}
	}
	args := button("", "guess", strings.ToLower(next.String())).Args
	args["feedback"] = strings.Join(bot.Each(given, letterMarks.write), " ")
	row, enter := letterMarks.entryButtons(strings.Split(next.String(), ""), shown, bot.NameSolveBoards, args)
	if len(given)+1 < len(open) {
		enter[0].Label = "Next board"
		for _, b := range enter {
			b.Args[argMarks] = letterMarks.write(blank)
		}
	}
	asked := bot.Text(fmt.Sprintf("What colours did it get on board %d? ", open[len(given)]), boardWays.own.On(tapThem))
	return reply.Say(asked).Row(row...).Row(append(enter, last...)...)
}
