package history

import (
	"context"
	"slices"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/league"
)

// allTime is the option "when" for everything.
const allTime = "all"

// mostMonths is how many months are looked through for results, to propose them.
const mostMonths = 18

// period is what statistics are of. Neither a month nor anything else is set for all time.
type period struct {
	when  string // the option "when", as buttons have it
	name  string // such as "October 2026"
	month string // such as "2026-10"
}

func monthOf(date time.Time) period {
	month := date.Format("2006-01")
	return period{when: month, name: date.Format("January 2006"), month: month}
}

// within continues a sentence: " in October 2026", or "" for all time.
func (p period) within() string {
	if p.when == allTime {
		return ""
	}
	return " in " + p.name
}

// readPeriod reads the option "when" as players type it.
func (h *Handlers) readPeriod(typed string) (period, error) {
	today := game.DailyDate(h.Games.Today())
	switch plain := strings.ToLower(strings.Join(strings.Fields(typed), " ")); plain {
	case allTime, "all time":
		return period{when: allTime, name: "All time"}, nil
	case "month", "this month":
		return monthOf(today), nil
	case "last", "last month":
		return monthOf(today.AddDate(0, 0, -today.Day())), nil
	default:
		month, ok := readMonth(plain, today)
		switch {
		case !ok:
			return period{}, bot.Decline(bot.Text("I don't know the month ", bot.Quote(typed), ". Try ", bot.Bold("october"), ", ", bot.Bold("2026-10"), " or ", bot.Bold(allTime), "."))
		case month.After(today):
			return period{}, bot.Decline(bot.Text(month.Format("January 2006") + " hasn't begun yet."))
		}
		return monthOf(month), nil
	}
}

// readMonth reads a month such as "2026-10", "oct 2026" or "october", which is the latest one.
func readMonth(typed string, today time.Time) (time.Time, bool) {
	if at, err := time.Parse("2006-1", typed); err == nil {
		return at, true
	}
	name, written, _ := strings.Cut(typed, " ")
	for m := time.January; m <= time.December && len(name) >= 3; m++ {
		if !strings.HasPrefix(strings.ToLower(m.String()), name) {
			continue
		}
		year, ok := today.Year(), true
		if m > today.Month() {
			year--
		}
		if written != "" {
			year, ok = bot.Number(written, 2000, 9999)
		}
		return time.Date(year, m, 1, 0, 0, 0, 0, time.UTC), ok
	}
	return time.Time{}, false
}

// periods returns the periods to choose from, the latest first: the months in which a daily was solved here, and all time. Outside
// a server, and of the newspaper's puzzle, it returns all months.
func (h *Handlers) periods(ctx context.Context, f face.Face, guild game.GuildID) ([]period, error) {
	today := h.Games.Today()
	month := game.DailyDate(today)
	month = month.AddDate(0, 0, 1-month.Day())
	days, err := h.Statistics.SolvedDays(ctx, f.Kind, guild, game.DailyNumber(month.AddDate(0, 1-mostMonths, 0)), today)
	solved := map[string]bool{}
	for _, n := range days {
		solved[game.DailyMonth(n)] = true
	}
	var all []period
	for i := range mostMonths {
		p := monthOf(month.AddDate(0, -i, 0))
		if i == 0 || solved[p.month] || (guild == "" || league.Is(f.Kind)) && p.month >= game.DailyMonth(1) {
			all = append(all, p)
		}
	}
	return append(all, period{when: allTime, name: "All time"}), err
}

// completeWhen proposes periods whose names hold the typed text, and the period that it is.
func (h *Handlers) completeWhen(f face.Face) func(context.Context, bot.Request, string) []bot.Choice {
	return func(ctx context.Context, r bot.Request, typed string) (choices []bot.Choice) {
		all, err := h.periods(ctx, f, r.Location.Guild)
		if err != nil {
			return nil
		}
		plain := strings.ToLower(strings.TrimSpace(typed))
		all = slices.DeleteFunc(all, func(p period) bool { return !strings.Contains(strings.ToLower(p.name+" "+p.when), plain) })
		if p, err := h.readPeriod(typed); err == nil && !slices.Contains(all, p) {
			all = append(all, p)
		}
		return bot.Each(all, func(p period) bot.Choice { return bot.Choice{Name: p.name, Value: p.when} })
	}
}
