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
	"fivefold/solver/poker"
	"fivefold/solver/solve"
	"fivefold/storage/record"
)

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

// rewrite returns a function that reads a record and writes it again.
func rewrite[T any](decode func([]byte) (T, error), encode func(T) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) {
		v, err := decode(data)
		if err != nil {
			return nil, err
		}
		return encode(v)
	}
}

// TestRecords reads samples of every record, and writes them again as they are. From the first release
// on they must load for ever, so the files must not change.
func TestRecords(t *testing.T) {
	for pattern, again := range map[string]func([]byte) ([]byte, error){
		"match-1-*.json":      rewrite(decodeMatch, encodeMatch(kinds.Codecs())),
		"result-1-*.json":     rewrite(record.Decode[game.Result], record.Encode[game.Result]),
		"review-1.json":       rewrite(decodeReview(wordgame.Kind), record.Encode[game.Review]),
		"review-1-pokle.json": rewrite(decodeReview(pokergame.Kind), record.Encode[game.Review]),
		"session-1*.json":     rewrite(record.Decode[solve.Session], record.Encode[solve.Session]),
	} {
		samples, err := filepath.Glob(filepath.Join("testdata", pattern))
		if err != nil || len(samples) == 0 {
			t.Fatalf("%s: %d samples, %v", pattern, len(samples), err)
		}
		for _, path := range samples {
			data := readSample(t, filepath.Base(path))
			written, err := again(data)
			var got, want any
			if err = errors.Join(err, json.Unmarshal(written, &got), json.Unmarshal(data, &want)); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s is written as\n%s, %v", path, written, err)
			}
		}
	}
}

// TestRefusedRecords: what cannot be read says why, and nothing of its content.
func TestRefusedRecords(t *testing.T) {
	sample := func(name string) string { return string(readSample(t, name)) }
	match, limit, pokerMatch := sample("match-1-won.json"), sample("match-1-limit.json"), sample("match-1-pokle.json")
	boards := sample("match-1-duo.json")
	words, cards := sample("session-1.json"), sample("session-1-cards.json")
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
		{"one board of two", replace(boards, `"hidden":["crane","slate"]`, `"hidden":["crane"]`), decodeMatch, game.ErrDamaged},
		{"a third board of two", replace(boards, `"slate"],"guesses"`, `"slate","brick"],"guesses"`), decodeMatch, game.ErrDamaged},
		{"a board without a word", replace(boards, `"hidden":["crane",`, `"hidden":["",`), decodeMatch, game.ErrDamaged},
		{"a guess after all boards are found", replace(boards, `"crane"]},"Moves"`, `"crane","brick"]},"Moves"`), decodeMatch, game.ErrDamaged},
		{"two boards as four", replace(boards, `"Kind":"duo"`, `"Kind":"quad"`), decodeMatch, game.ErrDamaged},
		{"a suggestion for one board of two", replace(boards, `"Left":[2,0]`, `"Left":[2]`), decodeMatch, game.ErrDamaged},
		{"a suggestion for a third board", replace(boards, `"Possible":[0]`, `"Possible":[2]`), decodeMatch, game.ErrDamaged},
		{"an empty suggestion for boards", replace(boards, `"Word":"crane",`, ``), decodeMatch, game.ErrDamaged},
		{"a letter of a third board", replace(boards, `"board":1`, `"board":3`), decodeMatch, game.ErrDamaged},
		{"a letter of no board", replace(boards, `"board":1,`, ``), decodeMatch, game.ErrDamaged},
		{"not a letter of a board", replace(boards, `"letter":"C"`, `"letter":"c"`), decodeMatch, game.ErrDamaged},
		{"a hint of a position on a board", replace(boards, `"Kind":"letter"`, `"Kind":"position"`), decodeMatch, game.ErrDamaged},
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
			m.Hints = []game.Hint{{Kind: game.HintSuggestion, Content: poker.Suggestion{}}}
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

func FuzzDecodeMatch(f *testing.F) {
	fuzzRecord(f, "match", decodeMatch, encodeMatch(kinds.Codecs()))
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

func readSample(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
