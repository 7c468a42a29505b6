package solver

import "fivefold/game/wordle"

// key names a set of words, and whatever else its value depends on. Each word has
// a key that looks random; a set's is the exclusive-or of its words'. Of a million
// million sets two share a key of 128 bits with a probability of 10⁻¹⁵.
type key [2]uint64

func (k key) xor(o key) key { return key{k[0] ^ o[0], k[1] ^ o[1]} }

// with returns the key mixed with a number that the value depends on too.
func (k key) with(n uint64) key {
	const step = 0x9e3779b97f4a7c15 // 2⁶⁴ divided by the golden ratio, as in splitmix64
	return key{mix(k[0] + n*step + 1), mix(k[1] ^ n*step + 2)}
}

// mix is the finisher of splitmix64: each bit of x changes half of the result's.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// keyOf returns the key of a word.
func keyOf(w wordle.Word) key { return key{}.with(uint64(w)) }

// memo remembers what is known of sets. It grows up to its limit; then a new
// entry replaces another one.
type memo struct {
	entries []entry // a power of two; a key's entry is at its place or at most memoReach behind
	used    int
	limit   int // of entries
}

// entry is what is known of one set. Its zero value is an empty place.
type entry struct {
	key
	value int32 // of the set, or a bound it is not below
	best  int32 // where exact, the guess that reaches it
	exact bool
}

const (
	memoReach = 16
	entrySize = 32 // bytes
)

func newMemo(bytes int) memo {
	m := memo{limit: 1 << 10}
	for 2*m.limit*entrySize <= bytes {
		m.limit *= 2
	}
	m.entries = make([]entry, 1<<10)
	return m
}

// get returns what is known of a set, the zero entry if nothing is.
func (m *memo) get(k key) entry {
	for i := range uint64(memoReach) {
		switch e := &m.entries[(k[0]+i)&uint64(len(m.entries)-1)]; e.key {
		case k:
			return *e
		case key{}:
			return entry{}
		}
	}
	return entry{}
}

// put remembers what is known now; what was known of the same set is replaced.
func (m *memo) put(e entry) {
	if 2*m.used > len(m.entries) && len(m.entries) < m.limit {
		m.grow()
	}
	// When all places are taken, another set is forgotten.
	slot := &m.entries[(e.key[0]+e.key[1]%memoReach)&uint64(len(m.entries)-1)]
	for i := range uint64(memoReach) {
		if o := &m.entries[(e.key[0]+i)&uint64(len(m.entries)-1)]; o.key == e.key || o.key == (key{}) {
			slot = o
			break
		}
	}
	if slot.key == (key{}) {
		m.used++
	}
	*slot = e
}

func (m *memo) grow() {
	old := m.entries
	m.entries = make([]entry, 2*len(old))
	m.used = 0
	for _, e := range old {
		if e.key != (key{}) {
			m.put(e)
		}
	}
}
