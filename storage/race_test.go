package storage_test

import (
	"testing"
	"time"

	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/ordered"
)

// TestRaceRecord: races are stored as JSON has them, so no field of theirs may get another name.
func TestRaceRecord(t *testing.T) {
	const want = `{"Format":1,"ID":"race-1","Version":1,"Kind":"wordle","Location":{"Guild":"g","Channel":"c"},"Starter":"ana","Hard":true,` +
		`"Started":"2026-11-01T12:00:00Z","Ends":"2026-11-01T13:00:00Z","Racers":[{"Player":"ana","Match":"m1"}],"Over":"2026-11-01T12:30:00Z",` +
		`"Challenge":{"Clue":"a clue","Report":"kept"}}`
	at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	m := &ordered.Memory{}
	s := storage.New(m, codecs, storage.Options{})
	err := s.CommitRace(t.Context(), game.Race{
		ID: "race-1", Version: 1, Kind: "wordle", Location: game.Location{Guild: "g", Channel: "c"}, Starter: "ana", Hard: true,
		Started: at, Ends: at.Add(time.Hour), Racers: []game.Racer{{Player: "ana", Match: "m1"}}, Over: at.Add(time.Hour / 2),
		Challenge: &game.Challenge{Clue: "a clue", Report: game.Kept},
	})
	if got := all(t, m)["race\x00wordle\x00c\x00race-1"]; got != want || err != nil {
		t.Errorf("it is stored as\n%s, %v, want\n%s", got, err, want)
	}
}
