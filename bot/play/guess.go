package play

import (
	"context"
	"errors"

	"fivefold/bot"
	"fivefold/bot/face"

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
				return bot.Reply{}, bot.Refuse(err, bot.Text(face.NotAWord(typed, err), " ", bot.NoAttempt))
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

// completeWord completes a word of the list.
func (b *Handlers) completeWord(_ context.Context, _ bot.Request, typed string) []bot.Choice {
	return face.CompleteWord(b.Games.Lists, typed)
}
