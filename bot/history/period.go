package history

import (
	"cmp"
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

// period is what statistics are of: all time, a month, a season or a year.
type period struct {
	when     string // the option "when", as buttons have it
	name     string // such as "October 2026"
	within   string // continues a sentence, such as " in October 2026"; empty for all time
	month    string // such as "2026-10"; empty for other periods
	season   int    // how many dailies a season has; 0 for other periods
	year     int    // 0 for other periods
	from, to int    // the dailies of a season or a year so far; to is smaller if there are none
}

// allTime is the option "when" for everything.
const allTime = "all"

var always = period{when: allTime, name: "All time"}

func monthOf(date time.Time) period {
	month, name := date.Format("2006-01"), date.Format("January 2006")
	return period{when: month, name: name, within: " in " + name, month: month}
}

// seasonOf returns a season of so many dailies, up to the day before today.
func seasonOf(n, length, today int) period {
	name := fmt.Sprint("Season ", n)
	return period{when: strings.ToLower(name), name: name, within: " in " + name, season: length, from: (n-1)*length + 1, to: min(n*length, today-1)}
}

func yearOf(year, today int) period {
	first, name := time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC), strconv.Itoa(year)
	end := game.DailyNumber(first.AddDate(1, 0, -1))
	return period{when: name, name: name, within: " in " + name, year: year, from: game.DailyNumber(first), to: min(today, end)}
}

// readPeriod reads the option "when" as players type it in a server, or outside of any. A month without a year is the latest one.
func (h *Handlers) readPeriod(ctx context.Context, guild game.GuildID, typed string) (period, error) {
	number := h.Games.Today()
	today, plain := game.DailyDate(number), strings.ToLower(strings.Join(strings.Fields(typed), " "))
	year, isYear := bot.Number(plain, 2000, today.Year())
	season, isSeason := strings.CutPrefix(plain, "season")
	switch {
	case plain == allTime:
		return always, nil
	case plain == "month":
		return monthOf(today), nil
	case plain == "last":
		return monthOf(today.AddDate(0, 0, -today.Day())), nil
	case plain == "year", isYear:
		return yearOf(cmp.Or(year, today.Year()), number), nil
	case isSeason:
		return h.readSeason(ctx, guild, strings.TrimSpace(season))
	}
	for i := range 12 {
		if month := today.AddDate(0, -i, 1-today.Day()); len(plain) >= 3 && strings.HasPrefix(strings.ToLower(month.Month().String()), plain) {
			return monthOf(month), nil
		}
	}
	for _, layout := range []string{"2006-1", "January 2006", "Jan 2006"} {
		switch month, err := time.Parse(layout, plain); {
		case err == nil && month.After(today):
			return period{}, bot.Decline(bot.Text(month.Format("January 2006") + " hasn't begun yet."))
		case err == nil:
			return monthOf(month), nil
		}
	}
	return period{}, bot.Decline(bot.Text("I don't know the month ", bot.Quote(typed), ". Try ", bot.Bold("october"), ", ", bot.Bold("2026-10"), ", ", bot.Bold("year"), " or ", bot.Bold(allTime), "."))
}

// readSeason reads the number of a season, or nothing for the running one.
func (h *Handlers) readSeason(ctx context.Context, guild game.GuildID, typed string) (period, error) {
	length, running, err := h.seasons(ctx, guild)
	n, ok := bot.Number(cmp.Or(typed, strconv.Itoa(running)), 1, running)
	switch {
	case err != nil:
		return period{}, err
	case length == 0:
		return period{}, bot.Decline(bot.Text("There are no seasons here. Someone who can manage the server can choose them in ", bot.Slash(bot.NameSettings), "."))
	case !ok:
		return period{}, bot.Decline(bot.Text(fmt.Sprintf("It's only season %d.", running)))
	}
	return seasonOf(n, length, h.Games.Today()), nil
}

// seasons returns how many dailies a season has in a server, and the number of the running season; 0 without seasons.
func (h *Handlers) seasons(ctx context.Context, guild game.GuildID) (length, running int, err error) {
	if guild == "" || h.Settings == nil {
		return 0, 0, nil
	}
	s, err := h.Settings(ctx, guild)
	if s.Season > 0 {
		running = (h.Games.Today()-1)/s.Season + 1
	}
	return s.Season, running, err
}

// mostMonths is how many months are looked through for results, to propose them.
const mostMonths = 18

// periods returns the periods to choose from: the months in which a daily was solved here, the latest first, all time, the last
// two seasons, and this year. Outside a server, and of the newspaper's puzzle, it returns all months.
func (h *Handlers) periods(ctx context.Context, f face.Face, guild game.GuildID) (all []period, err error) {
	today := h.Games.Today()
	month := game.DailyDate(today)
	month = month.AddDate(0, 0, 1-month.Day())
	days, err := h.Statistics.SolvedDays(ctx, f.Kind, guild, game.DailyNumber(month.AddDate(0, 1-mostMonths, 0)), today)
	if err != nil {
		return nil, err
	}
	for i := range mostMonths {
		p := monthOf(month.AddDate(0, -i, 0))
		solved := slices.ContainsFunc(days, func(n int) bool { return game.DailyMonth(n) == p.month })
		if i == 0 || solved || (guild == "" || league.Is(f.Kind)) && p.month >= game.DailyMonth(1) {
			all = append(all, p)
		}
	}
	length, running, err := h.seasons(ctx, guild)
	all = append(all, always)
	for n := running; n > max(0, running-2); n-- {
		all = append(all, seasonOf(n, length, today))
	}
	return append(all, yearOf(month.Year(), today)), err
}

// completeWhen proposes periods whose names hold the typed text, and the period that it is.
func (h *Handlers) completeWhen(f face.Face) func(context.Context, bot.Request, string) []bot.Choice {
	return func(ctx context.Context, r bot.Request, typed string) []bot.Choice {
		all, err := h.periods(ctx, f, r.Location.Guild)
		if err != nil {
			return nil
		}
		plain := strings.ToLower(strings.TrimSpace(typed))
		all = slices.DeleteFunc(all, func(p period) bool { return !strings.Contains(strings.ToLower(p.name+" "+p.when), plain) })
		if p, err := h.readPeriod(ctx, r.Location.Guild, typed); err == nil && !slices.Contains(all, p) {
			all = append(all, p)
		}
		return bot.Each(all, func(p period) bot.Choice { return bot.Choice{Name: p.name, Value: p.when} })
	}
}
