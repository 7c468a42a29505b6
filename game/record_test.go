package game_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/solver/weighted"
)

func moment(seconds float64) time.Time {
	return time.UnixMilli(1793534400000 + int64(seconds*1000)).UTC()
}

func mustGuess(tb testing.TB, s wordle.State, words string) wordle.State {
	tb.Helper()
	for w := range strings.FieldsSeq(words) {
		next, err := s.Guess(wordle.MustParse(w))
		if err != nil {
			tb.Fatalf("%s: %v", w, err)
		}
		s = next
	}
	return s
}

func mustGuessBoards(tb testing.TB, s pokle.State, guesses ...string) pokle.State {
	tb.Helper()
	for _, text := range guesses {
		b, err := pokle.ParseBoard(text)
		if err == nil {
			s, err = s.Guess(b)
		}
		if err != nil {
			tb.Fatalf("%s: %v", text, err)
		}
	}
	return s
}

func readSample(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func mustFeedback(tb testing.TB, text string) wordle.Feedback {
	tb.Helper()
	f, err := wordle.ParseFeedback(text)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// TestOldRecords reads samples of every format there has been. They must load
// for ever, so the files may never change; a new format adds new ones.
func TestOldRecords(t *testing.T) {
	crane := wordle.MustParse("crane")
	at1 := game.Place{Guild: "g1", Channel: "c1"}
	decodeMatch := func(b []byte) (any, error) { return game.DecodeMatch(b) }
	decodeResult := func(b []byte) (any, error) { return game.DecodeResult(b) }
	decodeTotals := func(b []byte) (any, error) { return game.DecodeTotals(b) }
	decodeNotes := func(b []byte) (any, error) { return game.DecodeNotes(b) }
	decodeReview := func(b []byte) (any, error) { return game.DecodeReview(b) }
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
	step := func(guess, feedback string) boards.Step {
		return boards.Step{Guess: board(guess), Feedback: mustFeedback(t, feedback)}
	}
	var (
		deal pokle.Deal
		err  error
	)
	for i, text := range []string{"QD QC", "10H 2H", "9H KH"} {
		if deal.Holes[i], err = pokle.ParseHole(text); err != nil {
			t.Fatal(err)
		}
	}
	deal.Places = [pokle.Streets]pokle.Places{{3, 2, 1}, {3, 2, 1}, {3, 1, 2}}
	samples, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	table := []struct {
		file   string
		decode func([]byte) (any, error)
		want   any
	}{
		{"match-1-playing.json", decodeMatch, game.Match{
			ID: "1301", Place: at1, Version: 3, Starter: "ana", Started: moment(0),
			Wordle: mustGuess(t, wordle.NewState(crane, false), "slate brick"),
			Moves:  []game.Move{{Player: "ana", At: moment(5), Version: 2}, {Player: "Zoë <b>", At: moment(10.123), Version: 3}},
		}},
		{"match-1-won.json", decodeMatch, game.Match{
			ID: "1302", Place: game.Place{Channel: "c2"}, Version: 6, Starter: "ana", Started: moment(0),
			Wordle: mustGuess(t, wordle.NewState(crane, false), "slate crane"),
			Moves:  []game.Move{{Player: "ana", At: moment(5), Version: 2}, {Player: "ben", At: moment(30), Version: 6}},
			Hints: []game.Hint{
				{Kind: game.HintSuggestion, Player: "ana", At: moment(10), Version: 3, After: 1, Suggestion: &solver.Suggestion{
					Word: wordle.MustParse("cerge"), Remaining: 29, Expected: 101.0 / 29, Groups: 13, Worst: 6}},
				{Kind: game.HintLetter, Player: "cleo", At: moment(15), Version: 4, After: 1, Letter: 'C', Times: 1},
				{Kind: game.HintPosition, Player: "cleo", At: moment(20), Version: 5, After: 1, Letter: 'R', Position: 2},
			},
		}},
		{"match-1-proven.json", decodeMatch, game.Match{ // a hint that says how good it is
			ID: "1305", Place: game.Place{Channel: "c2"}, Version: 6, Starter: "ana", Started: moment(0),
			Wordle: mustGuess(t, wordle.NewState(crane, false), "slate crane"),
			Moves:  []game.Move{{Player: "ana", At: moment(5), Version: 2}, {Player: "ben", At: moment(30), Version: 6}},
			Hints: []game.Hint{
				{Kind: game.HintSuggestion, Player: "ana", At: moment(10), Version: 3, After: 1, Suggestion: &solver.Suggestion{
					Word: crane, Possible: true, Remaining: 29, Expected: 101.0 / 29, Entropy: 3.25, Groups: 13, Worst: 6, Total: 66, Proven: true}},
				{Kind: game.HintLetter, Player: "cleo", At: moment(15), Version: 4, After: 1, Letter: 'C', Times: 1},
				{Kind: game.HintPosition, Player: "cleo", At: moment(20), Version: 5, After: 1, Letter: 'R', Position: 2},
			},
		}},
		{"match-1-lost-hard.json", decodeMatch, game.Match{
			ID: "1303", Place: at1, Version: 7, Starter: "ana", Started: moment(0),
			Wordle: mustGuess(t, wordle.NewState(crane, true), "fuzzy moldy blimp trace brace grace"),
			Moves: []game.Move{
				{Player: "ana", At: moment(1), Version: 2}, {Player: "ana", At: moment(2), Version: 3},
				{Player: "ben", At: moment(3), Version: 4}, {Player: "ana", At: moment(4), Version: 5},
				{Player: "ana", At: moment(5), Version: 6}, {Player: "ben", At: moment(6), Version: 7},
			},
		}},
		{"match-1-stopped.json", decodeMatch, game.Match{
			ID: "1304", Place: at1, Version: 2, Starter: "ana", Started: moment(0),
			Wordle: wordle.NewState(wordle.MustParse("eerie"), false),
			Stop:   &game.Stop{Player: "ben", At: moment(7), Version: 2},
		}},
		{"match-1-cleared.json", decodeMatch, game.Match{ // ana has cleared her history
			ID: "1306", Place: at1, Version: 5, Started: moment(0),
			Wordle: mustGuess(t, wordle.NewState(crane, false), "slate brick"),
			Moves:  []game.Move{{At: moment(5), Version: 2}, {Player: "ben", At: moment(10), Version: 3}},
			Hints:  []game.Hint{{Kind: game.HintLetter, At: moment(15), Version: 4, After: 2, Letter: 'C', Times: 1}},
			Stop:   &game.Stop{At: moment(20), Version: 5},
		}},
		{"result-1-cleared.json", decodeResult, game.Result{
			Match: "1307", Kind: game.Wordle, Place: at1, Status: game.Won, Hidden: crane, Attempts: 2, Started: moment(0), Ended: moment(10),
			Parts: []game.Part{{Guesses: 1, Hints: 1}, {Player: "ben", Guesses: 1}},
		}},
		{"match-1-pokle.json", decodeMatch, game.Match{
			ID: "1308", Place: at1, Version: 5, Starter: "ana", Started: moment(0), Mode: game.Daily, Day: 305,
			Pokle: mustGuessBoards(t, pokle.NewState(deal, board("2C 9C 10C KC 2D")), "9C 10D KD 2D 2S", "10C 2C 9C KC 3S"),
			Moves: []game.Move{{Player: "ana", At: moment(5), Version: 2}, {Player: "ana", At: moment(10.123), Version: 4}},
			Hints: []game.Hint{{Kind: game.HintSuggestion, Player: "ana", At: moment(7), Version: 3, After: 1, Board: &boards.Suggestion{
				Board: board("2C 9C 10C KC 2S"), Remaining: 31, Entropy: 3.25, Guesses: 2.5, Proven: true}}},
			Stop: &game.Stop{Player: "ana", At: moment(20), Version: 5},
		}},
		{"result-1-pokle.json", decodeResult, game.Result{
			Match: "1309", Place: at1, Kind: game.Pokle, Mode: game.Solo, Status: game.Won, Board: board("2C 9C 10C KC 2D"), Attempts: 3,
			Started: moment(0), Ended: moment(30), Solver: "ana", Parts: []game.Part{{Player: "ana", Guesses: 3, Hints: 1}},
		}},
		{"review-1-pokle.json", decodeReview, game.Review{Pokle: boards.Review{
			Guesses: []boards.Judged{
				{Step: step("9C 10D KD 2D 2S", "gyeey"), Before: 1290, After: 31, Expected: 22.5, Best: board("2C 9C 10C KC 2S"),
					BestExpected: 18.25, Skill: 96.5, Luck: 41.25, Cut: 5.375, Proven: true},
				{Step: step("10C 2C 9C KC 2D", "ggggg"), Before: 31, After: 1, Expected: 4.5, Best: board("2C 9C 10C KC 2S"),
					BestExpected: 3.5, Skill: 90, Luck: 98.5, Cut: 4.75},
			},
			Line: []boards.Step{step("2C 9C 10C KC 2S", "ggggy"), step("2C 9C 10C KC 2D", "ggggg")},
		}}},
		{"review-1.json", decodeReview, game.Review{Wordle: solver.Review{
			Guesses: []solver.Judged{
				{Turn: turn("slate", "bbgbg"), Before: 2346, After: 29, Expected: 73.96504688832054, Best: wordle.MustParse("trace"),
					BestExpected: 74.56947996589941, Skill: 98.75, Luck: 61.56, Cut: 6.3379, Proven: true},
				{Turn: turn("crane", "ggggg"), Before: 29, After: 1, Expected: 6.724137931034483, Best: wordle.MustParse("grave"),
					BestExpected: 4.448275862068965, Skill: 89.8, Luck: 97.29, Cut: 4.858},
			},
			Line: []wordle.Turn{turn("trace", "bggyg"), turn("crane", "ggggg")},
		}}},
		{"result-1-won.json", decodeResult, game.Result{
			Match: "1302", Kind: game.Wordle, Place: game.Place{Guild: "g1", Channel: "c2"}, Status: game.Won, Hidden: crane, Hard: true, Attempts: 2,
			Started: moment(0), Ended: moment(30), Solver: "ben",
			Parts: []game.Part{{Player: "ana", Guesses: 1, Hints: 1}, {Player: "ben", Guesses: 1}, {Player: "cleo", Hints: 2}},
		}},
		{"result-1-stopped.json", decodeResult, game.Result{
			Match: "1304", Kind: game.Wordle, Place: game.Place{Channel: "c1"}, Status: game.Stopped, Hidden: wordle.MustParse("eerie"),
			Started: moment(0), Ended: moment(7),
		}},
		{"totals-1.json", decodeTotals, game.Totals{
			Player: "ana", Played: 12, Won: 10, Attempts: 37, Streak: 2, BestStreak: 6,
			Distribution: [wordle.Attempts]int{0, 1, 4, 3, 1, 1}, Hints: 5,
		}},
		{"notes-1.json", decodeNotes, game.Notes{
			Player: "ana", Version: 42,
			Puzzle: game.Puzzle{
				Turns: []wordle.Turn{newTurn("slate bbybb"), newTurn("qxzqx yybbg")}, Hard: true, Strategy: "parts",
				Advice: []weighted.Advice{
					{Word: wordle.MustParse("crony"), Chance: 0.125, Remaining: 47, Expected: 3.5, Groups: 30, Worst: 6, Guesses: 2.25, Proven: true},
					{Word: wordle.MustParse("adieu"), Remaining: 47, Expected: 4.75, Groups: 21, Worst: 9},
				},
				Chosen: wordle.MustParse("brick"),
			},
			Record:   game.PuzzleRecord{Lost: 2, Distribution: [6]int{0, 1, 4, 3, 1, 1}},
			Requests: []game.RequestID{"1301", "local-1-ABC"},
		}},
		{"notes-1-board.json", decodeNotes, game.Notes{ // somebody who asked about the poker game only
			Player: "ana", Version: 7,
			Board: game.BoardPuzzle{
				Deal:     mustDeal(t, "QD QC 10H 2H 9H KH 213 122 213"),
				Steps:    []boards.Step{mustStep(t, "JC 10D 10C QH 10S ggygy"), mustStep(t, "4C 4H QH AC JC eyegg")},
				Proposal: &boards.Suggestion{Board: mustBoard(t, "10D 10S JD QH 10C"), Remaining: 3, Entropy: 0.9182958340582749, Guesses: 5.0 / 3, Proven: true},
				Chosen:   mustBoard(t, "2C 3D 4S 5C 6D"),
			},
			Requests: []game.RequestID{"1301", "1302"},
		}},
	}
	for _, c := range table {
		got, err := c.decode(readSample(t, c.file))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s is\n%v, %v, want\n%v", c.file, got, err, c.want)
			if got, ok := got.(game.Match); ok {
				t.Errorf("its hints are %+v", got.Hints)
			}
		}
	}
	if len(samples) != len(table) {
		t.Errorf("%d samples, but %d are checked", len(samples), len(table))
	}
}

// TestRefusedRecords: what cannot be read says why, and nothing of its content.
func TestRefusedRecords(t *testing.T) {
	match, result, totals := string(readSample(t, "match-1-won.json")), string(readSample(t, "result-1-won.json")), string(readSample(t, "totals-1.json"))
	review := string(readSample(t, "review-1.json"))
	pokerMatch, pokerResult, pokerReview := string(readSample(t, "match-1-pokle.json")), string(readSample(t, "result-1-pokle.json")), string(readSample(t, "review-1-pokle.json"))
	replace := func(s, from, to string) string {
		t.Helper()
		if !strings.Contains(s, from) {
			t.Fatalf("the sample has no %s", from)
		}
		return strings.Replace(s, from, to, 1)
	}
	decodeMatch := func(s string) error { _, err := game.DecodeMatch([]byte(s)); return err }
	decodeResult := func(s string) error { _, err := game.DecodeResult([]byte(s)); return err }
	decodeTotals := func(s string) error { _, err := game.DecodeTotals([]byte(s)); return err }
	decodeReview := func(s string) error { _, err := game.DecodeReview([]byte(s)); return err }
	for _, c := range []struct {
		name, data string
		decode     func(string) error
		want       error
	}{
		{"an empty record", "", decodeMatch, game.ErrDamaged},
		{"half a record", match[:len(match)/2], decodeMatch, game.ErrDamaged},
		{"null", "null", decodeMatch, game.ErrDamaged},
		{"zeros", strings.Repeat("\x00", 300), decodeMatch, game.ErrDamaged},
		{"two records", match + match, decodeMatch, game.ErrDamaged},
		{"no format", replace(match, `"format":1,`, ``), decodeMatch, game.ErrDamaged},
		{"format 0", replace(match, `"format":1`, `"format":0`), decodeMatch, game.ErrDamaged},
		{"a negative format", replace(match, `"format":1`, `"format":-1`), decodeMatch, game.ErrDamaged},
		{"format 2", replace(match, `"format":1`, `"format":2`), decodeMatch, game.ErrNewer},
		{"format 2 with other fields", `{"format":2,"hidden":["crane"],"moves":7}`, decodeMatch, game.ErrNewer},
		{"no identifier", replace(match, `"id":"1302",`, ``), decodeMatch, game.ErrDamaged},
		{"no channel", replace(match, `"channel":"c2",`, ``), decodeMatch, game.ErrDamaged},
		{"no version", replace(match, `"version":6,`, ``), decodeMatch, game.ErrDamaged},
		{"no hidden word", replace(match, `"hidden":"crane",`, ``), decodeMatch, game.ErrDamaged},
		{"a mode that is none", replace(replace(pokerMatch, `"mode":"daily"`, `"mode":"chess"`), `"day":305,`, ``), decodeMatch, game.ErrDamaged},
		{"a daily match without a day", replace(pokerMatch, `"day":305,`, ``), decodeMatch, game.ErrDamaged},
		{"a card twice in the holes", replace(pokerMatch, `"10H 2H"`, `"QD 2H"`), decodeMatch, game.ErrDamaged},
		{"places that are none", replace(pokerMatch, `"3 1 2"`, `"3 3 2"`), decodeMatch, game.ErrDamaged},
		{"a hidden board that is held", replace(pokerMatch, `"hidden":"2C`, `"hidden":"2H`), decodeMatch, game.ErrDamaged},
		{"a board guessed twice", replace(pokerMatch, `"10C 2C 9C KC 3S"`, `"9C 10D KD 2D 2S"`), decodeMatch, game.ErrDamaged},
		{"an empty hint of a board", replace(pokerMatch, `"board":"2C 9C 10C KC 2S",`, ``), decodeMatch, game.ErrDamaged},
		{"a hint of the word game in the poker game", replace(pokerMatch, `"kind":"suggestion"`, `"kind":"letter","letter":"C","times":1`), decodeMatch, game.ErrDamaged},
		{"a result of neither game", replace(pokerResult, `"kind":"pokle"`, `"kind":"chess"`), decodeResult, game.ErrDamaged},
		{"a result without its board", replace(pokerResult, `"board":"2C 9C 10C KC 2D",`, ``), decodeResult, game.ErrDamaged},
		{"a review of a board that is none", replace(pokerReview, `"best":"2C 9C 10C KC 2S",`, ``), decodeReview, game.ErrDamaged},
		{"a skill above 99 in the poker game", replace(pokerReview, `"skill":96.5`, `"skill":99.5`), decodeReview, game.ErrDamaged},
		{"a hidden word that is none", replace(match, `"hidden":"crane"`, `"hidden":"crane crane"`), decodeMatch, game.ErrDamaged},
		{"a guess that is none", replace(match, `"guess":"slate"`, `"guess":""`), decodeMatch, game.ErrDamaged},
		{"a guess twice", replace(match, `"guess":"slate"`, `"guess":"crane"`), decodeMatch, game.ErrDamaged},
		{"a hint of no kind", replace(match, `"kind":"letter"`, `"kind":"crane"`), decodeMatch, game.ErrDamaged},
		{"a letter that is none", replace(match, `"letter":"C"`, `"letter":"c"`), decodeMatch, game.ErrDamaged},
		{"a letter no times", replace(match, `,"times":1`, ``), decodeMatch, game.ErrDamaged},
		{"a position that is none", replace(match, `,"position":2`, ``), decodeMatch, game.ErrDamaged},
		{"a sixth position", replace(match, `"position":2`, `"position":6`), decodeMatch, game.ErrDamaged},
		{"an empty suggestion", replace(match, `"word":"cerge",`, ``), decodeMatch, game.ErrDamaged},
		{"half a result", result[:len(result)/2], decodeResult, game.ErrDamaged},
		{"a result in format 2", replace(result, `"format":1`, `"format":2`), decodeResult, game.ErrNewer},
		{"seven attempts", replace(result, `"attempts":2`, `"attempts":7`), decodeResult, game.ErrDamaged},
		{"a win without attempts", replace(result, `"attempts":2`, `"attempts":0`), decodeResult, game.ErrDamaged},
		{"negative attempts", replace(result, `"attempts":2`, `"attempts":-1`), decodeResult, game.ErrDamaged},
		{"an unknown status", replace(result, `"status":"won"`, `"status":"crane"`), decodeResult, game.ErrDamaged},
		{"a result without a match", replace(result, `"match":"1302",`, ``), decodeResult, game.ErrDamaged},
		{"half of totals", totals[:len(totals)/2], decodeTotals, game.ErrDamaged},
		{"half a review", review[:len(review)/2], decodeReview, game.ErrDamaged},
		{"a review in format 2", replace(review, `"format":1`, `"format":2`), decodeReview, game.ErrNewer},
		{"a skill above 99", replace(review, `"skill":98.75`, `"skill":100`), decodeReview, game.ErrDamaged},
		{"a luck below 0", replace(review, `"luck":61.56`, `"luck":-1`), decodeReview, game.ErrDamaged},
		{"a cut that makes more of words", replace(review, `"cut":6.3379`, `"cut":-1`), decodeReview, game.ErrDamaged},
		{"a judgement of no words", replace(review, `"before":2346`, `"before":0`), decodeReview, game.ErrDamaged},
		{"a judgement that leaves no word", replace(review, `"after":29`, `"after":0`), decodeReview, game.ErrDamaged},
		{"a judgement without the best word", replace(review, `"best":"trace",`, ``), decodeReview, game.ErrDamaged},
		{"a feedback that is none", replace(review, `"feedback":"BGGYG"`, `"feedback":"crane"`), decodeReview, game.ErrDamaged},
		{"a guess without feedback", replace(review, `"feedback":"BBGBG",`, ``), decodeReview, game.ErrDamaged},
		{"a line with a turn without guess", replace(review, `{"guess":"trace",`, `{`), decodeReview, game.ErrDamaged},
		{"totals in format 2", replace(totals, `"format":1`, `"format":2`), decodeTotals, game.ErrNewer},
	} {
		err := c.decode(c.data)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
		if err != nil && strings.Contains(strings.ToLower(err.Error()), "crane") {
			t.Errorf("%s: the error shows the record: %v", c.name, err)
		}
	}
}

// TestRecordsRoundTrip writes and reads random records.
func TestRecordsRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	lists := mustLists(t, hintWords, "")
	players := []string{"1", "ana", "Zoë", `"<&>'\`, "💚", "\u2028"}
	verbs := []string{"guess", "guess", "guess", "letter", "position", "suggestion", "stop"}
	for i := range 300 {
		m := newManager(newMemory(), lists)
		m.Pick = random.IntN
		m.Now = func() time.Time { return time.UnixMilli(random.Int64N(1 << 42)) }
		p := game.Place{Guild: []game.GuildID{"", "g"}[random.IntN(2)], Channel: "c"}
		match := mustPlay(t, m, p, []string{"ana start", "ana start-hard"}[random.IntN(2)])
		for step := range 12 {
			o := parse(p, fmt.Sprint(i, "-", step), "x "+verbs[random.IntN(len(verbs))])
			o.word = lists.Guesses()[random.IntN(len(lists.Guesses()))].String()
			o.origin.Player = game.PlayerID(players[random.IntN(len(players))])
			if next, err := o.run(t.Context(), m); err == nil {
				match = next
			}
			data, err := game.EncodeMatch(match)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := game.DecodeMatch(data); err != nil || !reflect.DeepEqual(got, match) {
				t.Fatalf("%s is read as %v, %v", data, got, err)
			}
		}
		if match.Status() == game.Playing {
			continue
		}
		result := match.Result()
		data, err := game.EncodeResult(result)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := game.DecodeResult(data); err != nil || !reflect.DeepEqual(got, result) {
			t.Fatalf("%s is read as %+v, %v", data, got, err)
		}
		totals := game.Totals{Player: "p"}.Add(result, game.Part{Player: match.Starter, Guesses: 1, Hints: i})
		if data, err = game.EncodeTotals(totals); err != nil {
			t.Fatal(err)
		}
		if got, err := game.DecodeTotals(data); err != nil || got != totals {
			t.Fatalf("%s is read as %+v, %v", data, got, err)
		}
	}
}

func FuzzDecodeMatch(f *testing.F) {
	fuzzRecord(f, "match", game.DecodeMatch, game.EncodeMatch)
}

func FuzzDecodeResult(f *testing.F) {
	fuzzRecord(f, "result", game.DecodeResult, game.EncodeResult)
}

func FuzzDecodeTotals(f *testing.F) {
	fuzzRecord(f, "totals", game.DecodeTotals, game.EncodeTotals)
}

func FuzzDecodeReview(f *testing.F) {
	fuzzRecord(f, "review", game.DecodeReview, game.EncodeReview)
}

// fuzzRecord checks that what can be read is written as something that is read
// as the same, and that all else is an error without the words of the record.
func fuzzRecord[T any](f *testing.F, kind string, decode func([]byte) (T, error), encode func(T) ([]byte, error)) {
	samples, err := filepath.Glob(filepath.Join("testdata", kind+"*.json"))
	if err != nil || len(samples) == 0 {
		f.Fatalf("no samples: %v", err)
	}
	for _, name := range samples {
		data := readSample(f, filepath.Base(name))
		f.Add(data)
		f.Add(data[:len(data)-3])
		f.Add([]byte(strings.Replace(string(data), `"format":1`, `"format":2`, 1)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := decode(data)
		if err != nil {
			var zero T
			if !reflect.DeepEqual(v, zero) || !errors.Is(err, game.ErrDamaged) && !errors.Is(err, game.ErrNewer) {
				t.Fatalf("%q is %v, %v", data, v, err)
			}
			var id struct{ ID, Match string } // which may stand in the error, whatever it is
			_ = json.Unmarshal(data, &id)
			text := strings.ToLower(strings.NewReplacer(id.ID, "", id.Match, "").Replace(err.Error()))
			for _, word := range []string{"crane", "eerie", "slate"} {
				if strings.Contains(text, word) {
					t.Fatalf("the error for %q is %v", data, err)
				}
			}
			return
		}
		again, err := encode(v)
		if err != nil {
			t.Fatalf("%q is read, but cannot be written: %v", data, err)
		}
		if got, err := decode(again); err != nil || !reflect.DeepEqual(got, v) {
			t.Fatalf("%q is written as %q, which is read as %v, %v", data, again, got, err)
		}
	})
}
