package face

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/parallel"
)

// CompleteCards returns a function that proposes the next card of a guess: those of the
// boards that are still possible in the player's game, which left returns.
func CompleteCards(
	games *game.Manager, left func(context.Context, game.State) ([]pokle.Board, error), log *slog.Logger,
) func(ctx context.Context, r bot.Request, typed string) []bot.Choice {
	c := cards{games, left, log}
	return c.complete
}

// cards completes cards.
type cards struct {
	games *game.Manager
	left  func(context.Context, game.State) ([]pokle.Board, error)
	log   *slog.Logger
}

func (c cards) complete(ctx context.Context, r bot.Request, typed string) []bot.Choice {
	typed = strings.ToLower(strings.TrimLeft(typed, " "))
	done, part := typed, ""
	cards, err := pokle.ParseCards(done)
	unfinished := err
	if err != nil { // the last card is being typed
		at := strings.LastIndexAny(strings.TrimRight(typed, " "), " ,") + 1
		done, part = typed[:at], strings.TrimRight(typed[at:], " ")
		cards, err = pokle.ParseCards(done)
	}
	comment := func(text string) []bot.Choice {
		value := string([]rune(typed)[:min(50, len([]rune(typed)))])
		return []bot.Choice{{Name: value + " — " + text, Value: value}}
	}
	switch {
	case err != nil:
		return comment(completionFault(err))
	case len(cards) > pokle.BoardCards:
		return comment("a board has five cards")
	}
	m, err := c.games.Latest(ctx, r.Origin(), game.Target{Kind: game.Pokle, Mode: ReadMode(r.Args["mode"], game.Current)})
	if err != nil {
		return nil
	}
	left, err := c.left(ctx, m.State)
	switch {
	case ctx.Err() != nil || errors.Is(err, parallel.ErrBusy):
		return nil
	case err != nil:
		c.log.Warn("cards cannot be proposed", "request", r, "match", m, "error", err)
		return nil
	}
	fitting := slices.DeleteFunc(slices.Clone(left), func(board pokle.Board) bool { return !beginsWith(board, cards) })
	if len(cards) == pokle.BoardCards {
		if len(fitting) == 0 {
			return comment("not possible any more, but allowed")
		}
		return comment("possible")
	}
	if len(fitting) == 0 {
		return comment("no possible board begins like that")
	}
	count := map[pokle.Card]int{}
	for _, board := range fitting {
		for _, c := range nextCards(board, cards) {
			count[c]++
		}
	}
	var next []pokle.Card
	begins := false // whether some card begins like that
	for c := range pokle.Card(pokle.Deck) {
		plain := strings.ToLower(c.Plain())
		if strings.HasPrefix(plain, part) || strings.HasPrefix(strings.Replace(plain, "10", "t", 1), part) {
			begins = true
			if count[c] > 0 {
				next = append(next, c)
			}
		}
	}
	slices.SortFunc(next, func(x, y pokle.Card) int { return cmp.Or(cmp.Compare(count[y], count[x]), cmp.Compare(x, y)) })
	switch {
	case len(next) == 0 && unfinished != nil && (!begins || errors.As(unfinished, new(*pokle.TwiceError))):
		return comment(completionFault(unfinished))
	case len(next) == 0:
		return comment("no possible board goes on like that")
	}
	var choices []bot.Choice
	if done != "" && !strings.HasSuffix(done, " ") && !strings.HasSuffix(done, ",") {
		done += " "
	}
	for _, c := range next[:min(len(next), bot.MaxChoices)] {
		card := strings.ToLower(c.Plain())
		choices = append(choices, bot.Choice{Name: fmt.Sprintf("%s%v — %s", done, c, bot.Plural(count[c], "board")), Value: done + card})
	}
	return choices
}

// completionFault says in few words what is wrong with cards.
func completionFault(err error) string {
	var (
		card  *pokle.CardError
		twice *pokle.TwiceError
	)
	switch {
	case errors.As(err, &twice):
		return fmt.Sprintf("%v twice", twice.Card)
	case errors.As(err, &card):
		return fmt.Sprintf("card %d is not a card; write 10h for the ten of hearts", card.Number)
	}
	return "not cards"
}

// beginsWith reports whether the cards, in the order in which they are typed, can be
// the first ones of the board.
func beginsWith(b pokle.Board, cards []pokle.Card) bool {
	flop := b.Cards(pokle.Flop)
	for i, c := range cards {
		if i < pokle.Flop.Cards() && !flop.Has(c) || i >= pokle.Flop.Cards() && b[i] != c {
			return false
		}
	}
	return true
}

// nextCards returns the cards of the board that can follow its first ones.
func nextCards(b pokle.Board, cards []pokle.Card) []pokle.Card {
	if n := len(cards); n >= pokle.Flop.Cards() {
		return b[n : n+1]
	}
	return (b.Cards(pokle.Flop) &^ pokle.SetOf(cards...)).List()
}
