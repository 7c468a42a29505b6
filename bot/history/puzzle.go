package history

import (
	"slices"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/league"
)

// argPuzzle is the option that says of which puzzle statistics are, by its kind.
const argPuzzle = "puzzle"

// puzzles returns faces of all puzzles with statistics: of each kind and, under the first one's commands, of the newspaper's puzzle.
func (h *Handlers) puzzles() face.Faces {
	official, claimed := h.Faces[0], h.Faces[0]
	official.Kind, official.Title = league.Official, "Newspaper"
	claimed.Kind, claimed.Title = league.Claimed, "Newspaper, claimed"
	return append(slices.Clip(h.Faces), official, claimed)
}

// puzzleOf returns the face of the puzzle that a request of f's command is about.
func (h *Handlers) puzzleOf(f face.Face, r bot.Request) face.Face {
	if i := slices.IndexFunc(h.puzzles(), func(f face.Face) bool { return string(f.Kind) == r.Args[argPuzzle] }); i >= 0 {
		return h.puzzles()[i]
	}
	return f
}

// argsOf returns arguments for the statistics of a puzzle: the period, unless it is empty, and in pairs what else is given.
func argsOf(f face.Face, when string, more ...string) map[string]string {
	args := map[string]string{}
	if when != "" {
		args["when"] = when
	}
	if league.Is(f.Kind) {
		args[argPuzzle] = string(f.Kind)
	}
	for i := 0; i < len(more); i += 2 {
		args[more[i]] = more[i+1]
	}
	return args
}

// otherPuzzles is a menu for the same of another puzzle.
func (h *Handlers) otherPuzzles(shown face.Face, args map[string]string) *bot.Menu {
	delete(args, argPuzzle)
	menu := &bot.Menu{Label: "Another puzzle", Command: h.Faces[0].Commands.Stats, Args: args, Option: argPuzzle}
	for _, f := range h.puzzles() {
		if f.Kind != shown.Kind {
			menu.Choices = append(menu.Choices, bot.MenuChoice{Label: f.Name(), Value: string(f.Kind)})
		}
	}
	return menu
}

// today returns the number of today's puzzle.
func (h *Handlers) today(f face.Face) int {
	if league.Is(f.Kind) {
		return game.NewspaperNumber(h.Games.Clock())
	}
	return h.Games.Today()
}
