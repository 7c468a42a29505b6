package history

import (
	"fmt"
	"log/slog"
	"maps"
	"math"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/face"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/marks"
	"fivefold/game/matches"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
)

// TestPageArgs: another page of a list is of the same list.
func TestPageArgs(t *testing.T) {
	args := map[string]string{"player": "p", "outcome": "won", "word": "crane", "game": "wordle"}
	got := pageArgs(bot.Request{Args: args}, 7)
	args["before"] = "7"
	if !maps.Equal(got, args) {
		t.Errorf("got %v, want %v", got, args)
	}
}

// TestRepliesFitDiscord draws the longest review and list that there can be. A message holds 2000 characters.
func TestRepliesFitDiscord(t *testing.T) {
	const most = 2000
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	h := &Handlers{
		Games: &matches.Manager{Rules: []game.Rules{wordgame.New(lists, optimal.New(lists))}},
		Faces: face.Faces{wordgame.New(lists, nil).Face(), pokergame.New(nil).Face()},
		Log:   slog.New(slog.DiscardHandler),
	}
	hidden := wordle.MustParse("zzzzz")
	state := wordle.NewState(hidden, marks.Hard)
	m := game.Match{Kind: wordgame.Kind, Started: time.Now()}
	var review optimal.Review
	var parts []game.Participant
	for i := range wordle.Attempts {
		player := game.PlayerID(fmt.Sprintf("%020d", i))
		m.Moves = append(m.Moves, game.Move{Player: player, At: time.Now()})
		parts = append(parts, game.Participant{Player: player})
		guess := wordle.MustParse("aaaa" + string(rune('a'+i)))
		turn := wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, hidden)}
		var err error
		if state, err = state.Guess(guess); err != nil {
			t.Fatal(err)
		}
		review.Guesses = append(review.Guesses, optimal.Judged{
			Turn: turn, Before: 14855, After: 14855, Expected: 14855, Best: hidden, BestExpected: 14855, Skill: 99, Luck: 99, Cut: 1,
		})
		review.Line = append(review.Line, turn, turn)
	}
	m.State = state
	judged := review
	reviewed := finished.Reviewed{
		Finished: game.Finished{Match: m, Number: 1_000_000}, Review: judged, Contributions: game.Contributions(m, judged),
	}
	if n := bottest.Size(h.reviewed(reviewed)); n > most {
		t.Errorf("a review has %d characters", n)
	} else {
		t.Logf("a review has at most %d characters", n)
	}
	page := finished.Page{HasOlder: true, HasNewer: true, Older: math.MaxUint32, Newer: math.MaxUint32}
	for range pageSize {
		page.Entries = append(page.Entries, finished.Entry{Number: 1_000_000, Result: game.Result{
			Kind: pokergame.Kind, Status: game.Stopped, Attempts: 6, Answer: "10c 10d 10h 10s kd", Participants: append(parts, parts...),
		}})
	}
	if n := bottest.Size(h.listed(bot.Request{}, finished.Filter{}, page)); n > most {
		t.Errorf("a list has %d characters", n)
	} else {
		t.Logf("a list has at most %d characters", n)
	}
	for step := range wordle.Attempts + 1 {
		if n := bottest.Size(h.step(t.Context(), "1", reviewed.Finished, step)); n > most {
			t.Errorf("step %d has %d characters", step, n)
		}
	}
}
