package game

import "context"

// Reminder is a player's wish to be told before a streak of dailies ends, which is at midnight UTC. The zero Reminder is no wish.
type Reminder struct {
	Hours   int     `json:",omitzero"` // how long before the end, about, a direct message comes; 0 for none
	Guild   GuildID `json:",omitzero"` // the server whose daily post names the player; empty for none
	Refused bool    `json:",omitzero"` // the front refused a direct message, which ended the wish
	Sent    int     `json:",omitzero"` // the latest daily that the player was reminded of
}

// ReminderStore keeps players' reminders. It is safe for concurrent use.
type ReminderStore interface {
	Reminder(ctx context.Context, p PlayerID) (Reminder, error)
	// Reminders calls each with every reminder. It reads nothing of players who never chose one.
	Reminders(ctx context.Context, each func(PlayerID, Reminder)) error
	// ChangeReminder replaces a player's reminder by what change makes of it, and returns it. It may call change several times. If
	// change returns an error, the reminder stays.
	ChangeReminder(ctx context.Context, p PlayerID, change func(*Reminder) error) (Reminder, error)
}
