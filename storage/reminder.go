package storage

import (
	"context"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

var _ game.ReminderStore = (*Store)(nil)

// Reminder implements [game.ReminderStore]. An unreadable reminder counts as none.
func (s *Store) Reminder(ctx context.Context, player game.PlayerID) (game.Reminder, error) {
	r, err := readKey(ctx, s, schema.TopicReminder+string(player), schema.DecodeAs[game.Reminder])
	return r, s.unlessDamaged(err)
}

// ChangeReminder implements [game.ReminderStore]. An unreadable reminder is replaced.
func (s *Store) ChangeReminder(ctx context.Context, player game.PlayerID, change func(*game.Reminder) error) (now game.Reminder, err error) {
	err = s.change(ctx, func(p *plan) {
		there := p.get(ctx, schema.TopicReminder+string(player))[0]
		was, err := schema.DecodeAs[game.Reminder](there)
		now = was
		p.fail(s.unlessDamaged(err))
		if p.err == nil {
			p.fail(change(&now))
		}
		p.set(replaced(schema.RemindedEntry(player, was), schema.RemindedEntry(player, now)), nil)
		if p.put(there.Key, now); now == (game.Reminder{}) {
			p.write(there.Key, nil)
		}
	})
	return now, err
}

// RemindedPlayers implements [game.ReminderStore].
func (s *Store) RemindedPlayers(ctx context.Context, at string) (players []game.PlayerID, err error) {
	err = ordered.Each(ctx, s.m, ordered.Prefix(schema.RemindedAt(at)), func(batch []ordered.Pair) error {
		for _, p := range batch {
			players = append(players, game.PlayerID(p.Key[len(schema.RemindedAt(at)):]))
		}
		return nil
	})
	return players, err
}
