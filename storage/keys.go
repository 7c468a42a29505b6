package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// A key is a topic, NUL, and what the topic's keys have. Identifiers hold no NUL, and numbers
// are big-endian in 8 bytes, so that keys are in their order. A place is that of a result in the log:
// see placeOf. The comments say what the keys have after the topic → what is stored under them.
const (
	topicSlot      = "slot\x00"      // key of a slot → the match that is being played there, the id of its latest match, or a mark: see slotValue
	topicMatch     = "match\x00"     // match → an ended match: see endedValue
	topicOpen      = "open\x00"      // when the match began, match → key of the slot in which it is being played
	topicReceipt   = "receipt\x00"   // request → what the request led to; kept for a day after its match
	topicPuzzle    = "puzzle\x00"    // kind NUL puzzle → the game without a guess, which matches of the puzzle share
	topicRecent    = "recent\x00"    // list → its latest answers, oldest first, each with NUL after it
	topicResult    = "result\x00"    // place → a result; changed only by Share and Clear
	topicNumber    = "number\x00"    // community NUL place → nothing; a match's number is the count of these up to its place
	topicForgotten = "forgotten\x00" // community → how many of those keys Forget has removed
	topicHistory   = "history\x00"   // community NUL place → entry of a match that its community may see
	topicPlayer    = "player\x00"    // player NUL community NUL place → the same, for everyone named in the match; without a community, entry of every match that names the player
	topicOwn       = "own\x00"       // player NUL community NUL place → entry of a match that the player played alone and has not shared
	topicDaily     = "daily\x00"     // kind NUL guild NUL number, player → a player's result of a daily puzzle that counts in a guild
	topicSolved    = "solved\x00"    // kind NUL guild NUL number → nothing; daily puzzles that anybody has solved in a guild
	topicTotal     = "total\x00"     // player NUL scope → game.Total; of somebody who has cleared a history, the player is a pseudonym
	topicRank      = "rank\x00"      // scope NUL order, player → nothing; the order of a leaderboard
	topicCleared   = "cleared\x00"   // month NUL pseudonym → nothing; who has cleared their history in a month that is not closed
	topicReview    = "review\x00"    // match → review
	topicClearing  = "clearing\x00"  // player → place up to which the player is being made anonymous
	topicSession   = "session\x00"   // player → session of /solve
	topicLook      = "look\x00"      // player → how the player wants replies drawn
	topicServer    = "server\x00"    // guild → what a server has chosen
	topicDayPost   = "daypost\x00"   // guild → when and where its day is posted, and what was posted last
	topicBoard     = "board\x00"     // key of a slot → the message that shows its match
	topicRace      = "race\x00"      // kind NUL channel NUL race → a race, until an hour after its end
	topicRunning   = "running\x00"   // kind NUL channel → when the race that is run there ends, and its id
	topicRacing    = "racing\x00"    // when it is due, key of the race → nothing; the races to end or remove without a request
	topicWork      = "work\x00"      // name → who does a regular task, and until when
	topicAside     = "aside\x00"     // key → what could not be read when something else took its place
	topicProbe     = "probe\x00"     // any text → nothing that matters
	keySecret      = "secret\x00"    // nothing → 32 random bytes, from which daily puzzles are drawn
	keyGuilds      = "guilds\x00"    // nothing → the servers with commands, each with NUL after it
)

// nothing is the value of a key that needs none.
var nothing = []byte{}

// topicOf returns the topic of a key, without its NUL, for messages.
func topicOf(key string) string {
	topic, _, _ := strings.Cut(key, "\x00")
	return topic
}

func number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// decodeNumber reads a number; a missing one is 0.
func decodeNumber(p ordered.Pair) (uint64, error) {
	b, err := value(p)
	if err == nil && b != nil && len(b) != 8 {
		err = fmt.Errorf("%s: %w", topicOf(p.Key), game.ErrDamaged)
	}
	if err != nil || b == nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(b), nil
}

func slotKey(s game.Slot) string              { return topicSlot + s.Key() }
func matchKey(m game.MatchID) string          { return topicMatch + string(m) }
func receiptKey(r game.RequestID) string      { return topicReceipt + string(r) }
func resultKey(place uint64) string           { return topicResult + string(number(place)) }
func forgottenKey(community string) string    { return topicForgotten + community }
func numbersOf(community string) string       { return topicNumber + community + "\x00" }
func numberKey(r game.Result) string          { return numbered(numbersOf(r.Location.Community()), r.Place) }
func reviewKey(m game.MatchID) string         { return topicReview + string(m) }
func clearingKey(p game.PlayerID) string      { return topicClearing + string(p) }
func boardKey(s game.Slot) string             { return topicBoard + s.Key() }
func totalsOf(p game.PlayerID) string         { return topicTotal + string(p) + "\x00" }
func historyOf(community string) string       { return topicHistory + community + "\x00" }
func everywhereOf(p game.PlayerID) string     { return playerIn(p, "") }
func numbered(prefix string, n uint64) string { return prefix + string(number(n)) }

