// Package daypost makes a server's daily post: once a day, in the channel and at the hour of its [settings.Settings], the results
// of the daily puzzles that have ended, and buttons for today's. poster.go makes each post once when it's due, and reply.go writes
// it.
package daypost

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/settings"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/storage/record"
)

// Handlers carries the dependencies of the posts. Set the fields before the first call.
type Handlers struct {
	Settings   settings.Store
	Records    Records
	Games      *matches.Manager
	Finished   *finished.Matches
	Statistics statistics.Store
	Reminders  game.ReminderStore
	Faces      face.Faces
	Log        *slog.Logger

	round round // of reminders
}

// Refusal says why Discord refuses a server's posts or their threads. It is an empty line if Discord takes them.
func (h *Handlers) Refusal(ctx context.Context, guild game.GuildID) (bot.Line, error) {
	s, r, err := h.load(ctx, guild)
	switch f := r.refusal(s); {
	case f.Why != "":
		return bot.Text(bot.Bold("The daily post has stopped."), " Discord refused it in ", s.PostChannel, " for an hour: ", bot.Quote(f.Why),
			". To begin again, choose no channel, and then one where I may post."), err
	case !f.Since.IsZero():
		return bot.Text("Discord refused the latest one. Check that I may post there; I'll keep trying for an hour."), err
	case r.NoThread != "" && s.PostThread:
		return bot.Text("The latest post has no thread: ", bot.Quote(r.NoThread), ". I need the permission ", bot.Bold("Create Public Threads"),
			" in ", s.PostChannel, ", and it can't be a thread itself."), err
	}
	return bot.Line{}, err
}

// Posts reports whether a server wants a daily post.
func (h *Handlers) Posts(ctx context.Context, guild game.GuildID) (bool, error) {
	s, err := h.Settings.Load(ctx, guild)
	return s.PostChannel != "", err
}

// load returns a server's settings and the progress of its posts.
func (h *Handlers) load(ctx context.Context, guild game.GuildID) (s settings.Settings, r progress, err error) {
	if s, err = h.Settings.Load(ctx, guild); err != nil {
		return s, r, err
	}
	data, err := h.Records.DayPost(ctx, guild)
	if err == nil {
		r, err = decode(data)
	}
	return s, r, err
}

// change applies f to a server's record, unless f returns an error. The settings are those at that moment.
func (h *Handlers) change(ctx context.Context, guild game.GuildID, f func(settings.Settings, *progress) error) error {
	return h.Records.ChangeDayPost(ctx, guild, func(choice, posted []byte) ([]byte, error) {
		s, err := settings.Decode(choice)
		if err != nil {
			return nil, err
		}
		r, err := decode(posted)
		if errors.Is(err, game.ErrNewer) {
			return nil, err
		}
		if err := f(s, &r); err != nil {
			return nil, err
		}
		return record.Encode(r)
	})
}

// Records keeps what was posted as bytes; nil stands for nothing. It is safe for concurrent use, and an acknowledged change
// outlives a loss of power.
type Records interface {
	DayPost(ctx context.Context, guild game.GuildID) ([]byte, error)
	// DayPosts calls each with the record of every server.
	DayPosts(ctx context.Context, each func(guild game.GuildID, posted []byte)) error
	// ChangeDayPost replaces a server's record by what change makes of it and of the server's settings. It may call change several
	// times. If change returns an error, the record stays.
	ChangeDayPost(ctx context.Context, guild game.GuildID, change func(choice, posted []byte) ([]byte, error)) error
}

// progress says which posts of a server were made. When the next one is due follows from it and the settings.
type progress struct {
	Day      string    `json:",omitempty"` // the local date that was posted last, such as "2026-11-21"
	Reported int       // number of the latest daily puzzle whose results were posted
	Named    string    `json:",omitempty"` // the latest month whose winner was named
	Since    time.Time `json:",omitzero"`  // [settings.Settings.PostSince] at the latest post
	Refused  refused   `json:",omitzero"`
	Pending  *post     `json:",omitempty"` // a post that may have been made
	Thread   *post     `json:",omitempty"` // the latest post, if its thread is still to be started
	NoThread string    `json:",omitempty"` // why Discord refused that
}

// refused is the refusal of the latest posts in a channel.
type refused struct {
	Channel game.ChannelID
	Begun   time.Time // PostSince then: it is over once posts were switched off and on
	Since   time.Time
	Again   time.Time // when the post is tried again
	Why     string    `json:",omitempty"` // why posts are refused for good, so that no more are made; empty otherwise
}

type post struct {
	Channel  game.ChannelID
	Day      string
	From, To int // the daily puzzles that it reports; none if To is smaller
	At       time.Time
	Begun    time.Time   `json:",omitzero"`  // PostSince then
	Month    string      `json:",omitempty"` // whose awards it gives
	Role     game.RoleID `json:",omitempty"` // that it mentions
	Message  string      `json:",omitempty"` // once it was made
}

// decode reads a record; nil is the zero one.
func decode(data []byte) (r progress, err error) {
	if data == nil {
		return r, nil
	}
	if r, err = record.Decode[progress](data); err != nil {
		err = fmt.Errorf("daily post: %w", err)
	}
	return r, err
}

// refusal returns the refusal that counts for the settings; the zero one for none.
func (r progress) refusal(s settings.Settings) refused {
	if r.Refused.Channel != s.PostChannel || !r.Refused.Begun.Equal(s.PostSince) {
		return refused{}
	}
	return r.Refused
}

// next returns the local date of the next post, and reports whether it is due. If clocks skip its hour on that day, the post comes
// an hour before or after. If they have that hour twice, it comes at one of the two times. No post is due in an unknown zone.
func (r progress) next(s settings.Settings, now time.Time) (day string, due bool) {
	zone, err := time.LoadLocation(s.PostZone)
	if f := r.refusal(s); err != nil || s.PostChannel == "" || f.Why != "" || now.Before(f.Again) {
		return "", false
	}
	year, month, date := now.In(zone).Date()
	for ; ; date++ {
		if day = time.Date(year, month, date, 0, 0, 0, 0, time.UTC).Format(time.DateOnly); day > r.Day {
			return day, !now.Before(time.Date(year, month, date, s.PostHour, 0, 0, 0, zone))
		}
	}
}
