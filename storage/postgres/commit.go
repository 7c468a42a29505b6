package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"fivefold/game"
	"fivefold/storage/record"
)

// Commit implements [game.MatchStore]. It stores a change in one transaction, together with the result
// and the statistics if the change ends its match. A guess that does not is one statement.
func (s *Store) Commit(ctx context.Context, c game.Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := s.codecs.EncodeReadable(c.Match)
	if err != nil {
		return fmt.Errorf("match %s: %w", c.Match.ID, err)
	}
	if c.Match.Version == 1 && c.Match.Status() != game.Playing {
		return fmt.Errorf("match %s has ended with its first version", c.Match.ID)
	}
	n := change{Change: c, id: key(c.Match.ID), slot: key(c.Match.Slot().Key()), request: key(c.Request), record: data}
	return s.write(ctx, func(ctx context.Context, t *try) error {
		var err error
		switch {
		case c.Match.Version == 1:
			err = s.start(ctx, t, n)
		case c.Match.Status() == game.Playing:
			err = s.move(ctx, t, n)
		default:
			err = s.end(ctx, t, n)
		}
		if errors.Is(err, game.ErrConflict) && t.doubt {
			return s.madeBefore(ctx, t, n)
		}
		return err
	})
}

// change is a change with its identifiers and its record as they are stored.
type change struct {
	game.Change
	id, slot, request, record []byte
}

func (c change) version() int64 { return int64(c.Match.Version) }

// conflictUnless returns game.ErrConflict if ok is false.
func conflictUnless(ok bool) error {
	if !ok {
		return game.ErrConflict
	}
	return nil
}

// madeBefore returns nil if this very change is stored, because an earlier try whose connection was lost
// has committed it, and game.ErrConflict otherwise.
//
// It does not just read the row but writes it again, unchanged, because a commit waits for synchronous
// replicas and a read does not. If the earlier try was lost while it waited for them, what a read finds
// may be on the primary only, and would be gone once a replica is promoted.
func (s *Store) madeBefore(ctx context.Context, t *try, c change) error {
	var record, request []byte
	var version int64
	err := t.QueryRow(ctx, `UPDATE matches SET playing = playing WHERE id = $1 RETURNING version, record, requests[$2]`, c.id, c.version()).Scan(&version, &record, &request)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return game.ErrConflict
	case err != nil:
		return err
	case !bytes.Equal(request, c.request):
		return game.ErrConflict
	}
	m, err := s.decodeMatch(c.id, version, record)
	if err != nil {
		return err
	}
	made, err := s.codecs.EncodeMatch(m.Rewind(c.Match.Version))
	if err != nil {
		return err
	}
	return conflictUnless(bytes.Equal(made, c.record))
}

// move commits a change that neither starts nor ends its match.
func (s *Store) move(ctx context.Context, t *try, c change) error {
	t.committing = true
	done, err := t.Exec(ctx, sqlMove, append(c.follows(), c.version(), c.record)...)
	if err != nil {
		return err
	}
	return conflictUnless(done.RowsAffected() == 1)
}

// sqlFollows is the condition that a change follows what is stored: its match is being played in its slot, at
// the previous version, and its request was not made before.
const sqlFollows = `id = $1 AND version = $4 AND playing AND slot = $3 AND NOT $2 = ANY(requests)
	AND NOT EXISTS (SELECT 1 FROM receipts WHERE request = $2)`

func (c change) follows() []any { return []any{c.id, c.request, c.slot, c.version() - 1} }

const sqlMove = `UPDATE matches SET version = $5, record = $6, requests = array_append(requests, $2) WHERE ` + sqlFollows

