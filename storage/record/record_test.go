package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot/kinds"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
	"fivefold/solver/optimal"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
	"fivefold/storage/record"
)

func moment(seconds float64) time.Time {
	return time.UnixMilli(1793534400000 + int64(seconds*1000)).UTC()
}

func mustGuess(tb testing.TB, hidden wordle.Word, hard bool, words string) game.State {
	tb.Helper()
	s := wordle.NewState(hidden, hard)
	for w := range strings.FieldsSeq(words) {
		next, err := s.Guess(wordle.MustParse(w))
		if err != nil {
			tb.Fatalf("%s: %v", w, err)
		}
		s = next
	}
	return s
}

func mustGuessBoards(tb testing.TB, s pokle.State, guesses ...string) game.State {
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

// form is how values of a type are written and read.
type form struct {
	decode func([]byte) (any, error)
	encode func(any) ([]byte, error)
}

// formOf returns the form of two functions.
func formOf[T any](decode func([]byte) (T, error), encode func(T) ([]byte, error)) form {
	return form{
		func(b []byte) (any, error) { return decode(b) },
		func(v any) ([]byte, error) { return encode(v.(T)) },
	}
}

func decodeMatch(b []byte) (game.Match, error) {
	m, _, err := kinds.Codecs().DecodeMatch(b)
	return m, err
}

// encodeMatch returns a function that writes a match with requests of its own.
func encodeMatch(all record.Codecs) func(game.Match) ([]byte, error) {
	return func(m game.Match) ([]byte, error) {
		var requests []game.RequestID
		for i := range m.Version {
			requests = append(requests, game.RequestID(fmt.Sprint("r", i+1)))
		}
		return all.EncodeMatch(m, requests)
	}
}

func decodeReview(k game.Kind) func([]byte) (game.Review, error) {
	return func(b []byte) (game.Review, error) {
		codec, err := kinds.Codecs().Of(k)
		if err != nil {
			return nil, err
		}
		return codec.ReadReview(b)
	}
}

// TestRecords reads samples of every record, and writes them again as they are. From the first release
// on they must load for ever, so the files must not change.
func TestRecords(t *testing.T) {
	crane := wordle.MustParse("crane")
	at1 := game.Location{Guild: "g1", Channel: "c1"}
	var (
		matches      = formOf(decodeMatch, encodeMatch(kinds.Codecs()))
		results      = formOf(record.Decode[game.Result], record.Encode[game.Result])
		sessions     = formOf(record.Decode[solve.Session], record.Encode[solve.Session])
		wordReviews  = formOf(decodeReview(wordgame.Kind), record.Encode[game.Review])
		boardReviews = formOf(decodeReview(pokergame.Kind), record.Encode[game.Review])
	)
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
	deal := mustDeal(t)
	deal.Places = [pokle.Streets]pokle.Places{{3, 2, 1}, {3, 2, 1}, {3, 1, 2}}
	table := []struct {
		file string
		form
		want any
	}{
		{"match-1-playing.json", matches, game.Match{
			ID: "1301", Location: at1, Version: 3, Starter: "ana", Started: moment(0),
			Kind: wordgame.Kind, State: mustGuess(t, crane, false, "slate brick"),
			Moves: []game.Move{{Player: "ana", At: moment(5), Version: 2}, {Player: "Zoë <b>", At: moment(10.123), Version: 3}},
		}},
		{"match-1-won.json", matches, game.Match{
			ID: "1302", Location: game.Location{Channel: "c2"}, Version: 6, Starter: "ana", Started: moment(0),
			Kind: wordgame.Kind, State: mustGuess(t, crane, false, "slate crane"),
			Moves: []game.Move{{Player: "ana", At: moment(5), Version: 2}, {Player: "ben", At: moment(30), Version: 6}},
			Hints: []game.Hint{
				{Kind: game.HintSuggestion, Player: "ana", At: moment(10), Version: 3, After: 1, Content: optimal.Suggestion{
					Word: crane, Possible: true, Remaining: 29, Expected: 101.0 / 29, Entropy: 3.25, Groups: 13, Worst: 6, Total: 66, Proven: true}},
				{Kind: game.HintLetter, Player: "cleo", At: moment(15), Version: 4, After: 1, Content: wordgame.LetterHint{Letter: "C", Times: 1}},
				{Kind: game.HintPosition, Player: "cleo", At: moment(20), Version: 5, After: 1, Content: wordgame.PositionHint{Letter: "R", Position: 2}},
			},
		}},
		{"match-1-lost-hard.json", matches, game.Match{
			ID: "1303", Location: at1, Version: 7, Starter: "ana", Started: moment(0),
			Kind: wordgame.Kind, State: mustGuess(t, crane, true, "fuzzy moldy blimp trace brace grace"),
			Moves: []game.Move{
				{Player: "ana", At: moment(1), Version: 2}, {Player: "ana", At: moment(2), Version: 3},
				{Player: "ben", At: moment(3), Version: 4}, {Player: "ana", At: moment(4), Version: 5},
				{Player: "ana", At: moment(5), Version: 6}, {Player: "ben", At: moment(6), Version: 7},
			},
		}},
		{"match-1-cleared.json", matches, game.Match{ // ana has cleared her history
			ID: "1306", Location: at1, Version: 5, Started: moment(0),
			Kind: wordgame.Kind, State: mustGuess(t, crane, false, "slate brick"),
			Moves: []game.Move{{At: moment(5), Version: 2}, {Player: "ben", At: moment(10), Version: 3}},
			Hints: []game.Hint{{Kind: game.HintLetter, At: moment(15), Version: 4, After: 2, Content: wordgame.LetterHint{Letter: "C", Times: 1}}},
			Stop:  &game.Stop{At: moment(20), Version: 5},
		}},
		{"result-1-cleared.json", results, game.Result{
			Match: "1307", Kind: wordgame.Kind, Location: at1, Status: game.Won, Answer: "CRANE", Attempts: 2, Started: moment(0), Ended: moment(10),
			Participants: []game.Participant{{Guesses: 1, Hints: 1, Outcome: game.Won}, {Player: "ben", Guesses: 1, Outcome: game.Won}},
		}},
		{"match-1-pokle.json", matches, game.Match{
			ID: "1308", Location: at1, Version: 5, Starter: "ana", Started: moment(0), Mode: game.Daily, Puzzle: "daily-305",
			Kind: pokergame.Kind, State: mustGuessBoards(t, pokle.NewState(deal, board("2C 9C 10C KC 2D")), "9C 10D KD 2D 2S", "10C 2C 9C KC 3S"),
			Moves: []game.Move{{Player: "ana", At: moment(5), Version: 2}, {Player: "ana", At: moment(10.123), Version: 4}},
			Hints: []game.Hint{{Kind: game.HintSuggestion, Player: "ana", At: moment(7), Version: 3, After: 1, Content: boards.Suggestion{
				Board: board("2C 9C 10C KC 2S"), Remaining: 31, Entropy: 3.25, Guesses: 2.5, Proven: true}}},
			Stop: &game.Stop{Player: "ana", At: moment(20), Version: 5},
		}},
		{"review-1-pokle.json", boardReviews, boards.Review{
			Guesses: []boards.Judged{
				{Turn: step("9C 10D KD 2D 2S", "gyeey"), Before: 1290, After: 31, Expected: 22.5, Best: board("2C 9C 10C KC 2S"),
					BestExpected: 18.25, Skill: 96.5, Luck: 41.25, Cut: 5.375, Proven: true},
				{Turn: step("10C 2C 9C KC 2D", "ggggg"), Before: 31, After: 1, Expected: 4.5, Best: board("2C 9C 10C KC 2S"),
					BestExpected: 3.5, Skill: 90, Luck: 98.5, Cut: 4.75},
			},
			Line: []boards.Step{step("2C 9C 10C KC 2S", "ggggy"), step("2C 9C 10C KC 2D", "ggggg")},
		}},
		{"review-1.json", wordReviews, optimal.Review{
			Guesses: []optimal.Judged{
				{Turn: turn("slate", "bbgbg"), Before: 2346, After: 29, Expected: 73.96504688832054, Best: wordle.MustParse("trace"),
					BestExpected: 74.56947996589941, Skill: 98.75, Luck: 61.56, Cut: 6.3379, Missed: 5, BestMissed: 3, Proven: true},
				{Turn: turn("crane", "ggggg"), Before: 29, After: 1, Expected: 6.724137931034483, Best: wordle.MustParse("grave"),
					BestExpected: 4.448275862068965, Skill: 89.8, Luck: 97.29, Cut: 4.858},
			},
			Line: []wordle.Turn{turn("trace", "bggyg"), turn("crane", "ggggg")},
		}},
		{"result-1-won.json", results, game.Result{
			Match: "1302", Kind: wordgame.Kind, Location: game.Location{Guild: "g1", Channel: "c2"}, Status: game.Won, Answer: "CRANE", Hard: true, Attempts: 2,
			Started: moment(0), Ended: moment(30), Winner: "ben",
			Participants: []game.Participant{{Player: "ana", Guesses: 1, Hints: 1, Outcome: game.Won}, {Player: "ben", Guesses: 1, Outcome: game.Won}, {Player: "cleo", Hints: 2}},
		}},
		{"result-1-stopped.json", results, game.Result{
			Match: "1304", Kind: wordgame.Kind, Location: game.Location{Channel: "c1"}, Status: game.Stopped, Answer: "EERIE",
			Started: moment(0), Ended: moment(7),
		}},
		{"match-1-limit.json", matches, game.Match{
			ID: "1312", Location: at1, Version: 4, Starter: "ana", Started: moment(0),
			Kind: wordgame.Kind, State: mustGuess(t, crane, false, "slate crane"),
			Moves:     []game.Move{{Player: "ana", At: moment(5), Version: 2}, {Player: "ben", At: moment(30), Version: 4}},
			Hints:     []game.Hint{{Kind: game.HintLetter, Player: "cleo", At: moment(15), Version: 3, After: 1, Content: wordgame.LetterHint{Letter: "C", Times: 1}}},
			HintLimit: game.HintLimit{Limited: true, Most: 2},
		}},
		{"match-1-off.json", matches, game.Match{
			ID: "1313", Location: at1, Version: 2, Starter: "ana", Started: moment(0),
			Kind: wordgame.Kind, State: mustGuess(t, crane, false, ""), HintLimit: game.HintLimit{Limited: true},
			Stop: &game.Stop{Player: "ana", At: moment(20), Version: 2, Idle: true},
		}},
		{"match-1-race.json", matches, game.Match{
			ID: "1315", Location: at1, Version: 2, Starter: "ana", Started: moment(0), Mode: game.Racing, Puzzle: "race-1300",
			Kind: wordgame.Kind, State: mustGuess(t, crane, false, "slate"), HintLimit: game.HintLimit{Limited: true},
			Moves:     []game.Move{{Player: "ana", Name: "Zoë", At: moment(5), Version: 2}},
			Challenge: &game.Challenge{Clue: "a bird", Report: game.Kept},
		}},
		{"result-1-shared.json", results, game.Result{
			Match: "1314", Kind: wordgame.Kind, Location: at1, Mode: game.Daily, Puzzle: "daily-307", Status: game.Won, Answer: "CRANE", Attempts: 2,
			Started: moment(0), Ended: moment(30), Winner: "ben", Participants: []game.Participant{{Player: "ben", Guesses: 2, Outcome: game.Won}},
			Shared: "c3", Guilds: []game.GuildID{"g2", "g3"},
		}},
		{"session-1.json", sessions, solve.Session{
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
		}},
		{"session-1-board.json", sessions, solve.Session{ // of a player who asked about the poker game only
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
		}},
	}
	checked := map[string]bool{}
	for _, c := range table {
		checked[c.file] = true
		got, err := c.decode(readSample(t, c.file))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s is\n%v, %v, want\n%v", c.file, got, err, c.want)
			if got, ok := got.(game.Match); ok {
				t.Errorf("its hints are %+v", got.Hints)
			}
		}
		if m, ok := c.want.(game.Match); ok && m.Status() != game.Playing { // names are stored only while a match is played
			m.Moves = slices.Clone(m.Moves)
			for i := range m.Moves {
				m.Moves[i].Name = "Zoë"
			}
			c.want = m
		}
		data, err := c.encode(c.want)
		var written, sample any
		err = errors.Join(err, json.Unmarshal(data, &written), json.Unmarshal(readSample(t, c.file), &sample))
		if err != nil || !reflect.DeepEqual(written, sample) {
			t.Errorf("%s is written as\n%s, %v", c.file, data, err)
		}
	}
	for _, pattern := range []string{"match-*.json", "result-*.json", "review-*.json", "session-*.json"} {
		samples, err := filepath.Glob(filepath.Join("testdata", pattern))
		if err != nil || len(samples) == 0 {
			t.Fatalf("%s: %d samples, %v", pattern, len(samples), err)
		}
		for _, path := range samples {
			if !checked[filepath.Base(path)] {
				t.Errorf("%s is not checked", path)
			}
		}
	}
}

