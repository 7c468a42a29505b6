package storage_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
)

// TestMap: every engine does what package ordered promises.
func TestMap(t *testing.T) {
	for name, engine := range engines {
		t.Run(name, func(t *testing.T) { testMap(t, name != "memory", engine) })
	}
	// As behind poolers that give each transaction another connection: without prepared statements.
	for _, mode := range []string{"exec", "simple_protocol"} {
		t.Run(mode, func(t *testing.T) { testMap(t, true, database(mode)) })
	}
}

// testMap calls each test of an engine with what opens the map of the test, which is empty at first. An engine that
// keeps nothing when it is closed is opened once.
func testMap(t *testing.T, keeps bool, engine func(tb testing.TB) func() (ordered.Map, error)) {
	for name, test := range map[string]func(t *testing.T, open func() ordered.Map){
		"Model":     func(t *testing.T, open func() ordered.Map) { testMapModel(t, keeps, open) },
		"Counters":  testMapCounters,
		"Cancelled": testMapCancelled,
		"Expired":   testMapExpired,
	} {
		t.Run(name, func(t *testing.T) {
			place := engine(t)
			test(t, func() ordered.Map {
				m, err := place()
				if err != nil {
					t.Fatal(err)
				}
				return m
			})
		})
	}
}

// randomKey returns one of a few hundred keys, with bytes at both ends of the order.
func randomKey(random *rand.Rand) string {
	key := []string{"a", "a\x00", "b\x00\x00", "b\xff", "b\xff\xff", "ü"}[random.IntN(6)]
	for range random.IntN(3) {
		key += string([]byte{[]byte{0, 1, 'k', 254, 255}[random.IntN(5)]})
	}
	return key
}

// testMapModel makes random changes to an engine and to memory, and compares all that can be read.
func testMapModel(t *testing.T, keeps bool, open func() ordered.Map) {
	m, plain, ctx := open(), &orderedtest.Memory{}, t.Context()
	random := rand.New(rand.NewPCG(21, 22))
	conflicts := 0
	for step := range 600 {
		var c ordered.Change
		for range random.IntN(4) {
			key := randomKey(random)
			there, _ := plain.Get(ctx, key)
			p := there[0]
			switch random.IntN(24) {
			case 0, 1:
				p.Value = append(p.Value, 'x')
			case 2:
				p.Value = nil
			case 3:
				p.Value = []byte{}
			}
			c.If = append(c.If, p)
		}
		set := map[string]bool{}
		for range random.IntN(6) {
			p := ordered.Pair{Key: randomKey(random)}
			if len(c.If) > 0 && random.IntN(2) == 0 {
				p.Key = c.If[random.IntN(len(c.If))].Key
			}
			if random.IntN(3) > 0 {
				p.Value = make([]byte, random.IntN(3)*random.IntN(100))
			}
			if !set[p.Key] {
				set[p.Key] = true
				c.Set = append(c.Set, p)
			}
		}
		if step%3 == 0 { // the shape of a guess, with what is there or not
			there, _ := plain.Get(ctx, randomKey(random), randomKey(random))
			if there[0].Key != there[1].Key {
				there[random.IntN(2)].Value = [][]byte{nil, {'x'}}[random.IntN(2)]
				c = ordered.Change{If: there, Set: []ordered.Pair{{Key: there[0].Key, Value: []byte{byte(step)}}}}
			}
		}
		got, want := m.Commit(ctx, c), plain.Commit(ctx, c)
		if !errors.Is(got, want) || want == nil && got != nil {
			t.Fatalf("step %d: %v, want %v for %v", step, got, want, c)
		}
		if want != nil {
			conflicts++
		}
		if keeps && step%150 == 149 {
			mustClose(t, m)
			m = open()
		}
		var queries []ordered.Query
		var keys []string
		for range random.IntN(5) {
			q := ordered.Query{From: randomKey(random), To: randomKey(random), Skip: random.IntN(3), Limit: random.IntN(5), Backward: random.IntN(2) == 0}
			keys = append(keys, q.From)
			if random.IntN(2) == 0 {
				q.From, q.To = "a", ordered.End("\xc3")
			}
			queries = append(queries, q)
		}
		a, err := m.Read(ctx, queries...)
		b, _ := plain.Read(ctx, queries...)
		if err != nil || len(a) != len(b) {
			t.Fatalf("step %d: reading: %d answers, %v", step, len(a), err)
		}
		for i := range a {
			if len(a[i])+len(b[i]) > 0 && !reflect.DeepEqual(a[i], b[i]) {
				t.Fatalf("step %d: %v has %v, want %v", step, queries[i], a[i], b[i])
			}
		}
		pairs, err := m.Get(ctx, keys...)
		if want, _ := plain.Get(ctx, keys...); err != nil || len(pairs)+len(want) > 0 && !reflect.DeepEqual(pairs, want) {
			t.Fatalf("step %d: %q are %v, %v, want %v", step, keys, pairs, err, want)
		}
		n, err := m.Count(ctx, queries...)
		if want, _ := plain.Count(ctx, queries...); !slices.Equal(n, want) || err != nil {
			t.Fatalf("step %d: %v have %d keys, %v, want %d", step, queries, n, err, want)
		}
	}
	mustClose(t, m)
	if conflicts < 50 || conflicts > 400 {
		t.Errorf("%d of 600 changes conflict: too few or too many to have tested much", conflicts)
	}
}