// start commits the first version of a match.
func (s *Store) start(ctx context.Context, t *try, c change) error {
	m := c.Match
	var latest, latestRecord, puzzle, answers []byte
	var latestVersion int64
	var playing, inSlot, inList, known bool
	b := &pgx.Batch{}
	beginIn(b)
	b.Queue(`SELECT EXISTS (SELECT 1 FROM matches WHERE id = $1) OR EXISTS (SELECT 1 FROM receipts WHERE request = $2)`, c.id, c.request).
		QueryRow(func(row pgx.Row) error { return row.Scan(&known) })
	// Rows that are locked here cannot change before the commit. For rows that do not exist yet, a unique
	// key keeps others from adding them too.
	b.Queue(`SELECT match FROM slots WHERE key = $1 FOR UPDATE`, c.slot).
		QueryRow(optional(&inSlot, &latest))
	b.Queue(`SELECT version, playing, record FROM matches WHERE id = (SELECT match FROM slots WHERE key = $1)`, c.slot).
		QueryRow(optional(nil, &latestVersion, &playing, &latestRecord))
	if m.Puzzle != "" {
		b.Queue(sqlPuzzle, key(m.Kind), key(m.Puzzle)).QueryRow(optional(nil, &puzzle))
	}
	if c.Recent.Keep > 0 {
		b.Queue(sqlRecent+` FOR UPDATE`, key(c.Recent.Name)).QueryRow(optional(&inList, &answers))
	}
	if err := t.send(ctx, b); err != nil {
		return err
	}
	if known {
		return game.ErrConflict
	}
	b = &pgx.Batch{}
	if inSlot {
		_, err := s.decodeMatch(latest, latestVersion, latestRecord)
		switch {
		case errors.Is(err, game.ErrDamaged): // the new match takes its place
			b.Queue(`UPDATE matches SET playing = false WHERE id = $1`, latest)
		case err != nil:
			return err
		case playing || m.Puzzle != "":
			return game.ErrConflict
		}
		b.Queue(`UPDATE slots SET match = $2 WHERE key = $1`, c.slot, c.id)
	} else {
		var player []byte
		if p := m.Slot().Player; p != "" {
			player = key(p)
		}
		b.Queue(`INSERT INTO slots (key, match, player) VALUES ($1, $2, $3)`, c.slot, c.id, player)
	}
	if m.Puzzle != "" {
		own, err := s.codecs.EncodePuzzle(m.Kind, m.State)
		switch {
		case err != nil:
			return err
		case puzzle == nil:
			b.Queue(`INSERT INTO puzzles (kind, puzzle, record) VALUES ($1, $2, $3)`, key(m.Kind), key(m.Puzzle), own)
		case !bytes.Equal(own, puzzle):
			return game.ErrConflict
		}
	}
	if c.Recent.Keep > 0 && puzzle == nil {
		recent := decodeAnswers(answers)
		if slices.Contains(latestOf(recent, c.Recent.Keep), m.State.Answer()) {
			return game.ErrConflict
		}
		next := encodeAnswers(latestOf(append(recent, m.State.Answer()), c.Recent.Keep))
		if inList {
			b.Queue(`UPDATE recent SET answers = $2 WHERE list = $1`, key(c.Recent.Name), next)
		} else {
			b.Queue(`INSERT INTO recent (list, answers) VALUES ($1, $2)`, key(c.Recent.Name), next)
		}
	}
	b.Queue(`INSERT INTO matches (id, slot, version, requests, playing, began, record) VALUES ($1, $2, 1, $3, $4, $5, $6)`,
		c.id, c.slot, [][]byte{c.request}, true, m.Unfinished(c.Request).Began.UnixMilli(), c.record)
	return t.commit(ctx, b)
}

// optional scans a row that may be missing, and sets found, unless that is nil, if it is there.
func optional(found *bool, into ...any) func(pgx.Row) error {
	return func(row pgx.Row) error {
		err := row.Scan(into...)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if found != nil {
			*found = err == nil
		}
		return err
	}
}

