package game

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"
)

// Reminder is a player's wish to be told before a streak of dailies ends, which is at midnight UTC. The zero Reminder is no wish.
type Reminder struct {
	Hours   int       `json:",omitzero"` // how long before the end, about, a direct message comes; 0 for none
	Guild   GuildID   `json:",omitzero"` // the server whose daily post names the player; empty for none
	Refused bool      `json:",omitzero"` // the front refused a direct message, which ended the wish
	Sent    int       `json:",omitzero"` // the latest daily that the player was reminded of
	Channel ChannelID `json:",omitzero"` // of direct messages, once one was sent
}

// On reports whether the player wants to be reminded.
func (r Reminder) On() bool { return r.Hours > 0 || r.Guild != "" }

// Time says when the player is to be reminded: see [RemindedAt] and [RemindedIn]. It is empty for no reminder. The players of an
// hour are spread over it, from half an hour before to half an hour after.
func (r Reminder) Time(p PlayerID) string {
	switch {
	case r.Guild != "":
		return RemindedIn(r.Guild)
	case r.Hours == 0:
		return ""
	}
	spread := fnv.New32a()
	_, _ = spread.Write([]byte(p)) // it never fails
	return RemindedAt(24*60 - 60*r.Hours - 30 + int(spread.Sum32()%60))
}

// RemindedAt is the [Reminder.Time] of direct messages in a minute of the day, by UTC.
func RemindedAt(minute int) string { return fmt.Sprintf("minute/%04d", minute) }

// RemindedIn is the [Reminder.Time] of names in a server's daily post.
func RemindedIn(g GuildID) string { return "guild/" + string(g) }

// MinuteOfDay returns the minutes since midnight UTC.
func MinuteOfDay(at time.Time) int { return at.UTC().Hour()*60 + at.UTC().Minute() }

// ReminderStore keeps players' reminders. It is safe for concurrent use.
type ReminderStore interface {
	// Reminder returns a player's reminder.
	Reminder(ctx context.Context, p PlayerID) (Reminder, error)
	// ChangeReminder replaces a player's reminder by what change makes of it, and returns it. It may call change several times. If
	// change returns an error, the reminder stays.
	ChangeReminder(ctx context.Context, p PlayerID, change func(*Reminder) error) (Reminder, error)
	// RemindedPlayers returns the players with that [Reminder.Time]. It reads nothing of others.
	RemindedPlayers(ctx context.Context, at string) ([]PlayerID, error)
}
