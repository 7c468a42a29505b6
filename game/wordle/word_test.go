package wordle

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParseWord(t *testing.T) {
	for _, c := range []struct {
		text, want string
		err        error
	}{
		{"crane", "CRANE", nil},
		{"CRANE", "CRANE", nil},
		{"  cRaNe\t", "CRANE", nil},
		{"", "", ErrLength},
		{"cran", "", ErrLength},
		{"cranes", "", ErrLength},
		{strings.Repeat("a", 1<<16), "", ErrLength},
		{"cr4ne", "", ErrLetter},
		{"cr@ne", "", ErrLetter},
		{"cr{ne", "", ErrLetter},
		{"cr ne", "", ErrLetter},
		{"crâne", "", ErrLetter},
		{"сrane", "", ErrLetter}, // a Cyrillic letter that looks Latin
		{"\u212Aneel", "", ErrLetter},
		{"cran\xff", "", ErrLetter},
		{"too long and with spaces", "", ErrLetter},
	} {
		w, err := ParseWord(c.text)
		if w.String() != c.want || !errors.Is(err, c.err) {
			t.Errorf("ParseWord(%.30q) = %v, %v; want %s, %v", c.text, w, err, c.want, c.err)
		}
	}
}

func FuzzParseWord(f *testing.F) {
	for _, text := range []string{"crane", "CRANE", "aaaaa", "cr4ne", "ünder", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ParseWord(text)
		if (err == nil) == (w == 0) {
			t.Fatalf("ParseWord(%q) = %v, %v", text, w, err)
		}
		if err != nil {
			return
		}
		if want := strings.ToUpper(strings.TrimSpace(text)); w.String() != want {
			t.Errorf("ParseWord(%q) = %v", text, w)
		}
		b, err := w.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back Word
		if err := back.UnmarshalText(b); err != nil || back != w {
			t.Errorf("%v is written as %q, which reads as %v, %v", w, b, back, err)
		}
	})
}

func TestWordLetters(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 10_000 {
		v, w := randomWord(random, 5), randomWord(random, 26)
		for c := byte('A'); c <= 'Z'; c++ {
			if n := strings.Count(w.String(), string(c)); w.Count(c) != n {
				t.Fatalf("%v: Count(%c) = %d", w, c, w.Count(c))
			}
		}
		if got, want := v.Compare(w) < 0, v.String() < w.String(); got != want {
			t.Fatalf("%v.Compare(%v) < 0 is %v", v, w, got)
		}
	}
}
