package solve_test

import (
	"slices"
	"strings"
	"testing"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
)

func TestSplitTurn(t *testing.T) {
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ guess, tiles, wantGuess, wantTiles string }{
		{"", "", "", ""},
		{" slate ", " bbybb ", "slate", "bbybb"},
		{"slate: b b y b b", "", "slate", "b b y b b"},
		{"bbybb", "", "", "bbybb"},
		{"⬛⬛", "🟨⬛⬛", "", "⬛⬛ 🟨⬛⬛"},
		{"green", "yellow grey grey black", "", "green yellow grey grey black"},
		{"green yellow grey grey black", "", "", "green yellow grey grey black"},
		{"qxzqx:21012", "", "qxzqx", "21012"},
		{"slate bbybb", "ggggg", "slate bbybb", "ggggg"}, // to be refused
		{"🟨🟨🟩⬛🟩 TRACE", "", "TRACE", "🟨🟨🟩⬛🟩"},
		{"yygqg", "", "", "yygqg"},
		{"webby", "", "webby", ""},
	} {
		if got, want := solve.SplitTurn(c.guess, c.tiles, lists.CanGuess), (wordle.Typed{Guess: c.wantGuess, Feedback: c.wantTiles}); got != want {
			t.Errorf("%q, %q: got %q, want %q", c.guess, c.tiles, got, want)
		}
	}
}

func TestSplitBoards(t *testing.T) {
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ guess, feedback, want string }{
		{"", "", ""},
		{"", "bbygb, ggggg", " bbygb ggggg"},
		{"crane", "bbygb ggggg", "crane bbygb ggggg"},
		{"", "crane bbygb ggggg", "crane bbygb ggggg"},
		{"bbygb ggggg CRANE", "", "CRANE bbygb ggggg"},
		{"crane", "grey,grey,yellow,green,grey ⬛⬛ 🟨🟩⬛", "crane grey_grey_yellow_green_grey ⬛⬛_🟨🟩⬛"},
		{"webby", "bbygb", "webby bbygb"},
		{"buggy", "bbygb", "buggy bbygb"},
		{"", "bbygq bbbbb", " bbygq bbbbb"}, // to be refused
		{"crane", "bbbbb bbygq ybbbb", "crane bbbbb bbygq ybbbb"},
		{"qxzqx", "bbbbb", "qxzqx bbbbb"},
	} {
		word, all := solve.SplitBoards(c.guess, c.feedback, lists.CanGuess)
		for i, f := range all {
			all[i] = strings.ReplaceAll(f, " ", "_")
		}
		if got := strings.Join(append([]string{word}, all...), " "); got != c.want {
			t.Errorf("%q, %q: got %q, want %q", c.guess, c.feedback, got, c.want)
		}
	}
}

// FuzzSplitTurn: nothing that was typed is lost but colons, spaces and, between boards, commas.
func FuzzSplitTurn(f *testing.F) {
	for _, seed := range []string{"slate:bbybb", "green yellow grey grey black", ":", "⬛⬛ 🟨⬛⬛"} {
		f.Add(seed, "")
		f.Add("crane", seed)
	}
	lists, err := wordle.Embedded()
	if err != nil {
		f.Fatal(err)
	}
	plain := func(guess, tiles string) string { // its words in one order
		words := strings.Fields(strings.ReplaceAll(marks.Squares(guess+" "+tiles), ":", " "))
		slices.Sort(words)
		return strings.Join(words, " ")
	}
	f.Fuzz(func(t *testing.T, guess, tiles string) {
		typed := solve.SplitTurn(guess, tiles, lists.CanGuess)
		if plain(typed.Guess, typed.Feedback) != plain(guess, tiles) {
			t.Errorf("%q, %q is read as %q", guess, tiles, typed)
		}
		word, all := solve.SplitBoards(guess, tiles, lists.CanGuess)
		if without := strings.ReplaceAll(guess+" "+tiles, ",", " "); plain(word, strings.Join(all, " ")) != plain(without, "") {
			t.Errorf("%q, %q is read as %q with %q", guess, tiles, word, all)
		}
	})
}

func TestSplitCards(t *testing.T) {
	const deal = "QD QC 10H 2H 9H KH 213 132 213"
	for _, c := range []struct {
		name, feedback, guess, deal string
		want                        solve.TypedCards
	}{
		{"squares", "🟩🟨⬜ 🟨 🟩", "", "", solve.TypedCards{Feedback: "🟩🟨⬜ 🟨 🟩"}},
		{"wrong feedback", "gyeyq", "", "", solve.TypedCards{Feedback: "gyeyq"}},
		{"a board with signs", "4♣️,4♥,Q♥/A♣/J♣", "", "", solve.TypedCards{Guess: "4C 4H QH AC JC"}},
		{"a board and squares in pieces", "4C 4H QH AC JC 🟩🟨⬜ 🟨 🟩", "", "", solve.TypedCards{Guess: "4C 4H QH AC JC", Feedback: "🟩🟨⬜ 🟨 🟩"}},
		{"a wrong card and feedback", "4C 4H QX AC JC gyeyg", "", "", solve.TypedCards{Guess: "4C 4H QX AC JC", Feedback: "gyeyg"}},
		{"a board and wrong feedback", "4C 4H QH AC JC gyeyq", "", "", solve.TypedCards{Guess: "4C 4H QH AC JC", Feedback: "gyeyq"}},
		{"a deal with a wrong card", "QD QX 10H 2H 9H KH 213 132 213", "", "", solve.TypedCards{Deal: "QD QX 10H 2H 9H KH 213 132 213"}},
		{"a deal with a card and a place too few", "QD QC 10H 2H 9H 213 132 21", "", "", solve.TypedCards{Deal: "QD QC 10H 2H 9H 213 132 21"}},
		{"feedback in the field of the board", "", "gyeyg", "", solve.TypedCards{Guess: "gyeyg"}},
		{"squares by name", "", ":green_square::black_large_square: :yellow_square::white_large_square::green_circle: 4C 4H QH AC JC", "",
			solve.TypedCards{Guess: "4C 4H QH AC JC", Feedback: "🟩⬛ 🟨⬛🟩"}},
		{"a deal and feedback", "gyeyg", "", deal, solve.TypedCards{Deal: deal, Feedback: "gyeyg"}},
	} {
		if got := solve.SplitCards(c.deal, c.guess, c.feedback); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// FuzzSplitCards: no text is lost, whatever it is taken to be.
func FuzzSplitCards(f *testing.F) {
	for _, text := range []string{"gyeyg", "4C 4H QH AC JC gyeyg", "gyeyg 4C 4H QH AC JC", "QD QC 10H 2H 9H KH 213 132 213", "4♣️,4♥/\u0661", "\xff 10", "QD QD", "2\xe2\uFE0F\x99\xa5"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e := solve.SplitCards("", "", text)
		if after, before := solve.Tidy(e.Guess+" "+e.Feedback), solve.Tidy(e.Feedback+" "+e.Guess); e.Deal == "" && after != solve.Tidy(text) && before != solve.Tidy(text) || e.Deal != "" && solve.Tidy(e.Deal) != solve.Tidy(text) {
			t.Errorf("%q is taken for %+v", text, e)
		}
	})
}
