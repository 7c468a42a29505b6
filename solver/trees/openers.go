package trees

import (
	"encoding/json"

	"fivefold/game/wordle"
)

// Openers has the totals of all openers of one mode. Its JSON is its file.
type Openers struct {
	Lists  string        `json:"lists"`  // as in a [Tree]
	Totals []int32       `json:"totals"` // by guess, a total that some play reaches
	Exact  []wordle.Word `json:"exact"`  // the openers whose totals are the least
}

func readOpeners(_ *wordle.Lists, file []byte) (*Openers, error) {
	t := new(Openers)
	return t, json.Unmarshal(file, t)
}
