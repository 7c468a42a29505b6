package daypost

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"fivefold/bot"
	"fivefold/bot/settings"
	"fivefold/game"
	"fivefold/game/work"
)

const (
	every      = time.Minute      // how often the posts that are due are made
	lease      = 3 * time.Minute  // how long one process keeps others from making posts
	again      = 90 * time.Second // how long a post is sent again under its nonce; Discord knows that for two minutes
	atOnce     = 64               // posts sent at the same time: 40 a second if Discord takes 1.6 s for each
	refusedFor = time.Hour        // how long a server's posts may be refused before they stop
	mostDays   = 7                // puzzles that a post reports, after an outage
)

// Keep makes the posts and sends the reminders that are due, every minute until ctx ends, unless another process does. The first
// come after a minute: by then, a machine that has just started has set its clock.
func (h *Handlers) Keep(ctx context.Context, tasks work.Store, to bot.Channels) {
	work.Keep(ctx, h.Log, "could not look for daily posts", every, every, func() error {
		done, err := work.Take(ctx, tasks, "daypost", lease)
		if done == nil {
			return err
		}
		defer done()
		return errors.Join(h.PostDue(ctx, to), h.RemindDue(ctx, to))
	})
}

// PostDue makes the posts that are due, each once, even if several processes try or one is cut off. It logs the faults of single
// posts. It returns an error if it cannot know which posts are due.
func (h *Handlers) PostDue(ctx context.Context, to bot.Channels) error {
	now, due, posted := h.Games.Clock(), []game.GuildID{}, map[game.GuildID][]byte{}
	err := h.Records.DayPosts(ctx, func(guild game.GuildID, data []byte) { posted[guild] = slices.Clone(data) })
	if err != nil {
		return err
	}
	err = h.Settings.All(ctx, func(guild game.GuildID, s settings.Settings) {
		r, err := decode(posted[guild])
		if _, now := r.next(s, now); err == nil && (r.Pending != nil || r.Thread != nil || now) {
			due = append(due, guild)
		}
	})
	named := map[game.GuildID][]game.PlayerID{} // the players whom the posts remind
	if len(due) > 0 {
		err = errors.Join(err, h.Reminders.Reminders(ctx, func(p game.PlayerID, w game.Reminder) {
			if w.Guild != "" && w.Sent < game.DailyNumber(now) {
				named[w.Guild] = append(named[w.Guild], p)
			}
		}))
	}
	var all sync.WaitGroup
	turns := make(chan struct{}, atOnce)
	for _, guild := range due {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			for what, err := range map[string]error{"make": h.postDay(ctx, guild, named[guild], to), "start the thread of": h.startThread(ctx, guild, to)} {
				if err != nil && !errors.Is(err, errChanged) && ctx.Err() == nil {
					h.Log.Warn("could not "+what+" a daily post", "guild", guild, "error", err)
				}
			}
		})
	}
	all.Wait()
	return err
}

// nonce returns a nonce that follows from its parts.
func nonce(parts ...string) string {
	return fmt.Sprintf("%.12x", sha256.Sum256([]byte(strings.Join(parts, "\x00"))))
}

// errChanged: a request has changed what a server wants, or another process has made its post.
var errChanged = errors.New("changed meanwhile")

