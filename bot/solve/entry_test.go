package solve

import (
	"strings"
	"testing"
)

func TestReadEntry(t *testing.T) {
	const deal = "QD QC 10H 2H 9H KH 213 132 213"
	for _, c := range []struct {
		name, feedback, guess, deal string
		want                        boardEntry
	}{
		{"nothing", "", "", "", boardEntry{}},
		{"feedback", "gyeyg", "", "", boardEntry{feedback: "gyeyg"}},
		{"squares", "🟩🟨⬜ 🟨 🟩", "", "", boardEntry{feedback: "🟩🟨⬜ 🟨 🟩"}},
		{"digits", "21012", "", "", boardEntry{feedback: "21012"}},
		{"wrong feedback", "gyeyq", "", "", boardEntry{feedback: "gyeyq"}},
		{"a board", "4C 4H QH AC JC", "", "", boardEntry{guess: "4C 4H QH AC JC"}},
		{"a board without spaces", "4c4hqhacjc", "", "", boardEntry{guess: "4c4hqhacjc"}},
		{"a board with signs", "4♣️,4♥,Q♥/A♣/J♣", "", "", boardEntry{guess: "4C 4H QH AC JC"}},
		{"a board and feedback", "4C 4H QH AC JC gyeyg", "", "", boardEntry{guess: "4C 4H QH AC JC", feedback: "gyeyg"}},
		{"a board and squares in pieces", "4C 4H QH AC JC 🟩🟨⬜ 🟨 🟩", "", "", boardEntry{guess: "4C 4H QH AC JC", feedback: "🟩🟨⬜ 🟨 🟩"}},
		{"a board and digits", "4C 4H QH AC JC 21012", "", "", boardEntry{guess: "4C 4H QH AC JC", feedback: "21012"}},
		{"a wrong card and feedback", "4C 4H QX AC JC gyeyg", "", "", boardEntry{guess: "4C 4H QX AC JC", feedback: "gyeyg"}},
		{"a board and wrong feedback", "4C 4H QH AC JC gyeyq", "", "", boardEntry{guess: "4C 4H QH AC JC", feedback: "gyeyq"}},
		{"a glued board and wrong feedback", "4C4HQHACJC gyeyq", "", "", boardEntry{guess: "4C4HQHACJC", feedback: "gyeyq"}},
		{"a board and too few digits", "4C 4H QH AC JC 2101", "", "", boardEntry{guess: "4C 4H QH AC JC", feedback: "2101"}},
		{"four cards", "4C 4H QH AC", "", "", boardEntry{guess: "4C 4H QH AC"}},
		{"six cards and feedback", "4C 4H QH AC JC 5D gyeyg", "", "", boardEntry{guess: "4C 4H QH AC JC 5D", feedback: "gyeyg"}},
		{"a deal", deal, "", "", boardEntry{deal: deal}},
		{"a deal with places of its own", "QD QC 10H 2H 9H KH 2 1 3, 1 2 2, 2 1 2", "", "", boardEntry{deal: "QD QC 10H 2H 9H KH 2 1 3, 1 2 2, 2 1 2"}},
		{"a deal with a wrong card", "QD QX 10H 2H 9H KH 213 132 213", "", "", boardEntry{deal: "QD QX 10H 2H 9H KH 213 132 213"}},
		{"a deal with a place too few", "QD QC 10H 2H 9H KH 213 122 12", "", "", boardEntry{deal: "QD QC 10H 2H 9H KH 213 122 12"}},
		{"a deal with a card too few", "QD QC 10H 2H 9H 213 132 213", "", "", boardEntry{deal: "QD QC 10H 2H 9H 213 132 213"}},
		{"six cards", "QD QC 10H 2H 9H KH", "", "", boardEntry{deal: "QD QC 10H 2H 9H KH"}},
		{"each in its place", "gyeyg", "4C 4H QH AC JC", "", boardEntry{guess: "4C 4H QH AC JC", feedback: "gyeyg"}},
		{"something in both fields", "gyeyg", "AC", "", boardEntry{guess: "AC", feedback: "gyeyg"}},
		{"both in the field of the board", "", "4C 4H QH AC JC gyeyg", "", boardEntry{guess: "4C 4H QH AC JC", feedback: "gyeyg"}},
		{"feedback in the field of the board", "", "gyeyg", "", boardEntry{guess: "gyeyg"}},
		{"a deal in the field of the board", "", deal, "", boardEntry{deal: deal}},
		{"a deal in its own field", "", "", " " + deal, boardEntry{deal: deal}},
		{"a wrong deal in its own field", "", "", "gyeyg", boardEntry{deal: "gyeyg"}},
		{"a deal and feedback", "gyeyg", "", deal, boardEntry{deal: deal, feedback: "gyeyg"}},
	} {
		if got := readEntry(map[string]string{"feedback": c.feedback, "guess": c.guess, "deal": c.deal}); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// FuzzSortEntry: no text is lost, whatever it is taken to be.
func FuzzSortEntry(f *testing.F) {
	for _, text := range []string{"gyeyg", "4C 4H QH AC JC gyeyg", "QD QC 10H 2H 9H KH 213 132 213", "4♣️,4♥/\u0661", "\xff 10", "QD QD", "2\xe2\uFE0F\x99\xa5"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e := sortEntry(text)
		if got := strings.Join(strings.Fields(tidy(e.deal+" "+e.guess+" "+e.feedback)), " "); got != tidy(text) {
			t.Errorf("%q is taken for %+v", text, e)
		}
	})
}
