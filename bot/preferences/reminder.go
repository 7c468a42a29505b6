package preferences

import (
	"context"
	"slices"
	"time"

	"fivefold/bot"
	"fivefold/game"
)

// The choices of a reminder, with the hours of a direct message. The first choice is off, the last one the daily post.
var (
	reminderHours    = []int{0, 1, 3, 6, 12, 0}
	reminderNames    = []string{"off", "1h", "3h", "6h", "12h", "post"}
	reminderMeanings = []string{
		"Off", "Direct message, about 1 hour before", "Direct message, about 3 hours before", "Direct message, about 6 hours before",
		"Direct message, about 12 hours before", "By name in this server's daily post",
	}
)

// remind changes the player's reminder as the request asks, and returns it.
func (h *Handlers) remind(ctx context.Context, r bot.Request) (game.Reminder, error) {
	choice, server := slices.Index(reminderNames, r.Args["reminder"]), game.GuildID("")
	switch {
	case choice < 0:
		return h.Reminders.Reminder(ctx, r.Player)
	case !r.Surface.HasButtons():
		return game.Reminder{}, bot.Decline(bot.Text("Reminders come by Discord. There's nothing to remind you with here."))
	case choice == len(reminderNames)-1:
		server = r.Location.Guild
		if has, err := h.HasPost(ctx, server); err != nil {
			return game.Reminder{}, err
		} else if !has {
			return game.Reminder{}, bot.Decline(bot.Text("Choose that in a server with a daily post. Someone who can manage it can begin one with ", bot.Slash(bot.NameSettings), "."))
		}
	}
	return h.Reminders.ChangeReminder(r.Origin().ForCommit(ctx), r.Player, func(w *game.Reminder) error {
		w.Hours, w.Guild, w.Refused = reminderHours[choice], server, false
		return nil
	})
}

// reminderMenu shows the player's reminder, and changes it.
func reminderMenu(r bot.Request, w game.Reminder) []bot.Block {
	now := reminderMeanings[max(0, slices.Index(reminderHours, w.Hours))]
	line := bot.Text(bot.Bold("Reminder"), " before your streak ends, unless you've solved today's daily. Today ends ",
		bot.When(game.DailyDate(game.DailyNumber(time.Now())+1), "at midnight UTC"), ".")
	switch {
	case w.Refused:
		line = bot.Text(bot.Bold("Your reminder is off"), ": Discord refused my direct message. Allow direct messages from me, then choose again.")
	case w.Guild != "" && w.Guild == r.Location.Guild:
		now = reminderMeanings[len(reminderMeanings)-1]
	case w.Guild != "":
		now = "By name in another server's daily post"
	}
	return []bot.Block{line, menu("Reminder", "reminder", reminderNames, reminderMeanings, now)}
}
