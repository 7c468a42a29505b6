package daypost

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/work"
	"fivefold/storage/record"
)

const (
	every      = time.Minute      // how often the posts that are due are made
	lease      = 3 * time.Minute  // how long one process keeps others from making posts
	again      = 90 * time.Second // how long a post is sent again under its nonce; Discord knows that for two minutes
	atOnce     = 64               // posts sent at the same time: 40 a second if Discord takes 1.6 s for each
	refusedFor = time.Hour        // how long a server's posts may be refused before they stop
	mostDays   = 7                // puzzles that a post reports, after an outage
)

// Keep makes the posts and sends the reminders that are due, every minute until ctx ends, unless another process does. The first come after a minute: by
// then, a machine that has just started has set its clock.
func (h *Handlers) Keep(ctx context.Context, tasks work.Store, to bot.Channels) {
	var r Round
	work.Keep(ctx, h.Log, "could not look for daily posts", every, every, func() error {
		done, err := work.Take(ctx, tasks, "daypost", lease)
		if done == nil {
			return err
		}
		defer done()
		return errors.Join(h.PostDue(ctx, to), h.RemindDue(ctx, to, &r))
	})
}

// PostDue makes the posts that are due, each once, even if several processes try or one is cut off. It logs the faults of single
// posts. It returns an error if it cannot know which posts are due.
func (h *Handlers) PostDue(ctx context.Context, to bot.Channels) error {
	now, due := h.Games.Clock(), []game.GuildID{}
	err := h.Records.DayPosts(ctx, func(guild game.GuildID, data []byte) {
		if r, err := decode(data); err == nil && (r.Pending != nil || r.on() && !now.Before(r.Due)) {
			due = append(due, guild)
		}
	})
	each(due, atOnce, func(guild game.GuildID) {
		if err := h.postDay(ctx, guild, to); err != nil && !errors.Is(err, errChanged) && ctx.Err() == nil {
			h.Log.Warn("could not make a daily post", "guild", guild, "error", err)
		}
	})
	return err
}

// each calls do for each item, for some at once.
func each[T any](items []T, atOnce int, do func(T)) {
	var all sync.WaitGroup
	turns := make(chan struct{}, atOnce)
	for _, item := range items {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			do(item)
		})
	}
	all.Wait()
}

// nonce returns a nonce that follows from its parts.
func nonce(parts ...string) string {
	return fmt.Sprintf("%.12x", sha256.Sum256([]byte(strings.Join(parts, "\x00"))))
}

// errChanged: another request has changed a server's schedule, or another process has made its post.
var errChanged = errors.New("changed meanwhile")

// postDay makes the post of a server if it is due. The post is stored as pending before it is sent, and as made afterwards. A
// pending post was cut off between the two, and may have been made. It is sent again while its nonce holds; later it counts as
// made.
func (h *Handlers) postDay(ctx context.Context, guild game.GuildID, to bot.Channels) error {
	r, err := h.load(ctx, guild)
	if err != nil {
		return err
	}
	now := h.Games.Clock()
	if p := r.Pending; p != nil {
		if now.Before(p.At.Add(again)) && r.on() && r.Channel == p.Channel {
			reply, err := h.reply(ctx, guild, p)
			if err != nil {
				return err
			}
			return h.send(ctx, guild, p, reply, to)
		}
		if r, err = h.settle(ctx, guild, p, true, ""); err != nil {
			return err
		}
	}
	day, due, err := r.next(now)
	if !r.on() || err != nil || now.Before(due) { // after an outage over midnight, settle has stored when it is due
		return err
	}
	ended := game.DailyNumber(now) - 1
	p := &post{Channel: r.Channel, Day: day, From: max(r.Reported+1, ended-mostDays+1), To: ended, At: now}
	if month := game.LastClosedMonth(now); month > r.Named {
		if _, err := h.Games.EndIdle(ctx, 0); err != nil { // without them the table may be wrong, so a later post names the winner
			h.Log.Warn("could not end daily puzzles that have closed", "error", err)
		} else {
			p.Month = month
		}
	}
	reply, err := h.reply(ctx, guild, p)
	if err != nil {
		return err
	}
	_, err = h.change(ctx, guild, func(r *schedule) error {
		if r.Pending != nil || r.Day >= p.Day || r.Why != "" || r.Channel != p.Channel {
			return errChanged
		}
		r.Pending = p
		return nil
	})
	if err != nil {
		return err
	}
	return h.send(ctx, guild, p, reply, to)
}

