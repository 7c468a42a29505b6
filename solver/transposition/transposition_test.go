package transposition

import (
	"math/rand/v2"
	"testing"
)

// TestTable puts more into a table than it may hold: it keeps to its limit, and what
// it still knows is right.
func TestTable(t *testing.T) {
	const bytes = 1 << 20
	random := rand.New(rand.NewPCG(1, 0))
	m := NewTable(bytes)
	keys := make([]Key, 100_000)
	for i := range keys {
		keys[i] = Key{random.Uint64(), random.Uint64()}
		m.Put(Entry{Key: keys[i], Value: int32(i), Best: int32(2 * i), Exact: true})
		if got := m.Get(keys[i]); got.Value != int32(i) {
			t.Fatalf("entry %d was put, and is %+v", i, got)
		}
	}
	if used := len(m.entries) * entrySize; used > bytes {
		t.Errorf("it has %d bytes, more than %d", used, bytes)
	}
	known := 0
	for i, k := range keys {
		switch got := m.Get(k); got {
		case Entry{Key: k, Value: int32(i), Best: int32(2 * i), Exact: true}:
			known++
		case Entry{}:
		default:
			t.Fatalf("entry %d is %+v", i, got)
		}
	}
	if known < bytes/entrySize/2 {
		t.Errorf("it knows only %d", known)
	}
	m.Put(Entry{Key: keys[7], Value: 9})
	if got := m.Get(keys[7]); got != (Entry{Key: keys[7], Value: 9}) {
		t.Errorf("put again, it is %+v", got)
	}
}
