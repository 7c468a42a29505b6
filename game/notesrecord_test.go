package game_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/game/wordle"
)

func TestRefusedNotes(t *testing.T) {
	sample := string(readSample(t, "notes-1.json"))
	for _, c := range []struct {
		name, from, to string
		want           error
	}{
		{"format 2", `"format":1`, `"format":2`, game.ErrNewer},
		{"no format", `"format":1,`, ``, game.ErrDamaged},
		{"half a record", sample[len(sample)/2:], ``, game.ErrDamaged},
		{"no player", `"player":"ana",`, ``, game.ErrDamaged},
		{"no version", `"version":42,`, ``, game.ErrDamaged},
		{"a guess that is none", `"guess":"slate"`, `"guess":"crane crane"`, game.ErrDamaged},
		{"no guess", `"guess":"slate",`, ``, game.ErrDamaged},
		{"tiles that are none", `"feedback":"BBYBB"`, `"feedback":"CRANE"`, game.ErrDamaged},
		{"all green before the last line", `"feedback":"BBYBB"`, `"feedback":"GGGGG"`, game.ErrDamaged},
		{"seven lines", `"turns":[`, `"turns":[` + strings.Repeat(`{"guess":"crane","feedback":"BBBBB"},`, 5), game.ErrDamaged},
		{"advice without a word", `"word":"crony",`, ``, game.ErrDamaged},
		{"a word chosen that is none", `"chosen":"brick"`, `"chosen":"crane1"`, game.ErrDamaged},
		{"fewer than no puzzles lost", `"lost":2`, `"lost":-2`, game.ErrDamaged},
		{"fewer than no puzzles solved", `[0,1,4,3,1,1]`, `[0,1,-4,3,1,1]`, game.ErrDamaged},
	} {
		if !strings.Contains(sample, c.from) {
			t.Fatalf("%s: the sample has no %s", c.name, c.from)
		}
		got, err := game.DecodeNotes([]byte(strings.Replace(sample, c.from, c.to, 1)))
		if !errors.Is(err, c.want) || !reflect.DeepEqual(got, game.Notes{}) {
			t.Errorf("%s: got %+v, %v, want %v", c.name, got, err, c.want)
		}
		if err != nil && strings.Contains(strings.ToLower(err.Error()), "crane") {
			t.Errorf("%s: the error shows the record: %v", c.name, err)
		}
	}
}

func TestRefusedBoards(t *testing.T) {
	sample := string(readSample(t, "notes-1-board.json"))
	for _, c := range []struct{ name, from, to string }{
		{"no deal", `"holes":["QD QC","10H 2H","9H KH"],`, ``},
		{"two holes", `["QD QC","10H 2H","9H KH"]`, `["QD QC","10H 2H"]`},
		{"a card that is none", `"10H 2H"`, `"10H 2X"`},
		{"a card that two hold", `"10H 2H"`, `"10H QD"`},
		{"places that are none", `"1 2 2"`, `"1 3 3"`},
		{"a guess that is none", `"guess":"4C 4H QH AC JC"`, `"guess":"4C 4H QH AC"`},
		{"no guess", `"guess":"4C 4H QH AC JC",`, ``},
		{"a guess with a card that is held", `"guess":"4C 4H QH AC JC"`, `"guess":"4C 4H QC AC JC"`},
		{"a guess twice", `"guess":"4C 4H QH AC JC"`, `"guess":"10C 10D JC QH 10S"`},
		{"colours that are none", `"feedback":"BYBGG"`, `"feedback":"CRANE"`},
		{"all green before the last step", `"feedback":"GGYGY"`, `"feedback":"GGGGG"`},
		{"seven steps", `"steps":[`, `"steps":[` + strings.Join([]string{
			`{"guess":"2C 3C 4C 5C 6C","feedback":"BBBBB"}`, `{"guess":"2C 3C 4C 5C 7C","feedback":"BBBBB"}`, `{"guess":"2C 3C 4C 5C 8C","feedback":"BBBBB"}`,
			`{"guess":"2C 3C 4C 5C 9C","feedback":"BBBBB"}`, `{"guess":"2C 3C 4C 5C AC","feedback":"BBBBB"}`, ``}, ",")},
		{"a proposal without a board", `"board":"10D 10S JD QH 10C",`, ``},
		{"a board proposed that was guessed", `"board":"10D 10S JD QH 10C"`, `"board":"4H 4C QH AC JC"`},
		{"a board chosen that is none", `"chosen":"2C 3D 4S 5C 6D"`, `"chosen":"crane"`},
		{"a board chosen with a card that is held", `"chosen":"2C 3D 4S 5C 6D"`, `"chosen":"2H 3D 4S 5C 6D"`},
	} {
		if !strings.Contains(sample, c.from) {
			t.Fatalf("%s: the sample has no %s", c.name, c.from)
		}
		got, err := game.DecodeNotes([]byte(strings.Replace(sample, c.from, c.to, 1)))
		if !errors.Is(err, game.ErrDamaged) || !reflect.DeepEqual(got, game.Notes{}) {
			t.Errorf("%s: got %+v, %v, want %v", c.name, got, err, game.ErrDamaged)
		}
	}
}

// TestNotesRoundTrip writes and reads what random requests lead to.
func TestNotesRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	store, lists := newMemory(), mustLists(t, helperWords, "")
	a := &asking{t: t, Helper: newHelper(store, lists)}
	players := []string{"1", "ana", "Zoë", `"<&>'\`, "💚"}
	refused := 0
	for range 500 {
		player := players[random.IntN(len(players))]
		guess, hidden := lists.Guesses()[random.IntN(len(lists.Guesses()))], lists.Guesses()[random.IntN(len(lists.Guesses()))]
		text := fmt.Sprint(guess, " ", wordle.Score(guess, hidden))
		switch random.IntN(8) {
		case 0:
			text = "undo"
		case 1:
			text = "new"
		case 2:
			text = "show"
		}
		if _, err := a.ask(player, text); err != nil {
			refused++
		}
		want, err := store.Notes(t.Context(), game.PlayerID(player))
		if err != nil {
			t.Fatal(err)
		}
		if want.Version == 0 {
			continue
		}
		data, err := game.EncodeNotes(want)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := game.DecodeNotes(data); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is read as %+v, %v, want %+v", data, got, err, want)
		}
	}
	if refused > 250 {
		t.Errorf("%d of 500 were refused: too many to have tested much", refused)
	}
}

func FuzzDecodeNotes(f *testing.F) {
	fuzzRecord(f, "notes", game.DecodeNotes, game.EncodeNotes)
}
