// Package schema makes the keys of all records, and encodes and decodes their values. It also knows which records follow from
// others, so that they can be made again. All functions are pure.
//
// Errors wrap [game.ErrDamaged] or [game.ErrNewer] and never contain stored data.
package schema

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
)

// A key is a topic, NUL, and the parts of the topic's keys. Identifiers hold no NUL, and numbers are big-endian in 8 bytes, so that
// keys sort by them. A position is the place of a result in the log: see [LogPosition]. Each comment says: parts after the topic →
// stored value.
const (
	TopicSlot      = "slot\x00"      // key of a slot → the match that is being played there, or the id of its latest match: see Slot
	TopicMatch     = "match\x00"     // match → an ended match: see EndedMatch
	TopicOpen      = "open\x00"      // when the match began, match → key of the slot in which it is being played
	TopicReceipt   = "receipt\x00"   // request of an ended match, or of a deletion → Receipt; kept until the request is a day old
	TopicPuzzle    = "puzzle\x00"    // kind NUL puzzle → the game before its first guess, the same for all matches of the puzzle
	TopicRecent    = "recent\x00"    // list → its latest answers, oldest first
	TopicResult    = "result\x00"    // position → a result; changed only by Share, Delete and DeleteServer
	TopicNumber    = "number\x00"    // community NUL position → nothing; a match's number is the count of these keys up to its position, and of forgotten ones
	TopicForgotten = "forgotten\x00" // community → how many keys of TopicNumber Forget has removed
	TopicHistory   = "history\x00"   // community NUL position → entry of a match that its community may see
	TopicPlayer    = "player\x00"    // player NUL community NUL position → entry of such a match that names the player; with an empty community, of any match that names the player
	TopicOwn       = "own\x00"       // player NUL community NUL position → entry of a match that the player played alone and has not shared
	TopicDaily     = "daily\x00"     // kind NUL guild NUL number, player → a player's result of a daily puzzle that counts in a guild
	TopicSolved    = "solved\x00"    // kind NUL guild NUL number → nothing; the daily puzzle was solved in the guild
	TopicTotal     = "total\x00"     // player NUL scope → statistics.Total; in a closed month, a player who deleted their data has a pseudonym
	TopicRank      = "rank\x00"      // scope NUL order, player → nothing; the order of a leaderboard
	TopicDeleted   = "deleted\x00"   // month NUL pseudonym → nothing; the player deleted their data before the month was closed, or after playing a daily puzzle of it
	TopicLeague    = "league\x00"    // player NUL number → league.Record: what was imported of the newspaper's puzzle with that number
	TopicAlias     = "alias\x00"     // guild NUL name → Alias: whose a name in the summaries of a server is
	TopicAliased   = "aliased\x00"   // player NUL guild NUL name → nothing; the player has claimed that name
	TopicReview    = "review\x00"    // match → review
	TopicDeleting  = "deleting\x00"  // player → position up to which the player is being made anonymous
	TopicSession   = "session\x00"   // player → session of /solve
	TopicLook      = "look\x00"      // player → how the player wants replies drawn
	TopicServer    = "server\x00"    // guild → what a server has chosen
	TopicChanges   = "changes\x00"   // guild → the latest changes of that, which name the players who made them
	TopicManages   = "manages\x00"   // player NUL guild → nothing; changes of the guild name the player
	TopicMember    = "member\x00"    // guild → when the bot was found to have been removed from it; zero while it is there
	TopicDayPost   = "daypost\x00"   // guild → which daily posts were made
	TopicReminder  = "reminder\x00"  // player → game.Reminder
	TopicBoard     = "board\x00"     // key of a slot → the message that shows its match
	TopicRace      = "race\x00"      // kind NUL channel NUL race → a race, until an hour after its end
	TopicRunning   = "running\x00"   // kind NUL channel → Running
	TopicDue       = "due\x00"       // time due, key of a race, or of a slot where a match in turns or by vote is played → nothing; then a deadline is carried out without a request
	TopicWork      = "work\x00"      // name → who does a regular task, and until when
	TopicAside     = "aside\x00"     // key → the unreadable value that was under it
	TopicProbe     = "probe\x00"     // any text → nothing that matters
	// KeyCopying is there while a copy into the store is not whole. It comes before all other keys.
	KeyCopying = "\x01copying\x00"
	KeySecret  = "secret\x00" // nothing → 32 random bytes, from which daily puzzles are drawn
	KeyGuilds  = "guilds\x00" // nothing → the servers with commands
)

