package game_test

import (
	"reflect"
	"testing"
	"time"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
)

func TestMatchResult(t *testing.T) {
	at := time.Date(2026, 11, 1, 12, 0, 0, 123_000_000, time.Local).UTC()
	for _, c := range []struct {
		script string
		want   game.Result
	}{
		{"ana start; ben guess slate; ana guess brick; dan letter; ben guess mound; ana position; ben guess crane", game.Result{
			Status: game.Won, Answer: "CRANE", Attempts: 4, Winner: "ben",
			Participants: []game.Participant{{Player: "ben", Guesses: 3, Outcome: game.Won}, {Player: "ana", Guesses: 1, Hints: 1, Outcome: game.Won}, {Player: "dan", Hints: 1}}}},
		{"ana start hard; ana guess fuzzy; ana guess moldy; ana guess blimp; ana guess trace; ana guess brace; ana guess grace", game.Result{
			Status: game.Lost, Answer: "CRANE", Hard: marks.Hard, Attempts: 6, Participants: []game.Participant{{Player: "ana", Guesses: 6, Outcome: game.Lost}}}},
		{"ana start solo; ana stop solo", game.Result{
			Status: game.Stopped, Mode: game.Solo, Answer: "CRANE", Participants: []game.Participant{{Player: "ana"}}}},
		{"ana start; ana stop", game.Result{Status: game.Stopped, Answer: "CRANE"}},
		{"ana start; cleo letter; ben guess slate; ana stop", game.Result{
			Status: game.Stopped, Answer: "CRANE", Attempts: 1,
			Participants: []game.Participant{{Player: "ben", Guesses: 1}, {Player: "cleo", Hints: 1}}}}, // ana gave up, not ben
		{"ana start; ben guess slate; ben guess brick; ben guess mound; ben guess fuzzy; ben guess moldy; ana guess blimp", game.Result{
			Status: game.Lost, Answer: "CRANE", Attempts: 6, Participants: []game.Participant{{Player: "ben", Guesses: 5}, {Player: "ana", Guesses: 1}}}},
		{"ana start; ana guess slate; ana stop", game.Result{
			Status: game.Stopped, Answer: "CRANE", Attempts: 1, Participants: []game.Participant{{Player: "ana", Guesses: 1, Outcome: game.Lost}}}},
	} {
		m := mustPlay(t, newManager(newMemory(), mustLists(t, "crane", "slate brick mound fuzzy moldy blimp trace brace grace")), place, c.script)
		c.want.Kind, c.want.Limit = wordgame.Kind, wordle.Attempts
		c.want.Match, c.want.Location, c.want.Started, c.want.Ended = m.ID, place, at, at
		if got := m.Result(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.script, got, c.want)
		}
	}
}