// send sends a pending post, and stores whether it was made.
func (h *Handlers) send(ctx context.Context, guild game.GuildID, p *post, reply bot.Reply, to bot.Channels) error {
	_, err := to.Post(ctx, p.Channel, reply, nonce(string(guild), string(p.Channel), p.Day))
	why, refused := errors.AsType[bot.Refused](err)
	if err != nil && !refused {
		return err
	}
	ctx, cancel := work.Lingering(ctx)
	defer cancel()
	r, err := h.settle(ctx, guild, p, !refused, string(why))
	if err == nil && r.Why != "" {
		h.Log.Warn("stopped the daily post of a server", "guild", guild, "channel", p.Channel, "since", r.Refused, "refused", r.Why)
	}
	if err == nil && !refused {
		err = h.reminded(ctx, reply, p.To+1)
	}
	return err
}

// settle stores whether a pending post was made, or why it was refused. A refused post is tried again after a minute, two, four
// and so on. After an hour of refusals, the posts stop.
func (h *Handlers) settle(ctx context.Context, guild game.GuildID, p *post, made bool, why string) (schedule, error) {
	return h.change(ctx, guild, func(r *schedule) (err error) {
		if r.Pending == nil || !r.Pending.At.Equal(p.At) {
			return errChanged
		}
		at := h.Games.Clock()
		if r.Pending = nil; made {
			r.Day, r.Reported, r.Named, r.Refused = p.Day, max(r.Reported, p.To), max(r.Named, p.Month), time.Time{} // the posts may have been ended and begun again since
		}
		if why != "" && r.Channel == p.Channel {
			if r.Refused.IsZero() {
				r.Refused = at
			}
			if since := at.Sub(r.Refused); since < refusedFor {
				at = at.Add(max(every, since))
			} else {
				r.Why = why
			}
		}
		if _, r.Due, err = r.next(at); r.Due.Before(at) {
			r.Due = at
		}
		return err
	})
}

// Records keeps servers' choices as bytes; nil stands for no choice. It is safe for concurrent use, and an acknowledged choice
// outlives a loss of power.
type Records interface {
	DayPost(ctx context.Context, guild game.GuildID) ([]byte, error)
	// DayPosts calls each with the choice of every server.
	DayPosts(ctx context.Context, each func(guild game.GuildID, choice []byte)) error
	// ChangeDayPost replaces a server's choice by what change makes of it. It may call change several times. If change returns an
	// error, the choice stays.
	ChangeDayPost(ctx context.Context, guild game.GuildID, change func(choice []byte) ([]byte, error)) error
}

// schedule says when and where a server's daily post comes, and which posts were made.
type schedule struct {
	Channel  game.ChannelID `json:",omitempty"` // empty for a server that wants no post
	Hour     int
	Zone     string
	Due      time.Time // of the next post
	Day      string    `json:",omitempty"` // the local date that was posted last, such as "2026-11-21"
	Reported int       // number of the latest daily puzzle whose results were posted
	Named    string    `json:",omitempty"` // the latest month whose winner was named
	Refused  time.Time `json:",omitzero"`  // since when posts in the channel are refused
	Why      string    `json:",omitempty"` // why posts are refused for good, so that no more are made; empty otherwise
	Pending  *post     `json:",omitempty"` // a post that may have been made
}

type post struct {
	Channel  game.ChannelID
	Day      string
	From, To int // the daily puzzles that it reports; none if To is smaller
	At       time.Time
	Month    string `json:",omitempty"` // whose winner it names
}

// decode reads a schedule; nil is the zero schedule.
func decode(data []byte) (s schedule, err error) {
	if data == nil {
		return s, nil
	}
	if s, err = record.Decode[schedule](data); err != nil {
		err = fmt.Errorf("daily post: %w", err)
	}
	return s, err
}

func (r schedule) on() bool { return r.Channel != "" && r.Why == "" }

// next returns the local date of the next post, as of now, and when the post is due. If clocks skip its hour on that day, the
// post comes an hour before or after. If they have that hour twice, it comes at one of the two times.
func (r schedule) next(now time.Time) (day string, due time.Time, err error) {
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
