package pokle_test

import (
	"errors"
	"fmt"

	"fivefold/game/pokle"
)

func ExampleParseCards() {
	cards, _ := pokle.ParseCards("10h, Q♦ as")
	fmt.Println(cards)

	_, err := pokle.ParseCards("10h Qx as")
	var fault *pokle.CardError
	fmt.Println(errors.As(err, &fault) && fault.Number == 2, errors.Is(err, pokle.ErrSuit))
	// Output:
	// [10♥ Q♦ A♠]
	// true true
}

func ExampleCards_Evaluate() {
	hand, _ := pokle.ParseCards("9C 10D JC QH 10S KH")
	strength, core := pokle.SetOf(hand...).Evaluate()
	fmt.Printf("%v: %v\n", strength.Category(), core)
	// Output: straight: 9♣ 10♦ 10♠ J♣ Q♥ K♥
}

func ExampleDeal_Fits() {
	var deal pokle.Deal
	for i, text := range []string{"AH KD", "QC JS", "10H 9D"} {
		deal.Holes[i], _ = pokle.ParseHole(text)
	}
	for i, text := range []string{"1 2 3", "2 1 3", "1 3 2"} {
		deal.Places[i], _ = pokle.ParsePlaces(text)
	}
	for _, text := range []string{"2H 3H 4H JC 5H", "2H 3H 4H JC 5C", "3C 3H 5H QH JH", "2H 3H KD JC 5H"} {
		board, _ := pokle.ParseBoard(text)
		if err := deal.Fits(board); err != nil {
			fmt.Printf("%v: %v\n", board, err)
		} else {
			fmt.Printf("%v fits\n", board)
		}
	}
	// Output:
	// 2♥ 3♥ 4♥ J♣ 5♥ fits
	// 2♥ 3♥ 4♥ J♣ 5♣: river: places 1 2 3, not 1 3 2
	// 3♣ 3♥ 5♥ Q♥ J♥: 5♥ is of no use to any player
	// 2♥ 3♥ K♦ J♣ 5♥: K♦ is held by player 1
}

func ExampleScore() {
	guess, _ := pokle.ParseBoard("2C 3D 4H 5S 6S")
	hidden, _ := pokle.ParseBoard("4H 9S 10D 5C 6S")
	fmt.Println(pokle.WriteFeedback(pokle.Score(guess, hidden)))
	// Output: eygyg
}

func ExampleState_Guess() {
	var holes [pokle.Players]pokle.Hole
	for i, text := range []string{"QD QC", "10H 2H", "9H KH"} {
		holes[i], _ = pokle.ParseHole(text)
	}
	hidden, _ := pokle.ParseBoard("2C 9C 10C KC 2D")
	game := pokle.NewState(pokle.NewDeal(holes, hidden), hidden)
	for _, text := range []string{"9C 10D KD 2D 2S", "10C 2C 9C KC 2S"} {
		guess, _ := pokle.ParseBoard(text)
		game, _ = game.Guess(guess)
	}
	for _, g := range game.Guesses() {
		fmt.Println(pokle.WriteFeedback(g.Feedback), g.Guess)
	}
	fmt.Println(game)
	// Output:
	// gyeey 9♣ 10♦ K♦ 2♦ 2♠
	// ggggg 10♣ 2♣ 9♣ K♣ 2♠
	// won after 2 guesses
}
