package settings

import (
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // for systems without zones
	"unicode"

	"github.com/agnivade/levenshtein"
	"golang.org/x/text/unicode/norm"

	"fivefold/bot"
)

// zoneList has UTC, the zones of Go's time/tzdata that begin with a part of the world, the old names that people in North America
// use, and the zones of whole hours from UTC. Package time has no such list.
//
//go:embed zones.txt
var zoneList string

// knownZones has the zones that most people mean, best known first, each with its other names: places, abbreviations, and an
// offset from UTC that isn't in whole hours.
//
//go:embed known.txt
var knownZones string

type zone struct {
	name  string
	rank  int      // the lower, the better known
	calls []string // its names by [plainly]; first the spoken one, then the city
}

// zones are all zones, the best known first.
var zones = sync.OnceValue(func() (all []zone) {
	other := map[string]zone{}
	for i, line := range strings.Split(strings.TrimSpace(knownZones), "\n") {
		name, calls, _ := strings.Cut(line, ": ")
		other[name] = zone{name, i, bot.Each(strings.Split(calls, ", "), plainly)}
	}
	for _, name := range strings.Fields(zoneList) {
		z, known := other[name]
		if !known {
			z = zone{name: name, rank: len(other)}
		}
		plain := plainly(spoken(name))
		z.calls = append([]string{plain, plain[strings.LastIndexByte(plain, '/')+1:], plainly(name)}, z.calls...)
		all = append(all, z)
	}
	slices.SortStableFunc(all, func(a, b zone) int { return cmp.Compare(a.rank, b.rank) })
	return all
})

var offset = regexp.MustCompile(`^(?:utc|gmt)\s*(-?)\+?\s*0?([0-9]{1,2})(?::?00|:?([0-9]{2}))?$`)

// plainly returns a name in small letters without accents, with underscores instead of spaces, and with one spelling of an offset
// from UTC.
func plainly(name string) string {
	name = offset.ReplaceAllString(strings.ToLower(strings.TrimSpace(name)), "utc$1$2$3")
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r), r == '.', r == '\'', r == '’':
			return -1
		case unicode.IsSpace(r), r == '-':
			return '_'
		}
		return r
	}, norm.NFD.String(name))
}

// zonesLike returns the zones whose names contain the typed text, first those with a part that begins with it, each group by
// rank. For an empty text it returns nil.
func zonesLike(typed string) []string {
	typed = plainly(typed)
	if typed == "" {
		return nil
	}
	var first, rest []string
	for _, z := range zones() {
		switch at := strings.Index(z.calls[0], typed); {
		case at == 0, at > 0 && z.calls[0][at-1] == '/', slices.ContainsFunc(z.calls[2:], func(call string) bool { return strings.HasPrefix(call, typed) }):
			first = append(first, z.name)
		case at > 0:
			rest = append(rest, z.name)
		}
	}
	return append(first, rest...)
}

// readZone reads a zone as players type it: its name, a city, a country, an abbreviation such as EST, or UTC+2. A refusal
// proposes one.
func readZone(typed string) (string, error) {
	plain := plainly(typed)
	if i := slices.IndexFunc(zones(), func(z zone) bool { return slices.Contains(z.calls, plain) }); i >= 0 {
		return zones()[i].name, nil
	}
	line := bot.Text("I don't know the time zone ", bot.Quote(typed), ". ")
	if like := append(zonesLike(typed), mistyped(plain)...); len(like) > 0 && !strings.HasPrefix(plain, "utc") {
		return "", bot.Decline(line.With("Did you mean ", bot.Bold(like[0]), "?"))
	}
	return "", bot.Decline(line.With("Zones are named after large cities, such as ", bot.Bold("Europe/Berlin"), " or ", bot.Bold("America/New_York"), "."))
}

// mistyped returns the zone with the name nearest to the typed text, or nil if none is near. Of equally near zones it returns the
// best known.
func mistyped(plain string) (name []string) {
	nearest := min(3, len(plain)/2)
	for _, z := range zones() {
		for _, call := range z.calls {
			if d := levenshtein.ComputeDistance(plain, call); d < nearest {
				nearest, name = d, []string{z.name}
			}
		}
	}
	return name
}

// spoken returns a zone's name as people say it: UTC+2 instead of Etc/GMT-2.
func spoken(name string) string {
	if hours, ok := strings.CutPrefix(name, "Etc/GMT"); ok {
		return "UTC" + strings.NewReplacer("+", "-", "-", "+").Replace(hours)
	}
	return name
}

// proposed are zones with names like the typed text, with the time there.
func proposed(typed string, now time.Time) (choices []bot.MenuChoice) {
	for _, name := range append(zonesLike(typed), mistyped(plainly(typed))...) {
		zone, err := time.LoadLocation(name)
		if err != nil || len(choices) == bot.MaxChoices {
			break
		}
		choices = append(choices, bot.MenuChoice{Label: spoken(name), Help: "Now " + now.In(zone).Format("15:04"), Value: name})
	}
	return choices
}