// end commits the last version of a match, adds its result to the log and the histories,
// and counts it in the totals of its players and in the guild's leaderboard. It locks the match,
// then its community, then the totals in their order, so that two matches that end at once do not
// deadlock. The number in the log is drawn under those locks, so results that share a player or
// a community are numbered in the order in which they are counted.
func (s *Store) end(ctx context.Context, t *try, c change) error {
	r := c.Match.Result()
	community := key(r.Location.Community())
	var requests [][]byte
	var log, number int64
	all := totalsOf(r)
	b := &pgx.Batch{}
	beginIn(b)
	b.Queue(`SELECT requests FROM matches WHERE `+sqlFollows+` FOR UPDATE`, c.follows()...).QueryRow(optional(nil, &requests))
	b.Queue(sqlNextInCommunity, community).QueryRow(func(row pgx.Row) error { return row.Scan(&number) })
	lockTotals(b, r.Kind, all)
	b.Queue(`SELECT nextval('result_numbers') FROM matches WHERE `+sqlFollows, c.follows()...).QueryRow(optional(nil, &log))
	if err := t.send(ctx, b); err != nil {
		return err
	}
	if requests == nil {
		return game.ErrConflict
	}
	r.Number = uint64(log)
	b = &pgx.Batch{}
	b.Queue(`UPDATE matches SET version = $2, record = $3, requests = array_append(requests, $4), playing = false, log = $5, number = $6 WHERE id = $1`,
		c.id, c.version(), c.record, c.request, log, number)
	if err := s.remember(b, r, c.Match.Named(), number); err != nil {
		return err
	}
	var grown []func()
	for _, p := range all {
		if err := p.count(b, r, func(scope game.Scope, rank []byte, players int) {
			if players > s.maxChunk {
				grown = append(grown, func() { s.splitLater(scope, rank) })
			}
		}); err != nil {
			return err
		}
	}
	keepReceipts(b, c, append(requests, c.request))
	if err := t.commit(ctx, b); err != nil {
		return err
	}
	for _, split := range grown {
		split()
	}
	return nil
}

// sqlNextInCommunity draws the next number in the history of a community, and locks the community's row.
const sqlNextInCommunity = `INSERT INTO communities (community, number, forgotten) VALUES ($1, 1, 0)
	ON CONFLICT (community) DO UPDATE SET number = greatest(communities.number, communities.forgotten) + 1 RETURNING number`

// remember adds a result to the log, and to the histories of its community and of the players who are
// named in its match.
func (s *Store) remember(b *pgx.Batch, r game.Result, named []game.PlayerID, number int64) error {
	data, err := record.EncodeResult(r)
	if err != nil {
		return err
	}
	community := key(r.Location.Community())
	b.Queue(`INSERT INTO results (match, log, community, number, public, status, kind, channel, answer, record)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		key(r.Match), int64(r.Number), community, number, r.Public(), key(r.Status), key(r.Kind), key(r.Channel()), key(r.Answer), data)
	var players [][]byte
	for _, p := range named {
		players = append(players, key(p))
	}
	b.Queue(`INSERT INTO named (player, log, match, community, number, public, status, kind, channel, answer)
		SELECT p, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM unnest($1::bytea[]) AS p`,
		players, int64(r.Number), key(r.Match), community, number, r.Public(), key(r.Status), key(r.Kind), key(r.Channel()), key(r.Answer))
	return nil
}

// keepReceipts adds a receipt for each request of a match that has ended: once the slot has its next match,
// they are no longer found through the slot.
func keepReceipts(b *pgx.Batch, c change, requests [][]byte) {
	versions, made := make([]int64, len(requests)), make([]int64, len(requests))
	for i, r := range requests {
		versions[i], made[i] = int64(i+1), madeAt(game.RequestID(r), c.At)
	}
	b.Queue(`INSERT INTO receipts (request, match, version, made) SELECT r, $1, v, m FROM unnest($2::bytea[], $3::bigint[], $4::bigint[]) AS all_of_them(r, v, m)`,
		c.id, requests, versions, made)
}

// madeAt is when a request was made, in milliseconds of Unix time: by Discord's clock if its id has a time,
// and otherwise the time that is given.
func madeAt(r game.RequestID, at time.Time) int64 {
	if made, ok := r.Made(); ok {
		at = made
	}
	return at.UnixMilli()
}
