package commands_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/game"
	"fivefold/game/pokle"
)

func pokleOf(m game.Match) pokle.State { return m.State.(pokle.State) }

// free returns the cards that are neither hidden nor held by a player.
func free(m game.Match) []pokle.Card {
	taken := pokle.SetOf(pokleOf(m).Hidden().Cards(pokle.River).List()...)
	for _, h := range pokleOf(m).Deal().Holes {
		taken |= h.Cards()
	}
	return (pokle.Cards(1<<pokle.Deck-1) &^ taken).List()
}

// TestCompleteCards: completion proposes every legal guess, in the order of the cards. Its proposals don't depend on
// the hidden cards or the guesses.
func TestCompleteCards(t *testing.T) {
	b := newBot(t, nil)
	ask := func(typed string) []bot.Choice {
		choices := b.Find(pokergame.Commands.Guess).Complete(t.Context(), bot.Request{Location: server, Player: "ana"}, "cards", typed)
		for _, choice := range choices {
			if len(choice.Name) > 100 || len(choice.Value) > 100 {
				t.Errorf("%q: too long: %+v", typed, choice)
			}
		}
		return choices
	}
	if got := ask("k"); len(got) != 4 {
		t.Errorf("without a game, a king goes on with %v", got)
	}
	if got := ask("2c" + strings.Repeat(" ,", 100) + "3"); len(got) != 4 || got[0].Value != "2c 3c" {
		t.Errorf("after a card and a long gap, a three goes on with %v", got)
	}
	b.Ask(server, "ana", pokergame.Commands.Start)
	m := b.match(t, server, "ana", pokergame.Kind, game.Together)
	random := rand.New(rand.NewPCG(1, 2))
	before := map[string][]bot.Choice{}
	for range 20 {
		cards := append(free(m), pokleOf(m).Hidden().Cards(pokle.River).List()...)
		random.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
		typed := ""
		for _, card := range cards[:pokle.BoardCards] {
			want := strings.TrimSpace(typed + " " + strings.ToLower(card.Plain()))
			rank := want[:len(want)-1]
			for _, step := range []struct{ part, want string }{{typed, rank}, {rank, want}} {
				got := ask(step.part)
				before[step.part] = got
				if !slices.ContainsFunc(got, func(c bot.Choice) bool { return c.Value == step.want }) {
					t.Fatalf("%q proposes %v, want %q", step.part, got, step.want)
				}
				if !slices.IsSortedFunc(got, func(x, y bot.Choice) int { return cmp.Compare(lastRank(t, x.Value), lastRank(t, y.Value)) }) {
					t.Errorf("%q proposes %v, not in the order of the cards", step.part, got)
				}
			}
			typed = want
		}
		if got := ask(typed); len(got) != 1 || !strings.Contains(got[0].Name, "river "+cards[4].String()) {
			t.Errorf("%q proposes %v", typed, got)
		}
	}
	held := pokleOf(m).Deal().Holes[1][0]
	for typed, want := range map[string]string{
		"zz": "card 1 isn't a card", "2c 2c": "2♣ twice", "2c 3c 4c 5c 6c 7c": "five cards", strings.Repeat("x", 300): "card 1 isn't a card",
		held.Plain(): fmt.Sprintf("a player holds the %v", held), held.Plain() + " 2": fmt.Sprintf("a player holds the %v", held),
	} {
		if got := ask(typed); len(got) != 1 || !strings.Contains(got[0].Name, want) || len(got[0].Value) > 100 {
			t.Errorf("%q proposes %v, want %q", typed, got, want)
		}
	}
	for i := range 3 {
		b.Ask(server, "ana", pokergame.Commands.Guess, "cards", pokle.Board(free(m)[i:i+5]).Plain())
	}
	for typed, want := range before {
		if got := ask(typed); !slices.Equal(got, want) {
			t.Errorf("%q proposes %v after three guesses, and %v before", typed, got, want)
		}
	}
}

// lastRank returns the last typed card, or the lowest card of a rank typed without a suit.
func lastRank(t *testing.T, typed string) pokle.Card {
	t.Helper()
	for _, suit := range []string{"", "c", "d", "h", "s"} {
		if cards, err := pokle.ParseCards(typed + suit); err == nil {
			return cards[len(cards)-1]
		}
	}
	t.Fatalf("%q ends with no rank", typed)
	return 0
}
