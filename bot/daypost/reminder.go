package daypost

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/statistics"
	"fivefold/game/work"
)

const (
	remindFor   = 40 * time.Second // how long reminders are sent in a minute, so that the next posts come in time
	mostRefused = 5                // refusals in an hour that don't end its reminders, however few were sent
	mostPings   = 40               // players that a post reminds
)

// round has the direct messages of an hour: from half an hour before a full one to half an hour after it.
type round struct {
	hour          time.Time // the full one
	due           [60][]game.PlayerID
	sent, refused int
}

// RemindDue sends the direct messages that are due. Once an hour it reads all reminders, and spreads those of the hour over its
// minutes. The rest of an hour's are left out once Discord refuses one in ten, since it bans an address for many refused calls.
// RemindDue is for one goroutine.
func (h *Handlers) RemindDue(ctx context.Context, to bot.Channels) error {
	now, end, r := h.Games.Clock(), time.Now().Add(remindFor), &h.round
	today, at := game.DailyNumber(now), now.Add(30*time.Minute)
	if hour := at.Truncate(time.Hour); !hour.Equal(r.hour) {
		*r = round{hour: hour}
		left := int(game.DailyDate(today+1).Sub(hour) / time.Hour)
		err := h.Reminders.Reminders(ctx, func(p game.PlayerID, w game.Reminder) {
			if w.Hours > 0 && w.Hours == left && w.Sent < today {
				minute := at.Minute() + rand.IntN(60-at.Minute())
				r.due[minute] = append(r.due[minute], p)
			}
		})
		if err != nil {
			*r = round{}
			return err
		}
	}
	failed := 0
	for minute := range at.Minute() + 1 {
		for len(r.due[minute]) > 0 && ctx.Err() == nil && time.Now().Before(end) {
			player := r.due[minute][0]
			r.due[minute] = r.due[minute][1:]
			err := h.remind(ctx, player, today, to)
			switch _, refused := errors.AsType[bot.Refused](err); {
			case refused:
				r.sent, r.refused = r.sent+1, r.refused+1
			case err == nil:
				r.sent++
			case !errors.Is(err, errChanged):
				failed++
			}
			if r.refused > mostRefused && 10*r.refused >= r.sent {
				h.Log.Warn("sending no more reminders this hour: Discord refuses one in ten", "refused", r.refused, "of", r.sent)
				r.due = [60][]game.PlayerID{}
			}
		}
	}
	if failed > 0 {
		h.Log.Warn("could not send reminders", "count", failed)
	}
	return nil
}

// remind sends a player a direct message. It returns errChanged if there is no streak to keep, or the player was reminded today.
// The reminder is stored as sent before it leaves: one that is cut off is lost rather than repeated.
func (h *Handlers) remind(ctx context.Context, player game.PlayerID, today int, to bot.Channels) error {
	days, message, err := h.toKeep(ctx, player, today)
	if err != nil {
		return err
	}
	_, err = h.Reminders.ChangeReminder(ctx, player, func(w *game.Reminder) error {
		if days == 0 || w.Hours == 0 || w.Sent >= today {
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
	err = to.Direct(ctx, player, message, nonce("reminder", string(player), fmt.Sprint(today)))
	if _, refused := errors.AsType[bot.Refused](err); !refused {
		return err
	}
	_, failed := h.Reminders.ChangeReminder(ctx, player, func(w *game.Reminder) error {
		if w.Sent != today { // deleted meanwhile
			return errChanged
		}
		w.Hours, w.Refused = 0, true
		return nil
	})
	return errors.Join(err, failed)
}

// toKeep returns the longest streak of a player that ends unless they finish today's daily, 0 for none, and a message about all
// such streaks.
func (h *Handlers) toKeep(ctx context.Context, player game.PlayerID, today int) (longest int, message bot.Reply, err error) {
	var faces []face.Face
	for _, f := range h.Faces {
		t, err := h.Statistics.Totals(ctx, statistics.Scope{Kind: f.Kind}, player)
		if err != nil {
			return 0, message, err
		}
		if days := t.DayStreak(today); days > 0 && t.LastDay < today {
			longest, faces = max(longest, days), append(faces, f)
			message = message.Say(bot.Text(bot.Emoji("🔥 "), "Your "+strings.TrimSpace(f.Title+" streak")+" of ", bot.Bold(fmt.Sprint(days)),
				" ends ", bot.When(game.DailyDate(today+1), "at midnight UTC"), "."))
		}
	}
	return longest, message.Add(bot.Rows(playToday(faces)...)...).Say(bot.Small("You asked for this. Change it with ", bot.Slash(bot.NamePreferences), ".")), nil
}

// ping adds the players with a streak to keep to a post.
func (h *Handlers) ping(ctx context.Context, players []game.PlayerID, today int, reply bot.Reply) (bot.Reply, error) {
	var all []bot.Line
	for _, player := range players {
		days, _, err := h.toKeep(ctx, player, today)
		if err != nil {
			return reply, err
		}
		if days > 0 && len(all) < mostPings {
			all = append(all, bot.Text(player, fmt.Sprintf(" (%d)", days)))
			reply.Pings.Players = append(reply.Pings.Players, player)
		}
	}
	if all != nil {
		reply = reply.Say(bot.List(bot.Text("Streaks to keep today: "), all, "and"))
	}
	return reply, nil
}
