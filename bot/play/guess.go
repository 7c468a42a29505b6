package play

import (
	"context"
	"errors"
	"fivefold/bot"
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
)

func (b *Handlers) guess() bot.Command {
	return bot.Command{
		Name: bot.NameGuess,
		Help: "Guess the hidden word of this channel's game",
		Options: []bot.Option{
			{Name: "word", Help: "Five letters", Required: true, Complete: b.completeWord},
		},
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			typed := r.Args["word"]
			w, err := wordle.ParseWord(typed)
			if err != nil {
				return bot.Reply{}, bot.Refuse(err, bot.Text(notAWord(typed, err), " ", bot.NoAttempt))
			}
			m, err := b.Games.Guess(ctx, r.Origin(), w)
			if errors.Is(err, game.ErrUnknownWord) {
				return bot.Reply{}, bot.Refuse(err, bot.Text(bot.Bold(w.String()), " is not in my word list. Try another word. ", bot.NoAttempt))
			}
			if err != nil {
				return bot.Reply{}, err
			}
			return bot.Reply{Lines: b.board(m)}, nil
		},
	}
}

// notAWord tells why a text is no word of the game.
func notAWord(typed string, err error) string {
	if errors.Is(err, wordle.ErrLetter) {
		return bot.Quote(typed) + " has a character outside A–Z. A guess is five letters from A to Z."
	}
	return fmt.Sprintf("%s has %s. A guess has exactly five.", bot.Quote(typed), bot.Plural(len(strings.TrimSpace(typed)), "letter"))
}

// completeWord tells of what was typed whether it is in the list, or which words
// begin so.
func (b *Handlers) completeWord(_ context.Context, _ bot.Request, typed string) []bot.Choice {
	typed = strings.ToLower(strings.TrimSpace(typed))
	if typed == "" {
		return nil
	}
	comment := func(text string) []bot.Choice {
		value := []rune(typed)
		value = value[:min(len(value), 50)] // Discord takes no more than 100 characters with the comment
		return []bot.Choice{{Name: strings.ToUpper(string(value)) + " — " + text, Value: string(value)}}
	}
	_, err := wordle.ParseWord(typed)
	if errors.Is(err, wordle.ErrLetter) {
		return comment("only letters A–Z")
	}
	if len(typed) > wordle.Length {
		return comment(fmt.Sprintf("%d letters, a guess has five", len(typed)))
	}
	var choices []bot.Choice
	for _, w := range b.Games.Lists.WithPrefix(typed) {
		if len(choices) == bot.MaxChoices {
			break
		}
		choices = append(choices, bot.Choice{Name: w.String() + " — in the list", Value: strings.ToLower(w.String())})
	}
	switch {
	case len(choices) > 0:
		return choices
	case err != nil:
		return comment("no word in the list begins so")
	}
	return comment("not in the list")
}
