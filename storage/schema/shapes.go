package schema

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// shapes are the parts of each topic's keys, as in the comments of keys.go: an identifier in UTF-8 (i), one that may be
// empty (o) or must be (e), each with NUL after it unless it comes last; a number (n); the order of a leaderboard (r);
// anything (*); nothing (-). A topic may have several shapes, with spaces between.
var shapes = map[string]string{
	TopicSlot: "oi oii eiio eiioi", TopicBoard: "oi oii eiio eiioi",
	TopicMatch: "i", TopicReceipt: "i", TopicRecent: "i", TopicForgotten: "i", TopicReview: "i", TopicClearing: "i", TopicSession: "i",
	TopicLook: "i", TopicServer: "i", TopicDayPost: "i", TopicWork: "i",
	TopicOpen: "ni", TopicResult: "n", TopicNumber: "in", TopicHistory: "in", TopicPlayer: "ion", TopicOwn: "iin",
	TopicDaily: "ioni", TopicSolved: "ion", TopicTotal: "iioo", TopicRank: "ioori", TopicCleared: "ii",
	TopicPuzzle: "ii", TopicRace: "ioi", TopicRunning: "io", TopicRacing: "n*", TopicAside: "*", TopicProbe: "*", KeySecret: "-", KeyCopying: "-", KeyGuilds: "-",
}

// WellFormed reports whether a key has a topic and the parts that its topic's keys have.
func WellFormed(key string) bool {
	topic, rest, _ := strings.Cut(key, "\x00")
	for shape := range strings.FieldsSeq(shapes[topic+"\x00"]) {
		if len(key) > len(topic) && fits(rest, shape) {
			return true
		}
	}
	return false
}

func fits(rest, shape string) bool {
	for i, part := range shape {
		size := 0
		switch part {
		case 'n':
			size = 8
		case 'r':
			size = RankOrderBytes
		case '*':
			return true
		case 'i', 'o', 'e':
			text, after, more := strings.Cut(rest, "\x00")
			if more != (i+1 < len(shape)) || !utf8.ValidString(text) || part == 'i' && text == "" || part == 'e' && text != "" {
				return false
			}
			rest = after
		}
		if len(rest) < size {
			return false
		}
		rest = rest[size:]
	}
	return rest == ""
}

// NumberIn returns the number in a key of a topic that has one. A malformed key has one too, in the order of keys, so
// that a list can be read on after it.
func NumberIn(key string) uint64 {
	topic, rest, _ := strings.Cut(key, "\x00")
	for range strings.IndexByte(shapes[topic+"\x00"], 'n') {
		_, rest, _ = strings.Cut(rest, "\x00")
	}
	return binary.BigEndian.Uint64([]byte((rest + "\x00\x00\x00\x00\x00\x00\x00\x00")[:8]))
}
