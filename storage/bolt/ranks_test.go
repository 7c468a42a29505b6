package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// chunkSizes returns the sizes of a guild's chunks after comparing each with the
// keys that it has.
func chunkSizes(t *testing.T, r ranks) (sizes []int) {
	t.Helper()
	var bounds [][]byte
	c := r.chunks.Cursor()
	for k, v := c.Seek(r.prefix); bytes.HasPrefix(k, r.prefix); k, v = c.Next() {
		bounds = append(bounds, k)
		sizes = append(sizes, int(binary.BigEndian.Uint64(v)))
	}
	counted := make([]int, len(sizes))
	keys := r.keys.Cursor()
	for k, _ := keys.Seek(r.prefix); bytes.HasPrefix(k, r.prefix); k, _ = keys.Next() {
		i, found := slices.BinarySearchFunc(bounds, k, bytes.Compare)
		if !found {
			i--
		}
		if i < 0 {
			t.Fatalf("the key %x is before every chunk", k)
		}
		counted[i]++
	}
	if !slices.Equal(sizes, counted) {
		t.Fatalf("the chunks say %v, but hold %v", sizes, counted)
	}
	for i := 1; i < len(sizes); i++ {
		if sizes[i-1]+sizes[i] <= joinChunk {
			t.Fatalf("neighbours have not joined: %v", sizes)
		}
	}
	return sizes
}

// TestRanksAgainstSortedSlices does random things to the lists of guilds whose
// names begin alike, and to sorted slices. The lists grow and shrink, so that chunks
// split and join.
func TestRanksAgainstSortedSlices(t *testing.T) {
	s := mustOpenDamaged(t, filepath.Join(t.TempDir(), "test.db"))
	defer s.Close()
	random := rand.New(rand.NewPCG(11, 12))
	guilds := []game.GuildID{"1", "12", "123", "2"}
	model := map[game.GuildID][][]byte{}
	randomKey := func(i int) []byte {
		return rankKey(game.Totals{
			WonCredit: random.IntN(40), Credit: 40 + random.IntN(10), Attempts: random.IntN(50), Player: game.PlayerID(fmt.Sprint("p", i)),
		})
	}
	chunks, splits, joins := 0, 0, 0
	const rounds, steps = 24, 2000
	for round := range rounds {
		growing := round%8 < 4
		if err := s.db.Update(func(tx *bbolt.Tx) error {
			b := buckets{tx, testCodecs}
			for i := range steps {
				guild := guilds[random.IntN(len(guilds))]
				list, keys := b.ranksOf(game.Scope{Kind: game.Wordle, Guild: guild}), model[guild]
				if random.IntN(10) < 8 == growing {
					key := randomKey(round*steps + i)
					at, _ := slices.BinarySearchFunc(keys, key, bytes.Compare)
					model[guild] = slices.Insert(keys, at, key)
					if err := list.insert(key); err != nil {
						return err
					}
				} else if len(keys) > 0 {
					at := random.IntN(len(keys))
					key := keys[at]
					model[guild] = slices.Delete(keys, at, at+1)
					if err := list.remove(key); err != nil {
						return err
					}
				}
				if i%10 == 0 {
					checkRank(t, list, model[guild], randomKey(0)[:rankKeyPlayer])
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := s.db.View(func(tx *bbolt.Tx) error {
			now := 0
			for _, guild := range guilds {
				sizes := chunkSizes(t, buckets{tx, testCodecs}.ranksOf(game.Scope{Kind: game.Wordle, Guild: guild}))
				for _, size := range sizes {
					if size > maxChunk {
						t.Errorf("guild %s has a chunk of %d", guild, size)
					}
				}
				now += len(sizes)
			}
			splits += max(0, now-chunks)
			joins += max(0, chunks-now)
			chunks = now
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if splits < 20 || joins < 20 {
		t.Errorf("chunks were split %d times and joined %d times: too few to mean anything", splits, joins)
	}
}

// checkRank compares the top and the count before a key with a sorted slice.
func checkRank(t *testing.T, list ranks, keys [][]byte, key []byte) {
	t.Helper()
	want, _ := slices.BinarySearchFunc(keys, key, bytes.Compare)
	if before, all, err := list.count(key); before != want || all != len(keys) || err != nil {
		t.Fatalf("%d of %d keys before %x, %v; want %d of %d", before, all, key, err, want, len(keys))
	}
	if got, want := list.top(10), keys[:min(10, len(keys))]; !slices.EqualFunc(got, want, bytes.Equal) {
		t.Fatalf("the top is %x, want %x", got, want)
	}
}

// TestRanksEmptied: a list that was emptied is as good as new.
func TestRanksEmptied(t *testing.T) {
	s := mustTemp(t)
	defer s.Close()
	if err := s.db.Update(func(tx *bbolt.Tx) error {
		list := buckets{tx, testCodecs}.ranksOf(game.Scope{Kind: game.Wordle, Guild: "g"})
		key := func(i int) []byte { return rankKey(game.Totals{WonCredit: i, Credit: i, Player: "p"}) }
		for range 2 {
			for i := range 3 * maxChunk {
				if err := list.insert(key(i)); err != nil {
					return err
				}
			}
			if n := len(chunkSizes(t, list)); n < 3 {
				t.Errorf("%d keys are in %d chunks", 3*maxChunk, n)
			}
			for i := range 3 * maxChunk {
				if err := list.remove(key(i)); err != nil {
					return err
				}
			}
			checkRank(t, list, nil, key(7))
			if sizes := chunkSizes(t, list); len(sizes) > 1 {
				t.Errorf("an empty list has the chunks %v", sizes)
			}
		}
		if err := list.remove(key(1)); !errors.Is(err, game.ErrDamaged) {
			t.Errorf("removing what is not there: %v", err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestRanksOfDamagedSize: a size that no chunk can have is not believed.
func TestRanksOfDamagedSize(t *testing.T) {
	s := mustTemp(t)
	within(t, "the list", func() {
		err := update(s.db, func(tx *bbolt.Tx) error {
			list := buckets{tx, testCodecs}.ranksOf(game.Scope{Kind: game.Wordle, Guild: "g"})
			if err := list.insert([]byte("a")); err != nil {
				return err
			}
			if err := list.chunks.Put(list.prefix, number(1<<60)); err != nil {
				return err
			}
			return list.insert([]byte("b"))
		})
		if !errors.Is(err, game.ErrDamaged) {
			t.Errorf("got %v, want %v", err, game.ErrDamaged)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestRankKeyOrder: the keys' order is the leaderboard's.
func TestRankKeyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	totals := func() game.Totals {
		won := 500 * random.IntN(3)
		return game.Totals{WonCredit: won, Credit: won + 500*random.IntN(3), Attempts: won * (1 + random.IntN(3)), Helped: random.IntN(2), Player: "p"}
	}
	for range 5000 {
		a, b := totals(), totals()
		if got, want := bytes.Compare(rankKey(a), rankKey(b)), a.Compare(b); got != want {
			t.Fatalf("the keys of %+v and %+v compare as %d, want %d", a, b, got, want)
		}
	}
}
