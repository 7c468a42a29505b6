package cli

import (
	"fmt"

	"fivefold/game/wordle"
)

// ReadWord is [wordle.ParseWord]. Its error has the text.
func ReadWord(text string) (wordle.Word, error) {
	w, err := wordle.ParseWord(text)
	if err != nil {
		return 0, fmt.Errorf("%q: %w", text, err)
	}
	return w, nil
}
