package history

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/settings"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/statistics"
)

// solved is a store of servers in which these dailies were solved.
type solved struct {
	statistics.Store
	days []int
}

func (s solved) SolvedDays(_ context.Context, _ game.Kind, g game.GuildID, from, to int) ([]int, error) {
	return slices.DeleteFunc(slices.Clone(s.days), func(n int) bool { return g == "" || n < from || n > to }), nil
}

// at returns handlers on a day, in servers where these dailies were solved.
func at(day string, days ...int) *Handlers {
	return &Handlers{Statistics: solved{days: days}, Games: &matches.Manager{Now: func() time.Time {
		now, err := time.Parse(time.DateOnly, day)
		if err != nil {
			panic(err)
		}
		return now.Add(13 * time.Hour)
	}}}
}

// seasonsOf are settings with seasons of so many dailies.
func seasonsOf(n int) func(context.Context, game.GuildID) (settings.Settings, error) {
	return func(context.Context, game.GuildID) (settings.Settings, error) {
		return settings.Settings{Season: n}, nil
	}
}

func TestReadPeriod(t *testing.T) {
	h := at("2027-03-31") // daily 455
	h.Settings = seasonsOf(18)
	for typed, want := range map[string][2]string{
		"all": {"all", "All time"}, " ALL ": {"all", "All time"},
		"month": {"2027-03", "March 2027"},
		"last":  {"2027-02", "February 2027"},
		"march": {"2027-03", "March 2027"}, "MAR": {"2027-03", "March 2027"},
		"april": {"2026-04", "April 2026"}, "sept": {"2026-09", "September 2026"},
		"October 2025": {"2025-10", "October 2025"}, "2025-10": {"2025-10", "October 2025"}, "2026-1": {"2026-01", "January 2026"},
		"year": {"2027", "2027"}, "2026": {"2026", "2026"},
		"season": {"season 26", "Season 26"}, "season 3": {"season 3", "Season 3"},
	} {
		got, err := h.readPeriod(t.Context(), "g", typed)
		if err != nil || got.when != want[0] || got.name != want[1] || got.month != "" && got.month != got.when {
			t.Errorf("%q is %+v, %v, want %s", typed, got, err, want)
		}
		if again, err := h.readPeriod(t.Context(), "g", got.when); err != nil || again != got {
			t.Errorf("the button of %q is %+v, %v, want %+v", typed, again, err, got)
		}
	}
	for typed, want := range map[string]string{
		"ma":         "I don't know the month “ma”. Try october, 2026-10, year or all.",
		"Smarch":     "I don't know the month “Smarch”. Try october, 2026-10, year or all.",
		"october x":  "I don't know the month “october x”. Try october, 2026-10, year or all.",
		"2026-13":    "I don't know the month “2026-13”. Try october, 2026-10, year or all.",
		"2028":       "I don't know the month “2028”. Try october, 2026-10, year or all.",
		"season 27":  "It's only season 26.",
		"season 0":   "It's only season 26.",
		"april 2027": "April 2027 hasn't begun yet.",
		"2027-04":    "April 2027 hasn't begun yet.",
	} {
		_, err := h.readPeriod(t.Context(), "g", typed)
		if refusal, ok := errors.AsType[bot.Refusal](err); !ok || strings.TrimSpace(refusal.String()) != want {
			t.Errorf("%q is answered by %v, want %s", typed, refusal, want)
		}
	}
}

// TestCompleteWhen: proposals are this month, months with results and what is typed.
func TestCompleteWhen(t *testing.T) {
	h := at("2027-03-31", 1, 59, 60, 120, 304)
	h.Settings = seasonsOf(9)
	for _, c := range []struct {
		guild       game.GuildID
		typed, want string
	}{
		{"g", "", "2027-03 2026-10 2026-04 2026-03 2026-02 2026-01 all season 51 season 50 2027 "},
		{"g", "ar", "2027-03 2026-03 2026-02 2026-01 "},
		{"g", "Oct", "2026-10 "},
		{"g", "may", "2026-05 "},
		{"g", "2025-10", "2025-10 "},
		{"g", "season", "season 51 season 50 "},
		{"g", "season 4", "season 4 "},
		{"g", "x", ""},
		{"", "", "2027-03 2027-02 2027-01 2026-12 2026-11 2026-10 2026-09 2026-08 2026-07 2026-06 2026-05 2026-04 2026-03 2026-02 2026-01 all 2027 "},
	} {
		got := ""
		for _, choice := range h.completeWhen(face.Face{})(t.Context(), bot.Request{Location: game.Location{Guild: c.guild}}, c.typed) {
			got += choice.Value + " "
		}
		if got != c.want {
			t.Errorf("%q in %q: %s, want %s", c.typed, c.guild, got, c.want)
		}
	}
	if later := at("2029-01-01", 1, 800, 1000); len(later.completeWhen(face.Face{})(t.Context(), bot.Request{}, "")) > bot.MaxChoices {
		t.Error("too many choices")
	}
}
