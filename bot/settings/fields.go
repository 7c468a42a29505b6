package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// field is a choice on a page. Its values are texts, as a menu sends them.
type field struct {
	arg     string // of the command
	page    string
	label   string // at most 40 characters
	none    string // what holds if nothing is chosen; empty if something always is
	of      bot.MenuKind
	most    int              // how many can be chosen in a menu; 0 for what is typed
	choices []bot.MenuChoice // of a ChoiceMenu
	access
}

// access reads and writes a field of [Settings].
type access struct {
	get func(*Settings) []string
	set func(*Settings, []string)
}

// text is the access to a text.
func text[T ~string](at func(*Settings) *T) access {
	return access{
		func(s *Settings) []string { return strings.Fields(string(*at(s))) }, // none has a space
		func(s *Settings, values []string) { *at(s) = T(strings.Join(values, "")) },
	}
}

// texts is the access to several texts.
func texts[T ~string](at func(*Settings) *[]T) access {
	return access{
		func(s *Settings) []string { return bot.Each(*at(s), func(v T) string { return string(v) }) },
		func(s *Settings, values []string) { *at(s) = bot.Each(values, func(v string) T { return T(v) }) },
	}
}

// number is the access to a number.
func number(at func(*Settings) *int) access {
	return access{
		func(s *Settings) []string { return []string{strconv.Itoa(*at(s))} },
		func(s *Settings, values []string) { *at(s), _ = strconv.Atoi(values[0]) }, // one of the choices
	}
}

// flag is the access to a flag. Set is the value that sets it.
func flag(at func(*Settings) *bool, set string) access {
	return access{
		func(s *Settings) []string {
			return []string{map[bool]string{true: "on", false: "off"}[*at(s) == (set == "on")]}
		},
		func(s *Settings, values []string) { *at(s) = values[0] == set },
	}
}

// or is access with a value that stands for nothing chosen.
func (a access) or(standard string) access {
	return access{func(s *Settings) []string { return append(a.get(s), standard)[:1] }, a.set}
}

// choices returns choices by their values and labels.
func choices(texts ...string) (all []bot.MenuChoice) {
	for pair := range slices.Chunk(texts, 2) {
		all = append(all, bot.MenuChoice{Value: pair[0], Label: pair[1]})
	}
	return all
}

// The pages.
const (
	pageGames   = "games"
	pageWords   = "words"
	pagePost    = "post"
	pageHistory = "history"
)

var pages = []string{pageGames, pageWords, pagePost, pageHistory}

// fields are all choices, in the order of the pages.
var fields = []field{
	{"channels", pageGames, "Where games can be started", "Everywhere", bot.ChannelMenu, bot.MaxChoices, nil,
		texts(func(s *Settings) *[]game.ChannelID { return &s.Channels })},
	{"mode", pageGames, "Who plays a new game", "", bot.ChoiceMenu, 1,
		choices(face.ModeName(game.Together), "Everyone together", "turns", "Everyone in turns", "vote", "Everyone by vote", "solo", "Each alone"),
		access{func(s *Settings) []string { return []string{face.ModeName(s.Mode)} }, func(s *Settings, v []string) { s.Mode = face.ReadMode(v[0], s.Mode) }}},
	{"hard", pageGames, "Hard mode", "", bot.ChoiceMenu, 1, choices("off", "Off", "hard", "Hard", "ultra", "Ultra-hard"),
		text(func(s *Settings) *string { return &s.Hard }).or("off")},
	{"hints", pageGames, "Hints in a game", "", bot.ChoiceMenu, 1,
		choices("on", "Any number", "off", "None", "1", "At most 1", "2", "At most 2", "3", "At most 3", "4", "At most 4", "5", "At most 5"),
		text(func(s *Settings) *string { return &s.Hints }).or("on")},
	{"idle", pageGames, "A quiet game ends after", "", bot.ChoiceMenu, 1,
		choices("0", "My standard time", "1", "An hour", "6", "6 hours", "24", "A day", "72", "3 days", "168", "A week"),
		number(func(s *Settings) *int { return &s.Idle })},
	{"stoppers", pageGames, "Who can stop games of others", "Anyone who can manage messages", bot.RoleMenu, 1, nil,
		text(func(s *Settings) *game.RoleID { return &s.Stoppers })},
	{"season", pageGames, "Seasons, scored as in golf", "", bot.ChoiceMenu, 1, choices("0", "None", "9", "9 dailies", "18", "18 dailies"),
		number(func(s *Settings) *int { return &s.Season })},
	{"words", pageWords, "Words never used here", "None", bot.ChoiceMenu, 0, nil, texts(func(s *Settings) *[]string { return &s.Words })},
	{"channel", pagePost, "Channel of the daily post", "No daily post", bot.ChannelMenu, 1, nil,
		text(func(s *Settings) *game.ChannelID { return &s.PostChannel })},
	{"hour", pagePost, "Hour", "", bot.ChoiceMenu, 1, hours(), number(func(s *Settings) *int { return &s.PostHour })},
	{"zone", pagePost, "Time zone", "UTC", bot.ChoiceMenu, 0, nil, text(func(s *Settings) *string { return &s.PostZone })},
	{"role", pagePost, "Role to mention", "Nobody", bot.RoleMenu, 1, nil, text(func(s *Settings) *game.RoleID { return &s.PostRole })},
	{"thread", pagePost, "A thread of its own each day", "", bot.ChoiceMenu, 1, choices("off", "Off", "on", "On"),
		flag(func(s *Settings) *bool { return &s.PostThread }, "on")},
	{"awards", pagePost, "Awards of the month", "", bot.ChoiceMenu, 1, choices("on", "On", "off", "Off"),
		flag(func(s *Settings) *bool { return &s.NoAwards }, "off")},
}

func hours() (all []bot.MenuChoice) {
	for hour := range 24 {
		all = append(all, choices(strconv.Itoa(hour), fmt.Sprintf("%d:00", hour))...)
	}
	return all
}

// say writes the field's value in words.
func (f field) say(s Settings) bot.Line {
	values := f.get(&s)
	switch {
	case len(values) == 0:
		return bot.Text(f.none)
	case f.page == pageWords:
		return bot.Text(bot.Plural(len(values), "word"))
	case f.of == bot.RoleMenu:
		return bot.Text(game.RoleID(values[0]))
	case len(values) > 3:
		return bot.Text(bot.Plural(len(values), "channel"))
	case f.of != bot.ChoiceMenu:
		return bot.List(bot.Line{}, bot.Each(values, func(v string) game.ChannelID { return game.ChannelID(v) }), "and")
	}
	i := slices.IndexFunc(f.choices, func(c bot.MenuChoice) bool { return c.Value == values[0] })
	if i < 0 {
		return bot.Text(spoken(values[0])) // a zone
	}
	return bot.Text(f.choices[i].Label)
}

// menu is the menu in which the field is chosen.
func (f field) menu(s Settings) *bot.Menu {
	m := bot.Menu{Label: f.none, Command: bot.NameSettings, Args: map[string]string{argPage: f.page}, Option: f.arg, Of: f.of, Most: f.most, Chosen: f.get(&s), Choices: f.choices}
	if f.of == bot.ChoiceMenu {
		m.Least, m.Label = 1, f.label
	}
	return &m
}
