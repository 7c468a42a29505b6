package pokle

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
)

func mustBoard(tb testing.TB, text string) Board {
	tb.Helper()
	b, err := ParseBoard(text)
	if err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	return b
}

func TestBoard(t *testing.T) {
	b := mustBoard(t, "10h 2c 2♦ 4S,KS")
	if got := b.Plain(); got != "10H 2C 2D 4S KS" {
		t.Errorf("plain: %s", got)
	}
	if got := b.String(); got != "10♥ 2♣ 2♦ 4♠ K♠" {
		t.Errorf("text: %s", got)
	}
	if got := b.Canonical().Plain(); got != "2C 2D 10H 4S KS" {
		t.Errorf("canonical: %s", got)
	}
	if got := b.Plain(); got != "10H 2C 2D 4S KS" {
		t.Errorf("the canonical form changed the board to %s", got)
	}
	for s, want := range []string{"2♣ 2♦ 10♥", "2♣ 2♦ 4♠ 10♥", "2♣ 2♦ 4♠ 10♥ K♠"} {
		if got := b.Cards(Street(s)).String(); got != want || b.Cards(Street(s)).Len() != Street(s).Cards() {
			t.Errorf("on the %v: %s, want %s", Street(s), got, want)
		}
	}
}

func TestBoardCompare(t *testing.T) {
	sorted := []string{"3C 2D 10H 4S KS", "2D 3C 10H KS 4S", "2D 3C JC 4S KS", "2H 3C 10H 4S KS"}
	for i, x := range sorted {
		for j, y := range sorted {
			if got := mustBoard(t, x).Compare(mustBoard(t, y)); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%s compared with %s: %d", x, y, got)
			}
		}
	}
	if mustBoard(t, "3C 2D 10H 4S KS").Compare(mustBoard(t, "10H 3C 2D 4S KS")) != 0 {
		t.Error("the order of the flop counts")
	}
}

func TestParseBoardErrors(t *testing.T) {
	for text, want := range map[string]CountError{
		"": {0, 5}, "2C": {1, 5}, "2C 3C 4C 5C": {4, 5}, "2C 3C 4C 5C 6C 7C": {6, 5},
	} {
		got, err := ParseBoard(text)
		var fault *CountError
		if got != (Board{}) || !errors.As(err, &fault) || *fault != want {
			t.Errorf("ParseBoard(%q) = %v, %v, want %+v", text, got, err, want)
		}
	}
	var twice *TwiceError
	if _, err := ParseBoard("2C 3C 4C 5C 3♣"); !errors.As(err, &twice) || twice.Card != NewCard(Three, Clubs) {
		t.Errorf("got %v, want 3♣ twice", err)
	}
	if _, err := ParseBoard("2C 3C 4C 5C crane"); !errors.Is(err, ErrRank) {
		t.Errorf("got %v, want %v", err, ErrRank)
	}
}

func TestParseHole(t *testing.T) {
	h, err := ParseHole("qdQ♣")
	if err != nil || h.Plain() != "QD QC" || h.String() != "Q♦ Q♣" || h.Cards().String() != "Q♣ Q♦" {
		t.Errorf("got %v, %v", h, err)
	}
	for text, want := range map[string]CountError{"": {0, 2}, "QD": {1, 2}, "QD QC QH": {3, 2}} {
		got, err := ParseHole(text)
		var fault *CountError
		if got != (Hole{}) || !errors.As(err, &fault) || *fault != want {
			t.Errorf("ParseHole(%q) = %v, %v, want %+v", text, got, err, want)
		}
	}
	var twice *TwiceError
	if _, err := ParseHole("QD QD"); !errors.As(err, &twice) {
		t.Errorf("got %v, want Q♦ twice", err)
	}
}

// TestStoredForms: what is stored is read as the same, and any other text changes
// nothing.
func TestStoredForms(t *testing.T) {
	type stored struct {
		Hole   Hole
		Board  Board
		Places Places
	}
	one := stored{Hole(mustCards(t, "10H 2C")), mustBoard(t, "JH 3C AD 2D 5S"), Places{1, 2, 2}}
	text, err := json.Marshal(one)
	if want := `{"Hole":"10H 2C","Board":"JH 3C AD 2D 5S","Places":"1 2 2"}`; err != nil || string(text) != want {
		t.Errorf("stored as %s, %v, want %s", text, err, want)
	}
	var back stored
	if err := json.Unmarshal(text, &back); err != nil || back != one {
		t.Errorf("%s reads as %v, %v", text, back, err)
	}
	for _, bad := range []string{`{"Hole":"10H"}`, `{"Board":"JH 3C AD 2D"}`, `{"Places":"1 3 3"}`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil || back != one {
			t.Errorf("%s reads as %v, %v", bad, back, err)
		}
	}
}

// FuzzParseBoard: a board has five different cards, and is read again from what is
// written, whatever the form; its canonical form means the same and stays.
func FuzzParseBoard(f *testing.F) {
	for _, seed := range []string{"10H 2C 3D 4S KS", "10h2c3d4sks", "2C 3C 4C 5C", "2C 2C 3C 4C 5C", "A♠\uFE0FK♠Q♠J♠10♠", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, err := ParseBoard(text)
		if (err == nil) == (b == Board{}) {
			t.Fatalf("ParseBoard(%q) = %v, %v", text, b, err)
		}
		if err != nil {
			return
		}
		if SetOf(b[:]...).Len() != BoardCards {
			t.Errorf("ParseBoard(%q) = %v", text, b)
		}
		for _, written := range []string{b.String(), b.Plain()} {
			if back, err := ParseBoard(written); err != nil || back != b {
				t.Errorf("%v reads as %v, %v", written, back, err)
			}
		}
		c := b.Canonical()
		if !slices.IsSorted(c[:3]) || c.Canonical() != c || c.Compare(b) != 0 || Score(c, b) != AllGreen ||
			c.Cards(Flop) != b.Cards(Flop) || c[3] != b[3] || c[4] != b[4] {
			t.Errorf("%v has the canonical form %v", b, c)
		}
	})
}
