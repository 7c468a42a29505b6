// Package transposition is a transposition table: it remembers what a search has
// found out about a position, however the position was reached.
package transposition

// Key identifies a position. Each element of a set has a key that looks random; the
// key of the set is the exclusive-or of theirs. Among a million million sets, two
// share a key of 128 bits with a probability of 10⁻¹⁵.
type Key [2]uint64

// KeyOf returns the key of an element.
func KeyOf(n uint64) Key { return Key{}.With(n) }

// Xor adds an element or a set that is not yet in k, or removes one that is.
func (k Key) Xor(o Key) Key { return Key{k[0] ^ o[0], k[1] ^ o[1]} }

// With returns the key mixed with a number that the position depends on too.
func (k Key) With(n uint64) Key {
	const step = 0x9e3779b97f4a7c15 // 2⁶⁴ divided by the golden ratio, as in splitmix64
	return Key{mix(k[0] + n*step + 1), mix(k[1] ^ n*step + 2)}
}

// mix is the finisher of splitmix64: each bit of x flips about half of the result's bits.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Table remembers entries. It grows up to its limit; from then on a new entry may
// replace another. It is for one goroutine, and must come from [NewTable].
type Table struct {
	entries []Entry // a power of two; an entry is less than reach places after the one its key names
	used    int
	limit   int // the most entries
}

// Entry is what is known of one position. The zero value knows nothing.
type Entry struct {
	Key
	Value int32 // the value of the position, or a lower bound
	Best  int32 // where Exact, the guess that reaches Value
	Exact bool  // Value is not just a bound
}

const (
	reach     = 16
	entrySize = 32 // bytes
)

// NewTable returns a table that uses at most that many bytes, but at least 32 KiB.
func NewTable(bytes int) Table {
	m := Table{limit: 1 << 10}
	for 2*m.limit*entrySize <= bytes {
		m.limit *= 2
	}
	m.entries = make([]Entry, 1<<10)
	return m
}

// Reset forgets everything and keeps the memory.
func (m *Table) Reset() {
	clear(m.entries)
	m.used = 0
}

// Get returns what is known of a position, or the zero Entry.
func (m *Table) Get(k Key) Entry {
	for i := range uint64(reach) {
		switch e := &m.entries[(k[0]+i)&uint64(len(m.entries)-1)]; e.Key {
		case k:
			return *e
		case Key{}:
			return Entry{}
		}
	}
	return Entry{}
}

// Put remembers the entry and replaces what was known of the same position.
func (m *Table) Put(e Entry) {
	if 2*m.used > len(m.entries) && len(m.entries) < m.limit {
		m.grow()
	}
	// When all places are taken, another entry is lost.
	slot := &m.entries[(e.Key[0]+e.Key[1]%reach)&uint64(len(m.entries)-1)]
	for i := range uint64(reach) {
		if o := &m.entries[(e.Key[0]+i)&uint64(len(m.entries)-1)]; o.Key == e.Key || o.Key == (Key{}) {
			slot = o
			break
		}
	}
	if slot.Key == (Key{}) {
		m.used++
	}
	*slot = e
}

func (m *Table) grow() {
	old := m.entries
	m.entries = make([]Entry, 2*len(old))
	m.used = 0
	for _, e := range old {
		if e.Key != (Key{}) {
			m.Put(e)
		}
	}
}
