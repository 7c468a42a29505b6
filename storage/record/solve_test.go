package record_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
	"fivefold/storage/record"
)

func TestRefusedSessions(t *testing.T) {
	sample := string(readSample(t, "session-1.json"))
	for _, c := range []struct {
		name, from, to string
		want           error
	}{
		{"format 2", `"format":1`, `"format":2`, game.ErrNewer},
		{"no format", `"format":1,`, ``, game.ErrDamaged},
		{"half a record", sample[len(sample)/2:], ``, game.ErrDamaged},
		{"no player", `"player":"ana",`, ``, game.ErrDamaged},
		{"no version", `"version":42,`, ``, game.ErrDamaged},
		{"not a guess", `"guess":"slate"`, `"guess":"crane crane"`, game.ErrDamaged},
		{"no guess", `"guess":"slate",`, ``, game.ErrDamaged},
		{"unreadable tiles", `"feedback":"BBYBB"`, `"feedback":"CRANE"`, game.ErrDamaged},
		{"all green before the last line", `"feedback":"BBYBB"`, `"feedback":"GGGGG"`, game.ErrDamaged},
		{"seven lines", `"turns":[`, `"turns":[` + strings.Repeat(`{"guess":"crane","feedback":"BBBBB"},`, 5), game.ErrDamaged},
		{"advice without a word", `"word":"crony",`, ``, game.ErrDamaged},
		{"a chosen text that is not a word", `"chosen":"brick"`, `"chosen":"crane1"`, game.ErrDamaged},
		{"fewer than no puzzles lost", `"lost":2`, `"lost":-2`, game.ErrDamaged},
		{"fewer than no puzzles solved", `[0,1,4,3,1,1]`, `[0,1,-4,3,1,1]`, game.ErrDamaged},
	} {
		if !strings.Contains(sample, c.from) {
			t.Fatalf("%s: the sample has no %s", c.name, c.from)
		}
		got, err := record.DecodeSession([]byte(strings.Replace(sample, c.from, c.to, 1)))
		if !errors.Is(err, c.want) || !reflect.DeepEqual(got, solve.Session{}) {
			t.Errorf("%s: got %+v, %v, want %v", c.name, got, err, c.want)
		}
		if err != nil && strings.Contains(strings.ToLower(err.Error()), "crane") {
			t.Errorf("%s: the error shows the record: %v", c.name, err)
		}
	}
}

func TestRefusedBoards(t *testing.T) {
	sample := string(readSample(t, "session-1-board.json"))
	for _, c := range []struct{ name, from, to string }{
		{"no deal", `"holes":["QD QC","10H 2H","9H KH"],`, ``},
		{"two holes", `["QD QC","10H 2H","9H KH"]`, `["QD QC","10H 2H"]`},
		{"not a card", `"10H 2H"`, `"10H 2X"`},
		{"a card that two hold", `"10H 2H"`, `"10H QD"`},
		{"invalid places", `"1 2 2"`, `"1 3 3"`},
		{"not a guess", `"guess":"4C 4H QH AC JC"`, `"guess":"4C 4H QH AC"`},
		{"no guess", `"guess":"4C 4H QH AC JC",`, ``},
		{"a guess with a card that is held", `"guess":"4C 4H QH AC JC"`, `"guess":"4C 4H QC AC JC"`},
		{"a guess twice", `"guess":"4C 4H QH AC JC"`, `"guess":"10C 10D JC QH 10S"`},
		{"unreadable colours", `"feedback":"BYBGG"`, `"feedback":"CRANE"`},
		{"all green before the last step", `"feedback":"GGYGY"`, `"feedback":"GGGGG"`},
		{"seven steps", `"steps":[`, `"steps":[` + strings.Join([]string{
			`{"guess":"2C 3C 4C 5C 6C","feedback":"BBBBB"}`, `{"guess":"2C 3C 4C 5C 7C","feedback":"BBBBB"}`, `{"guess":"2C 3C 4C 5C 8C","feedback":"BBBBB"}`,
			`{"guess":"2C 3C 4C 5C 9C","feedback":"BBBBB"}`, `{"guess":"2C 3C 4C 5C AC","feedback":"BBBBB"}`, ``}, ",")},
		{"a proposal without a board", `"board":"10D 10S JD QH 10C",`, ``},
		{"a board proposed that was guessed", `"board":"10D 10S JD QH 10C"`, `"board":"4H 4C QH AC JC"`},
		{"a chosen text that is not a board", `"chosen":"2C 3D 4S 5C 6D"`, `"chosen":"crane"`},
		{"a board chosen with a card that is held", `"chosen":"2C 3D 4S 5C 6D"`, `"chosen":"2H 3D 4S 5C 6D"`},
	} {
		if !strings.Contains(sample, c.from) {
			t.Fatalf("%s: the sample has no %s", c.name, c.from)
		}
		got, err := record.DecodeSession([]byte(strings.Replace(sample, c.from, c.to, 1)))
		if !errors.Is(err, game.ErrDamaged) || !reflect.DeepEqual(got, solve.Session{}) {
			t.Errorf("%s: got %+v, %v, want %v", c.name, got, err, game.ErrDamaged)
		}
	}
}

