package solve

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/game/pokle"
)

func TestTypedDeal(t *testing.T) {
	good := pokle.Deal{
		Holes: [3]pokle.Hole{
			{pokle.NewCard(pokle.Queen, pokle.Diamonds), pokle.NewCard(pokle.Queen, pokle.Clubs)},
			{pokle.NewCard(pokle.Ten, pokle.Hearts), pokle.NewCard(pokle.Two, pokle.Hearts)},
			{pokle.NewCard(pokle.Nine, pokle.Hearts), pokle.NewCard(pokle.King, pokle.Hearts)},
		},
		Places: [3]pokle.Places{{2, 1, 3}, {1, 2, 2}, {1, 1, 1}},
	}
	for _, text := range []string{
		"QD QC 10H 2H 9H KH 213 122 111", "Q♦️,Q♣️ / 10♥ 2♥ / 9♥ K♥ / 2 1 3, 1 2 2, 1 1 1", "qdqc th2h 9hkh 213122111",
	} {
		if d, err := splitDeal(text).deal(); err != nil || d != good {
			t.Errorf("%q is %+v, %v, want %+v", text, d, err, good)
		}
	}
	if got := dealOf(good); got != splitDeal("QD QC 10H 2H 9H KH 213 122 111") {
		t.Errorf("written again, the deal is %+v", got)
	}
	for _, c := range []struct{ text, want string }{
		{"", "Player 1 has no cards yet. Each player holds two, such as 10H 2H."},
		{"QD QC 10H 2H 9H 213 132 213", "Player 3 has 1 card: “9H”. Each player holds two, such as 10H 2H."},
		{"QD QC 10H 2H 9H KH 3D 213 132 213", "Player 3 has 3 cards: “9H KH 3D”. Each player holds two"},
		{"QD QC 10H 2X 9H KH 213 132 213", "Player 2 holds “10H 2X”: card 2 has no suit that I know. Suits are C, D, H and S or ♣ ♦ ♥ ♠"},
		{"QD QC 1H 2H 9H KH 213 132 213", "Player 2 holds “1H 2H”: card 1 has no rank that I know. Ranks are 2 to 10, J, Q, K and A"},
		{"QD QD 10H 2H 9H KH 213 132 213", "Player 1 has the Q♦ twice. All cards differ"},
		{"QD QC 10H 2H 9H QD 213 132 213", "The Q♦ is there twice: player 1 and player 3 have it. All cards differ"},
		{"QD QC 10H 2H 9H KH", "There are no places yet. There are nine: those of player 1, 2 and 3 on the flop"},
		{"QD QC 10H 2H 9H KH 213 132 21", "“213 132 21” has 8 places. There are nine"},
		{"QD QC 10H 2H 9H KH 213 132 2131", "“213 132 2131” has 10 places. There are nine"},
		{"QD QC 10H 2H 9H KH 213 142 213", "The place of player 2 on the turn is not 1, 2 or 3: “213 142 213”."},
		{"QD QC 10H 2H 9H KH 213 132 2x3", "The place of player 2 on the river is not 1, 2 or 3"},
		{"QD QC 10H 2H 9H KH 213 133 213", "133 on the turn cannot be the places of three players: equal hands share a place, and the next hand takes the next one, such as 1 1 2 or 1 2 2."},
		{"QD QC 10H 2H 9H KH 222 132 213", "222 on the flop cannot be the places of three players"},
	} {
		typed := splitDeal(c.text)
		d, err := typed.deal()
		var refusal bot.Refusal
		if !errors.As(err, &refusal) || !strings.HasPrefix(refusal.Reply.String(), c.want) || refusal.Audience != bot.Asker {
			t.Errorf("%q is %+v, %v, want %q", c.text, d, refusal.Reply, c.want)
			continue
		}
		// The button brings back everything that was typed.
		if again, _ := dealFrom(bottest.MustFind(t, refusal.Reply, "Correct it").Args); again != typed {
			t.Errorf("%q comes back as %+v", c.text, again)
		}
	}
}

// FuzzTypedDeal: whatever is typed is either a deal that reads the same when written
// again, or refused with a button and a form within bounds.
func FuzzTypedDeal(f *testing.F) {
	for _, text := range []string{"QD QC 10H 2H 9H KH 213 132 213", "Q♦️ Q♣", strings.Repeat("ß", 300), "\xff", "10♥ 10♥ 213", "213 132 213 9"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		typed := splitDeal(text)
		d, err := typed.deal()
		if err == nil {
			if again, err := dealOf(d).deal(); err != nil || again != d {
				t.Errorf("%q is %+v, and written again %+v, %v", text, d, again, err)
			}
		} else {
			var refusal bot.Refusal
			if !errors.As(err, &refusal) || utf8.RuneCountInString(refusal.Reply.String()) > 300 {
				t.Fatalf("%q is refused with %v", text, err)
			}
			correct := bottest.MustFind(t, refusal.Reply, "Correct it")
			if correct.Size() > bot.MaxButton {
				t.Errorf("%q: the button %+v is too long", text, correct)
			}
			for name, value := range correct.Args {
				if !utf8.ValidString(value) || value == "" {
					t.Errorf("%q: the button has %s=%q", text, name, value)
				}
			}
		}
		for _, field := range typed.form().Fields { // as Discord wants them
			if n := utf8.RuneCountInString(field.Value); n > field.Max || field.Max < 1 || field.Label == "" || utf8.RuneCountInString(field.Label) > 45 || utf8.RuneCountInString(field.Help) > 100 {
				t.Errorf("%q: the form has %+v", text, field)
			}
		}
	})
}

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
		{"squares by name", "", ":green_square::black_large_square: :yellow_square::white_large_square::green_circle: 4C 4H QH AC JC", "",
			boardEntry{guess: "4C 4H QH AC JC", feedback: "🟩⬛ 🟨⬛🟩"}},
		{"a copied row", "", "🟩🟨⬛🟨🟩 4C 4H QH AC JC", "", boardEntry{guess: "4C 4H QH AC JC", feedback: "🟩🟨⬛🟨🟩"}},
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
	for _, text := range []string{"gyeyg", "4C 4H QH AC JC gyeyg", "gyeyg 4C 4H QH AC JC", "QD QC 10H 2H 9H KH 213 132 213", "4♣️,4♥/\u0661", "\xff 10", "QD QD", "2\xe2\uFE0F\x99\xa5"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e := sortEntry(text)
		if after, before := tidy(e.guess+" "+e.feedback), tidy(e.feedback+" "+e.guess); e.deal == "" && after != tidy(text) && before != tidy(text) || e.deal != "" && tidy(e.deal) != tidy(text) {
			t.Errorf("%q is taken for %+v", text, e)
		}
	})
}
