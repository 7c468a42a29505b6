package preferences

import (
	"cmp"
	"context"
	"slices"

	"fivefold/bot"
	"fivefold/game"
)

// The choices of a reminder, by the hours of a direct message. The first and the last choice have none.
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
	choice := slices.Index(reminderNames, r.Args["reminder"])
	last := len(reminderNames) - 1
	switch {
	case choice < 0 && !r.Surface.HasButtons():
		return game.Reminder{}, nil
	case choice < 0:
		return h.Reminders.Reminder(ctx, r.Player)
	case !r.Surface.HasButtons():
		return game.Reminder{}, bot.Decline(bot.Text("Reminders come by Discord. There's nothing to remind you with here."))
	case choice == last && (r.Location.Guild == "" || r.Context.UserOnly):
		return game.Reminder{}, bot.Decline(bot.Text("Choose that in the server whose daily post should name you. I must have been added to it."))
	case choice == last:
		if has, err := h.HasPost(ctx, r.Location.Guild); err != nil || !has {
			return game.Reminder{}, cmp.Or(err, error(bot.Decline(bot.Text("This server has no daily post. Someone who can manage it can begin one with ", bot.Slash(bot.NameSettings), "."))))
		}
	}
	return h.Reminders.ChangeReminder(r.Origin().ForCommit(ctx), r.Player, func(w *game.Reminder) error {
		w.Hours, w.Guild, w.Refused = reminderHours[choice], "", false
		if choice == last {
			w.Guild = r.Location.Guild
		}
		return nil
	})
}

// reminderMenu shows the player's reminder, and changes it.
func reminderMenu(r bot.Request, w game.Reminder) []bot.Block {
	now := reminderMeanings[max(0, slices.Index(reminderHours, w.Hours))]
	line := bot.Text(bot.Bold("Reminder"), " before your streak ends, unless you've solved today's daily.")
	if !r.Made.IsZero() {
		line = line.With(" Today ends ", bot.When(game.DailyDate(game.DailyNumber(r.Made)+1), "at midnight UTC"), ".")
	}
	switch {
	case w.Refused:
		line = bot.Text(bot.Bold("Your reminder is off"), ": Discord refused my direct message. Allow direct messages from me, then choose again.")
	case w.Guild == r.Location.Guild && w.Guild != "":
		now = reminderMeanings[len(reminderMeanings)-1]
	case w.Guild != "":
		now = "By name in another server's daily post"
	}
	return []bot.Block{line, menu("Reminder", "reminder", reminderNames, reminderMeanings, now)}
}
