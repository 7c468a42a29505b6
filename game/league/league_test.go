package league

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"fivefold/game"
)

// TestDays: the newspaper's days, by its own public numbers.
func TestDays(t *testing.T) {
	for number, day := range map[int]string{0: "2021-06-19", 1: "2021-06-20", 1000: "2024-03-15", 1234: "2024-11-04"} {
		at, err := time.Parse(time.DateOnly, day)
		got, month := game.NewspaperPuzzle(number).Day()
		if err != nil || game.NewspaperNumber(at) != number || game.NewspaperNumber(at.Add(24*time.Hour-1)) != number || got != number || month != day[:7] {
			t.Errorf("%s: number %d, of %d of %s; %v", day, game.NewspaperNumber(at), got, month, err)
		}
		if Latest(at.Add(10*time.Hour-1)) != number || Latest(at.Add(10*time.Hour)) != number+1 {
			t.Errorf("%s: the next puzzle does not come at 10:00 UTC", day)
		}
	}
	for _, id := range []game.PuzzleID{"newspaper-", "newspaper--1", "newspaper-x", "1"} {
		if _, month := id.Day(); month != "" {
			t.Errorf("%s is of %s", id, month)
		}
	}
}

func TestCheck(t *testing.T) {
	at := time.Date(2024, 11, 4, 12, 0, 0, 0, time.UTC) // 1235 is out in the east
	ok := Result{Player: "ana", Number: 1235, Won: true, Guesses: 6}
	for _, change := range []struct {
		of   func(*Result)
		want error
	}{
		{func(*Result) {}, nil},
		{func(r *Result) { r.Number = 1236 }, ErrFuture},
		{func(r *Result) { r.Number = -1 }, ErrInvalid},
		{func(r *Result) { r.Guesses = 7 }, ErrInvalid},
		{func(r *Result) { r.Guesses = 0 }, ErrInvalid},
		{func(r *Result) { r.Won, r.Guesses = false, 0 }, nil},
		{func(r *Result) { r.Player = "ben" }, game.ErrNotOwn},
		{func(r *Result) { r.Player, r.Official = "ben", true }, nil},
		{func(r *Result) { r.Player, r.Official = "", true }, ErrInvalid},
		{func(r *Result) { r.Player, r.Name = "", "ana" }, game.ErrNotOwn},
	} {
		r := ok
		change.of(&r)
		if err := r.Check(game.Origin{Player: "ana", Location: game.Location{Guild: "g"}, Made: at}); !errors.Is(err, change.want) || change.want == nil && err != nil {
			t.Errorf("%+v: %v, want %v", r, err, change.want)
		}
	}
}

// TestRecord: an official source replaces a claimed one, in every server; of each kind the first one says how it went.
func TestRecord(t *testing.T) {
	var r Record
	got := ""
	for _, s := range []Source{
		{Guild: "g", Won: true, Guesses: 2}, {Guild: "g", Won: true, Guesses: 3}, {Won: true, Guesses: 1}, {Guild: "h", Official: true, Won: true, Guesses: 4, Hard: true},
		{Guild: "g", Alias: "Ana", Official: true}, {Guild: "h", Official: true},
	} {
		var outcome bool
		r, outcome = r.With(s)
		result := r.Result("ana", 7)
		got += fmt.Sprintln(outcome, result.Kind, result.Attempts, result.Status, result.Hard, result.Guilds, result.Month())
	}
	want := "true claimed 2 won off [g] 2021-06\nfalse claimed 2 won off [g] 2021-06\ntrue claimed 2 won off [g] 2021-06\ntrue newspaper 4 won hard [g h] 2021-06\n" +
		"true newspaper 4 won hard [g h] 2021-06\nfalse newspaper 4 won hard [g h] 2021-06\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
