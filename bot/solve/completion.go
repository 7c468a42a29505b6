package solve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game/wordle"
)

// completeGuess proposes guesses for a player's puzzle: the best ones first, then what
// fits, then what is in the list.
func (h *Handlers) completeGuess(ctx context.Context, r bot.Request, typed string) []bot.Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	switch guess, marks := h.readNext(typed, ""); {
	case guess == "" && marks != "":
		return h.completeFeedback(ctx, r, marks)
	case marks != "":
		return completeBoth(guess, marks)
	}
	if _, err := wordle.ParseWord(typed); typed != "" && (errors.Is(err, wordle.ErrLetter) || len(typed) > wordle.Length) {
		return wordgame.CompleteWord(h.Lists, typed)
	}
	v, err := h.Words.Peek(ctx, r.Player)
	if err == nil && h.Words.Guard != nil {
		err = h.Words.Guard(ctx, r.Player, v.Puzzle)
	}
	if err != nil {
		if ctx.Err() == nil && !errors.As(err, new(*fedError)) { // or else the player has typed on
			h.Log.Warn("could not propose words for a puzzle", "request", r, "error", err)
		}
		return wordgame.CompleteWord(h.Lists, typed)
	}
	var choices []bot.Choice
	seen := map[wordle.Word]bool{}
	propose := func(w wordle.Word, comment string) {
		value := strings.ToLower(w.String())
		if len(choices) < bot.MaxChoices && !seen[w] && strings.HasPrefix(value, typed) {
			seen[w] = true
			choices = append(choices, bot.Choice{Name: w.String() + " — " + comment, Value: value})
		}
	}
	for _, a := range v.Puzzle.Proposed {
		comment := "a best word, cannot be the answer"
		if a.Chance > 0 {
			comment = "a best word, the answer with a chance of " + chance(a.Chance)
		}
		propose(a.Word, comment)
	}
	for _, p := range shown(v.Possible) {
		propose(p.Word, "fits, chance "+chance(p.Chance))
	}
	if typed != "" {
		for _, w := range h.Lists.WithPrefix(typed) {
			if !slices.ContainsFunc(v.Puzzle.Turns, func(t wordle.Turn) bool { return t.Guess == w }) {
				propose(w, "in the list, does not fit")
			}
		}
		for i, t := range v.Puzzle.Turns {
			propose(t.Guess, fmt.Sprintf("line %d already", i+1))
		}
	}
	if len(choices) == 0 {
		return wordgame.CompleteWord(h.Lists, typed)
	}
	return choices
}

// completeBoth shows how a guess and feedback that a player types in one field are read. There is
// nothing to propose until all marks are there.
func completeBoth(guess, typed string) []bot.Choice {
	w, wrong := wordle.ParseWord(guess)
	f, err := wordle.ParseFeedback(typed)
	if wrong != nil || err != nil {
		return nil
	}
	return []bot.Choice{{Name: w.String() + " and its feedback, " + letterMarks.write(f), Value: strings.ToLower(w.String()) + " " + letterMarks.write(f)}}
}

// completeFeedback shows which word the feedback that a player types in place of a guess is for.
func (h *Handlers) completeFeedback(ctx context.Context, r bot.Request, typed string) []bot.Choice {
	f, err := wordle.ParseFeedback(typed)
	if err != nil {
		return nil
	}
	name := letterMarks.write(f) + " — feedback"
	if v, err := h.Words.Peek(ctx, r.Player); err == nil && v.Puzzle.Next() != 0 {
		name += " for " + v.Puzzle.Next().String()
	}
	return []bot.Choice{{Name: name, Value: letterMarks.write(f)}}
}
