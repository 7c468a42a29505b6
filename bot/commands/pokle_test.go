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
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/pokle"
)

// pokleOf returns the game of a match of Pokle.
func pokleOf(m game.Match) pokergame.State { return m.State.(pokergame.State) }

// free returns the cards that nobody holds and that are not hidden.
func free(m game.Match) []pokle.Card {
	taken := pokle.SetOf(pokleOf(m).Hidden().Cards(pokle.River).List()...)
	for _, h := range pokleOf(m).Deal().Holes {
		taken |= h.Cards()
	}
	return (pokle.Cards(1<<pokle.Deck-1) &^ taken).List()
}

// TestPokleRefusals: a wrong guess is explained in a sentence, and no attempt is used.
func TestPokleRefusals(t *testing.T) {
	b := newBot(t, nil)
	b.Ask(server, "ana", pokergame.Commands.Start)
	m := b.match(t, server, "ana", pokergame.Kind, game.Together)
	held, cards := pokleOf(m).Deal().Holes[2][1], free(m)
	good := pokle.Board(cards[:5])
	typed := func(cards ...pokle.Card) string {
		var all []string
		for _, c := range cards {
			all = append(all, c.Plain())
		}
		return strings.Join(all, " ")
	}
	if reply := b.Ask(server, "ana", pokergame.Commands.Guess, "cards", good.Plain()); reply.Audience == bot.Asker {
		t.Fatalf("a good guess is refused: %v", reply)
	}
	for _, c := range []struct{ name, cards, want string }{
		{"a card twice", typed(cards[0], cards[1], cards[0], cards[2], cards[3]), fmt.Sprintf("has the %v twice", cards[0])},
		{"six cards", typed(cards[:6]...), "has 6 cards. A board has five"},
		{"four cards", typed(cards[:4]...), "has 4 cards"},
		{"an unknown suit", "2x 3c 4c 5c 6c", "card 1 has no suit"},
		{"an unknown rank", "2c 1c 4c 5c 6c", "card 2 has no rank"},
		{"a hole card", typed(append(cards[5:9:9], held)...), fmt.Sprintf("Player 3 holds the %v", held)},
		{"the same again", typed(good[2], good[0], good[1], good[3], good[4]), good.String() + " was guess 1 already."},
		{"something else", "crane", "“crane”: card 1 has no rank"},
	} {
		reply := b.Ask(server, "ben", pokergame.Commands.Guess, "cards", c.cards)
		if reply.Audience != bot.Asker || !strings.Contains(reply.String(), c.want) {
			t.Errorf("%s is answered by %q, want %q in it", c.name, reply, c.want)
		}
	}
	if m := b.match(t, server, "ana", pokergame.Kind, game.Together); m.Used() != 1 || m.Status() != game.Playing {
		t.Errorf("after it the game is %v", m)
	}
}

// TestPokleReplay: each step shows how many boards were left then.
func TestPokleReplay(t *testing.T) {
	b := newBot(t, nil)
	b.Ask(server, "ana", pokergame.Commands.Start)
	cards := free(b.match(t, server, "ana", pokergame.Kind, game.Together))
	for i := range 3 {
		b.Ask(server, "ana", pokergame.Commands.Guess, "cards", pokle.Board(cards[i:i+5]).Plain())
	}
	m := b.match(t, server, "ana", pokergame.Kind, game.Together)
	b.Ask(server, "ana", pokergame.Commands.Stop)
	for step := range 4 {
		left, err := b.games.Remaining(t.Context(), m, step)
		if err != nil {
			t.Fatal(err)
		}
		reply := b.Ask(server, "ben", bot.NameReplay, "number", "1", "step", fmt.Sprint(step)).String()
		if !strings.Contains(reply, bot.Plural(left, "board")) {
			t.Errorf("step %d does not say that %d boards are left:\n%s", step, left, reply)
		}
		for i, g := range pokleOf(m).Guesses() {
			if shown := strings.Contains(reply, picture.BoardWords(g.Guess)); shown != (i < step) {
				t.Errorf("step %d shows guess %d: %t\n%s", step, i+1, shown, reply)
			}
		}
		if over := strings.Contains(reply, "The board was"); over != (step == 3) {
			t.Errorf("step %d shows the board: %t", step, over)
		}
	}
}