// TestOldSessions reads samples of every format there has been. They must load for
// ever, so the files may never change; a new format adds new ones.
func TestOldSessions(t *testing.T) {
	turn := func(guess, feedback string) wordle.Turn {
		return wordle.Turn{Guess: wordle.MustParse(guess), Feedback: mustFeedback(t, feedback)}
	}
	board := func(text string) pokle.Board {
		b, err := pokle.ParseBoard(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	samples, err := filepath.Glob(filepath.Join("testdata", "session-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]solve.Session{
		"session-1.json": {
			Player: "ana", Version: 42,
			Words: solve.WordPuzzle{
				Setup: solve.WordSetup{Hard: true, Strategy: "parts"},
				Turns: []wordle.Turn{turn("slate", "bbybb"), turn("qxzqx", "yybbg")},
				Proposed: []weighted.Suggestion{
					{Word: wordle.MustParse("crony"), Chance: 0.125, Remaining: 47, Expected: 3.5, Groups: 30, Worst: 6, Guesses: 2.25, Proven: true},
					{Word: wordle.MustParse("adieu"), Remaining: 47, Expected: 4.75, Groups: 21, Worst: 9},
				},
				Chosen: wordle.MustParse("brick"),
			},
			Record:   solve.Record{Lost: 2, Distribution: [6]int{0, 1, 4, 3, 1, 1}},
			Requests: []game.RequestID{"1301", "local-1-ABC"},
		},
		"session-1-board.json": { // of a player who asked about the poker game only
			Player: "ana", Version: 7,
			Board: solve.BoardPuzzle{
				Setup: solve.BoardSetup{Deal: mustDeal(t)},
				Turns: []boards.Step{
					{Guess: board("JC 10D 10C QH 10S"), Feedback: mustFeedback(t, "ggygy")},
					{Guess: board("4C 4H QH AC JC"), Feedback: mustFeedback(t, "eyegg")},
				},
				Proposed: []boards.Suggestion{{Board: board("10D 10S JD QH 10C"), Remaining: 3, Entropy: 0.9182958340582749, Guesses: 5.0 / 3, Proven: true}},
				Chosen:   board("2C 3D 4S 5C 6D"),
			},
			Requests: []game.RequestID{"1301", "1302"},
		},
	}
	for name, want := range table {
		if got, err := record.DecodeSession(readSample(t, name)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is\n%+v, %v, want\n%+v", name, got, err, want)
		}
	}
	if len(samples) != len(table) {
		t.Errorf("%d samples, but %d are checked", len(samples), len(table))
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

// TestSessionsRoundTrip writes and reads random sessions.
func TestSessionsRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	players := []game.PlayerID{"1", "ana", "Zoë", `"<&>'\`, "💚"}
	words := strings.Fields("batch catch hatch latch match patch watch favor major razor blown chimp")
	deal := mustDeal(t)
	full := 0
	for range 500 {
		s := solve.Session{
			Player: players[random.IntN(len(players))], Version: 1 + random.Uint64N(1000),
			Record: solve.Record{Lost: random.IntN(5)},
		}
		s.Record.Distribution[random.IntN(wordle.Attempts)] = random.IntN(5)
		s.Words.Setup = solve.WordSetup{Hard: random.IntN(4) == 0, Strategy: []string{"", "parts"}[random.IntN(2)]}
		if random.IntN(4) > 0 {
			s.Board.Setup.Deal = deal
		}
		for range random.IntN(12) {
			word := wordle.MustParse(words[random.IntN(len(words))])
			f := marks.Feedback(random.IntN(marks.Feedbacks))
			hand := random.Perm(pokle.Deck)
			board := pokle.Board{pokle.Card(hand[0]), pokle.Card(hand[1]), pokle.Card(hand[2]), pokle.Card(hand[3]), pokle.Card(hand[4])}
			switch random.IntN(4) { // a refusal leaves the puzzle as it is
			case 0:
				s.Words, _ = s.Words.Choose(word)
				s.Board, _ = s.Board.Choose(board)
			case 1:
				s.Words.Proposed = append(s.Words.Proposed, weighted.Suggestion{Word: word, Chance: random.Float64(), Remaining: random.IntN(9), Expected: random.Float64(), Measure: random.Float64()})
				if s.Board.Allows(board) == nil {
					s.Board.Proposed = []boards.Suggestion{{Board: board, Remaining: random.IntN(9), Entropy: random.Float64(), Proven: true}}
				}
			default:
				s.Words, _ = s.Words.Add(wordle.Turn{Guess: word, Feedback: f})
				s.Board, _ = s.Board.Add(boards.Step{Guess: board, Feedback: f})
			}
			s.Requests = append(s.Requests, game.RequestID(fmt.Sprint(random.Uint64())))
		}
		if len(s.Words.Turns) > 1 && len(s.Board.Turns) > 1 {
			full++
		}
		data, err := record.EncodeSession(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := record.DecodeSession(data); err != nil || !reflect.DeepEqual(got, s) {
			t.Fatalf("%s is read as\n%+v, %v, want\n%+v", data, got, err, s)
		}
	}
	if full < 50 {
		t.Errorf("only %d of 500 have turns in both puzzles: too few to have tested much", full)
	}
}

func FuzzDecodeSession(f *testing.F) {
	for _, name := range []string{"session-1.json", "session-1-board.json"} {
		data := readSample(f, name)
		f.Add(data)
		f.Add(data[:len(data)-3])
		f.Add([]byte(strings.Replace(string(data), `"format":1`, `"format":2`, 1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := record.DecodeSession(data)
		if err != nil {
			if !reflect.DeepEqual(s, solve.Session{}) || !errors.Is(err, game.ErrDamaged) && !errors.Is(err, game.ErrNewer) {
				t.Fatalf("%q is %+v, %v", data, s, err)
			}
			for _, word := range []string{"crony", "adieu", "slate"} {
				if strings.Contains(strings.ToLower(err.Error()), word) {
					t.Fatalf("the error for %q is %v", data, err)
				}
			}
			return
		}
		again, err := record.EncodeSession(s)
		if err != nil {
			t.Fatalf("%q is read, but cannot be written: %v", data, err)
		}
		if got, err := record.DecodeSession(again); err != nil || !reflect.DeepEqual(got, s) {
			t.Fatalf("%q is written as %q, which is read as %+v, %v", data, again, got, err)
		}
	})
}
