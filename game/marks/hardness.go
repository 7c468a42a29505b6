package marks

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Hardness says which guesses the feedback so far leaves to the players. Each choice allows only guesses that the one before it
// allows. The zero value is Off.
type Hardness uint8

const (
	Off   Hardness = iota // any guess
	Hard                  // guesses that use every clue
	Ultra                 // guesses that can still be the answer
)

// HardnessNames are the choices as players type them and stores keep them.
var HardnessNames = []string{Off: "off", Hard: "hard", Ultra: "ultra"}

// ReadHardness returns the choice of the name. Empty and unknown names mean Off.
func ReadHardness(name string) Hardness { return Hardness(max(0, slices.Index(HardnessNames, name))) }

func (h Hardness) String() string { return HardnessNames[h] }

// Mode names the choice in a sentence: "easy mode", "hard mode" or "ultra-hard mode".
func (h Hardness) Mode() string {
	return [...]string{Off: "easy mode", Hard: "hard mode", Ultra: "ultra-hard mode"}[h]
}

// MarshalText writes the name.
func (h Hardness) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// errHardness means that a text names no choice.
var errHardness = errors.New("hard is one of " + strings.Join(HardnessNames, ", "))

// UnmarshalText reads what [Hardness.MarshalText] writes.
func (h *Hardness) UnmarshalText(text []byte) error {
	if !slices.Contains(HardnessNames, string(text)) {
		return fmt.Errorf("%q: %w", text, errHardness)
	}
	*h = ReadHardness(string(text))
	return nil
}
