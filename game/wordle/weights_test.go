package wordle

import (
	"strings"
	"testing"
)

func TestWeights(t *testing.T) {
	embedded, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	own, err := ReadLists(
		Source{Name: "answers", Reader: strings.NewReader("crane\n")},
		Source{Name: "guesses", Reader: strings.NewReader("aalii\ncrane\nhouse\n")})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		lists *Lists
		word  string
		want  int32
	}{
		{"everyday word", embedded, "house", 9950},
		{"its plural", embedded, "trees", 110},
		{"first of the list", embedded, "aahed", 10},
		{"answer of other lists", own, "crane", 9950},
		{"other word of other lists", own, "house", 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			weights := test.lists.Weights()
			if got, want := len(weights), len(test.lists.Guesses()); got != want {
				t.Fatalf("weights: got %d, want %d", got, want)
			}
			for i, w := range test.lists.Guesses() {
				if w == MustParse(test.word) && weights[i] != test.want {
					t.Errorf("%v: got %d, want %d", w, weights[i], test.want)
				}
			}
		})
	}
}
