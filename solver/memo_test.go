package solver

import (
	"math/rand/v2"
	"testing"
)

// TestMemo puts more into a memo than it may hold: it keeps to its limit, and what
// it still knows is right.
func TestMemo(t *testing.T) {
	const bytes = 1 << 20
	random := rand.New(rand.NewPCG(1, 0))
	m := newMemo(bytes)
	keys := make([]key, 100_000)
	for i := range keys {
		keys[i] = key{random.Uint64(), random.Uint64()}
		m.put(entry{key: keys[i], value: int32(i), best: int32(2 * i), exact: true})
		if got := m.get(keys[i]); got.value != int32(i) {
			t.Fatalf("entry %d was put, and is %+v", i, got)
		}
	}
	if used := len(m.entries) * entrySize; used > bytes {
		t.Errorf("it has %d bytes, more than %d", used, bytes)
	}
	known := 0
	for i, k := range keys {
		switch got := m.get(k); got {
		case entry{key: k, value: int32(i), best: int32(2 * i), exact: true}:
			known++
		case entry{}:
		default:
			t.Fatalf("entry %d is %+v", i, got)
		}
	}
	if known < bytes/entrySize/2 {
		t.Errorf("it knows only %d", known)
	}
	m.put(entry{key: keys[7], value: 9})
	if got := m.get(keys[7]); got != (entry{key: keys[7], value: 9}) {
		t.Errorf("put anew, it is %+v", got)
	}
}
