package daypost

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"fivefold/bot"
	"fivefold/game"
)

// The times of posting.
const (
	every      = time.Minute      // how often the posts that are due are made
	lease      = 3 * time.Minute  // for how long one process keeps others from making them
	nonceLasts = time.Minute      // see [bot.Channels]
	clockError = 5 * time.Minute  // by how much our clock may be ahead of that of the channel
	pause      = 10 * time.Minute // after an error, before the same server's post is tried again
	atOnce     = 4                // posts
	mostDays   = 7                // puzzles that a post reports, after an outage
)

// Keep makes the posts that are due, every minute until ctx ends. Work keeps other processes from doing the
// same at once; nil if there are none. It begins a minute after its call: the clock of a machine that has
// just started may not be set yet.
func (h *Handlers) Keep(ctx context.Context, work game.WorkStore, to bot.Channels) {
	for tick := time.NewTicker(every); ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return
		}
		if err := h.inTurn(ctx, work, func() error { return h.PostDue(ctx, to) }); err != nil && ctx.Err() == nil {
			h.Log.Warn("could not look for daily posts", "error", err)
		}
	}
}

// inTurn calls f if no other process does.
func (h *Handlers) inTurn(ctx context.Context, work game.WorkStore, f func() error) error {
	if work == nil {
		return f()
	}
	turn, mine, err := work.TakeWork(ctx, "daypost", lease)
	if err != nil || !mine {
		return err
	}
	return errors.Join(f(), work.EndWork(ctx, turn, every/2))
}

// PostDue makes the posts that are due: each once, whatever process does so, and whenever it is cut off. It
// logs what goes wrong with one, and returns an error if it cannot know which are due.
func (h *Handlers) PostDue(ctx context.Context, to bot.Channels) error {
	now, due := h.Games.Clock(), []game.GuildID{}
	err := h.Records.DayPosts(ctx, func(guild game.GuildID, data []byte) error {
		if r, err := decode(data); (err != nil || r.waits(now)) && !h.pausing(guild, now) {
			due = append(due, guild)
		}
		return nil
	})
	var all sync.WaitGroup
	turns := make(chan struct{}, atOnce)
	for _, guild := range due {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			if err := h.postDay(ctx, guild, to); err != nil && !errors.Is(err, errChanged) && ctx.Err() == nil {
				h.Log.Warn("could not make a daily post", "guild", guild, "error", err)
				h.again.Store(guild, now.Add(pause))
			}
		})
	}
	all.Wait()
	return err
}

// pausing reports whether there was an error with a server a short while ago.
func (h *Handlers) pausing(guild game.GuildID, now time.Time) bool {
	until, failed := h.again.Load(guild)
	return failed && now.Before(until.(time.Time))
}

// errChanged: somebody else has changed what a server has chosen, or has made its post.
var errChanged = errors.New("changed meanwhile")

// postDay makes the post of a server if it is due. The post is stored as pending before it is sent, and as
// made after that. One that is found pending was cut off between the two. As long as its nonce lasts it is
// sent again, which posts nothing twice. Later the channel is looked through: if it is not there, the post is
// made anew, for the present day.
func (h *Handlers) postDay(ctx context.Context, guild game.GuildID, to bot.Channels) error {
	r, err := h.load(ctx, guild)
	if err != nil {
		return err
	}
	now := h.Games.Clock()
	if p := r.Pending; p != nil && (now.Sub(p.At).Abs() >= nonceLasts || !r.on() || p.Channel != r.Channel) {
		made, err := to.MayHavePosted(ctx, p.Channel, p.At.Add(-clockError), p.tiles())
		if err != nil {
			return err
		}
		if r, err = h.settle(ctx, guild, *p, func(r *record) {
			if made {
				r.made(*p)
			}
		}); err != nil {
			return err
		}
	}
	p := r.Pending
	if p == nil {
		day, due, err := r.next(now)
		if !r.on() || err != nil {
			return err
		}
		if now.Before(due) { // after an outage over midnight
			return h.change(ctx, guild, func(r *record) error { r.Due = due; return nil }, &r)
		}
		to := game.DailyNumber(now) - 1
		p = &post{Channel: r.Channel, Day: day, From: max(r.Reported+1, to-mostDays+1), To: to, At: now}
	}
	reply, err := h.reply(ctx, guild, *p)
	if err != nil {
		return err
	}
	if r.Pending == nil {
		if err := h.begin(ctx, guild, r, p); err != nil {
			return err
		}
	}
	sent := to.Post(ctx, p.Channel, reply, nonce(guild, *p))
	outcome := func(r *record) { r.made(*p) }
	switch {
	case errors.Is(sent, bot.ErrNoChannel):
		h.Log.Warn("stopped the daily post of a server", "guild", guild, "channel", p.Channel, "error", sent)
		outcome = func(r *record) { r.Closed = r.Closed || r.Channel == p.Channel }
	case errors.Is(sent, bot.ErrRefused): // it would be refused all day
		h.Log.Error("could not make a daily post", "guild", guild, "channel", p.Channel, "error", sent)
		outcome = func(r *record) { r.Day = max(r.Day, p.Day) }
	case sent != nil:
		return sent
	}
	_, err = h.settle(context.WithoutCancel(ctx), guild, *p, outcome)
	return err
}

// made notes that a post was made.
func (r *record) made(p post) { r.Day, r.Reported = max(r.Day, p.Day), max(r.Reported, p.To) }

// begin stores a post as pending, unless what the server has chosen has changed since it was read.
func (h *Handlers) begin(ctx context.Context, guild game.GuildID, read record, p *post) error {
	was, err := read.encode()
	if err != nil {
		return err
	}
	return h.change(ctx, guild, func(r *record) error {
		if is, err := r.encode(); err != nil || !bytes.Equal(is, was) {
			return errors.Join(errChanged, err)
		}
		r.Pending = p
		return nil
	}, new(record))
}

// settle notes what became of a pending post, and returns what is stored then.
func (h *Handlers) settle(ctx context.Context, guild game.GuildID, p post, outcome func(*record)) (now record, err error) {
	return now, h.change(ctx, guild, func(r *record) (err error) {
		if r.Pending == nil || !r.Pending.At.Equal(p.At) {
			return errChanged
		}
		r.Pending = nil
		outcome(r)
		_, r.Due, err = r.next(h.Games.Clock())
		return err
	}, &now)
}

// nonce names a post.
func nonce(guild game.GuildID, p post) string {
	return fmt.Sprintf("%.12x", sha256.Sum256([]byte(string(guild)+"\x00"+string(p.Channel)+"\x00"+p.Day)))
}
