package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
)

func (b *Handlers) guess() Command {
	return Command{
		Name: NameGuess,
		Help: "Guess the hidden word of this channel's game",
		Options: []Option{
			{Name: "word", Help: "Five letters", Required: true, Complete: b.completeWord},
		},
		Run: func(ctx context.Context, r Request) (Reply, error) {
			typed := r.Args["word"]
			w, err := wordle.ParseWord(typed)
			if err != nil {
				return Reply{}, Refuse(err, Text(notAWord(typed, err), " ", NoAttempt))
			}
			m, err := b.Games.Guess(ctx, r.Origin(), w)
			if errors.Is(err, game.ErrUnknownWord) {
				return Reply{}, Refuse(err, Text(Bold(w.String()), " is not in my word list. Try another word. ", NoAttempt))
			}
			if err != nil {
				return Reply{}, err
			}
			return Reply{Lines: b.board(m)}, nil
		},
	}
}

// notAWord tells why a text is no word of the game.
func notAWord(typed string, err error) string {
	if errors.Is(err, wordle.ErrLetter) {
		return Quote(typed) + " has a character outside A–Z. A guess is five letters from A to Z."
	}
	return fmt.Sprintf("%s has %s. A guess has exactly five.", Quote(typed), Plural(len(strings.TrimSpace(typed)), "letter"))
}

// completeWord tells of what was typed whether it is in the list, or which words
// begin so.
func (b *Handlers) completeWord(_ context.Context, _ Request, typed string) []Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	if typed == "" {
		return nil
	}
	comment := func(text string) []Choice {
		value := []rune(typed)
		value = value[:min(len(value), 50)] // Discord takes no more than 100 characters with the comment
		return []Choice{{Name: strings.ToUpper(string(value)) + " — " + text, Value: string(value)}}
	}
	_, err := wordle.ParseWord(typed)
	if errors.Is(err, wordle.ErrLetter) {
		return comment("only letters A–Z")
	}
	if len(typed) > wordle.Length {
		return comment(fmt.Sprintf("%d letters, a guess has five", len(typed)))
	}
	var choices []Choice
	for _, w := range b.Games.Lists.WithPrefix(typed) {
		if len(choices) == MaxChoices {
			break
		}
		choices = append(choices, Choice{Name: w.String() + " — in the list", Value: strings.ToLower(w.String())})
	}
	switch {
	case len(choices) > 0:
		return choices
	case err != nil:
		return comment("no word in the list begins so")
	}
	return comment("not in the list")
}
