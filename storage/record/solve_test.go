package record_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/solver/solve"
	"fivefold/storage/record"
)

func TestRefusedSessions(t *testing.T) {
	words, cards := string(readSample(t, "session-1.json")), string(readSample(t, "session-1-board.json"))
	for _, c := range []struct {
		sample, name, from, to string
		want                   error
	}{
		{words, "format 2", `"Format":1`, `"Format":2`, game.ErrNewer},
		{words, "no format", `"Format":1,`, ``, game.ErrDamaged},
		{words, "half a record", words[len(words)/2:], ``, game.ErrDamaged},
		{words, "no player", `"Player":"ana",`, ``, game.ErrDamaged},
		{words, "no version", `"Version":42,`, ``, game.ErrDamaged},
		{words, "not a guess", `"Guess":"slate"`, `"Guess":"crane crane"`, game.ErrDamaged},
		{words, "no guess", `"Guess":"slate",`, ``, game.ErrDamaged},
		{words, "unreadable tiles", `"Feedback":"BBYBB"`, `"Feedback":"CRANE"`, game.ErrDamaged},
		{words, "all green before the last line", `"Feedback":"BBYBB"`, `"Feedback":"GGGGG"`, game.ErrDamaged},
		{words, "seven lines", `"Turns":[`, `"Turns":[` + strings.Repeat(`{"Guess":"crane","Feedback":"BBBBB"},`, 5), game.ErrDamaged},
		{words, "advice without a word", `"word":"crony",`, ``, game.ErrDamaged},
		{words, "a chosen text that is not a word", `"Chosen":"brick"`, `"Chosen":"crane1"`, game.ErrDamaged},
		{words, "fewer than no puzzles lost", `"Lost":2`, `"Lost":-2`, game.ErrDamaged},
		{words, "fewer than no puzzles solved", `[0,1,4,3,1,1]`, `[0,1,-4,3,1,1]`, game.ErrDamaged},
		{cards, "no deal", `"Holes":["QD QC","10H 2H","9H KH"],`, ``, game.ErrDamaged},
		{cards, "two holes", `["QD QC","10H 2H","9H KH"]`, `["QD QC","10H 2H"]`, game.ErrDamaged},
		{cards, "not a card", `"10H 2H"`, `"10H 2X"`, game.ErrDamaged},
		{cards, "a card that two hold", `"10H 2H"`, `"10H QD"`, game.ErrDamaged},
		{cards, "invalid places", `"1 2 2"`, `"1 3 3"`, game.ErrDamaged},
		{cards, "not a guess", `"Guess":"4C 4H QH AC JC"`, `"Guess":"4C 4H QH AC"`, game.ErrDamaged},
		{cards, "no guess", `"Guess":"4C 4H QH AC JC",`, ``, game.ErrDamaged},
		{cards, "a guess with a card that is held", `"Guess":"4C 4H QH AC JC"`, `"Guess":"4C 4H QC AC JC"`, game.ErrDamaged},
		{cards, "a guess twice", `"Guess":"4C 4H QH AC JC"`, `"Guess":"10C 10D JC QH 10S"`, game.ErrDamaged},
		{cards, "unreadable colours", `"Feedback":"BYBGG"`, `"Feedback":"CRANE"`, game.ErrDamaged},
		{cards, "all green before the last step", `"Feedback":"GGYGY"`, `"Feedback":"GGGGG"`, game.ErrDamaged},
		{cards, "seven steps", `"Turns":[`, `"Turns":[` + strings.Join([]string{
			`{"Guess":"2C 3C 4C 5C 6C","Feedback":"BBBBB"}`, `{"Guess":"2C 3C 4C 5C 7C","Feedback":"BBBBB"}`, `{"Guess":"2C 3C 4C 5C 8C","Feedback":"BBBBB"}`,
			`{"Guess":"2C 3C 4C 5C 9C","Feedback":"BBBBB"}`, `{"Guess":"2C 3C 4C 5C AC","Feedback":"BBBBB"}`, ``}, ","), game.ErrDamaged},
		{cards, "a proposal without a board", `"board":"10D 10S JD QH 10C",`, ``, game.ErrDamaged},
		{cards, "a board proposed that was guessed", `"board":"10D 10S JD QH 10C"`, `"board":"4H 4C QH AC JC"`, game.ErrDamaged},
		{cards, "a chosen text that is not a board", `"Chosen":"2C 3D 4S 5C 6D"`, `"Chosen":"crane"`, game.ErrDamaged},
		{cards, "a board chosen with a card that is held", `"Chosen":"2C 3D 4S 5C 6D"`, `"Chosen":"2H 3D 4S 5C 6D"`, game.ErrDamaged},
	} {
		if !strings.Contains(c.sample, c.from) {
			t.Fatalf("%s: the sample has no %s", c.name, c.from)
		}
		got, err := record.DecodeSession([]byte(strings.Replace(c.sample, c.from, c.to, 1)))
		if !errors.Is(err, c.want) || !reflect.DeepEqual(got, solve.Session{}) {
			t.Errorf("%s: got %+v, %v, want %v", c.name, got, err, c.want)
		}
		if err != nil && strings.Contains(strings.ToLower(err.Error()), "crane") {
			t.Errorf("%s: the error shows the record: %v", c.name, err)
		}
	}
}

// mustDeal returns the deal of the sample.
func mustDeal(tb testing.TB) pokle.Deal {
	tb.Helper()
	d, err := pokle.ParseDeal([pokle.Players]string{"QD QC", "10H 2H", "9H KH"}, [pokle.Streets]string{"213", "122", "213"})
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func mustFeedback(tb testing.TB, text string) marks.Feedback {
	tb.Helper()
	f, err := marks.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func readSample(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
