package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/bot"
	"fivefold/bot/preferences"
	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage/record"
)

var (
	_ solve.Store       = (*Store)(nil)
	_ preferences.Store = (*Store)(nil)
	_ game.BoardStore   = (*Store)(nil)
)

func (s *Store) Session(ctx context.Context, player game.PlayerID) (found solve.Session, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var data []byte
		err := c.QueryRow(ctx, sqlSession, key(player)).Scan(&data)
		if errors.Is(err, pgx.ErrNoRows) {
			found = solve.Session{Player: player}
			return nil
		}
		if err == nil {
			found, err = record.DecodeSession(data)
		}
		return err
	})
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(solve.ErrUnreadable) // err names the player
		err = fmt.Errorf("%w (%w)", solve.ErrUnreadable, err)
	}
	return found, err
}

const sqlSession = `SELECT record FROM sessions WHERE player = $1`

func (s *Store) CommitSession(ctx context.Context, c solve.Session) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := record.EncodeSession(c)
	if err != nil {
		return fmt.Errorf("session of %s: %w", c.Player, err)
	}
	player, version := key(c.Player), int64(c.Version)
	return s.write(ctx, func(ctx context.Context, t *try) error {
		t.committing = true
		sql, args := sqlNextSession, []any{player, version, data, version - 1}
		if version == 1 {
			sql, args = sqlFirstSession, args[:3]
		}
		done, err := t.Exec(ctx, sql, args...)
		if err != nil || done.RowsAffected() == 1 {
			return err
		}
		var there []byte
		if err := t.QueryRow(ctx, sqlSession, player).Scan(&there); errors.Is(err, pgx.ErrNoRows) {
			return game.ErrConflict
		} else if err != nil {
			return err
		}
		if _, err := record.DecodeSession(there); version == 1 && errors.Is(err, game.ErrDamaged) {
			// The stored one cannot be read, so the new one takes its place, unless another one just has.
			done, err := t.Exec(ctx, `UPDATE sessions SET version = 1, record = $2 WHERE player = $1 AND record = $3`, player, data, there)
			if err != nil {
				return err
			}
			return conflictUnless(done.RowsAffected() == 1)
		}
		return conflictUnless(t.doubt && bytes.Equal(there, data)) // an earlier try may have saved it
	})
}

const (
	sqlFirstSession = `INSERT INTO sessions (player, version, record) VALUES ($1, $2, $3) ON CONFLICT (player) DO NOTHING`
	sqlNextSession  = `UPDATE sessions SET version = $2, record = $3 WHERE player = $1 AND version = $4`
)

// set makes a change that may be made twice.
func (s *Store) set(ctx context.Context, sql string, args ...any) error {
	return s.write(ctx, func(ctx context.Context, t *try) error {
		t.committing = true
		_, err := t.Exec(ctx, sql, args...)
		return err
	})
}

func (s *Store) PlayerLook(ctx context.Context, player game.PlayerID) (look bot.Look, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var data []byte
		err := c.QueryRow(ctx, sqlLook, key(player)).Scan(&data)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			look, err = record.DecodeLook(data)
		}
		return err
	})
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
	}
	return look, err
}

const sqlLook = `SELECT record FROM looks WHERE player = $1`

func (s *Store) SetPlayerLook(ctx context.Context, player game.PlayerID, look bot.Look) error {
	data, err := record.EncodeLook(look)
	if err != nil {
		return err
	}
	if look == (bot.Look{}) {
		return s.set(ctx, `DELETE FROM looks WHERE player = $1`, key(player))
	}
	return s.set(ctx, `INSERT INTO looks (player, record) VALUES ($1, $2)
		ON CONFLICT (player) DO UPDATE SET record = excluded.record`, key(player), data)
}

func (s *Store) ServerPreferences(ctx context.Context, guild game.GuildID) (found preferences.Server, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var data []byte
		err := c.QueryRow(ctx, sqlServer, key(guild)).Scan(&data)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			found, err = record.DecodeServer(data)
		}
		return err
	})
	if errors.Is(err, game.ErrDamaged) {
		s.damaged(err)
	}
	return found, err
}

const sqlServer = `SELECT record FROM servers WHERE guild = $1`

func (s *Store) SetServerPreferences(ctx context.Context, guild game.GuildID, p preferences.Server) error {
	data, err := record.EncodeServer(p)
	if err != nil {
		return err
	}
	if p == (preferences.Server{}) {
		return s.set(ctx, `DELETE FROM servers WHERE guild = $1`, key(guild))
	}
	return s.set(ctx, `INSERT INTO servers (guild, record) VALUES ($1, $2)
		ON CONFLICT (guild) DO UPDATE SET record = excluded.record`, key(guild), data)
}

func (s *Store) BoardMessage(ctx context.Context, slot game.Slot) (m game.BoardMessage, ok bool, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		var match, message []byte
		err := c.QueryRow(ctx, sqlBoardMessage, key(slot.Key())).Scan(&match, &message)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		m, ok = game.BoardMessage{Match: game.MatchID(match), Message: string(message)}, err == nil
		return err
	})
	return m, ok, err
}

const sqlBoardMessage = `SELECT match, message FROM board_messages WHERE slot = $1`

// maxBoardMessage is how long [game.BoardMessage].Message may be, in bytes.
const maxBoardMessage = 100

func (s *Store) SaveBoardMessage(ctx context.Context, slot game.Slot, m game.BoardMessage) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.Match == "" || m.Message == "" || len(m.Message) > maxBoardMessage || strings.Contains(m.Message, "\x00") {
		return fmt.Errorf("%q: %w", m.Message, game.ErrID)
	}
	s.behind.add("board "+slot.Key(), false, `INSERT INTO board_messages (slot, match, message) VALUES ($1, $2, $3)
		ON CONFLICT (slot) DO UPDATE SET match = excluded.match, message = excluded.message`, key(slot.Key()), key(m.Match), key(m.Message))
	return nil
}

// CommandGuilds returns the servers where commands were registered and may still be, in the order in
// which they were saved.
func (s *Store) CommandGuilds(ctx context.Context) (guilds []game.GuildID, err error) {
	err = s.read(ctx, func(ctx context.Context, c *pgxpool.Conn) error {
		value, err := meta(ctx, c, record.MetaGuilds)
		guilds = nil
		for _, g := range decodeAnswers(value) {
			guilds = append(guilds, game.GuildID(g))
		}
		return err
	})
	return guilds, err
}

// SetCommandGuilds durably replaces what CommandGuilds returns.
func (s *Store) SetCommandGuilds(ctx context.Context, guilds []game.GuildID) error {
	var all []string
	for _, g := range guilds {
		all = append(all, string(g))
	}
	return s.set(ctx, `INSERT INTO meta (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, record.MetaGuilds, encodeAnswers(all))
}

// Probe changes a row of its own, to find out whether the database takes changes. Its error is the one
// that any other change would get.
func (s *Store) Probe(ctx context.Context) error {
	return s.set(ctx, `INSERT INTO meta (name, value) VALUES ('probe', '') ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
}
