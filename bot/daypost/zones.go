package daypost

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // for systems without zones

	"fivefold/bot"
)

// zoneList has UTC and the zones of Go's time/tzdata that begin with a part of the world: package time lists
// none.
//
//go:embed zones.txt
var zoneList string

var zones = strings.Fields(zoneList)

// zonesLike returns the zones whose names contain what was typed, first those of which a part begins with it;
// none if nothing was typed.
func zonesLike(typed string) []string {
	typed = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(typed), " ", "_"))
	if typed == "" {
		return nil
	}
	var first, rest []string
	for _, name := range zones {
		switch at := strings.Index(strings.ToLower(name), typed); {
		case at == 0, at > 0 && name[at-1] == '/':
			first = append(first, name)
		case at > 0:
			rest = append(rest, name)
		}
	}
	return append(first, rest...)
}

// readZone reads the name of a zone as a player types it. A refusal says what it could be.
func readZone(typed string) (string, error) {
	if i := slices.IndexFunc(zones, func(name string) bool { return strings.EqualFold(name, typed) }); i >= 0 {
		return zones[i], nil
	}
	line := bot.Text("There is no time zone ", bot.Quote(typed), ". ")
	if like := zonesLike(typed); len(like) > 0 {
		return "", bot.Decline(line.With("Did you mean ", bot.Bold(like[0]), "?"))
	}
	return "", bot.Decline(line.With("Zones are named after large cities, such as ", bot.Bold("Europe/Berlin"), " or ", bot.Bold("America/New_York"), "."))
}

// completeZone proposes zones, with the time there.
func (h *Handlers) completeZone(_ context.Context, _ bot.Request, typed string) (choices []bot.Choice) {
	for _, name := range zonesLike(typed) {
		zone, err := time.LoadLocation(name)
		if err != nil || len(choices) == bot.MaxChoices {
			break
		}
		choices = append(choices, bot.Choice{Name: name + ", now " + h.Games.Clock().In(zone).Format("15:04"), Value: name})
	}
	return choices
}