// Nothing is the value of a key that needs none.
var Nothing = []byte{}

// TopicOf returns the topic of a key, without its NUL, for messages.
func TopicOf(key string) string {
	topic, _, _ := strings.Cut(key, "\x00")
	return topic
}

// Number returns n as keys and values have it: big-endian in 8 bytes.
func Number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// Numbered returns a prefix with a number after it.
func Numbered(prefix string, n uint64) string { return prefix + string(Number(n)) }

// beforeNumber is how many identifiers come before the number in a topic's keys; 0 for topics that are not here.
var beforeNumber = map[string]int{TopicNumber: 1, TopicHistory: 1, TopicPlayer: 2, TopicOwn: 2, TopicSolved: 2, TopicDaily: 2, TopicLeague: 1}

// Readable returns a key without its topic for people to read: parts with spaces between them, and numbers escaped.
func Readable(key string) string {
	_, rest, _ := strings.Cut(key, "\x00")
	return strings.Trim(strconv.QuoteToASCII(strings.ReplaceAll(rest, "\x00", " ")), `"`)
}

// NumberIn returns the number in a key of a topic that has one. The numbers of damaged keys, padded with zeros, ascend as the
// keys do, so that a list can be read on after them.
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
func DeletingKey(p game.PlayerID) string { return TopicDeleting + string(p) }
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

func DeletedKey(month string, pseudonym game.PlayerID) string {
	return TopicDeleted + month + "\x00" + string(pseudonym)
}

func RacingKey(r game.Race) string { return dueKey(r.Due(), RaceKey(r)) }

// DueEntry is the entry of a match in [TopicDue]; none if nothing is due in it.
func DueEntry(m game.Match) []ordered.Pair {
	due := m.Order().Due
	if due.IsZero() || m.Status() != game.Playing {
		return nil
	}
	return []ordered.Pair{{Key: dueKey(due, SlotKey(m.Slot())), Value: Nothing}}
}

func dueKey(at time.Time, of string) string { return Numbered(TopicDue, uint64(at.UnixMilli())) + of }

// DueRecord returns the key of the race or slot that a key of [TopicDue] is about.
func DueRecord(key string) string { return key[min(len(key), len(TopicDue)+8):] }

// RunningKey is the key of the race in a channel; a challenge has none. By this key, two processes can't start a race each at
// the same moment.
func RunningKey(r game.Race) string {
	return TopicRunning + string(r.Kind) + "\x00" + string(r.Location.Channel)
}

func TotalKey(p game.PlayerID, s statistics.Scope) string { return TotalsOf(p) + scopeKey(s) }

// ParseTotalKey is the inverse of [TotalKey]. A malformed key gives two empty results.
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

// OwnedBy returns queries for what a player alone has, apart from matches and what follows from them. Nothing of it is read
// again once it is removed.
func OwnedBy(p game.PlayerID) []ordered.Query {
	all := []ordered.Query{ordered.Prefix(TopicBoard + game.PlayerKeyPrefix(p)), ordered.Prefix(TopicAside + TopicSlot + game.PlayerKeyPrefix(p))}
	for _, key := range []string{TopicLook, TopicReminder, TopicSession, TopicAside + TopicLook, TopicAside + TopicSession} {
		all = append(all, ordered.Query{From: key + string(p), To: key + string(p) + "\x00"})
	}
	return all
}

// RanksOf is the prefix of a leaderboard's keys. The [RankOrder] follows, then the player.
func RanksOf(s statistics.Scope) string { return TopicRank + scopeKey(s) + "\x00" }

// DailyOf is the prefix of a daily puzzle's results in a guild.
func DailyOf(k game.Kind, g game.GuildID, n int) string {
	return Numbered(TopicDaily+string(k)+"\x00"+string(g)+"\x00", uint64(n))
}

// Pseudonyms is the prefix of every pseudonym. Players' ids never have it.
const Pseudonyms = "\x01"

// Pseudonymous reports whether a player is the pseudonym of somebody who has deleted their data.
func Pseudonymous(p game.PlayerID) bool { return strings.HasPrefix(string(p), Pseudonyms) }

// ManagesKey is the key that finds a guild whose changes name a player.
func ManagesKey(p game.PlayerID, g game.GuildID) string { return ManagedBy(p) + string(g) }

// ManagedBy is the prefix of the guilds whose changes name a player.
func ManagedBy(p game.PlayerID) string { return TopicManages + string(p) + "\x00" }
