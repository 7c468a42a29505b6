package postgres_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// TestChunks: each chunk of a leaderboard has the right number of players, even after players have moved
// and left at the same time, and none is much larger than it may be.
func TestChunks(t *testing.T) {
	url, ctx := postgrestest.Database(t), t.Context()
	s := mustOpenWith(t, url, postgres.Options{}.WithSizes(8))
	g := storagetest.Wordle
	player := func(n int) game.PlayerID { return game.PlayerID(fmt.Sprintf("p%02d", n)) }
	inParallel(160, func(i int) {
		m := g.Match(fmt.Sprint("m", i), game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i))}, player(i%60), g.Answers[6])
		storagetest.MustCommit(t, s, m)
		for n := range i % 4 {
			m = g.Guess(t, m, player(i%60), g.Answers[n])
			storagetest.MustCommit(t, s, m)
		}
		m = g.Guess(t, m, player(i*7%60), g.Answers[6])
		storagetest.MustCommit(t, s, m)
		if i%20 == 19 {
			if err := s.Clear(ctx, game.ClearRequest{Player: player(i % 60), Request: game.RequestID(fmt.Sprint("clear", i)), At: storagetest.Epoch}); err != nil {
				t.Error(err)
			}
		}
	})
	log, err := s.Results(ctx, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	storagetest.CheckLeaderboard(t, s, game.Scope{Kind: game.Wordle, Guild: "g"}, log)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	rows, err := c.Query(ctx, `SELECT c.players, (SELECT count(*) FROM totals t WHERE t.guild = c.guild AND t.kind = c.kind AND t.rank >= c.bound
		AND NOT EXISTS (SELECT 1 FROM rank_chunks n WHERE n.guild = c.guild AND n.kind = c.kind AND n.bound > c.bound AND n.bound <= t.rank)) FROM rank_chunks c`)
	if err != nil {
		t.Fatal(err)
	}
	chunks, largest := 0, 0
	var players, want int
	if _, err := pgx.ForEachRow(rows, []any{&players, &want}, func() error {
		chunks++
		largest = max(largest, players)
		if players != want {
			t.Errorf("a chunk of %d players has %d", want, players)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if chunks < 5 || largest > 20 {
		t.Errorf("%d chunks, the largest of %d players", chunks, largest)
	}
}