// TestRefusedRecords: what cannot be read says why, and nothing of its content.
func TestRefusedRecords(t *testing.T) {
	sample := func(name string) string { return string(readSample(t, name)) }
	match, limit, pokerMatch := sample("match-1-won.json"), sample("match-1-limit.json"), sample("match-1-pokle.json")
	words, cards := sample("session-1.json"), sample("session-1-board.json")
	replace := func(s, from, to string) string {
		t.Helper()
		if !strings.Contains(s, from) {
			t.Fatalf("the sample has no %s", from)
		}
		return strings.Replace(s, from, to, 1)
	}
	decodeMatch := func(s string) error { _, err := decodeMatch([]byte(s)); return err }
	decodeSession := func(s string) error { _, err := record.Decode[solve.Session]([]byte(s)); return err }
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
		{"no format", replace(match, `"Format":1,`, ``), decodeMatch, game.ErrDamaged},
		{"format 0", replace(match, `"Format":1`, `"Format":0`), decodeMatch, game.ErrDamaged},
		{"a negative format", replace(match, `"Format":1`, `"Format":-1`), decodeMatch, game.ErrDamaged},
		{"format 2", replace(match, `"Format":1`, `"Format":2`), decodeMatch, game.ErrNewer},
		{"format 2 with other fields", `{"Kind":"wordle","Format":2,"hidden":["crane"],"moves":7}`, decodeMatch, game.ErrNewer},
		{"no identifier", replace(match, `"ID":"1302",`, ``), decodeMatch, game.ErrDamaged},
		{"no channel", replace(match, `,"Channel":"c2"`, ``), decodeMatch, game.ErrDamaged},
		{"no version", replace(match, `"Version":6,`, ``), decodeMatch, game.ErrDamaged},
		{"invalid places", replace(pokerMatch, `"3 1 2"`, `"3 3 2"`), decodeMatch, game.ErrDamaged},
		{"a hidden board that is held", replace(pokerMatch, `"hidden":"2C`, `"hidden":"2H`), decodeMatch, game.ErrDamaged},
		{"a board guessed twice", replace(pokerMatch, `"10C 2C 9C KC 3S"`, `"9C 10D KD 2D 2S"`), decodeMatch, game.ErrDamaged},
		{"not a guess", replace(match, `["slate"`, `[""`), decodeMatch, game.ErrDamaged},
		{"a hint of no kind", replace(match, `"Kind":"letter"`, `"Kind":"crane"`), decodeMatch, game.ErrDamaged},
		{"an empty suggestion", replace(match, `"word":"crane",`, ``), decodeMatch, game.ErrDamaged},
		{"not a mode", replace(replace(pokerMatch, `"Mode":"daily"`, `"Mode":"chess"`), `"Puzzle":"daily-305",`, ``), decodeMatch, game.ErrDamaged},
		{"an empty hint of a board", replace(pokerMatch, `"board":"2C 9C 10C KC 2S",`, ``), decodeMatch, game.ErrDamaged},
		{"a hint of the word game in the poker game", replace(pokerMatch, `"Kind":"suggestion"`, `"Kind":"letter"`), decodeMatch, game.ErrDamaged},
		{"not a letter", replace(match, `"letter":"C"`, `"letter":"c"`), decodeMatch, game.ErrDamaged},
		{"a letter no times", replace(match, `,"times":1`, ``), decodeMatch, game.ErrDamaged},
		{"not a position", replace(match, `,"position":2`, ``), decodeMatch, game.ErrDamaged},
		{"a sixth position", replace(match, `"position":2`, `"position":6`), decodeMatch, game.ErrDamaged},
		{"no kind", replace(match, `"Kind":"wordle",`, ``), decodeMatch, game.ErrDamaged},
		{"not a kind", replace(match, `"Kind":"wordle"`, `"Kind":"chess"`), decodeMatch, game.ErrDamaged},
		{"another kind", replace(match, `"Kind":"wordle"`, `"Kind":"pokle"`), decodeMatch, game.ErrDamaged},
		{"not a hidden word", replace(match, `"hidden":"crane"`, `"hidden":"crane crane"`), decodeMatch, game.ErrDamaged},
		{"no game", replace(match, `"hidden":"crane",`, ``), decodeMatch, game.ErrDamaged},
		{"no state", replace(match, `{"hidden":"crane","guesses":["slate","crane"]}`, `null`), decodeMatch, game.ErrDamaged},
		{"a guess that is missing", replace(match, `"slate",`, ``), decodeMatch, game.ErrDamaged},
		{"a guess twice", replace(match, `"slate"`, `"crane"`), decodeMatch, game.ErrDamaged},
		{"a hint without content", replace(match, `"Content":{"letter":"C","times":1}`, `"Content":null`), decodeMatch, game.ErrDamaged},
		{"a daily match without a puzzle", replace(pokerMatch, `"Puzzle":"daily-305",`, ``), decodeMatch, game.ErrDamaged},
		{"a past daily match without a puzzle", replace(replace(pokerMatch, `"Mode":"daily"`, `"Mode":"practice"`), `"Puzzle":"daily-305",`, ``), decodeMatch, game.ErrDamaged},
		{"a daily match of a puzzle of no day", replace(pokerMatch, `daily-305`, `daily-0`), decodeMatch, game.ErrDamaged},
		{"a daily puzzle played together", replace(pokerMatch, `"Mode":"daily",`, ``), decodeMatch, game.ErrDamaged},
		{"a card twice in the holes", replace(pokerMatch, `"10H 2H"`, `"QD 2H"`), decodeMatch, game.ErrDamaged},
		{"a limit of hints below 0", replace(limit, `"Most":2`, `"Most":-1`), decodeMatch, game.ErrDamaged},
		{"a session in format 2", replace(words, `"Format":1`, `"Format":2`), decodeSession, game.ErrNewer},
		{"half a session", words[:len(words)/2], decodeSession, game.ErrDamaged},
		{"a session's guess that is not a word", replace(words, `"Guess":"slate"`, `"Guess":"crane crane"`), decodeSession, game.ErrDamaged},
		{"a session's feedback that is not one", replace(words, `"Feedback":"BBYBB"`, `"Feedback":"CRANE"`), decodeSession, game.ErrDamaged},
		{"a session's card that is not one", replace(cards, `"10H 2H"`, `"10H 2X"`), decodeSession, game.ErrDamaged},
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

// TestReadBack: what would be read as something else is refused, not written.
func TestReadBack(t *testing.T) {
	m, err := decodeMatch(readSample(t, "match-1-playing.json"))
	if err != nil {
		t.Fatal(err)
	}
	requests := []game.RequestID{"r1", "r2", "r3"}
	if _, err := kinds.Codecs().EncodeMatch(m, requests); err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string]func(m *game.Match, requests []game.RequestID){
		"a name that is no UTF-8":       func(m *game.Match, _ []game.RequestID) { m.Starter = "ana\xff" },
		"a request that is no UTF-8":    func(_ *game.Match, requests []game.RequestID) { requests[2] = "r\xff" },
		"a version without its request": func(m *game.Match, _ []game.RequestID) { m.Version++ },
		"a hint of another kind": func(m *game.Match, _ []game.RequestID) {
			m.Hints = []game.Hint{{Kind: game.HintSuggestion, Content: boards.Suggestion{}}}
		},
		"a daily match of no daily puzzle": func(m *game.Match, _ []game.RequestID) { m.Mode = game.Daily },
	} {
		m, requests := m, slices.Clone(requests)
		wrong(&m, requests)
		if data, err := kinds.Codecs().EncodeMatch(m, requests); err == nil {
			t.Errorf("%s is written as %s", name, data)
		}
	}
}

