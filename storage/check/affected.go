package check

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// Affected is a game with findings. Unknown fields are empty.
type Affected struct {
	Game  string // kind and match, or a description by its key
	Where string
	Who   []game.PlayerID
	Ended time.Time
	Lost  bool // some of it can't be made again
}

// where writes the name of a community for an operator.
var where = strings.NewReplacer("guild/", "server ", "channel/", "channel ")

// affected calls tell for each game that findings are about.
func affected(ctx context.Context, m ordered.Map, codecs schema.Codecs, findings []Finding, tell func(Affected)) error {
	lost := map[string]bool{} // by key
	for _, f := range findings {
		key := f.Key
		if id, ok := strings.CutPrefix(key, schema.TopicReview); ok {
			key = schema.MatchKey(game.MatchID(id))
		}
		if slices.Contains([]string{schema.TopicMatch, schema.TopicResult, schema.TopicSlot, schema.TopicRace}, schema.TopicOf(key)+"\x00") {
			lost[key] = lost[key] || !f.Derived
		}
	}
	// If a match or its result is unreadable, the other says whose game it is.
	for _, topic := range []string{schema.TopicMatch, schema.TopicResult} {
		err := ordered.Each(ctx, m, ordered.Prefix(topic), func(batch []ordered.Pair) error {
			for _, p := range batch {
				r, result := game.Result{}, p.Key
				if topic == schema.TopicResult {
					r, _ = schema.DecodeResult(p) // an unreadable result does not say whose it is
				} else if v, err := codecs.DecodeEnded(p); err == nil {
					r, result = v.Result(), schema.ResultKey(v.Position)
				}
				match := schema.MatchKey(r.Match)
				if _, found := lost[match]; !found {
					if _, found = lost[result]; !found || r.Match == "" {
						continue
					}
				}
				a := Affected{Game: string(r.Kind) + " " + string(r.Match), Where: where.Replace(r.Location.Community()), Ended: r.Ended, Lost: lost[match]}
				a.Who = game.Each(r.Participants, func(p game.Participant) game.PlayerID { return p.Player })
				delete(lost, match)
				delete(lost, result)
				tell(a)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(lost)) {
		parts := append(strings.Split(key, "\x00"), "", "", "") // a damaged key may have fewer
		a := Affected{Game: parts[0] + " " + parts[1], Lost: lost[key]}
		switch {
		case parts[0]+"\x00" == schema.TopicResult:
			a.Game = "of a result that cannot be read"
		case parts[0]+"\x00" == schema.TopicSlot && parts[1] == "":
			a.Game, a.Who = "latest "+parts[3], []game.PlayerID{game.PlayerID(parts[2])}
		case parts[0]+"\x00" == schema.TopicSlot:
			a.Game, a.Where = "latest "+parts[2], "channel "+parts[1]
		}
		tell(a)
	}
	return nil
}
