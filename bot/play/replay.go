package play

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"

	"fivefold/game"
)

func (b *Handlers) reviewReplay() bot.Command {
	return bot.Command{
		Name: bot.NameReplay,
		Help: "A finished game again, one guess at a time",
		Options: []bot.Option{
			{Name: "number", Help: "Which game, by its number in the list", Required: true},
			{Name: "step", Help: "After how many guesses; without it, the empty board"},
		},
		Audience: bot.Asker,
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			number, err := parseNumber(r.Args["number"])
			if err != nil {
				return bot.Reply{}, err
			}
			f, err := b.Games.Finished(ctx, r.Place, number)
			if err != nil {
				return bot.Reply{}, err
			}
			if err := b.mayLook(ctx, r, f.Match); err != nil {
				return bot.Reply{}, err
			}
			step, err := parseStep(r.Args["step"], f.Match.Used())
			if err != nil {
				return bot.Reply{}, err
			}
			reply := bot.Reply{Lines: b.Step(ctx, f, step), Buttons: stepButtons(f, step), InPlace: r.Pressed}
			if step < f.Match.Used() {
				next := fmt.Sprintf("%s %d step:%d", bot.NameReplay, number, step+1)
				reply.Lines = append(reply.Lines, bot.Text("Next: ", bot.Slash(next), "."))
			}
			return reply, nil
		},
	}
}

var errStep = errors.New("no such step")

// parseStep reads a step of a game with that many guesses.
func parseStep(typed string, guesses int) (int, error) {
	if typed == "" {
		return 0, nil
	}
	step, err := strconv.Atoi(strings.TrimSpace(typed))
	if err != nil || step < 0 || step > guesses {
		return 0, bot.Refuse(errStep, bot.Text(bot.Quote(typed)+" is not a step of that game: they go from 0, the empty board, to ", fmt.Sprint(guesses), "."))
	}
	return step, nil
}

// Step shows a finished game as it was after the first guesses, at most as many
// as it has. The hidden word is told after the last one only.
func (b *Handlers) Step(ctx context.Context, f game.Finished, step int) []bot.Line {
	used := f.Match.Used()
	lines := []bot.Line{bot.Text(title(f), fmt.Sprintf(", step %d of %d", step, used))}
	if f.Match.Kind() == game.Pokle {
		return append(lines, b.pokleStep(ctx, f.Match, step)...)
	}
	turns := f.Match.Wordle.Turns()[:step]
	for _, t := range turns {
		lines = append(lines, face.LetterTiles(t))
	}
	left := bot.Plural(len(b.Games.Solver.Remaining(turns)), "word")
	if step == 0 {
		lines = append(lines, bot.Text("The board is empty; "+left+" left."))
	} else {
		lines = append(lines, bot.Text(f.Match.Moves[step-1].Player, " guessed ", bot.Bold(turns[step-1].Guess.String()), "; "+left+" left."))
	}
	if step == used {
		return append(lines, outcome(f.Match))
	}
	return append(lines, letters(turns)...)
}

// stepButtons lead to the neighbouring steps. At an end one does nothing; both
// stay, so that they do not move.
func stepButtons(f game.Finished, step int) [][]bot.Button {
	used := f.Match.Used()
	if used == 0 {
		return nil
	}
	to := func(label string, look bot.Look, step, limit int) bot.Button {
		return bot.Button{
			Label: label, Look: look, Command: bot.NameReplay, Disabled: step == limit,
			Args: map[string]string{"number": fmt.Sprint(f.Number), "step": fmt.Sprint(max(0, min(step, used)))},
		}
	}
	return [][]bot.Button{{to("Back", bot.Quiet, step-1, -1), to("Next", bot.Main, step+1, used+1)}}
}