// TestPokleGame plays a game with the hints until it is won, and looks at the
// review, the statistics and the list.
func TestPokleGame(t *testing.T) {
	b := newBot(t, nil)
	if reply := b.Ask(server, "ana", pokergame.Commands.Start); reply.Picture == nil || len(reply.Buttons) == 0 {
		t.Fatalf("the start is answered by %q", reply)
	}
	hidden := pokleOf(b.match(t, server, "ana", pokergame.Kind, game.Together)).Hidden().String()
	for b.match(t, server, "ana", pokergame.Kind, game.Together).Status() == game.Playing {
		reply := b.Ask(server, "ben", pokergame.Commands.Hint)
		var guess string
		for _, s := range reply.Lines[0].Text {
			if guess == "" && s.Style == bot.StyleSpoiler {
				guess = s.Text
			}
		}
		if guess == "" {
			t.Fatalf("a hint is %q", reply)
		}
		reply = b.Ask(server, "ana", pokergame.Commands.Guess, "cards", guess)
		if over := b.match(t, server, "ana", pokergame.Kind, game.Together).Status() != game.Playing; strings.Contains(reply.String(), hidden) != over && guess != hidden {
			t.Errorf("the game is over: %t, and the answer is\n%s", over, reply)
		}
	}
	m := b.match(t, server, "ana", pokergame.Kind, game.Together)
	if m.Status() != game.Won {
		t.Fatalf("with hints the game is %v", m)
	}
	for _, c := range []struct {
		command string
		args    []string
		want    []string
	}{
		{pokergame.Commands.Board, nil, []string{"Won in", " with hints!", hidden, "Hints: ben"}},
		{pokergame.Commands.Stats, nil, []string{"Pokle: daily puzzles, November 2026 · nobody has a place"}},
		{pokergame.Commands.Stats, []string{"player", "ana"}, []string{"Pokle: statistics of ana", "Other games here: 1 won (3.00 guesses on average), 0 lost", "Skill"}},
		{wordgame.Commands.Stats, nil, []string{"You have finished none here this month. Play today's: /wordle start daily."}},
		{bot.NameReview, nil, []string{"Game 1", "Pokle", " expected) · ", "skill", "In all"}},
		{bot.NameList, []string{"game", "pokle"}, []string{"1. ", hidden, "ana"}},
		{bot.NameReplay, []string{"number", "1", "step", fmt.Sprint(m.Used())}, []string{"ana guessed", "Won in"}},
	} {
		reply := b.Ask(server, "ana", c.command, c.args...).String()
		for _, want := range c.want {
			if !strings.Contains(reply, want) {
				t.Errorf("%s %v has no %q:\n%s", c.command, c.args, want, reply)
			}
		}
	}
	if reply := b.Ask(server, "ana", bot.NameList, "game", "wordle").String(); strings.Contains(reply, hidden) {
		t.Errorf("the list of the word game is\n%s", reply)
	}
}

// TestCompleteCards: every legal guess can be typed with what completion proposes, in the order
// of the cards, and what it proposes is the same whatever is hidden and was guessed.
func TestCompleteCards(t *testing.T) {
	b := newBot(t, nil)
	ask := func(typed string) []bot.Choice {
		choices := b.Bot.Complete(t.Context(), bot.Request{Location: server, Player: "ana", Command: pokergame.Commands.Guess}, "cards", typed)
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
		"zz": "card 1 is not a card", "2c 2c": "2♣ twice", "2c 3c 4c 5c 6c 7c": "five cards", strings.Repeat("x", 300): "card 1 is not a card",
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

// lastRank returns the number of the last card, or of the least one with its rank.
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
