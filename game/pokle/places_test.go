package pokle

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// allPlaces are the places that three hands can have, listed by hand.
var allPlaces = []string{
	"1 2 3", "1 3 2", "2 1 3", "2 3 1", "3 1 2", "3 2 1",
	"1 1 2", "1 2 1", "2 1 1", "1 2 2", "2 1 2", "2 2 1", "1 1 1",
}

// TestPlacesOf: a place is one more than the number of different better hands.
func TestPlacesOf(t *testing.T) {
	seen := map[string]bool{}
	for i := range Strength(27) {
		hands := [Players]Strength{1 << (i / 9 * 20), 1 << (i / 3 % 3 * 20), 1 << (i % 3 * 20)}
		var want Places
		for p := range hands {
			var better []Strength
			for _, h := range hands {
				if h > hands[p] && !slices.Contains(better, h) {
					better = append(better, h)
				}
			}
			want[p] = uint8(1 + len(better))
		}
		if got := PlacesOf(hands); got != want {
			t.Errorf("PlacesOf(%x) = %v, want %v", hands, got, want)
		}
		seen[want.String()] = true
	}
	for _, p := range allPlaces {
		if !seen[p] {
			t.Errorf("no hands have the places %s", p)
		}
	}
	if len(seen) != len(allPlaces) {
		t.Errorf("%d different places, want %d", len(seen), len(allPlaces))
	}
}

func TestPlacesValidate(t *testing.T) {
	for i := range 5 * 5 * 5 {
		p := Places{uint8(i / 25), uint8(i / 5 % 5), uint8(i % 5)}
		err := p.Validate()
		if valid := slices.Contains(allPlaces, p.String()); valid != (err == nil) || !valid && !errors.Is(err, ErrPlaces) {
			t.Errorf("%v: %v", p, err)
		}
	}
	if err := (Places{1, 255, 2}).Validate(); err == nil {
		t.Error("255 is a place")
	}
}

func TestParsePlaces(t *testing.T) {
	for text, want := range map[string]Places{
		"2 1 3":      {2, 1, 3},
		"213":        {2, 1, 3},
		" 2, 1 ,3\n": {2, 1, 3},
		"1 1 2":      {1, 1, 2},
		"122":        {1, 2, 2},
		"1 1 1":      {1, 1, 1},
	} {
		if got, err := ParsePlaces(text); err != nil || got != want {
			t.Errorf("ParsePlaces(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]PlacesError{
		"":                        {},
		"1 2":                     {Count: 2},
		"1231":                    {Count: 4},
		"0 1 2":                   {Unknown: 1},
		"1 4 2":                   {Unknown: 2},
		"1 2 x":                   {Unknown: 3},
		"1-2-3":                   {Unknown: 2},
		"\xff":                    {Unknown: 1},
		"1 1 3":                   {Count: 3},
		"1 3 3":                   {Count: 3},
		"2 2 3":                   {Count: 3},
		"3 3 3":                   {Count: 3},
		strings.Repeat("1", 9000): {Count: 9000},
	} {
		got, err := ParsePlaces(text)
		var fault *PlacesError
		if got != (Places{}) || !errors.As(err, &fault) || *fault != want || !errors.Is(err, ErrPlaces) {
			t.Errorf("ParsePlaces(%.20q) = %v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestPlacesErrorText(t *testing.T) {
	for text, want := range map[string]string{
		"1 2":   "2 places: not the places of three players",
		"1 4 2": "place 2 is not 1, 2 or 3: not the places of three players",
		"1 1 3": "a place is left out: not the places of three players",
	} {
		if _, err := ParsePlaces(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// FuzzParsePlaces: exactly the listed places are read, however they are separated,
// and what is written is read as the same.
func FuzzParsePlaces(f *testing.F) {
	for _, seed := range []string{"2 1 3", "213", "1,1,2", "1 1 3", "1 2", "1 2 3 1", "", "0 1 2", "1\u20032\u00A02"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain := strings.Join(strings.Split(strings.Join(strings.FieldsFunc(text, separates), ""), ""), " ")
		got, err := ParsePlaces(text)
		if valid := slices.Contains(allPlaces, plain); valid != (err == nil) || valid && got.String() != plain {
			t.Fatalf("ParsePlaces(%q) = %v, %v", text, got, err)
		}
		if err != nil && got != (Places{}) {
			t.Fatalf("ParsePlaces(%q) = %v, %v", text, got, err)
		}
	})
}
