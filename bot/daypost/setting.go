// Package daypost makes a server's daily post: once a day, in a channel and at an hour that its managers choose, the results of
// the daily puzzles that have ended, and buttons for today's. setting.go is the command, zones.go knows time zones, poster.go
// makes each post once when it's due, and reply.go writes it.
package daypost

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/storage/record"
)

// Handlers carries the dependencies of the command and of the posts. Set the fields before the first call.
type Handlers struct {
	Records    Records
	Games      *matches.Manager
	Finished   *finished.Matches
	Statistics statistics.Store
	Reminders  game.ReminderStore
	Faces      face.Faces
	Log        *slog.Logger
}

// off as the hour ends the posts.
const off = "off"

// Command returns the command that sets the hour and the channel of the post.
func (h *Handlers) Command() bot.Command {
	hours := make([]string, 0, bot.MaxChoices)
	for hour := range 24 {
		hours = append(hours, strconv.Itoa(hour))
	}
	return bot.Command{
		Name: bot.NameDayPost,
		Help: "A post in this channel each day: the daily results, and today's puzzles",
		Options: []bot.Option{
			{Name: "hour", Help: "When to post it, or off (for people who can manage the server)", Choices: append(hours, off), Named: true},
			{Name: "zone", Help: "The time zone of that hour, such as Europe/Berlin", Complete: h.completeZone, Prompt: "A time zone, by a large city: Europe/Berlin"},
		},
		Audience: bot.Asker,
		NotSaved: "the daily post stays as it is",
		Run: func(ctx context.Context, r bot.Request) (bot.Reply, error) {
			guild, hour, zone := r.Location.Guild, r.Args["hour"], r.Args["zone"]
			if guild == "" || !r.Surface.HasButtons() { // nothing is posted in a terminal
				return bot.Reply{}, bot.Decline(bot.Text("The daily post needs a Discord server. Set it up in one of its channels."))
			}
			if hour == "" && zone == "" {
				now, err := h.load(ctx, guild)
				return settingReply(now, r.MayManageServer), err
			}
			if !r.MayManageServer {
				return bot.Reply{}, bot.Decline(bot.Text("Only someone who can manage this server can change that."))
			}
			now, err := h.set(r.Origin().ForCommit(ctx), r, hour, zone)
			if hour == off {
				return bot.Reply{Blocks: bot.Lines(bot.Text("The daily post is off."))}, err
			}
			return settingReply(now, true), err
		},
	}
}

// set changes the hour and the channel of the server's post. An empty hour or zone stays as it is.
func (h *Handlers) set(ctx context.Context, r bot.Request, hour, zone string) (now schedule, err error) {
	if zone != "" {
		if zone, err = readZone(zone); err != nil {
			return schedule{}, err
		}
	}
	needs := "Send Messages"
	if r.Context.Thread {
		needs = "Send Messages in Threads"
	}
	switch {
	case hour == off:
	case r.Context.UserOnly:
		return schedule{}, bot.Decline(bot.Text("I can't post in this server until I've been added to it."))
	case !r.MayPost:
		return schedule{}, bot.Decline(bot.Text("I can't post in this channel. Give me the permissions ", bot.Bold("View Channel"), " and ", bot.Bold(needs), " here, then try again."))
	}
	return h.change(ctx, r.Location.Guild, func(now *schedule) error {
		began := !now.on()
		now.Refused, now.Why = time.Time{}, ""
		if hour == off {
			now.Channel = ""
			return nil
		}
		if hour != "" {
			now.Hour, _ = strconv.Atoi(hour) // one of the choices
		}
		if now.Zone = cmp.Or(zone, now.Zone); now.Zone == "" || hour == "" && began {
			return bot.Decline(bot.Text("I need both the hour and the time zone: ", example, "."))
		}
		now.Channel = r.Location.Channel
		at := h.Games.Clock()
		if _, now.Due, err = now.next(at); now.Due.After(at) {
			at = now.Due
		}
		if began { // the first post reports one puzzle
			now.Reported = max(now.Reported, game.DailyNumber(at)-2)
		}
		return err
	})
}

var example = bot.Slash(bot.NameDayPost, "hour", "9", "zone", "Europe/Berlin")

func settingReply(now schedule, mayChange bool) bot.Reply {
	line, change := bot.Text("There's no daily post here yet."), bot.Text("Start it with ", example, " in the channel where you want it.")
	switch {
	case now.Channel == "":
	case now.Why != "":
		line = bot.Text(bot.Bold("The daily post has stopped."), " Discord refused it in ", now.Channel, " for an hour: ", bot.Quote(now.Why), ".")
	default:
		line = bot.Text("Every day at ", bot.Bold(strconv.Itoa(now.Hour)+":00"), ", "+spoken(now.Zone)+" time, yesterday's results come to ", now.Channel, ", with buttons for today's puzzles.")
		if !now.Refused.IsZero() {
			line = line.With(" Discord refused the latest one. Check that I may post there; I'll keep trying for an hour.")
		}
		change = bot.Text("Change it with ", example, " in the channel where you want it. Turn it off with ", bot.Slash(bot.NameDayPost, "hour", off), ".")
	}
	reply := bot.Reply{Blocks: bot.Lines(line)}
	if mayChange {
		reply = reply.Say(change)
	}
	return reply
}

func (h *Handlers) load(ctx context.Context, guild game.GuildID) (schedule, error) {
	data, err := h.Records.DayPost(ctx, guild)
	if err != nil {
		return schedule{}, err
	}
	return decode(data)
}

// change applies f to a server's record, unless f returns an error, and returns the new record.
func (h *Handlers) change(ctx context.Context, guild game.GuildID, f func(*schedule) error) (now schedule, err error) {
	err = h.Records.ChangeDayPost(ctx, guild, func(data []byte) ([]byte, error) {
		r, err := decode(data)
		if errors.Is(err, game.ErrNewer) {
			return nil, err
		}
		if err := f(&r); err != nil {
			return nil, err
		}
		now = r
		return record.Encode(r)
	})
	return now, err
}
