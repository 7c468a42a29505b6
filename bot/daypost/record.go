package daypost

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"fivefold/game"
)

// Records keeps what servers have chosen as bytes; nil stands for nothing. It is safe for concurrent use, and
// what it has acknowledged outlives a loss of power.
type Records interface {
	DayPost(ctx context.Context, guild game.GuildID) ([]byte, error)
	// DayPosts calls a function with what each server has chosen.
	DayPosts(ctx context.Context, each func(guild game.GuildID, choice []byte)) error
	// ChangeDayPost replaces what DayPost returns by what change makes of it, which may be called several
	// times. If that returns an error, nothing is changed.
	ChangeDayPost(ctx context.Context, guild game.GuildID, change func(choice []byte) ([]byte, error)) error
}

const recordFormat = 1

// record says when and where the day of a server is posted, and how far that has come.
type record struct {
	Format   int            `json:"format"`
	Channel  game.ChannelID `json:"channel,omitempty"` // empty for a server that wants no post
	Hour     int            `json:"hour"`
	Zone     string         `json:"zone"`
	Due      time.Time      `json:"due"`           // of the next post
	Day      string         `json:"day,omitempty"` // the local date that was posted last, such as "2026-11-21"
	Reported int            `json:"reported"`      // number of the latest daily puzzle whose results were posted
	Closed   bool           `json:"closed,omitempty"`
	Pending  *post          `json:"pending,omitempty"` // may have been posted
}

type post struct {
	Channel  game.ChannelID `json:"channel"`
	Day      string         `json:"day"`
	From, To int            // the daily puzzles that it reports; none if To is smaller
	At       time.Time      `json:"at"`
}

// decode reads a record; nil is the zero record.
func decode(data []byte) (r record, err error) {
	if data == nil {
		return r, nil
	}
	err = json.Unmarshal(data, &r)
	switch {
	case r.Format > recordFormat:
		return record{}, fmt.Errorf("daily post, format %d: %w", r.Format, game.ErrNewer)
	case err != nil || r.Format != recordFormat:
		return record{}, fmt.Errorf("daily post: %w", game.ErrDamaged)
	}
	return r, nil
}

func (r record) on() bool { return r.Channel != "" && !r.Closed }

// next returns the local date of the next post, as seen at a time, and when it is due. On a day on which
// clocks skip that hour, it comes an hour before or after; where they have it twice, one of the two times.
func (r record) next(now time.Time) (day string, due time.Time, err error) {
	zone, err := time.LoadLocation(r.Zone)
	if err != nil {
		return "", time.Time{}, err
	}
	year, month, date := now.In(zone).Date()
	for ; ; date++ {
		if day = time.Date(year, month, date, 0, 0, 0, 0, time.UTC).Format(time.DateOnly); day > r.Day {
			return day, time.Date(year, month, date, r.Hour, 0, 0, 0, zone), nil
		}
	}
}
