package history

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

func (h *Handlers) replay() bot.Command {
	return bot.Command{
		Name: bot.NameReplay,
		Help: "Replay a finished game, one guess at a time",
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
			f, err := h.Games.Finished(ctx, r.Viewer(), number)
			if err != nil {
				return bot.Reply{}, err
			}
			step, err := parseStep(r.Args["step"], f.Match.Used())
			if err != nil {
				return bot.Reply{}, err
			}
			reply := bot.Reply{Lines: h.Step(ctx, r.ID, f, step), Buttons: stepButtons(f, step), InPlace: r.FromComponent}
			if step < f.Match.Used() {
				next := bot.Slash(bot.NameReplay, "number", fmt.Sprint(number), "step", fmt.Sprint(step+1))
				reply.Lines = append(reply.Lines, bot.Text("Next: ", next, ".").AsTyped())
			}
			return reply, nil
		},
	}
}

func parseStep(typed string, guesses int) (int, error) {
	if typed == "" {
		return 0, nil
	}
	step, err := strconv.Atoi(strings.TrimSpace(typed))
	if err != nil || step < 0 || step > guesses {
		return 0, bot.Decline(bot.Text(bot.Quote(typed)+" is not a step of that game: steps go from 0, the empty board, to ", fmt.Sprint(guesses), "."))
	}
	return step, nil
}

// Step shows a finished game as it was after a number of guesses, at most all of them.
// Only the last step shows the answer. The id is that of the request, for the log.
func (h *Handlers) Step(ctx context.Context, id game.RequestID, f game.Finished, step int) []bot.Line {
	own := h.Faces.Of(f.Match.Kind)
	v, err := face.NewView(ctx, h.Games, f.Match, []int{step})
	if err != nil {
		h.Log.Warn("could not list the answers left in a finished match", "id", id, "match", f.Match, "error", err)
	}
	lines := []bot.Line{h.title(f).With(fmt.Sprintf(", step %d of %d", step, f.Match.Used()))}
	return append(lines, own.Step(v, step)...)
}

// stepButtons returns the buttons for the steps before and after. At an end, one of them
// is disabled but stays, so that the other one does not move.
func stepButtons(f game.Finished, step int) [][]bot.Button {
	used := f.Match.Used()
	if used == 0 {
		return nil
	}
	to := func(label string, look bot.ButtonStyle, step, limit int) bot.Button {
		return bot.Button{
			Label: label, Style: look, Command: bot.NameReplay, Disabled: step == limit,
			Args: map[string]string{"number": fmt.Sprint(f.Number), "step": fmt.Sprint(max(0, min(step, used)))},
		}
	}
	return [][]bot.Button{{to("Back", bot.ButtonSecondary, step-1, -1), to("Next", bot.ButtonPrimary, step+1, used+1)}}
}