func puzzleKey(k game.Kind, p game.PuzzleID) string {
	return topicPuzzle + string(k) + "\x00" + string(p)
}

// playerIn is the prefix of the keys of a player's history in a community.
func playerIn(p game.PlayerID, community string) string {
	return topicPlayer + string(p) + "\x00" + community + "\x00"
}

// ownIn is the prefix of the keys of the matches that a player has played alone in a community.
func ownIn(p game.PlayerID, community string) string {
	return topicOwn + string(p) + "\x00" + community + "\x00"
}

// scopeKey names a scope in keys: kind NUL guild NUL month.
func scopeKey(s game.Scope) string {
	return string(s.Kind) + "\x00" + string(s.Guild) + "\x00" + s.Month
}

func totalKey(p game.PlayerID, s game.Scope) string { return totalsOf(p) + scopeKey(s) }

// parseTotalKey is the inverse of totalKey; of a malformed key, both are empty.
func parseTotalKey(key string) (game.PlayerID, game.Scope) {
	if topicOf(key)+"\x00" != topicTotal || !wellFormed(key) {
		return "", game.Scope{}
	}
	parts := strings.Split(key, "\x00")
	return game.PlayerID(parts[1]), game.Scope{Kind: game.Kind(parts[2]), Guild: game.GuildID(parts[3]), Month: parts[4]}
}

func openKey(u game.Unfinished) string {
	return numbered(topicOpen, uint64(u.Began.UnixMilli())) + string(u.Match)
}

// ranksOf is the prefix of the keys of a leaderboard. The rankOrder follows, and the player, which orders those who compare
// equal.
func ranksOf(s game.Scope) string {
	return topicRank + scopeKey(s) + "\x00"
}

// dailyOf is the prefix of the keys of a daily puzzle's results in a guild.
func dailyOf(k game.Kind, g game.GuildID, n int) string {
	return numbered(topicDaily+string(k)+"\x00"+string(g)+"\x00", uint64(n))
}

func solvedKey(k game.Kind, g game.GuildID, n int) string {
	return numbered(topicSolved+string(k)+"\x00"+string(g)+"\x00", uint64(n))
}

// rankOrder orders the players of a scope who have played as many puzzles, up to [game.PlaceFrom], as
// [game.Totals.Compare] does. Those with more puzzles come first.
func rankOrder(t game.Totals) string {
	const bits = 36 // of the average's fraction: those of a million puzzles each differ by more
	key := binary.BigEndian.AppendUint64(rankGroup(t.Daily.Played), uint64(t.Daily.Score())<<bits/uint64(max(1, t.Daily.Played)))
	return string(binary.BigEndian.AppendUint32(key, ^uint32(t.Daily.Played)))
}

// rankGroup begins the rankOrder of those who have played as many puzzles.
func rankGroup(played int) []byte { return []byte{byte(game.PlaceFrom - min(game.PlaceFrom, played))} }

// rankOrderBytes is the length of a rankOrder.
const rankOrderBytes = 13

// value returns what a pair has, or an error that wraps [game.ErrDamaged] and never contains it.
func value(p ordered.Pair) ([]byte, error) {
	if p.Damaged {
		return nil, fmt.Errorf("%s: %w", topicOf(p.Key), game.ErrDamaged)
	}
	return p.Value, nil
}

// storedMatch is a match with the requests that led to its versions 1, 2, ….
type storedMatch struct {
	game.Match
	requests []game.RequestID
}

// slotValue is what a slot holds: a match that is being played, the id of one that has ended, or
// the mark that one was played there. A match stays in its slot until it ends, so that a guess reads
// and writes one key. A slot without a match is zero.
type slotValue struct {
	storedMatch                // while it is being played; otherwise its version is 0
	ended       game.MatchID   // of a match that has ended
	cleared     game.RequestID // of a mark: the request that cleared its player's history
}

// endedIn and clearedBy return what a slot has that is of a match that has ended, or a mark.
func endedIn(id game.MatchID) []byte          { return []byte("=" + string(id)) }
func clearedBy(request game.RequestID) []byte { return []byte("-" + string(request)) }

