package schema

import (
	"encoding/binary"
	"math"
	"strings"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
)

// Entry is a match in a history: the position of its result, and the values that filters compare, so that a match can be
// skipped without loading it. Its key ends in the position. Its value is a byte each for the status, the kind (as its codec
// says) and the length of the channel; then the channel whose readers see the match, and the answer.
type Entry struct {
	Position uint64
	status   byte
	kind     byte
	Channel  game.ChannelID
	answer   string
}

// statusBytes encode how a match ended. A fourth one, 'g', means stopped and counted as lost.
var statusBytes = map[game.Status]byte{game.Won: 'w', game.Lost: 'l', game.Stopped: 's'}

// entryHead is the length of an entry without its channel and answer.
const entryHead = 1 + 1 + 1

func (e Entry) encode() []byte {
	b := append([]byte{e.status, e.kind, byte(len(e.Channel))}, e.Channel...)
	return append(b, e.answer...)
}

// DecodeEntry reads an entry of a history.
func DecodeEntry(p ordered.Pair) (Entry, error) {
	b, err := Value(p)
	if err == nil && (len(b) < entryHead || len(b) < entryHead+int(b[2])) {
		err = damaged(p)
	}
	if err != nil {
		return Entry{}, err
	}
	channel := b[entryHead : entryHead+int(b[2])]
	return Entry{NumberIn(p.Key), b[0], b[1], game.ChannelID(channel), string(b[entryHead+len(channel):])}, nil
}

// Passes reports whether an entry passes a filter, whose Without it ignores. The kind is the codec's byte for the filter's
// kind.
func (e Entry) Passes(f finished.Filter, kind byte) bool {
	of := map[game.Status]string{"": "wlsg", game.Won: "w", game.Lost: "lg", game.Stopped: "sg"}[f.Status]
	return strings.ContainsRune(of, rune(e.status)) && (!f.PlayedOut || e.status == 'w' || e.status == 'l') &&
		(f.Kind == "" || e.kind == kind) && (f.Answer == "" || strings.Contains(" "+e.answer+" ", " "+f.Answer+" ")) // several boards have several words
}

// EntriesOf returns the entries of a result in the histories, and in the lists of daily puzzles. A public match has an entry in
// its community's history, and one in the community for each person named. Any other match is only in its players' own lists
// there. Each person named also has an entry everywhere. If nobody is named, there are no entries.
//
// So a player sees the union of two lists, and games that others played alone cost a page no time.
func (all Codecs) EntriesOf(r game.Result, named []game.PlayerID) ([]ordered.Pair, error) {
	codec, err := all.Of(r.Kind)
	if err != nil || len(named) == 0 {
		return nil, err
	}
	community, position := r.Location.Community(), r.LogPosition
	status := statusBytes[r.Status]
	if r.Status == game.Stopped && r.CountsAsLost() {
		status = 'g'
	}
	data := Entry{position, status, codec.Byte(), r.Channel(), r.Answer}.encode()
	in := OwnIn
	var entries []ordered.Pair
	if r.Public() {
		in = PlayerIn
		entries = append(entries, ordered.Pair{Key: Numbered(HistoryOf(community), position), Value: data})
	}
	for _, p := range named {
		entries = append(entries,
			ordered.Pair{Key: Numbered(in(p, community), position), Value: data},
			ordered.Pair{Key: Numbered(EverywhereOf(p), position), Value: data})
	}
	return append(entries, DailyEntries(r)...), nil
}

// DailyEntries returns the pairs of a daily puzzle's result in the guilds where it counts. A value is the position of the
// result, a byte each for the status, the guesses, how many there were at most, the hints and the length of the match, the match,
// and the player's name.
func DailyEntries(r game.Result) (entries []ordered.Pair) {
	n, _ := r.Puzzle.Day()
	if r.Month() == "" {
		return nil
	}
	for _, g := range r.CountsIn() {
		for _, p := range r.Known() {
			value := append(Number(r.LogPosition), statusBytes[p.Outcome], byte(p.Guesses), byte(r.Limit), byte(min(p.Hints, math.MaxUint8)), byte(len(r.Match)))
			value = append(append(value, r.Match...), r.Names[p.Player]...)
			entries = append(entries, ordered.Pair{Key: DailyOf(r.Kind, g, n) + string(p.Player), Value: value})
		}
	}
	return entries
}

// DecodeDaily reads a result of a daily puzzle, and its position in the log.
func DecodeDaily(p ordered.Pair) (statistics.DailyResult, uint64, error) {
	b, err := Value(p)
	parts := strings.SplitN(p.Key, "\x00", 4)
	const head = 8 + 1 + 1 + 1 + 1 + 1
	if err == nil && (len(b) < head || b[head-1] == 0 || len(b) < head+int(b[head-1]) || b[9]-1 >= b[10] && b[8] == statusBytes[game.Won]) {
		err = damaged(p)
	}
	if err != nil {
		return statistics.DailyResult{}, 0, err
	}
	name := head + int(b[head-1])
	return statistics.DailyResult{
		Player: game.PlayerID(parts[3][8:]), Name: string(b[name:]), Match: game.MatchID(b[head:name]), Won: b[8] == statusBytes[game.Won], Guesses: int(b[9]), Limit: int(b[10]), Hints: int(b[11]),
	}, binary.BigEndian.Uint64(b), nil
}

// SolvedIn returns a pair for each guild where a result counts as a solved daily puzzle. The pairs stay when its player's
// data is deleted.
func SolvedIn(r game.Result) (pairs []ordered.Pair) {
	n, daily := r.Puzzle.Daily()
	if !daily || r.Mode != game.Daily || r.Status != game.Won {
		return nil
	}
	for _, g := range r.CountsIn() {
		pairs = append(pairs, ordered.Pair{Key: SolvedKey(r.Kind, g, n), Value: Nothing})
	}
	return pairs
}
