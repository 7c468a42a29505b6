package history

import (
	"context"
	"fmt"
	"slices"
	"strconv"
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

// period is what statistics are of: all time, a month, a season or a year.
type period struct {
	when     string // the option "when", as buttons have it
	name     string // such as "October 2026"
	month    string // such as "2026-10"; empty for other periods
	year     int    // 0 for other periods
	season   int    // how many dailies a season has; 0 for other periods
	from, to int    // the dailies of a year or a season so far; to is smaller if there are none
}

func monthOf(date time.Time) period {
	month := date.Format("2006-01")
	return period{when: month, name: date.Format("January 2006"), month: month}
}

// yearOf returns a year, up to a day.
func yearOf(year, today int) period {
	first := time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC)
	name := strconv.Itoa(year)
	return period{when: name, name: name, year: year, from: game.DailyNumber(first), to: min(today, game.DailyNumber(first.AddDate(1, 0, -1)))}
}

// seasonOf returns a season of so many dailies, up to the day before today.
func seasonOf(n, length, today int) period {
	return period{when: fmt.Sprint("season ", n), name: fmt.Sprint("Season ", n), season: length, from: (n-1)*length + 1, to: min(n*length, today-1)}
}

// within continues a sentence: " in October 2026", or "" for all time.
func (p period) within() string {
	if p.when == allTime {
		return ""
	}
	return " in " + p.name
}

// readPeriod reads the option "when" as players type it in a server, or outside of any.
func (h *Handlers) readPeriod(ctx context.Context, guild game.GuildID, typed string) (period, error) {
	number := h.Games.Today()
	today := game.DailyDate(number)
	plain := strings.ToLower(strings.Join(strings.Fields(typed), " "))
	switch plain {
	case allTime, "all time":
		return period{when: allTime, name: "All time"}, nil
	case "month", "this month":
		return monthOf(today), nil
	case "last", "last month":
		return monthOf(today.AddDate(0, 0, -today.Day())), nil
	case "year", "this year":
		return yearOf(today.Year(), number), nil
	case "last year":
		return yearOf(today.Year()-1, number), nil
	}
	if year, ok := bot.Number(plain, 2000, today.Year()); ok {
		return yearOf(year, number), nil
	}
	if strings.Contains(plain, "season") {
		return h.readSeason(ctx, guild, plain)
	}
	month, ok := readMonth(plain, today)
	switch {
	case !ok:
		return period{}, bot.Decline(bot.Text("I don't know the month ", bot.Quote(typed), ". Try ", bot.Bold("october"), ", ", bot.Bold("2026-10"), ", ", bot.Bold("year"), " or ", bot.Bold(allTime), "."))
	case month.After(today):
		return period{}, bot.Decline(bot.Text(month.Format("January 2006") + " hasn't begun yet."))
	}
	return monthOf(month), nil
}

// seasons returns how many dailies a season has in a server, and the number of the running season; 0 without seasons.
func (h *Handlers) seasons(ctx context.Context, guild game.GuildID) (length, running int, err error) {
	if guild == "" || h.Season == nil {
		return 0, 0, nil
	}
	if length, err = h.Season(ctx, guild); length > 0 {
		running = (h.Games.Today()-1)/length + 1
	}
	return length, running, err
}

// readSeason reads "season", "last season" or "season 3".
func (h *Handlers) readSeason(ctx context.Context, guild game.GuildID, plain string) (period, error) {
	length, running, err := h.seasons(ctx, guild)
	if err != nil {
		return period{}, err
	}
	if length == 0 {
		return period{}, bot.Decline(bot.Text("There are no seasons here. Someone who can manage the server can choose them in its settings."))
	}
	n, ok := running, true
	switch written := strings.TrimSpace(strings.Replace(plain, "season", "", 1)); written {
	case "", "this":
	case "last":
		n--
	default:
		n, ok = bot.Number(written, 1, running)
	}
	if !ok || n < 1 || n > running {
		return period{}, bot.Decline(bot.Text(fmt.Sprintf("The season now is number %d.", running)))
	}
	return seasonOf(n, length, h.Games.Today()), nil
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

// periods returns the periods to choose from: the months in which a daily was solved here, the latest first, all time, the last
// two seasons, and years. Outside a server, and of the newspaper's
// puzzle, it returns all months.
func (h *Handlers) periods(ctx context.Context, f face.Face, guild game.GuildID) ([]period, error) {
	today := h.Games.Today()
	month := game.DailyDate(today)
	month = month.AddDate(0, 0, 1-month.Day())
	days, err := h.Statistics.SolvedDays(ctx, f.Kind, guild, game.DailyNumber(month.AddDate(0, 1-mostMonths, 0)), today)
	if err != nil {
		return nil, err
	}
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
	all = append(all, period{when: allTime, name: "All time"})
	length, running, err := h.seasons(ctx, guild)
	for n := running; n > max(0, running-2); n-- {
		all = append(all, seasonOf(n, length, today))
	}
	for year := month.Year(); year >= max(month.Year()-1, game.DailyDate(1).Year()); year-- {
		all = append(all, yearOf(year, today))
	}
	return all, err
}

// completeWhen proposes periods whose names hold the typed text, and the period that it is.
func (h *Handlers) completeWhen(f face.Face) func(context.Context, bot.Request, string) []bot.Choice {
	return func(ctx context.Context, r bot.Request, typed string) []bot.Choice {
		all, err := h.periods(ctx, f, r.Location.Guild)
		if err != nil {
			return nil
		}
		plain := strings.ToLower(strings.TrimSpace(typed))
		all = slices.DeleteFunc(all, func(p period) bool { return !strings.Contains(strings.ToLower(p.choice()+" "+p.when), plain) })
		if p, err := h.readPeriod(ctx, r.Location.Guild, typed); err == nil && !slices.Contains(all, p) {
			all = append(all, p)
		}
		return bot.Each(all, func(p period) bot.Choice { return bot.Choice{Name: p.choice(), Value: p.when} })
	}
}

// choice is the period's name among others.
func (p period) choice() string {
	if p.year > 0 {
		return "The year " + p.name + " in one picture"
	}
	return p.name
}
