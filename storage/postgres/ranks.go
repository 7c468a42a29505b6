package postgres

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
)

// A leaderboard's ranks are cut into chunks whose sizes are stored, so that a place is a sum of sizes
// and a count within one chunk. With 100 000 players, counting all better ones by the index took 51 ms
// on a busy machine; a whole leaderboard with the player's place takes 2.5 ms this way (BenchmarkPlace).
// The chunks of a guild change only under the lock of its community: see Store.end.

// maxChunk is the most players in a chunk; one that has grown larger is soon split.
const maxChunk = 512

// sqlChunk selects the bound of the chunk that has a rank.
const sqlChunk = `SELECT bound FROM rank_chunks WHERE guild = $1 AND kind = $2 AND bound <= $3 ORDER BY bound DESC LIMIT 1`

const (
	sqlLeave = `UPDATE rank_chunks SET players = players - 1 WHERE guild = $1 AND kind = $2 AND bound = (` + sqlChunk + `)`
	sqlEnter = `INSERT INTO rank_chunks AS c (guild, kind, bound, players) VALUES ($1, $2, coalesce((` + sqlChunk + `), ''), 1)
		ON CONFLICT (guild, kind, bound) DO UPDATE SET players = c.players + 1 RETURNING players`

	sqlPlayers = `SELECT coalesce(sum(players), 0)::bigint FROM rank_chunks WHERE guild = $1 AND kind = $2`
	// sqlBetter counts the players whose ranks are before a rank.
	sqlBetter = `SELECT (SELECT coalesce(sum(players), 0)::bigint FROM rank_chunks WHERE guild = $1 AND kind = $2 AND bound < c.bound)
		+ (SELECT count(*) FROM totals WHERE guild = $1 AND kind = $2 AND rank >= c.bound AND rank < $3)
		FROM (` + sqlChunk + `) AS c`
)

// leaveRank takes a rank out of its chunk.
func leaveRank(b *pgx.Batch, s game.Scope, rank []byte) {
	b.Queue(sqlLeave, key(s.Guild), key(s.Kind), rank)
}

// enterRank adds a rank to its chunk, and calls grown with how many players the chunk has then.
func enterRank(b *pgx.Batch, s game.Scope, rank []byte, grown func(players int)) {
	b.Queue(sqlEnter, key(s.Guild), key(s.Kind), rank).QueryRow(func(row pgx.Row) error {
		var players int
		err := row.Scan(&players)
		grown(players)
		return err
	})
}

// splitLater splits the chunk that has a rank, in the background: no answer waits for it. If that fails,
// the next player who enters the chunk causes it to be tried again.
func (s *Store) splitLater(scope game.Scope, rank []byte) {
	// If the store is closed, that is left to the next player too.
	_ = s.inBackground(func() {
		if err := s.write(s.closing, func(ctx context.Context, t *try) error { return s.split(ctx, t, scope, rank) }); err != nil && s.closing.Err() == nil {
			s.log.limited(slog.LevelWarn, "the order of a leaderboard was not cut into smaller parts", err)
		}
	})
}

// split cuts the chunk that has a rank in two, if it is larger than maxChunk.
func (s *Store) split(ctx context.Context, t *try, scope game.Scope, rank []byte) error {
	guild, kind := key(scope.Guild), key(scope.Kind)
	var bound, middle []byte
	var players int64
	b := &pgx.Batch{}
	beginIn(b)
	b.Queue(sqlLockCommunities, [][]byte{key(game.Location{Guild: scope.Guild}.Community())})
	b.Queue(`SELECT bound, players FROM rank_chunks WHERE guild = $1 AND kind = $2 AND bound = (`+sqlChunk+`)`, guild, kind, rank).
		QueryRow(optional(nil, &bound, &players))
	if err := t.send(ctx, b); err != nil {
		return err
	}
	b = &pgx.Batch{}
	if players > int64(s.maxChunk) {
		if err := t.QueryRow(ctx, sqlMiddle, guild, kind, bound, players/2).Scan(&middle); err != nil {
			return err
		}
		b.Queue(`UPDATE rank_chunks SET players = $4 WHERE guild = $1 AND kind = $2 AND bound = $3`, guild, kind, bound, players/2)
		b.Queue(`INSERT INTO rank_chunks (guild, kind, bound, players) VALUES ($1, $2, $3, $4)`, guild, kind, middle, players-players/2)
		b.Queue(`DELETE FROM rank_chunks WHERE guild = $1 AND kind = $2 AND players = 0 AND bound <> ''`, guild, kind)
	}
	return t.commit(ctx, b)
}

const sqlMiddle = `SELECT rank FROM totals WHERE guild = $1 AND kind = $2 AND rank >= $3 ORDER BY rank OFFSET $4 LIMIT 1`

// sqlLockCommunities locks communities, and so the chunks of their leaderboards.
const sqlLockCommunities = `SELECT 1 FROM communities WHERE community = ANY($1) ORDER BY community FOR UPDATE`
