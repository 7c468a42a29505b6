package game_test

import (
	"context"
	"fmt"

	"fivefold/bot/kinds/toy"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
)

// A manager plays a game of the toy in a channel: guesses are letters. The same request again changes nothing.
func Example() {
	ctx := context.Background()
	games := &matches.Manager{
		Store: storage.New(&orderedtest.Memory{}, toy.Codecs(), storage.Options{}),
		Rules: []game.Rules{toy.Game{}},
		Pick:  func(int) int { return 2 }, // hides the letter c
	}
	by := func(request game.RequestID) game.Origin {
		return game.Origin{Request: request, Location: game.Location{Guild: "server", Channel: "channel"}, Player: "ana"}
	}
	if _, err := games.Start(ctx, by("1"), matches.StartOptions{Kind: toy.Kind}); err != nil {
		fmt.Println(err)
		return
	}
	for _, move := range []struct {
		request game.RequestID
		typed   string
	}{{"2", "a"}, {"3", "c"}, {"3", "c"}} {
		match, err := games.Move(ctx, by(move.request), matches.Target{Kind: toy.Kind}, move.typed)
		fmt.Println(match.Used(), match.Status(), err)
	}
	// Output:
	// 1 playing <nil>
	// 2 won <nil>
	// 2 won <nil>
}
