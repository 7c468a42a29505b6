package bolt

import (
	"context"
	"fmt"
	"testing"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
	"fivefold/solver/rules"
)

// BenchmarkEnd makes the last guess of a match of two players, with the lists that players
// have and without waiting for the disk: what its end costs beyond other guesses.
func BenchmarkEnd(b *testing.B) {
	lists, err := wordle.Embedded()
	if err != nil {
		b.Fatal(err)
	}
	s := mustTemp(b)
	b.Cleanup(func() { s.Close() })
	s.db.NoSync = true
	answer := ""
	m := &game.Manager{Store: s, Rules: rules.All(lists, solver.New(lists), new(boards.Solver))}
	n := 0
	do := func(player string, word string) {
		n++
		o := game.Origin{
			Request: game.RequestID(fmt.Sprint(1_300_000_000_000_000_000 + n)), Location: game.Location{Guild: "g", Channel: "c"}, Player: game.PlayerID(player),
		}
		var match game.Match
		if word == "" {
			match, err = m.Start(context.Background(), o, game.StartOptions{Kind: game.Wordle})
			answer = match.State.Answer()
		} else {
			_, err = m.Move(context.Background(), o, game.Target{Kind: game.Wordle}, rules.GuessWord(lists, wordle.MustParse(word)))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		b.StopTimer()
		do("ana", "")
		for i, word := range []string{"slate", "crony", "humid"} {
			if wordle.MustParse(word).String() != answer {
				do([]string{"ana", "ben"}[i%2], word)
			}
		}
		b.StartTimer()
		do("ben", answer)
	}
}
