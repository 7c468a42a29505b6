package schema

import (
	"errors"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/marks"
	"fivefold/game/statistics"
	"fivefold/storage/record"
)

// TestRecords: what is stored under the names of fields must be read for ever, so none may get another name.
func TestRecords(t *testing.T) {
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	race, err := record.Encode(game.Race{
		ID: "race-1", Version: 1, Kind: "wordle", Location: game.Location{Guild: "g", Channel: "c"}, Starter: "ana", Hard: marks.Hard,
		Time: time.Hour, Posted: at, Begins: at.Add(time.Minute), Ends: at.Add(time.Hour + time.Minute), Racers: []game.Racer{{Player: "ana", Match: "m1"}}, Over: at.Add(time.Hour / 2),
		Challenge: &game.Challenge{Clue: "a clue", Report: game.Kept}, Names: game.Names{"ana": "Ana", "an": "An"},
	})
	if err != nil {
		t.Fatal(err)
	}
	totals, err := record.Encode(statistics.Total{LogPosition: 1301, Totals: statistics.Totals{
		Player: "ana", Name: "Ana", Daily: statistics.Counts{Played: 12, Won: 10, Distribution: []int{0, 1, 4, 3, 1, 1}, Hints: 5, Hinted: 2},
		Other:  statistics.Counts{Played: 3, Won: 1, Distribution: []int{0, 0, 0, 0, 0, 1}},
		Streak: statistics.Streak{Now: 1, Best: 2}, Days: statistics.Streak{Now: 3, Best: 4}, LastDay: 325,
	}, Guilds: []game.GuildID{"g"}})
	if err != nil {
		t.Fatal(err)
	}
	board, err := record.Encode(game.BoardMessage{Match: "m1", Message: "101"})
	if err != nil {
		t.Fatal(err)
	}
	brought, err := record.Encode(league.Record{Name: "Ana", Sources: []league.Source{{Guild: "g", Alias: "ana b", Official: true, Won: true, Guesses: 3, Hard: true}, {}}})
	if err != nil {
		t.Fatal(err)
	}
	alias, err := record.Encode(Alias{league.Alias{Name: "ana b", Player: "ana", Called: "Ana", Confirmed: true}, []league.Result{{Number: 9, Won: true, Guesses: 3, Hard: true}}})
	if err != nil {
		t.Fatal(err)
	}
	for got, want := range map[string]string{
		string(brought): `{"Format":1,"Value":{"Name":"Ana","Sources":[{"Guild":"g","Alias":"ana b","Official":true,"Won":true,"Guesses":3,"Hard":true},{}]}}`,
		string(alias):   `{"Format":1,"Value":{"Name":"ana b","Player":"ana","Called":"Ana","Confirmed":true,"Waiting":[{"Number":9,"Won":true,"Guesses":3,"Hard":true}]}}`,
		string(board):   `{"Format":1,"Value":{"Match":"m1","Message":"101"}}`,
		string(race): `{"Format":1,"Value":{"ID":"race-1","Version":1,"Kind":"wordle","Location":{"Guild":"g","Channel":"c"},"Starter":"ana","Hard":"hard",` +
			`"Time":3600000000000,"Posted":"2026-11-01T12:00:00Z","Begins":"2026-11-01T12:01:00Z","Ends":"2026-11-01T13:01:00Z","Racers":[{"Player":"ana","Match":"m1"}],"Over":"2026-11-01T12:30:00Z",` +
			`"Challenge":{"Clue":"a clue","Report":"kept"},"Names":{"an":"An","ana":"Ana"}}}`,
		string(totals): `{"Format":1,"Value":{"LogPosition":1301,"Player":"ana","Name":"Ana","Daily":{"Played":12,"Won":10,"Distribution":[0,1,4,3,1,1],"Hints":5,"Hinted":2},` +
			`"Other":{"Played":3,"Won":1,"Distribution":[0,0,0,0,0,1]},"Streak":{"Now":1,"Best":2},"Days":{"Now":3,"Best":4},"LastDay":325,"Guilds":["g"]}}`,
	} {
		if got != want {
			t.Errorf("it is stored as\n%s, want\n%s", got, want)
		}
	}
}

// TestDecodeDaily: a result that was won in a number of guesses that no game has is damaged.
func TestDecodeDaily(t *testing.T) {
	for _, c := range []struct {
		outcome game.Status
		guesses int
		limit   int
		damaged bool
	}{
		{game.Won, 1, 6, false}, {game.Won, 6, 6, false}, {game.Won, 0, 6, true}, {game.Won, 7, 6, true}, {game.Won, 255, 6, true},
		{game.Lost, 0, 6, false}, {game.Lost, 6, 6, false}, {game.Won, 13, 13, false}, {game.Won, 14, 13, true},
	} {
		entries := DailyEntries(game.Result{
			Kind: "wordle", Mode: game.Daily, Puzzle: game.DailyPuzzle(7), Match: "m", Location: game.Location{Guild: "g"}, Limit: c.limit,
			Participants: []game.Participant{{Player: "ana", Guesses: c.guesses, Outcome: c.outcome}},
		})
		d, _, err := DecodeDaily(entries[0])
		if errors.Is(err, game.ErrDamaged) != c.damaged || err == nil && (d.Guesses != c.guesses || d.Limit != c.limit) {
			t.Errorf("%+v is %+v, %v", c, d, err)
		}
	}
}