// testMapCounters lets many goroutines add to the same few counters, several in one change: none
// may be lost, and each change is whole.
func testMapCounters(t *testing.T, open func() ordered.Map) {
	m, ctx := open(), t.Context()
	defer mustClose(t, m)
	const adders, times = 8, 12
	var wg sync.WaitGroup
	for i := range adders {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for range times {
				keys := random.Perm(3)[:2] // in any order
				for {
					var c ordered.Change
					for _, k := range keys {
						key := fmt.Sprint("counter", k)
						there, err := m.Get(ctx, key)
						if err != nil {
							t.Error(err)
							return
						}
						old := there[0]
						c.If = append(c.If, old)
						c.Set = append(c.Set, ordered.Pair{Key: key, Value: fmt.Append(nil, number(old.Value)+1)})
					}
					err := m.Commit(ctx, c)
					if err == nil {
						break
					}
					if !errors.Is(err, game.ErrConflict) {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	there, err := m.Read(ctx, ordered.Prefix("counter"))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, p := range there[0] {
		sum += number(p.Value)
	}
	if want := 2 * adders * times; sum != want {
		t.Errorf("the counters have %d, want %d", sum, want)
	}
}

func number(value []byte) (n int) {
	_, _ = fmt.Sscan(string(value), &n) // 0 for none
	return n
}

// testMapExpired: nothing is committed for a request that has expired, and reads for it are answered.
func testMapExpired(t *testing.T, open func() ordered.Map) {
	m := open()
	defer mustClose(t, m)
	for key, expires := range map[string]time.Time{"late": time.Now(), "in time": time.Now().Add(time.Hour), "never": {}} {
		ctx := game.Origin{Expires: expires}.ForCommit(t.Context())
		err := m.Commit(ctx, ordered.Change{If: []ordered.Pair{{Key: key}}, Set: []ordered.Pair{{Key: key, Value: []byte("1")}}})
		if late := key == "late"; late != errors.Is(err, game.ErrExpired) || errors.Is(err, game.ErrNotSaved) || !late && err != nil {
			t.Errorf("%s: %v", key, err)
		}
		if there, err := m.Get(ctx, key); err != nil || (there[0].Value == nil) != (key == "late") {
			t.Errorf("%s: there is %v, %v", key, there, err)
		}
	}
}

func testMapCancelled(t *testing.T, open func() ordered.Map) {
	m := open()
	defer mustClose(t, m)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: "a", Value: []byte("1")}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a commit after the end of its context: %v", err)
	}
	if _, err := m.Get(ctx, "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("a read after the end of its context: %v", err)
	}
	if n, err := ordered.Count(t.Context(), m, ordered.Prefix("a")); n != 0 || err != nil {
		t.Errorf("there are %d keys, %v", n, err)
	}
}
