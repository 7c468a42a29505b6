package pokle_test

import (
	"fmt"

	"fivefold/game/pokle"
)

// The order of the flop does not matter: its three cards are green in any place.
func ExampleDeal_Score() {
	deal, err := pokle.ParseDeal([pokle.Players]string{"AH KD", "QC JS", "10H 9D"}, [pokle.Streets]string{"123", "213", "132"})
	if err != nil {
		fmt.Println(err)
		return
	}
	hidden, err := pokle.ParseBoard("2H 3H 4H JC 5H")
	if err != nil {
		fmt.Println(err)
		return
	}
	guess, err := pokle.ParseBoard("4H 2H 7C JD 6H")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(deal.Score(guess, hidden))
	// Output: GGBYY
}
