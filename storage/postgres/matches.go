package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
)

// key returns an identifier as it is stored. It is never nil, which would be NULL.
func key[T ~string](id T) []byte { return []byte(id) }

// damaged logs that a record cannot be read.
func (s *Store) damaged(err error) {
	s.log.limited(slog.LevelError, "a stored record cannot be read", err)
}

// decodeMatch decodes a match and compares it with its columns. Errors wrap game.ErrDamaged or
// game.ErrNewer.
func (s *Store) decodeMatch(id []byte, version int64, record []byte) (game.Match, error) {
	m, err := s.codecs.DecodeMatch(record)
	switch {
	case err != nil:
		return game.Match{}, err
	case string(m.ID) != string(id) || m.Version != uint64(version):
		return game.Match{}, fmt.Errorf("match %s at version %d says that it is %s at %d: %w", id, version, m.ID, m.Version, game.ErrDamaged)
	}
	return m, nil
}

func (s *Store) Load(ctx context.Context, slot game.Slot) (m game.Match, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var id, record []byte
		var version int64
		err := c.QueryRow(ctx, sqlLoad, key(slot.Key())).Scan(&id, &version, &record)
		if errors.Is(err, pgx.ErrNoRows) {
			return game.ErrNoMatch
		}
		if err == nil {
			m, err = s.decodeMatch(id, version, record)
		}
		return err
	})
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
		err = fmt.Errorf("%w (%w)", game.ErrUnreadable, err)
	}
	return m, err
}

const sqlLoad = `SELECT m.id, m.version, m.record FROM slots s JOIN matches m ON m.id = s.match WHERE s.key = $1`

// LoadSlots implements [game.SlotsLoader] with one statement.
func (s *Store) LoadSlots(ctx context.Context, slots []game.Slot) ([]game.Loaded, error) {
	if len(slots) == 0 {
		return nil, nil
	}
	keys := make([]any, len(slots))
	at := map[string][]int{} // a slot may be asked for twice
	for i, slot := range slots {
		keys[i] = key(slot.Key())
		at[slot.Key()] = append(at[slot.Key()], i)
	}
	all := make([]game.Loaded, len(slots))
	err := s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		for i := range all {
			all[i] = game.Loaded{Err: game.ErrNoMatch}
		}
		rows, err := c.Query(ctx, sqlLoadSlots(len(keys)), keys...)
		if err != nil {
			return err
		}
		var slot, id, record []byte
		var version int64
		_, err = pgx.ForEachRow(rows, []any{&slot, &id, &version, &record}, func() error {
			m, err := s.decodeMatch(id, version, record)
			switch {
			case errors.Is(err, game.ErrDamaged):
				s.damaged(err)
				err = fmt.Errorf("%w (%w)", game.ErrUnreadable, err)
			case err != nil:
				return err
			}
			for _, i := range at[string(slot)] {
				all[i] = game.Loaded{Match: m, Err: err}
			}
			return nil
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// sqlLoadSlots returns the statement for n slots. It has a parameter for each: for one array of all,
// PostgreSQL makes a new plan each time, which takes longer than the search.
func sqlLoadSlots(n int) string {
	var b strings.Builder
	b.WriteString(`SELECT s.key, m.id, m.version, m.record FROM slots s JOIN matches m ON m.id = s.match WHERE s.key IN ($1`)
	for i := 2; i <= n; i++ {
		fmt.Fprintf(&b, ", $%d", i)
	}
	b.WriteString(")")
	return b.String()
}

// Repeated implements [game.MatchStore]. It looks for the request in the slot's latest match, and among
// the receipts of matches that have ended.
func (s *Store) Repeated(ctx context.Context, slot game.Slot, request game.RequestID) (m game.Match, version uint64, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var id, record []byte
		var latest, made int64
		err := c.QueryRow(ctx, sqlRepeated, key(slot.Key()), key(request)).Scan(&id, &latest, &record, &made)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			m, err = s.decodeMatch(id, latest, record)
			version = uint64(made)
		}
		return err
	})
	if err != nil {
		return game.Match{}, 0, err
	}
	return m, version, nil
}

