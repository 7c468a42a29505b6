package wordle_test

import (
	"fmt"

	"fivefold/game/wordle"
)

// A letter that the hidden word has once is marked once.
func ExampleScore() {
	fmt.Println(wordle.Score(wordle.MustParse("eerie"), wordle.MustParse("crane")))
	// Output: BBYBG
}
