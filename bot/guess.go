package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
)

var guess = Command{
	Name: nameGuess,
	Help: "Guess the hidden word of this channel's game",
	Options: []Option{
		{Name: "word", Help: "Five letters", Required: true, Complete: completeWord},
	},
	Run: func(ctx context.Context, b *Bot, r Request) (Reply, error) {
		typed := r.Args["word"]
		w, err := wordle.ParseWord(typed)
		if err != nil {
			return Reply{}, refuse(err, say(notAWord(typed, err), " ", noAttempt))
		}
		m, err := b.Games.Guess(ctx, r.origin(), w)
		if errors.Is(err, game.ErrUnknownWord) {
			return Reply{}, refuse(err, say(bold(w.String()), " is not in my word list. Try another word. ", noAttempt))
		}
		if err != nil {
			return Reply{}, err
		}
		return Reply{Lines: b.board(m)}, nil
	},
}

// notAWord tells why a text is no word of the game.
func notAWord(typed string, err error) string {
	if errors.Is(err, wordle.ErrLetter) {
		return Quote(typed) + " has a character outside A–Z. A guess is five letters from A to Z."
	}
	return fmt.Sprintf("%s has %s. A guess has exactly five.", Quote(typed), plural(len(strings.TrimSpace(typed)), "letter"))
}

// completeWord tells of what was typed whether it is in the list, or which words
// begin so.
func completeWord(_ context.Context, b *Bot, _ Request, typed string) []Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	if typed == "" {
		return nil
	}
	say := func(comment string) []Choice {
		value := []rune(typed)
		value = value[:min(len(value), 50)] // Discord takes no more than 100 characters with the comment
		return []Choice{{Name: strings.ToUpper(string(value)) + " — " + comment, Value: string(value)}}
	}
	_, err := wordle.ParseWord(typed)
	if errors.Is(err, wordle.ErrLetter) {
		return say("only letters A–Z")
	}
	if len(typed) > wordle.Length {
		return say(fmt.Sprintf("%d letters, a guess has five", len(typed)))
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
		return say("no word in the list begins so")
	}
	return say("not in the list")
}