func FuzzDecodeSession(f *testing.F) {
	fuzzRecord(f, "session", record.Decode[solve.Session], record.Encode[solve.Session])
}

func FuzzDecodeMatch(f *testing.F) {
	fuzzRecord(f, "match", func(b []byte) (game.Match, error) {
		m, err := decodeMatch(b)
		if err == nil && m.Status() != game.Playing {
			for i := range m.Moves {
				m.Moves[i].Name = "" // it is kept only while the match is played
			}
		}
		return m, err
	}, encodeMatch(kinds.Codecs()))
}

// fuzzRecord checks that what can be read is written as something that is read
// as the same, and that all else is an error without the words of the record.
func fuzzRecord[T any](f *testing.F, kind string, decode func([]byte) (T, error), encode func(T) ([]byte, error)) {
	time.Local = time.UTC // or else, where that is the local zone, a time at +00:00 is read as a local one, and written as one of UTC
	samples, err := filepath.Glob(filepath.Join("testdata", kind+"*.json"))
	if err != nil || len(samples) == 0 {
		f.Fatalf("no samples: %v", err)
	}
	for _, name := range samples {
		data := readSample(f, filepath.Base(name))
		f.Add(data)
		f.Add(data[:len(data)-3])
		f.Add(bytes.ReplaceAll(data, []byte(`Z"`), []byte(`+00:00"`)))
		for _, format := range []string{"1", "2"} {
			f.Add(regexp.MustCompile(`(?i)"format":\d`).ReplaceAll(data, []byte(`"format":`+format)))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := decode(data)
		if err != nil {
			var zero T
			if !reflect.DeepEqual(v, zero) || !errors.Is(err, game.ErrDamaged) && !errors.Is(err, game.ErrNewer) {
				t.Fatalf("%q is %v, %v", data, v, err)
			}
			var record struct { // with the match that the error may name, whatever its id is
				ID    string
				Value struct{ Match string }
			}
			_ = json.Unmarshal(data, &record) // where it fails, the error names no match
			text := strings.ToLower(strings.NewReplacer(record.ID, "", record.Value.Match, "").Replace(err.Error()))
			for _, word := range []string{"crane", "eerie", "slate", "crony", "adieu"} {
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