const sqlRepeated = `SELECT m.id, m.version, m.record, array_position(m.requests, $2)::bigint
	FROM slots s JOIN matches m ON m.id = s.match WHERE s.key = $1 AND $2 = ANY(m.requests)
UNION ALL
SELECT m.id, m.version, m.record, r.version
	FROM receipts r JOIN matches m ON m.id = r.match WHERE r.request = $2
LIMIT 1`

// Unfinished implements [game.MatchStore]. It leaves out matches that cannot be read, and therefore asks
// again until there are enough.
func (s *Store) Unfinished(ctx context.Context, after game.Unfinished, limit int) (list []game.Unfinished, err error) {
	from, fromID := after.Began.UnixMilli(), key(after.Match)
	if after.Match == "" {
		from = -1 << 62
	}
	for full := true; full && len(list) < limit; {
		err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
			rows, err := c.Query(ctx, sqlUnfinished, from, fromID, limit-len(list))
			if err != nil {
				return err
			}
			// The rows are not scanned into from and fromID: if the connection is lost after some of
			// them, the same rows are asked for again.
			began, id := from, fromID
			var found []game.Unfinished
			var version int64
			var record, last []byte
			n := 0
			_, err = pgx.ForEachRow(rows, []any{&began, &id, &version, &record, &last}, func() error {
				n++
				m, err := s.decodeMatch(id, version, record)
				if err != nil {
					s.damaged(err)
					return nil
				}
				found = append(found, m.Unfinished(game.RequestID(last)))
				return nil
			})
			if err == nil {
				full = n == limit-len(list)
				list = append(list, found...)
				from, fromID = began, id
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

const sqlUnfinished = `SELECT began, id, version, record, requests[version] FROM matches
	WHERE playing AND (began, id) > ($1, $2) ORDER BY began, id LIMIT $3`

func (s *Store) RecentAnswers(ctx context.Context, list string) (answers []string, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var value []byte
		err := c.QueryRow(ctx, sqlRecent, key(list)).Scan(&value)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		answers = decodeAnswers(value)
		return err
	})
	return answers, err
}

const sqlRecent = `SELECT answers FROM recent WHERE list = $1`

// encodeAnswers and decodeAnswers write and read a list of answers, each with NUL after it.
func encodeAnswers(answers []string) []byte {
	value := []byte{}
	for _, a := range answers {
		value = append(append(value, a...), 0)
	}
	return value
}

func decodeAnswers(value []byte) []string {
	if len(value) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(value), "\x00"), "\x00")
}

func latestOf(answers []string, n int) []string {
	return slices.Clone(answers[max(0, len(answers)-n):])
}

func (s *Store) Puzzle(ctx context.Context, k game.Kind, p game.PuzzleID) (state game.State, ok bool, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var record []byte
		err := c.QueryRow(ctx, sqlPuzzle, key(k), key(p)).Scan(&record)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			state, err = s.codecs.DecodePuzzle(k, record)
			ok = err == nil
		}
		return err
	})
	return state, ok, err
}

const sqlPuzzle = `SELECT record FROM puzzles WHERE kind = $1 AND puzzle = $2`

// secretSize is how long the secret is, in bytes.
const secretSize = 32

// Secret implements [game.MatchStore]. It makes the secret when it is first asked for. If several
// processes make one at once, the first one's stays.
func (s *Store) Secret(ctx context.Context) (secret []byte, err error) {
	err = s.write(ctx, func(ctx context.Context, t *try) error {
		if secret, err = meta(ctx, t, "secret"); err != nil || len(secret) == secretSize {
			return err
		}
		made := make([]byte, secretSize)
		rand.Read(made)
		// A damaged secret is replaced, which changes only puzzles that nobody has started.
		if _, err := t.Exec(ctx, `INSERT INTO meta (name, value) VALUES ('secret', $1)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE length(meta.value) <> $2`, made, secretSize); err != nil {
			return err
		}
		return errAgain
	})
	return secret, err
}

// meta returns a value of the table meta, nil if there is none.
func meta(ctx context.Context, q queryer, name string) (value []byte, err error) {
	err = q.QueryRow(ctx, `SELECT value FROM meta WHERE name = $1`, name).Scan(&value)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return value, err
}
