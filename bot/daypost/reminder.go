package daypost

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/statistics"
	"fivefold/game/work"
)

const (
	remindAtOnce = 8                // direct messages sent at the same time, so that calls for games find a place between theirs
	remindFor    = 40 * time.Second // how long one round lasts, so that the posts of the next minute come in time
	mostRefused  = 5                // refusals in an hour that don't end its reminders, however few were sent
	mostPings    = 40               // players that a post reminds
)

// Round is what a process has done about direct messages today. The zero Round has done nothing.
type Round struct {
	day             int // of the daily
	minute          int // of the day: the first one whose players may still wait
	hour            int
	mu              sync.Mutex // protects the rest: counts of this hour
	sent            int        // tries, refused ones included
	refused, failed int
}

// RemindDue sends the direct messages that are due: to players who wanted one in the minutes since the last call, in the first call
// of a day in the last hour. So each process reads each wish once a day, and an outage of an hour costs reminders. The rest of an
// hour's reminders are left out once Discord refuses one in ten: it bans an address for many refused calls.
func (h *Handlers) RemindDue(ctx context.Context, to bot.Channels, r *Round) error {
	now, end := h.Games.Clock(), time.Now().Add(remindFor)
	today, minute := game.DailyNumber(now), game.MinuteOfDay(now)
	if r.day != today {
		r.day, r.minute = today, max(0, minute-59)
	}
	for ; r.minute <= minute; r.minute++ {
		if hour := r.minute / 60; hour != r.hour {
			r.hour, r.sent, r.refused = hour, 0, 0
		}
		players, err := h.Reminders.RemindedPlayers(ctx, game.RemindedAt(r.minute))
		if err != nil {
			return err
		}
		stopped := r.stopped()
		each(players, remindAtOnce, func(player game.PlayerID) {
			if ctx.Err() == nil && time.Now().Before(end) && !r.stopped() {
				r.count(h.remind(ctx, player, today, to))
			}
		})
		if r.failed > 0 {
			h.Log.Warn("could not send reminders", "count", r.failed)
		}
		if r.failed = 0; r.stopped() && !stopped {
			h.Log.Warn("sending no more reminders this hour: Discord refuses one in ten", "refused", r.refused, "of", r.sent)
		}
		if ctx.Err() != nil || !time.Now().Before(end) {
			return ctx.Err() // the next round goes on here
		}
	}
	return nil
}

// stopped reports whether Discord has refused so many messages that no more are sent in this hour.
func (r *Round) stopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refused > mostRefused && 10*r.refused >= r.sent
}

// count counts a direct message by its error.
func (r *Round) count(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, refused := errors.AsType[bot.Refused](err)
	switch {
	case errors.Is(err, errChanged):
	case refused || errors.Is(err, bot.ErrClosed):
		r.refused++
		r.sent++
	case err != nil:
		r.failed++
	default:
		r.sent++
	}
}

// remind sends a player a direct message. It returns errChanged if there is no streak to keep, or the player was reminded today.
// The reminder is stored as sent before it leaves: one that is cut off is lost rather than repeated.
func (h *Handlers) remind(ctx context.Context, player game.PlayerID, today int, to bot.Channels) error {
	streaks, err := h.toKeep(ctx, player, today)
	if err != nil {
		return err
	}
	wish, err := h.Reminders.ChangeReminder(ctx, player, func(w *game.Reminder) error {
		if len(streaks) == 0 || w.Hours == 0 || w.Sent >= today {
			return errChanged
		}
		w.Sent = today
		return nil
	})
	if err != nil {
		return err
	}
	ctx, cancel := work.Lingering(ctx)
	defer cancel()
	channel, err := to.Direct(ctx, player, wish.Channel, reminder(streaks, game.DailyDate(today+1)), nonce("reminder", string(player), fmt.Sprint(today)))
	closed := errors.Is(err, bot.ErrClosed)
	if channel == wish.Channel && !closed {
		return err
	}
	_, failed := h.Reminders.ChangeReminder(ctx, player, func(w *game.Reminder) error {
		if w.Sent != today { // deleted meanwhile
			return errChanged
		}
		if w.Channel = channel; closed {
			w.Hours, w.Refused, w.Channel = 0, true, ""
		}
		return nil
	})
	return errors.Join(err, failed)
}

// streak is a number of dailies of a kind that a player has solved in a row.
type streak struct {
	face face.Face
	days int
}

// toKeep returns the streaks of a player that end unless they finish today's daily.
func (h *Handlers) toKeep(ctx context.Context, player game.PlayerID, today int) (all []streak, err error) {
	for _, f := range h.Faces {
		t, err := h.Statistics.Totals(ctx, statistics.Scope{Kind: f.Kind}, player)
		if err != nil {
			return nil, err
		}
		if days := t.DayStreak(today); days > 0 && t.LastDay < today {
			all = append(all, streak{f, days})
		}
	}
	return all, nil
}

// reminder is a direct message about streaks that end at a time.
func reminder(streaks []streak, end time.Time) (reply bot.Reply) {
	for _, s := range streaks {
		of := strings.TrimSpace(s.face.Title + " streak")
		reply = reply.Say(bot.Text(bot.Emoji("🔥 "), "Your "+of+" of ", bot.Bold(fmt.Sprint(s.days)), " ends ", bot.When(end, "at midnight UTC"), "."))
	}
	row := playToday(bot.Each(streaks, func(s streak) face.Face { return s.face }))
	return reply.Row(row...).Say(bot.Small("You asked for this. Change it with ", bot.Slash(bot.NamePreferences), "."))
}

// pinged adds the players to a post whom it reminds of their streaks.
func (h *Handlers) pinged(ctx context.Context, guild game.GuildID, today int, reply bot.Reply) (bot.Reply, error) {
	players, err := h.Reminders.RemindedPlayers(ctx, game.RemindedIn(guild))
	if err != nil {
		return reply, err
	}
	var all []bot.Line
	for _, player := range players {
		wish, err := h.Reminders.Reminder(ctx, player)
		if err != nil || wish.Sent >= today || len(all) == mostPings {
			continue
		}
		streaks, err := h.toKeep(ctx, player, today)
		if err != nil {
			return reply, err
		}
		days := 0
		for _, s := range streaks {
			days = max(days, s.days)
		}
		if days > 0 {
			all = append(all, bot.Text(bot.Ping(player), fmt.Sprintf(" (%d)", days)))
		}
	}
	if all != nil {
		reply = reply.Say(bot.List(bot.Text("Streaks to keep today: "), all, "and"))
	}
	return reply, nil
}

// reminded stores that a post has reminded the players that it mentions.
func (h *Handlers) reminded(ctx context.Context, post bot.Reply, today int) (err error) {
	for _, id := range post.Pings() {
		if strings.HasPrefix(id, "&") {
			continue
		}
		_, failed := h.Reminders.ChangeReminder(ctx, game.PlayerID(id), func(w *game.Reminder) error {
			if w.Guild == "" { // deleted meanwhile
				return errChanged
			}
			w.Sent = max(w.Sent, today)
			return nil
		})
		if !errors.Is(failed, errChanged) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
