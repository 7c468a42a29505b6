package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fivefold/game"
)

func (b *Handlers) reviewReplay() Command {
	return Command{
		Name: NameReplay,
		Help: "A finished game again, one guess at a time",
		Options: []Option{
			{Name: "number", Help: "Which game, by its number in the list", Required: true},
			{Name: "step", Help: "After how many guesses; without it, the empty board"},
		},
		Audience: Asker,
		Run: func(ctx context.Context, r Request) (Reply, error) {
			number, err := parseNumber(r.Args["number"])
			if err != nil {
				return Reply{}, err
			}
			f, err := b.Games.Finished(ctx, r.Place, number)
			if err != nil {
				return Reply{}, err
			}
			if err := b.mayLook(ctx, r, f.Match); err != nil {
				return Reply{}, err
			}
			step, err := parseStep(r.Args["step"], f.Match.Used())
			if err != nil {
				return Reply{}, err
			}
			reply := Reply{Lines: b.Step(ctx, f, step), Buttons: stepButtons(f, step), InPlace: r.Pressed}
			if step < f.Match.Used() {
				next := fmt.Sprintf("%s %d step:%d", NameReplay, number, step+1)
				reply.Lines = append(reply.Lines, Text("Next: ", Slash(next), "."))
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
		return 0, Refuse(errStep, Text(Quote(typed)+" is not a step of that game: they go from 0, the empty board, to ", fmt.Sprint(guesses), "."))
	}
	return step, nil
}

// Step shows a finished game as it was after the first guesses, at most as many
// as it has. The hidden word is told after the last one only.
func (b *Handlers) Step(ctx context.Context, f game.Finished, step int) []Line {
	used := f.Match.Used()
	lines := []Line{Text(title(f), fmt.Sprintf(", step %d of %d", step, used))}
	if f.Match.Kind() == game.Pokle {
		return append(lines, b.pokleStep(ctx, f.Match, step)...)
	}
	turns := f.Match.Wordle.Turns()[:step]
	for _, t := range turns {
		lines = append(lines, tiles(t))
	}
	left := Plural(len(b.Games.Solver.Remaining(turns)), "word")
	if step == 0 {
		lines = append(lines, Text("The board is empty; "+left+" left."))
	} else {
		lines = append(lines, Text(f.Match.Moves[step-1].Player, " guessed ", Bold(turns[step-1].Guess.String()), "; "+left+" left."))
	}
	if step == used {
		return append(lines, outcome(f.Match))
	}
	return append(lines, letters(turns)...)
}

// stepButtons lead to the neighbouring steps. At an end one does nothing; both
// stay, so that they do not move.
func stepButtons(f game.Finished, step int) [][]Button {
	used := f.Match.Used()
	if used == 0 {
		return nil
	}
	to := func(label string, look Look, step, limit int) Button {
		return Button{
			Label: label, Look: look, Command: NameReplay, Disabled: step == limit,
			Args: map[string]string{"number": fmt.Sprint(f.Number), "step": fmt.Sprint(max(0, min(step, used)))},
		}
	}
	return [][]Button{{to("Back", Quiet, step-1, -1), to("Next", Main, step+1, used+1)}}
}
