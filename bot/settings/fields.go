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

// field is a field of [Settings] on a page. Its values are texts: what a menu sends.
type field struct {
	name    string // in [Settings]; in lower case, it is the argument
	page    string
	label   string // at most 40 characters
	none    string // what holds if nothing is chosen
	of      bot.MenuKind
	most    int              // how many can be chosen; 0 for a field that has no menu
	choices []bot.MenuChoice // of a ChoiceMenu
	get     func(*Settings) []string
	set     func(*Settings, []string)
}

func (f field) arg() string { return strings.ToLower(f.name) }

// text is a field that holds one text.
func text[T ~string](at func(*Settings) *T) (get func(*Settings) []string, set func(*Settings, []string)) {
	get = func(s *Settings) (all []string) {
		if v := string(*at(s)); v != "" {
			all = []string{v}
		}
		return all
	}
	return get, func(s *Settings, values []string) { *at(s) = T(strings.Join(values, "")) }
}

// texts is a field that holds several.
func texts[T ~string](at func(*Settings) *[]T) (get func(*Settings) []string, set func(*Settings, []string)) {
	get = func(s *Settings) []string { return bot.Each(*at(s), func(v T) string { return string(v) }) }
	return get, func(s *Settings, values []string) { *at(s) = bot.Each(values, func(v string) T { return T(v) }) }
}

// number is a field that holds a number.
func number(at func(*Settings) *int) (get func(*Settings) []string, set func(*Settings, []string)) {
	get = func(s *Settings) []string { return []string{strconv.Itoa(*at(s))} }
	return get, func(s *Settings, values []string) { *at(s), _ = strconv.Atoi(values[0]) } // one of the choices
}

// flag is a field that is one of two choices.
func flag(at func(*Settings) *bool, values [2]string) (get func(*Settings) []string, set func(*Settings, []string)) {
	get = func(s *Settings) []string {
		if *at(s) {
			return values[1:]
		}
		return values[:1]
	}
	return get, func(s *Settings, chosen []string) { *at(s) = chosen[0] == values[1] }
}

// The pages, in the order of their buttons.
const (
	pageGames   = "games"
	pageWords   = "words"
	pagePost    = "post"
	pageHistory = "history"
)

