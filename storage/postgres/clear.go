package postgres

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/storage/record"
)

// clearBatch is how many matches are made anonymous in one transaction.
const clearBatch = 25

// lockHistories is the first statement of every transaction that removes names or matches from
// histories. They run one at a time, so that none works on what another is removing; they are short.
const lockHistories = `SELECT 1 FROM work WHERE name = 'history' FOR UPDATE`

// errBegun means that the request to clear a history was made before.
var errBegun = errors.New("begun before")

// Clear implements [game.HistoryStore]. The first transaction notes which matches are to be made anonymous
// and removes the player's totals, which takes the player out of all leaderboards. The matches follow
// in batches, each in a transaction. If ctx ends meanwhile, the batches go on in the background; if the
// process ends, another one goes on with them: see resumeClearings.
func (s *Store) Clear(ctx context.Context, c game.ClearRequest) error {
	err := s.write(ctx, func(ctx context.Context, t *try) error { return s.beginClear(ctx, t, c) })
	if err != nil && !errors.Is(err, errBegun) {
		return err
	}
	done := make(chan error, 1)
	if err := s.inBackground(func() { done <- s.finishClear(s.closing, c.Player) }); err != nil {
		return err // another process goes on with it
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// beginClear removes the player's totals, look and slots without a match in progress, and notes which
// matches are to be made anonymous. While it holds the locks of the totals, no match of the player can end.
func (s *Store) beginClear(ctx context.Context, t *try, c game.ClearRequest) error {
	player := key(c.Player)
	b := &pgx.Batch{}
	beginIn(b)
	b.Queue(lockHistories)
	var kept int64
	b.Queue(`INSERT INTO receipts (request, version, made) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING`, key(c.Request), madeAt(c.Request, c.At)).
		Exec(func(done pgconn.CommandTag) error { kept = done.RowsAffected(); return nil })
	var guilds [][]byte
	b.Queue(`SELECT DISTINCT guild FROM totals WHERE player = $1 AND rank IS NOT NULL`, player).Query(collect(&guilds))
	if err := t.send(ctx, b); err != nil {
		return err
	}
	if kept == 0 {
		return errBegun
	}
	var communities [][]byte
	for _, g := range guilds {
		communities = append(communities, key(game.Location{Guild: game.GuildID(g)}.Community()))
	}
	b = &pgx.Batch{}
	b.Queue(sqlLockCommunities, communities) // before the totals, in the order of Store.end
	for _, codec := range s.codecs {         // so that the end of a player's first match waits too
		b.Queue(sqlMakeTotals, player, key(codec.Kind), []byte{})
	}
	leave := &pgx.Batch{}
	b.Queue(`SELECT kind, guild, rank FROM totals WHERE player = $1 ORDER BY kind, guild FOR UPDATE`, player).Query(func(rows pgx.Rows) error {
		var kind, guild, rank []byte
		_, err := pgx.ForEachRow(rows, []any{&kind, &guild, &rank}, func() error {
			if rank == nil {
				return nil
			}
			if !slices.ContainsFunc(guilds, func(g []byte) bool { return bytes.Equal(g, guild) }) {
				return errAgain // a match has just ended there
			}
			leaveRank(leave, game.Scope{Kind: game.Kind(kind), Guild: game.GuildID(guild)}, rank)
			return nil
		})
		return err
	})
	b.Queue(`SELECT 1 FROM slots WHERE player = $1 FOR UPDATE`, player)
	if err := t.send(ctx, b); err != nil {
		return err
	}
	b = leave
	b.Queue(`DELETE FROM totals WHERE player = $1`, player)
	b.Queue(`DELETE FROM archive WHERE player = $1`, player)
	b.Queue(`DELETE FROM looks WHERE player = $1`, player)
	// The match is looked up by its id: with NOT EXISTS, a plan may read all matches that are being played.
	b.Queue(`DELETE FROM slots WHERE player = $1 AND (SELECT m.playing FROM matches m WHERE m.id = slots.match) IS NOT TRUE`, player)
	b.Queue(`INSERT INTO clearing (player, log) SELECT $1, max(log) FROM named WHERE player = $1 HAVING max(log) IS NOT NULL
		ON CONFLICT (player) DO UPDATE SET log = excluded.log`, player)
	return t.commit(ctx, b)
}

// finishClear makes the player's matches anonymous, batch by batch. Each batch begins where the
// previous one ended: removed rows stay in the index until it is vacuumed, and a search from the
// beginning would read all of them again. It rests between batches, so that other players can go on.
// Several processes may do this at once, as each batch is done by only one of them.
func (s *Store) finishClear(ctx context.Context, player game.PlayerID) error {
	for after := int64(0); ; {
		began := time.Now()
		cleared, last := 0, int64(0)
		if err := s.write(ctx, func(ctx context.Context, t *try) (err error) {
			cleared, last, err = s.clearSome(ctx, t, player, after)
			return err
		}); err != nil {
			return err
		}
		switch {
		case cleared == s.clearBatch:
			after = last
		case after > 0:
			after = 0 // once more from the beginning: a match with a smaller number may have been committed late
		default:
			return nil
		}
		s.rest(ctx, time.Since(began))
	}
}

// clearSome makes the player's next matches after a number in the log anonymous. It returns how many
// there were, and the number of the last one. If after is 0 and there are fewer than a batch, the
// clearing is complete.
func (s *Store) clearSome(ctx context.Context, t *try, player game.PlayerID, after int64) (cleared int, last int64, err error) {
	pending := false
	b := &pgx.Batch{}
	beginIn(b)
	b.Queue(lockHistories)
	var upTo int64
	b.Queue(`SELECT log FROM clearing WHERE player = $1`, key(player)).QueryRow(optional(&pending, &upTo))
	var ids [][]byte
	b.Queue(sqlNextToClear, key(player), after, s.clearBatch).Query(collectUpTo(&ids, &last))
	if err := t.send(ctx, b); err != nil {
		return 0, 0, err
	}
	b = &pgx.Batch{}
	if pending {
		all, err := s.lockFinished(ctx, t, ids)
		if err != nil {
			return 0, 0, err
		}
		for _, f := range all {
			if err := s.anonymize(b, f, player); err != nil {
				return 0, 0, err
			}
		}
		if lost := slices.DeleteFunc(slices.Clone(ids), func(id []byte) bool {
			return slices.ContainsFunc(all, func(f finished) bool { return string(f.ID) == string(id) })
		}); len(lost) > 0 {
			if err := s.anonymizeLost(ctx, t, b, lost, player); err != nil {
				return 0, 0, err
			}
		}
		if after == 0 && len(ids) < s.clearBatch {
			b.Queue(`DELETE FROM clearing WHERE player = $1`, key(player))
		}
	}
	return len(ids), last, t.commit(ctx, b)
}

const sqlNextToClear = `SELECT match, log FROM named WHERE player = $1 AND log > $2 AND log <= (SELECT log FROM clearing WHERE player = $1) ORDER BY log LIMIT $3`

// collectUpTo scans rows of a match and its number in the log into ids and last, which gets the number of
// the last row.
func collectUpTo(ids *[][]byte, last *int64) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var id []byte
		_, err := pgx.ForEachRow(rows, []any{&id, last}, func() error {
			*ids = append(*ids, bytes.Clone(id))
			return nil
		})
		return err
	}
}

