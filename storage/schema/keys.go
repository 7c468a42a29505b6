// Package schema has the keys of all that is stored, and how to read and write what is under them. It also knows which
// records follow from others, so that they can be made again. All functions are pure.
//
// Errors wrap [game.ErrDamaged] or [game.ErrNewer] and never contain what is stored.
package schema

import (
	"encoding/binary"
	"strings"

	"fivefold/game"
	"fivefold/game/statistics"
)

// A key is a topic, NUL, and the parts of the topic's keys. Identifiers hold no NUL, and numbers are big-endian in
// 8 bytes, so that keys sort by them. A position is that of a result in the log: see [LogPosition]. The comments say
// what follows the topic in a key → what is stored there.
const (
	TopicSlot      = "slot\x00"      // key of a slot → the match that is being played there, the id of its latest match, or a tombstone: see Slot
	TopicMatch     = "match\x00"     // match → an ended match: see Ended
	TopicOpen      = "open\x00"      // when the match began, match → key of the slot in which it is being played
	TopicReceipt   = "receipt\x00"   // request → what the request led to; kept for a day after its match
	TopicPuzzle    = "puzzle\x00"    // kind NUL puzzle → the game without a guess, which matches of the puzzle share
	TopicRecent    = "recent\x00"    // list → its latest answers, oldest first
	TopicResult    = "result\x00"    // position → a result; changed only by Share and Clear
	TopicNumber    = "number\x00"    // community NUL position → nothing; a match's number is the count of these up to its position
	TopicForgotten = "forgotten\x00" // community → how many of those keys Forget has removed
	TopicHistory   = "history\x00"   // community NUL position → entry of a match that its community may see
	TopicPlayer    = "player\x00"    // player NUL community NUL position → the same, for everyone named in the match; without a community, entry of every match that names the player
	TopicOwn       = "own\x00"       // player NUL community NUL position → entry of a match that the player played alone and has not shared
	TopicDaily     = "daily\x00"     // kind NUL guild NUL number, player → a player's result of a daily puzzle that counts in a guild
	TopicSolved    = "solved\x00"    // kind NUL guild NUL number → nothing; daily puzzles that anybody has solved in a guild
	TopicTotal     = "total\x00"     // player NUL scope → statistics.Total; of somebody who has cleared a history, the player is a pseudonym
	TopicRank      = "rank\x00"      // scope NUL order, player → nothing; the order of a leaderboard
	TopicCleared   = "cleared\x00"   // month NUL pseudonym → nothing; who has cleared their history in a month that is not closed
	TopicReview    = "review\x00"    // match → review
	TopicClearing  = "clearing\x00"  // player → position up to which the player is being made anonymous
	TopicSession   = "session\x00"   // player → session of /solve
	TopicLook      = "look\x00"      // player → how the player wants replies drawn
	TopicServer    = "server\x00"    // guild → what a server has chosen
	TopicDayPost   = "daypost\x00"   // guild → when and where its day is posted, and what was posted last
	TopicBoard     = "board\x00"     // key of a slot → the message that shows its match
	TopicRace      = "race\x00"      // kind NUL channel NUL race → a race, until an hour after its end
	TopicRunning   = "running\x00"   // kind NUL channel → Running
	TopicRacing    = "racing\x00"    // when it is due, key of the race → nothing; the races to end or remove without a request
	TopicWork      = "work\x00"      // name → who does a regular task, and until when
	TopicAside     = "aside\x00"     // key → what could not be read when something else took its place
	TopicProbe     = "probe\x00"     // any text → nothing that matters
	// KeyCopying is there while a copy into the store is not whole. It comes before all other keys.
	KeyCopying = "\x01copying\x00"
	KeySecret  = "secret\x00" // nothing → 32 random bytes, from which daily puzzles are drawn
	KeyGuilds  = "guilds\x00" // nothing → the servers with commands, each with NUL after it
)

// Nothing is the value of a key that needs none.
var Nothing = []byte{}

// TopicOf returns the topic of a key, without its NUL, for messages.
func TopicOf(key string) string {
	topic, _, _ := strings.Cut(key, "\x00")
	return topic
}

// Number returns a number as keys and values have it.
func Number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// Numbered returns the key with a prefix and a number.
func Numbered(prefix string, n uint64) string { return prefix + string(Number(n)) }

// beforeNumber is how many identifiers come before the number in the keys of a topic, if there are any.
var beforeNumber = map[string]int{TopicNumber: 1, TopicHistory: 1, TopicPlayer: 2, TopicOwn: 2, TopicSolved: 2}

// NumberIn returns the number in a key of a topic that has one. Damaged keys have numbers in the order of keys, so that a
// list can be read on after them.
func NumberIn(key string) uint64 {
	topic, rest, _ := strings.Cut(key, "\x00")
	for range beforeNumber[topic+"\x00"] {
		_, rest, _ = strings.Cut(rest, "\x00")
	}
	return binary.BigEndian.Uint64([]byte((rest + "\x00\x00\x00\x00\x00\x00\x00\x00")[:8]))
}