// postDay makes the post of a server if it is due. The post is stored as pending before it is sent, and as made afterwards. A
// pending post was cut off between the two, and may have been made. It is sent again while its nonce holds; later it counts as
// made.
func (h *Handlers) postDay(ctx context.Context, guild game.GuildID, named []game.PlayerID, to bot.Channels) error {
	s, r, err := h.load(ctx, guild)
	if err != nil {
		return err
	}
	now := h.Games.Clock()
	if p := r.Pending; p != nil {
		if now.Before(p.At.Add(again)) && s.PostChannel == p.Channel {
			reply, err := h.reply(ctx, guild, p, named)
			if err != nil {
				return err
			}
			return h.send(ctx, guild, p, reply, to)
		}
		if r, err = h.settle(ctx, guild, p, true, "", ""); err != nil {
			return err
		}
	}
	day, due := r.next(s, now)
	if !due {
		return nil
	}
	ended := game.DailyNumber(now) - 1
	p := &post{Channel: s.PostChannel, Day: day, From: max(r.Reported+1, ended-mostDays+1), To: ended, At: now, Begun: s.PostSince, Role: s.PostRole}
	if !r.Since.Equal(s.PostSince) { // the first post reports one puzzle
		p.From = max(p.From, ended)
	}
	if month := game.LastClosedMonth(now); month > r.Named && !s.NoAwards {
		if _, err := h.Games.EndIdle(ctx, 0); err != nil { // without them the table may be wrong, so a later post names the winner
			h.Log.Warn("could not end daily puzzles that have closed", "error", err)
		} else {
			p.Month = month
		}
	}
	if p.Role != "" {
		if there, err := to.HasRole(ctx, guild, p.Role); err == nil && !there { // a role that may be there is mentioned
			p.Role = ""
		}
	}
	reply, err := h.reply(ctx, guild, p, named)
	if err != nil {
		return err
	}
	err = h.change(ctx, guild, func(s settings.Settings, r *progress) error {
		if day, due := r.next(s, now); r.Pending != nil || !due || day != p.Day || s.PostChannel != p.Channel {
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
	message, err := to.Post(ctx, p.Channel, reply, nonce(string(guild), string(p.Channel), p.Day))
	why, refused := errors.AsType[bot.Refused](err)
	if err != nil && !refused {
		return err
	}
	ctx, cancel := work.Lingering(ctx)
	defer cancel()
	r, err := h.settle(ctx, guild, p, !refused, string(why), message)
	if err == nil && r.Refused.Why != "" {
		h.Log.Warn("stopped the daily post of a server", "guild", guild, "channel", p.Channel, "since", r.Refused.Since, "refused", r.Refused.Why)
	}
	for _, player := range reply.Pings.Players {
		if err == nil && !refused {
			_, err = h.Reminders.ChangeReminder(ctx, player, func(w *game.Reminder) error { w.Sent = max(w.Sent, p.To+1); return nil })
		}
	}
	return err
}

// settle stores whether a pending post was made, or why it was refused. A refused post is tried again after a minute, two, four
// and so on. After an hour of refusals, the posts stop. A thread is started on a message that is known.
func (h *Handlers) settle(ctx context.Context, guild game.GuildID, p *post, made bool, why, message string) (now progress, err error) {
	err = h.change(ctx, guild, func(s settings.Settings, r *progress) error {
		if r.Pending == nil || !r.Pending.At.Equal(p.At) {
			return errChanged
		}
		if r.Pending = nil; made {
			r.Day, r.Reported, r.Named, r.Since, r.Refused = p.Day, max(r.Reported, p.To), max(r.Named, p.Month), p.Begun, refused{}
			if r.Thread = nil; s.PostThread && message != "" {
				r.Thread, p.Message = p, message
			}
		}
		if at := h.Games.Clock(); why != "" && s.PostChannel == p.Channel {
			f := r.refusal(s)
			if f.Since.IsZero() {
				f = refused{Channel: p.Channel, Begun: s.PostSince, Since: at}
			}
			if since := at.Sub(f.Since); since < refusedFor {
				f.Again = at.Add(max(every, since))
			} else {
				f.Why = why
			}
			r.Refused = f
		}
		now = *r
		return nil
	})
	return now, err
}

// startThread starts the thread on a server's latest post, if that is still to be done. A thread that may have been started is
// tried again for an hour; Discord starts one on a message.
func (h *Handlers) startThread(ctx context.Context, guild game.GuildID, to bot.Channels) error {
	_, r, err := h.load(ctx, guild)
	t := r.Thread
	if err != nil || t == nil {
		return err
	}
	err = to.Thread(ctx, t.Channel, t.Message, fmt.Sprintf("Daily %d · %s", t.To+1, game.DailyDate(t.To+1).Format("2 January")))
	why, refused := errors.AsType[bot.Refused](err)
	if err != nil && !refused && h.Games.Clock().Before(t.At.Add(refusedFor)) {
		return err
	}
	ctx, cancel := work.Lingering(ctx)
	defer cancel()
	return h.change(ctx, guild, func(_ settings.Settings, r *progress) error {
		if r.Thread == nil || r.Thread.Message != t.Message {
			return errChanged
		}
		r.Thread, r.NoThread = nil, string(why)
		return nil
	})
}
