package pokergame

import (
	"math/rand/v2"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/picture"
	"fivefold/game/pokle"
	"fivefold/solver/poker"
)

func TestBoardReason(t *testing.T) {
	for _, c := range []struct {
		s    poker.Suggestion
		left int
		want string
	}{
		{poker.Suggestion{Possible: true, Remaining: 1, Guesses: 1, Proven: true}, 6, "It's the only possible board."},
		{poker.Suggestion{Possible: true, Remaining: 2, Guesses: 1, Proven: true}, 6, "It wins, whichever board is hidden."},
		{poker.Suggestion{Possible: true, Remaining: 3, Entropy: 1.5, Guesses: 5.0 / 3, Proven: true}, 3, "It takes 1.67 more guesses on average; no possible board takes fewer."},
		{poker.Suggestion{Possible: true, Remaining: 30, Entropy: 4, Guesses: 2.5}, 5, "It takes about 2.5 more guesses on average."},
		{poker.Suggestion{Possible: true, Remaining: 4, Entropy: 1, Guesses: 2.25, Proven: true}, 2,
			"It takes 2.25 more guesses on average; no possible board takes fewer. Running out of guesses counts as 3."},
		{poker.Suggestion{Possible: true, Remaining: 9000, Entropy: 6.25}, 6, "It should leave about 1 board in 76."},
		{poker.Suggestion{Remaining: 300, Entropy: 1}, 6, "It can't be the board, but it tells you more. It should leave about 1 board in 2.0."},
		{poker.Suggestion{Remaining: 30, Entropy: 4, Guesses: 2.5, Proven: true}, 5, "It can't be the board, but it tells you more. It takes about 2.5 more guesses on average."},
	} {
		if got := BoardReason(c.s, c.left); got != c.want {
			t.Errorf("%+v: %s", c.s, got)
		}
	}
}

// mustGame returns a game whose players hold these six cards.
func mustGame(tb testing.TB, holes, hidden string, guesses ...string) pokle.State {
	tb.Helper()
	cards, err := pokle.ParseCards(holes)
	if err != nil {
		tb.Fatal(err)
	}
	var deal [pokle.Players]pokle.Hole
	for i := range deal {
		deal[i] = pokle.Hole(cards[i*pokle.HoleCards:])
	}
	board, err := pokle.ParseBoard(hidden)
	if err != nil {
		tb.Fatal(err)
	}
	state := pokle.NewState(pokle.NewDeal(deal, board), board)
	for _, text := range guesses {
		guess, err := pokle.ParseBoard(text)
		if err != nil {
			tb.Fatal(err)
		}
		if state, err = state.Guess(guess); err != nil {
			tb.Fatal(err)
		}
	}
	return state
}

func TestShowdownLines(t *testing.T) {
	for _, c := range []struct{ name, holes, board, want string }{
		{"all differ", "QD QC 10H 2H 9H KH", "2C 9C 10C KC 2D",
			"Flop 2♣ 9♣ 10♣: 1. player 2, two pair, tens and twos; 2. player 1, pair of queens; 3. player 3, pair of nines.\n" +
				"Turn K♣: 1. player 1, flush, king high; 2. player 3, two pair, kings and nines; 3. player 2, two pair, tens and twos.\n" +
				"River 2♦: 1. player 2, full house, twos over tens; 2. player 1, flush, king high; 3. player 3, two pair, kings and nines.\n"},
		{"kickers and shared places", "AH KD AC KS 3C 4D", "AD 8S 7H KC KH",
			"Flop 7♥ 8♠ A♦: 1. player 1 and player 2, pair of aces; 2. player 3, high card ace.\n" +
				"Turn K♣: 1. player 1 and player 2, two pair, aces and kings; 2. player 3, high card ace.\n" +
				"River K♥: 1. player 1 and player 2, full house, kings over aces; 2. player 3, pair of kings.\n"},
		{"only kickers differ", "AH 6D KC 6S QH 5H", "9D 9S 8H 2C 3H",
			"Flop 8♥ 9♦ 9♠: 1. player 1, pair of nines, then A 8 6; 2. player 2, pair of nines, then K 8 6; 3. player 3, pair of nines, then Q 8 5.\n" +
				"Turn 2♣: 1. player 1, pair of nines, then A 8 6; 2. player 2, pair of nines, then K 8 6; 3. player 3, pair of nines, then Q 8 5.\n" +
				"River 3♥: 1. player 1, pair of nines, then A 8 6; 2. player 2, pair of nines, then K 8 6; 3. player 3, pair of nines, then Q 8 5.\n"},
		{"all share", "2H 3D 2C 3S 2S 3H", "10D JS QH KC AH",
			"Flop 10♦ J♠ Q♥: 1. all players, high card queen.\n" +
				"Turn K♣: 1. all players, high card king.\n" +
				"River A♥: 1. all players, straight to the ace.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			state := mustGame(t, c.holes, c.board)
			if got := (bot.Reply{Blocks: bot.Lines(ShowdownLines(state.Deal(), state.Hidden())...)}).String(); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// TestShowdownHasPlaces compares the places in showdowns of random cards with the deal's. Different hands have
// different words.
func TestShowdownHasPlaces(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		table, board := randomTable(random)
		for s, line := range ShowdownLines(table.Deal, board) {
			var got pokle.Places
			words := map[string]bool{}
			_, text, _ := strings.Cut(bot.Reply{Blocks: bot.Lines(line)}.String(), ": ")
			parts := strings.Split(strings.TrimSuffix(text, ".\n"), "; ")
			for _, part := range parts {
				who, hand, _ := strings.Cut(part[3:], ", ")
				for i := range got {
					if strings.Contains(who, strings.ToLower(picture.PlayerName(i))) || who == "all players" {
						got[i] = part[0] - '0'
					}
				}
				words[hand] = true
			}
			if got != table.Deal.Places[s] || len(words) != len(parts) {
				t.Fatalf("%v, %v: %s", table.Deal, board, text)
			}
		}
	}
}

// randomTable returns a lost game with random cards, and its board.
func randomTable(random *rand.Rand) (picture.PokerTable, pokle.Board) {
	deck := random.Perm(pokle.Deck)
	var holes [pokle.Players]pokle.Hole
	for i := range holes {
		holes[i] = pokle.Hole{pokle.Card(deck[2*i]), pokle.Card(deck[2*i+1])}
	}
	deck = deck[2*pokle.Players:]
	draw := func() (b pokle.Board) {
		for i, k := range random.Perm(len(deck))[:pokle.BoardCards] {
			b[i] = pokle.Card(deck[k])
		}
		return b
	}
	board := draw()
	table := picture.PokerTable{Deal: pokle.NewDeal(holes, board), State: "Not this time", Hidden: &board}
	for range pokle.Attempts {
		table.Guesses = append(table.Guesses, pokle.Step{Guess: draw(), Feedback: pokle.Feedback(random.IntN(pokle.Feedbacks))})
	}
	return table, board
}

// TestTableFitsDiscord: a whole game and its showdown leave at least a quarter of a message of 2000 characters free.
func TestTableFitsDiscord(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	longest := 0
	for range 5000 {
		table, board := randomTable(random)
		longest = max(longest, bottest.Size(bot.Reply{Blocks: bot.Lines(append(PokerTableLines(table), ShowdownLines(table.Deal, board)...)...)}))
	}
	if longest > 1500 {
		t.Errorf("a table takes %d characters", longest)
	}
	t.Logf("the longest of 5000 takes %d characters", longest)
}
