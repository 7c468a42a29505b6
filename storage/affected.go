package storage

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// Affected is a game that something is wrong with. What is not known is empty.
type Affected struct {
	Game  string // what it is called, or what its key says
	Where string
	Who   []game.PlayerID
	Ended time.Time
	Lost  bool // something that does not follow from other data
}

// where writes the name of a community for an operator.
var where = strings.NewReplacer("guild/", "server ", "channel/", "channel ")

// affected calls tell for each game that findings are about.
func (s *Store) affected(ctx context.Context, findings []Finding, tell func(Affected)) error {
	lost := map[string]bool{} // by key
	for _, f := range findings {
		key := f.Key
		if id, ok := strings.CutPrefix(key, topicReview); ok {
			key = matchKey(game.MatchID(id))
		}
		if slices.Contains([]string{topicMatch, topicResult, topicSlot, topicRace}, topicOf(key)+"\x00") {
			lost[key] = lost[key] || !f.Derived
		}
	}
	// Whichever of a match and its result can be read says whose the other is. A result follows from its match.
	for _, topic := range []string{topicMatch, topicResult} {
		err := s.each(ctx, ordered.Prefix(topic), func(batch []ordered.Pair) error {
			for _, p := range batch {
				r, result := game.Result{}, p.Key
				if topic == topicResult {
					r, _ = s.decodeResult(p) // where that fails, nothing says whose it is
				} else if v, err := s.decodeEnded(p); err == nil {
					r, result = v.Result(), resultKey(v.place)
				}
				match := matchKey(r.Match)
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
		case parts[0]+"\x00" == topicResult:
			a.Game = "of a result that cannot be read"
		case parts[0]+"\x00" == topicSlot && parts[1] == "":
			a.Game, a.Who = "latest "+parts[3], []game.PlayerID{game.PlayerID(parts[2])}
		case parts[0]+"\x00" == topicSlot:
			a.Game, a.Where = "latest "+parts[2], "channel "+parts[1]
		}
		tell(a)
	}
	return nil
}