// decodeSlot reads what a slot has.
func (s *Store) decodeSlot(p ordered.Pair) (v slotValue, err error) {
	switch b, err := value(p); {
	case err != nil || b == nil:
		return v, err
	case len(b) > 1 && b[0] == '=':
		v.ended = game.MatchID(b[1:])
	case len(b) > 1 && b[0] == '-':
		v.cleared = game.RequestID(b[1:])
	default:
		if known, ok := s.recent.get(p.Key); ok && bytes.Equal(known.Value, b) {
			return known.slotValue, nil
		}
		v.Match, v.requests, err = s.codecs.DecodeMatch(b)
		return v, err
	}
	return v, nil
}

// endedValue is an ended match as it is stored.
type endedValue struct {
	storedMatch
	place uint64 // of its result in the log
}

// encodeEnded returns the pairs of an ended match and of its result.
func (s *Store) encodeEnded(v endedValue, r game.Result) ([]ordered.Pair, error) {
	data, err := s.codecs.EncodeMatch(v.Match, v.requests)
	if err != nil {
		return nil, err
	}
	result, err := record.EncodeResult(r)
	if err != nil {
		return nil, err
	}
	return []ordered.Pair{
		{Key: matchKey(v.ID), Value: append(number(v.place), data...)}, {Key: resultKey(v.place), Value: result},
	}, nil
}

// decodeEnded reads an ended match. One that is missing is damaged.
func (s *Store) decodeEnded(p ordered.Pair) (v endedValue, err error) {
	b, err := value(p)
	id := game.MatchID(p.Key[len(topicMatch):])
	switch {
	case err != nil:
		return v, err
	case len(b) < 8:
		return v, fmt.Errorf("match %s is missing or too short: %w", id, game.ErrDamaged)
	}
	v.place = binary.BigEndian.Uint64(b)
	v.Match, v.requests, err = s.codecs.DecodeMatch(b[8:])
	if err == nil && v.ID != id {
		err = fmt.Errorf("match %s says that it is %s: %w", id, v.ID, game.ErrDamaged)
	}
	if err != nil {
		return endedValue{}, err
	}
	return v, nil
}

// decodeAs reads a record of a topic that has a format number, and is zero if it is missing.
func decodeAs[T any](p ordered.Pair, newest int) (v T, err error) {
	b, err := value(p)
	if err == nil && b != nil {
		if v, err = record.Decode[T](b, newest); err != nil {
			err = fmt.Errorf("%s: %w", topicOf(p.Key), err)
		}
	}
	return v, err
}

// The formats of what has its own type here.
const (
	totalFormat = 1
	raceFormat  = 1
	boardFormat = 1
	workFormat  = 1
)

// decodeTotal reads a player's totals, and whose and of which scope they are. Missing ones are zero, but for the player.
func decodeTotal(p ordered.Pair) (game.Total, game.Scope, error) {
	player, scope := parseTotalKey(p.Key)
	t, err := decodeAs[game.Total](p, totalFormat)
	if err == nil && p.Value == nil {
		t.Player = player
	}
	if err == nil && (player == "" || t.Player != player) {
		err = fmt.Errorf("total: not of the player that its key names: %w", game.ErrDamaged)
	}
	return t, scope, err
}

// discordEpoch is where the times in snowflakes begin, in milliseconds of Unix time:
// discord.com/developers/docs/reference#snowflakes.
const discordEpoch = 1_420_070_400_000

// placeOf returns where a result belongs in the log: the snowflake of the request that ended its
// match or, for a request whose id is not a snowflake, one of the time at which the match ended.
func placeOf(r game.RequestID, ended time.Time, id game.MatchID) uint64 {
	const otherBits = 22
	_, snowflake := r.Made()
	if n, err := strconv.ParseUint(string(r), 10, 64); err == nil && snowflake {
		return n
	}
	rest := uint64(0) // so that matches that end in the same millisecond have different places, in the order in which they began
	if began, ok := game.RequestID(id).Made(); ok {
		rest = uint64(began.Unix())
	} else {
		for _, b := range []byte(id) {
			rest = rest*31 + uint64(b)
		}
	}
	return uint64(max(0, ended.UnixMilli()-discordEpoch))<<otherBits | rest&(1<<otherBits-1)
}

// timeOf returns the time of a place in the log.
func timeOf(place uint64) time.Time {
	return time.UnixMilli(int64(place>>22) + discordEpoch).UTC()
}
