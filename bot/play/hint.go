package play

import (
	"context"
	"fmt"

	"fivefold/bot"

	"fivefold/game"
	"fivefold/solver"
)

func (b *Handlers) hint() bot.Command {
	return bot.Command{
		Name: bot.NameHint,
		Help: "A hint for this channel's game; the board shows at the end who took which",
		Options: []bot.Option{{
			Name:    "kind",
			Help:    "suggestion: the best word to try; letter: one of the word; position: one letter in its place",
			Choices: []string{string(game.HintSuggestion), string(game.HintLetter), string(game.HintPosition)},
		}},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			kind := game.HintKind(r.Args["kind"])
			if kind == "" {
				kind = game.HintSuggestion
			}
			m, err := b.Games.Hint(ctx, r.Origin(), kind)
			if err != nil {
				return bot.Reply{}, err
			}
			return bot.Reply{Lines: hintLines(m.Hints[len(m.Hints)-1])}, nil
		},
	}
}

func hintLines(h game.Hint) []bot.Line {
	switch h.Kind {
	case game.HintLetter:
		times := "has this letter"
		if h.Times > 1 {
			times = fmt.Sprintf("has this letter %d times", h.Times)
		}
		return []bot.Line{bot.Text("The word "+times+": ", bot.Spoiler(string(h.Letter)))}
	case game.HintPosition:
		return []bot.Line{bot.Text(fmt.Sprintf("At position %d stands: ", h.Position), bot.Spoiler(string(h.Letter)))}
	}
	return []bot.Line{
		bot.Text("Try ", bot.Spoiler(h.Suggestion.Word.String()), "."),
		bot.Text(reason(*h.Suggestion)),
	}
}

// reason tells why a word is suggested, without the word.
func reason(s solver.Suggestion) string {
	if s.Remaining == 1 {
		return "Going by the guesses alone, it is the only word that is possible."
	}
	split := fmt.Sprintf("It splits them into %d groups, at worst %d stay.", s.Groups, s.Worst)
	if s.Groups == s.Remaining {
		split = "It tells them all apart."
	}
	can := "It cannot be the answer."
	if s.Possible {
		can = "It can be the answer itself."
	}
	average := float64(s.Total) / float64(s.Remaining)
	best := "It looks best; that is not proven."
	switch {
	case s.Proven && s.Total == 0:
		best = "No play is sure to find the word in the attempts left; that is proven."
	case s.Proven:
		best = fmt.Sprintf("It is proven best: from here it takes %.2f guesses on average.", average)
	case s.Total > 0:
		best = fmt.Sprintf("With it, %.2f guesses are enough on average; that none is better is not proven.", average)
	}
	return fmt.Sprintf("Going by the guesses alone, %d words are possible. %s %s %s", s.Remaining, split, can, best)
}