// fields are all fields that can be chosen, in the order of the pages.
var fields = func() (all []field) {
	add := func(f field, get func(*Settings) []string, set func(*Settings, []string)) {
		f.get, f.set = get, set
		all = append(all, f)
	}
	put := func(name, page, label string, choices ...bot.MenuChoice) field {
		return field{name: name, page: page, label: label, most: 1, choices: choices}
	}
	of := func(f field, kind bot.MenuKind, most int, none string) field {
		f.of, f.most, f.none = kind, most, none
		return f
	}
	choice := func(value, label string) bot.MenuChoice { return bot.MenuChoice{Value: value, Label: label} }
	off, on := choice("off", "Off"), choice("on", "On")

	get, set := texts(func(s *Settings) *[]game.ChannelID { return &s.Channels })
	add(of(put("Channels", pageGames, "Where games can be started"), bot.ChannelMenu, bot.MaxChoices, "Everywhere"), get, set)

	get, set = text(func(s *Settings) *string { return &s.Hard })
	hard := put("Hard", pageGames, "Hard mode", off, choice("hard", "Hard"), choice("ultra", "Ultra-hard"))
	add(hard, func(s *Settings) []string { return append(get(s), off.Value)[:1] }, set)

	mode := put("Mode", pageGames, "Who plays a new game")
	for _, c := range []bot.MenuChoice{choice("", "Everyone together"), choice(string(game.Turns), "Everyone in turns"), choice(string(game.Vote), "Everyone by vote"), choice(string(game.Solo), "Each alone")} {
		mode.choices = append(mode.choices, choice(face.ModeName(game.Mode(c.Value)), c.Label))
	}
	add(mode, func(s *Settings) []string { return []string{face.ModeName(s.Mode)} }, func(s *Settings, v []string) { s.Mode = face.ReadMode(v[0], s.Mode) })

	hints := put("Hints", pageGames, "Hints in a game")
	for i, value := range face.HintsOption().Choices {
		label := []string{"Any number", "None"}[min(i, 1)]
		if i > 1 {
			label = "At most " + value
		}
		hints.choices = append(hints.choices, choice(value, label))
	}
	add(hints, func(s *Settings) []string {
		switch {
		case s.Hints == nil:
			return []string{"on"}
		case *s.Hints == 0:
			return []string{"off"}
		}
		return []string{strconv.Itoa(*s.Hints)}
	}, func(s *Settings, v []string) {
		s.Hints = nil
		if limit := face.ReadHints(v[0]); limit.Limited {
			s.Hints = &limit.Most
		}
	})

	get, set = number(func(s *Settings) *int { return &s.Idle })
	add(put("Idle", pageGames, "A quiet game ends after", choice("0", "My standard time"), choice("1", "An hour"), choice("6", "6 hours"),
		choice("24", "A day"), choice("72", "3 days"), choice("168", "A week")), get, set)

	get, set = text(func(s *Settings) *game.RoleID { return &s.Stoppers })
	add(of(put("Stoppers", pageGames, "Who can stop games of others"), bot.RoleMenu, 1, "Anyone who can manage messages"), get, set)

	get, set = number(func(s *Settings) *int { return &s.Season })
	add(put("Season", pageGames, "Seasons, scored as in golf", choice("0", "None"), choice("9", "9 dailies"), choice("18", "18 dailies")), get, set)

	get, set = texts(func(s *Settings) *[]string { return &s.Words })
	add(field{name: "Words", page: pageWords, label: "Words never used here", none: "None"}, get, set)

	get, set = text(func(s *Settings) *game.ChannelID { return &s.PostChannel })
	add(of(put("PostChannel", pagePost, "Channel of the daily post"), bot.PostMenu, 1, "No daily post"), get, set)

	hour := put("PostHour", pagePost, "Hour")
	for h := range 24 {
		hour.choices = append(hour.choices, choice(strconv.Itoa(h), fmt.Sprintf("%d:00", h)))
	}
	get, set = number(func(s *Settings) *int { return &s.PostHour })
	add(hour, get, set)

	get, set = text(func(s *Settings) *string { return &s.PostZone })
	add(field{name: "PostZone", page: pagePost, label: "Time zone", none: "UTC"}, get, set)

	get, set = text(func(s *Settings) *game.RoleID { return &s.PostRole })
	add(of(put("PostRole", pagePost, "Role to mention"), bot.RoleMenu, 1, "Nobody"), get, set)

	get, set = flag(func(s *Settings) *bool { return &s.PostThread }, [2]string{off.Value, on.Value})
	add(put("PostThread", pagePost, "A thread of its own each day", off, on), get, set)

	get, set = flag(func(s *Settings) *bool { return &s.NoAwards }, [2]string{on.Value, off.Value})
	add(put("NoAwards", pagePost, "Awards of the month", on, off), get, set)
	return all
}()

// say writes the field's value in words.
func (f field) say(s Settings) bot.Line {
	values := f.get(&s)
	switch {
	case f.name == "Words" && len(values) > 0:
		return bot.Text(bot.Plural(len(values), "word"))
	case len(values) == 0:
		return bot.Text(f.none)
	case f.of == bot.RoleMenu:
		return bot.Text(game.RoleID(values[0]))
	case f.of != bot.ChoiceMenu:
		return bot.List(bot.Line{}, bot.Each(values, func(v string) game.ChannelID { return game.ChannelID(v) }), "and")
	}
	for _, c := range f.choices {
		if c.Value == values[0] {
			return bot.Text(c.Label)
		}
	}
	return bot.Text(spoken(values[0])) // a zone
}

// menu is the menu in which the field is chosen.
func (f field) menu(s Settings) *bot.Menu {
	m := &bot.Menu{Label: f.none, Command: bot.NameSettings, Args: map[string]string{argPage: f.page}, Option: f.arg(), Of: f.of, Chosen: f.get(&s), Choices: f.choices}
	if m.Most = f.most; f.of == bot.ChoiceMenu {
		m.Least, m.Label = 1, f.label
	}
	return m
}

// read reads what a menu has sent. It reports false for what no menu sends.
func (f field) read(sent string) (values []string, ok bool) {
	values = strings.FieldsFunc(sent, func(r rune) bool { return r == ',' })
	known := func(v string) bool {
		return slices.ContainsFunc(f.choices, func(c bot.MenuChoice) bool { return c.Value == v })
	}
	return values, len(values) <= f.most && (f.of != bot.ChoiceMenu || len(values) == 1 && known(values[0]))
}
