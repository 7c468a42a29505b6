package play

import (
	"context"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"

	"fivefold/game/pokle"
)

func (b *Handlers) pokleRules() bot.Command {
	return bot.Command{
		Name:     bot.NamePokleRules,
		Help:     "How Pokle is played, and its commands",
		Audience: bot.Asker,
		Run: func(context.Context, bot.Request) (bot.Reply, error) {
			guess, hidden := mustBoard("4c 4h qh ac jc"), mustBoard("4h 6c 9c ad jc")
			lines := []bot.Line{
				bot.Text(bot.Bold("Find the five cards on the table in six attempts."), " Three players hold two cards each, which you see. Nobody sees the board: flop (three cards), turn and river. You are told who is ahead on each street, by the rules of Texas Hold'em: gold, silver, bronze. Equal hands share a place."),
				bot.Text("All eleven cards differ, and every card of the board is of use: it makes a hand for somebody on some street: a pair, a straight, or just the highest card where there is nothing better. Kickers are of no use, nor are the cards of a plain flush."),
				bot.Text("Each guess is told how close it was:"),
				face.CardTiles(pokle.Guessed{Board: guess, Feedback: pokle.Score(guess, hidden)}),
				bot.Text("Green: the card is there; a card of the flop may be in any of its three places. Yellow: rank or suit is right. Grey: neither. Flop, turn and river are each compared with their own."),
				bot.Text(bot.Bold("Commands")),
			}
			for _, c := range b.table.Commands {
				if strings.HasPrefix(c.Name, "pokle ") {
					lines = append(lines, usage(c))
				}
			}
			return bot.Reply{Lines: lines}, nil
		},
	}
}

// mustBoard reads a board that stands in the source.
func mustBoard(text string) pokle.Board {
	b, err := pokle.ParseBoard(text)
	if err != nil {
		panic(err)
	}
	return b
}
