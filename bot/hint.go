package bot

import (
	"context"
	"fmt"

	"fivefold/game"
	"fivefold/solver"
)

var hint = Command{
	Name: nameHint,
	Help: "A hint for this channel's game; the board shows at the end who took which",
	Options: []Option{{
		Name:    "kind",
		Help:    "suggestion: the best word to try; letter: one of the word; position: one letter in its place",
		Choices: []string{string(game.HintSuggestion), string(game.HintLetter), string(game.HintPosition)},
	}},
	Run: func(ctx context.Context, b *Bot, r Request) (Reply, error) {
		kind := game.HintKind(r.Args["kind"])
		if kind == "" {
			kind = game.HintSuggestion
		}
		m, err := b.Games.Hint(ctx, r.origin(), kind)
		if err != nil {
			return Reply{}, err
		}
		return Reply{Lines: hintLines(m.Hints[len(m.Hints)-1])}, nil
	},
}

func hintLines(h game.Hint) []Line {
	switch h.Kind {
	case game.HintLetter:
		times := "has this letter"
		if h.Times > 1 {
			times = fmt.Sprintf("has this letter %d times", h.Times)
		}
		return []Line{say("The word "+times+": ", spoiler(string(h.Letter)))}
	case game.HintPosition:
		return []Line{say(fmt.Sprintf("At position %d stands: ", h.Position), spoiler(string(h.Letter)))}
	}
	return []Line{
		say("Try ", spoiler(h.Suggestion.Word.String()), "."),
		say(reason(*h.Suggestion)),
	}
}

// reason tells why a word is suggested.
func reason(s solver.Suggestion) string {
	if s.Remaining == 1 {
		return "Going by the guesses alone, it is the only word that is possible."
	}
	can := "It cannot be the answer, but no word tells more."
	if s.Possible {
		can = "It can be the answer itself."
	}
	return fmt.Sprintf("Going by the guesses alone, %d words are possible. After it %.1f would remain on average, at worst %d. %s",
		s.Remaining, s.Expected, s.Worst, can)
}