// The keys of single records.

func SlotKey(s game.Slot) string           { return TopicSlot + s.Key() }
func MatchKey(m game.MatchID) string       { return TopicMatch + string(m) }
func ReceiptKey(r game.RequestID) string   { return TopicReceipt + string(r) }
func ResultKey(position uint64) string     { return Numbered(TopicResult, position) }
func ForgottenKey(community string) string { return TopicForgotten + community }
func NumberKey(r game.Result) string {
	return Numbered(NumbersOf(r.Location.Community()), r.LogPosition)
}
func ReviewKey(m game.MatchID) string    { return TopicReview + string(m) }
func ClearingKey(p game.PlayerID) string { return TopicClearing + string(p) }
func BoardKey(s game.Slot) string        { return TopicBoard + s.Key() }
func RaceKey(r game.Race) string         { return RacesOf(r.Kind, r.Location.Channel) + string(r.ID) }

func OpenKey(u game.Unfinished) string {
	return Numbered(TopicOpen, uint64(u.Began.UnixMilli())) + string(u.Match)
}

func PuzzleKey(k game.Kind, p game.PuzzleID) string {
	return TopicPuzzle + string(k) + "\x00" + string(p)
}

func SolvedKey(k game.Kind, g game.GuildID, n int) string {
	return Numbered(TopicSolved+string(k)+"\x00"+string(g)+"\x00", uint64(n))
}

func ClearedKey(month string, pseudonym game.PlayerID) string {
	return TopicCleared + month + "\x00" + string(pseudonym)
}

func RacingKey(r game.Race) string {
	return Numbered(TopicRacing, uint64(r.Due().UnixMilli())) + RaceKey(r)
}

// RaceOfDue returns the key of the race that a key of [TopicRacing] is about.
func RaceOfDue(key string) string { return key[min(len(key), len(TopicRacing)+8):] }

// RunningKey is the key of a channel's race, apart from challenges. Two processes can't start one each at the same moment.
func RunningKey(r game.Race) string {
	return TopicRunning + string(r.Kind) + "\x00" + string(r.Location.Channel)
}

func TotalKey(p game.PlayerID, s statistics.Scope) string { return TotalsOf(p) + scopeKey(s) }

// ParseTotalKey is the inverse of [TotalKey]; of a malformed key, both are empty.
func ParseTotalKey(key string) (game.PlayerID, statistics.Scope) {
	parts := strings.Split(key, "\x00")
	if len(parts) != 5 {
		return "", statistics.Scope{}
	}
	return game.PlayerID(parts[1]), statistics.Scope{Kind: game.Kind(parts[2]), Guild: game.GuildID(parts[3]), Month: parts[4]}
}

// scopeKey names a scope in keys: kind NUL guild NUL month.
func scopeKey(s statistics.Scope) string {
	return string(s.Kind) + "\x00" + string(s.Guild) + "\x00" + s.Month
}

// The prefixes of the keys of lists.

func NumbersOf(community string) string   { return TopicNumber + community + "\x00" }
func TotalsOf(p game.PlayerID) string     { return TopicTotal + string(p) + "\x00" }
func HistoryOf(community string) string   { return TopicHistory + community + "\x00" }
func EverywhereOf(p game.PlayerID) string { return PlayerIn(p, "") }
func RacesOf(k game.Kind, c game.ChannelID) string {
	return TopicRace + string(k) + "\x00" + string(c) + "\x00"
}

// PlayerIn is the prefix of a player's history in a community.
func PlayerIn(p game.PlayerID, community string) string {
	return TopicPlayer + string(p) + "\x00" + community + "\x00"
}

// OwnIn is the prefix of the matches that a player played alone in a community.
func OwnIn(p game.PlayerID, community string) string {
	return TopicOwn + string(p) + "\x00" + community + "\x00"
}

// RanksOf is the prefix of a leaderboard. The [RankOrder] follows, then the player, which orders equal ones.
func RanksOf(s statistics.Scope) string { return TopicRank + scopeKey(s) + "\x00" }

// DailyOf is the prefix of a daily puzzle's results in a guild.
func DailyOf(k game.Kind, g game.GuildID, n int) string {
	return Numbered(TopicDaily+string(k)+"\x00"+string(g)+"\x00", uint64(n))
}

// Pseudonyms is the prefix of every pseudonym. Players' ids never have it.
const Pseudonyms = "\x01"

// Pseudonymous reports whether a player is the pseudonym of somebody who has cleared their history.
func Pseudonymous(p game.PlayerID) bool { return strings.HasPrefix(string(p), Pseudonyms) }
