package bolt

import (
	"bytes"
	"crypto/rand"
	"slices"
	"strconv"
	"strings"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// secretSize is how long the secret of a file is, in bytes.
const secretSize = 32

// nameKinds writes the kind of game where format 4 did not: in the keys of slots and in
// the entries of histories. It lets recent answers have any length, stores the puzzles
// that matches have shared so far, and makes the secret with which new ones are drawn.
func nameKinds(tx *bbolt.Tx) error {
	if _, err := tx.CreateBucket(bucketPuzzles); err != nil {
		return err
	}
	secret := make([]byte, secretSize)
	rand.Read(secret) // never fails
	if err := tx.Bucket(bucketMeta).Put(keySecret, secret); err != nil {
		return err
	}
	b := buckets{tx, record.All()}
	if err := b.renameSlots(); err != nil {
		return err
	}
	if err := b.keepPuzzles(); err != nil {
		return err
	}
	if err := b.separateAnswers(); err != nil {
		return err
	}
	for _, index := range [][]byte{bucketHistory, bucketPlayers} {
		if err := b.rewriteEntries(index); err != nil {
			return err
		}
	}
	return nil
}

// renameSlots gives every slot its key of format 5.
func (b buckets) renameSlots() error {
	slots := b.Bucket(bucketSlots)
	var old, all []row
	err := slots.ForEach(func(key, id []byte) error {
		old = append(old, row{bucketSlots, bytes.Clone(key), nil})
		all = append(all, row{bucketSlots, []byte(slotOfFormat4(string(key)).Key()), bytes.Clone(id)})
		return nil
	})
	if err != nil {
		return err
	}
	if err := b.put(old...); err != nil {
		return err
	}
	sortRows(all)
	return b.put(all...)
}

// keepPuzzles writes down the daily puzzles. It looks at all matches, since no slot
// leads to those of players who have cleared their history.
func (b buckets) keepPuzzles() error {
	var all []row
	err := b.Bucket(bucketMatches).ForEach(func(id, _ []byte) error {
		m, err := b.loadMatch(id)
		if err != nil || m.Puzzle == "" {
			return err
		}
		puzzle, err := b.codecs.EncodePuzzle(m.Kind, m.State)
		all = append(all, row{bucketPuzzles, puzzleKey(m.Kind, m.Puzzle), puzzle})
		return err
	})
	if err != nil {
		return err
	}
	return b.put(all...)
}

// slotOfFormat4 reads a key: a channel alone or before NUL and the kind, or NUL, the
// kind, NUL, the player, and for a daily puzzle NUL and its number.
func slotOfFormat4(key string) game.Slot {
	own, ok := strings.CutPrefix(key, "\x00")
	if !ok {
		channel, kind, named := strings.Cut(key, "\x00")
		if !named {
			kind = string(game.Wordle)
		}
		return game.ChannelSlot(game.Kind(kind), game.ChannelID(channel))
	}
	parts := strings.Split(own, "\x00")
	s := game.Slot{Kind: game.Kind(parts[0])}
	if len(parts) > 1 {
		s.Player = game.PlayerID(parts[1])
	}
	if len(parts) > 2 {
		number, _ := strconv.Atoi(parts[2]) // 0, which is no puzzle, if it cannot be read
		s.Puzzle = game.DailyPuzzle(number)
	}
	return s
}

// separateAnswers writes a NUL after every answer, and the kind before the list's name. Format 4 had words only, one right after the other.
func (b buckets) separateAnswers() error {
	const length = 5 // of a word
	var old, all []row
	err := b.Bucket(bucketRecent).ForEach(func(list, words []byte) error {
		if len(words)%length != 0 {
			return game.ErrDamaged
		}
		var answers []string
		for word := range slices.Chunk(words, length) {
			answers = append(answers, string(word))
		}
		old = append(old, row{bucketRecent, bytes.Clone(list), nil})
		all = append(all, row{bucketRecent, []byte(string(game.Wordle) + " " + string(list)), encodeAnswers(answers)})
		return nil
	})
	if err != nil {
		return err
	}
	return b.put(append(old, all...)...)
}

// rewriteEntries writes every entry of an index from its result.
func (b buckets) rewriteEntries(index []byte) error {
	var all []row
	err := b.Bucket(index).ForEach(func(key, old []byte) error {
		if len(old) < entryHead {
			return game.ErrDamaged
		}
		r, err := b.loadResult(old[:8])
		if err != nil {
			return err
		}
		e, err := b.entryOf(r)
		all = append(all, row{index, bytes.Clone(key), e.encode()})
		return err
	})
	if err != nil {
		return err
	}
	return b.put(all...)
}