// collect scans rows of one column of bytes.
func collect(into *[][]byte) func(pgx.Rows) error {
	return func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectRows(rows, pgx.RowTo[[]byte])
		return err
	}
}

// finished is a match that has ended.
type finished struct {
	game.Match
	log    int64          // its number in the log
	number int64          // in the history of its community; 0 if it is no longer in it
	last   game.RequestID // the request that ended it
}

// ended is when the match ended, by Discord's clock if the id of its last request has a time.
func (f finished) ended() time.Time {
	if at, ok := f.last.Made(); ok {
		return at
	}
	return f.Ended()
}

// lockFinished locks finished matches and loads them, in the order of the log. It leaves out those that
// were lost and, after logging it, those whose record cannot be read: they must not keep the others
// from being cleared or removed.
func (s *Store) lockFinished(ctx context.Context, t *try, ids [][]byte) (all []finished, err error) {
	rows, err := t.Query(ctx, `SELECT id, version, log, coalesce(number, 0), requests[version], record FROM matches WHERE id = ANY($1) ORDER BY log FOR UPDATE`, ids)
	if err != nil {
		return nil, err
	}
	var id, data, last []byte
	var version int64
	var f finished
	_, err = pgx.ForEachRow(rows, []any{&id, &version, &f.log, &f.number, &last, &data}, func() (err error) {
		f.last = game.RequestID(last)
		f.Match, err = s.decodeMatch(id, version, data)
		if errors.Is(err, game.ErrDamaged) {
			s.damaged(err)
			return nil
		}
		all = append(all, f)
		return err
	})
	return all, err
}

// anonymize removes the player's name from a match and its result, and the match from the player's
// histories and, if nobody else took part, from every list.
func (s *Store) anonymize(b *pgx.Batch, f finished, player game.PlayerID) error {
	gone := []game.PlayerID{player}
	match := f.Match.Without(player)
	unlisted := match.Result().Anonymous()
	if unlisted {
		// No list leads to the match any more, so players who only started or stopped it would
		// stay named for ever.
		for _, p := range match.Named() {
			match = match.Without(p)
			gone = append(gone, p)
		}
		b.Queue(`DELETE FROM reviews WHERE match = $1`, key(f.ID))
	}
	if err := s.rewrite(b, match, unlisted); err != nil {
		return err
	}
	for _, p := range gone {
		b.Queue(`DELETE FROM named WHERE player = $1 AND log = $2`, key(p), f.log)
	}
	return nil
}

// anonymizeLost does what anonymize does, for the results of matches that are not there, since they were
// lost before a copy, or cannot be read. What cannot be read may have the player's name, and is
// removed.
func (s *Store) anonymizeLost(ctx context.Context, t *try, b *pgx.Batch, ids [][]byte, player game.PlayerID) error {
	b.Queue(`DELETE FROM matches WHERE id = ANY($1)`, ids)
	b.Queue(`DELETE FROM reviews WHERE match = ANY($1)`, ids)
	rows, err := t.Query(ctx, `SELECT match, log, record FROM results WHERE match = ANY($1)`, ids)
	if err != nil {
		return err
	}
	var id, data []byte
	var log int64
	_, err = pgx.ForEachRow(rows, []any{&id, &log, &data}, func() error {
		r, err := s.decodeResult(log, data)
		if err != nil {
			return err
		}
		if r.Winner == player {
			r.Winner = ""
		}
		for i, p := range r.Participants {
			if p.Player == player {
				r.Participants[i].Player = ""
			}
		}
		anonymous, err := record.EncodeResult(r)
		if err != nil {
			return err
		}
		b.Queue(sqlRewriteResult, bytes.Clone(id), anonymous, r.Anonymous())
		b.Queue(`DELETE FROM named WHERE player = $1 AND log = $2`, key(player), log)
		return nil
	})
	return err
}

// resumeClearings completes the clearings that were interrupted, in whatever process.
func (s *Store) resumeClearings(ctx context.Context) error {
	var players [][]byte
	err := s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		rows, err := c.Query(ctx, `SELECT player FROM clearing`)
		if err != nil {
			return err
		}
		return collect(&players)(rows)
	})
	if err != nil {
		return err
	}
	var failed []error // one must not keep the others waiting
	for _, p := range players {
		if err := s.finishClear(ctx, game.PlayerID(p)); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}
