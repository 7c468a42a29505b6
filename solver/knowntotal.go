package solver

import (
	"cmp"
)

// knownTotal is a total that some play reaches, 0 while none is known. A play that misses
// words, since the guesses do not suffice, counts one guess more than there are for each.
type knownTotal struct {
	n      int32
	missed int32 // words
	exact  bool  // no play misses fewer or, of those that miss as few, has a smaller total
}

// better reports whether f is lower than what was known, or newly exact.
func (f knownTotal) better(known knownTotal) bool {
	return known.n == 0 || f.less(known) || f.exact && !known.exact
}

// less reports whether f misses fewer words or, missing as many, is lower.
func (f knownTotal) less(other knownTotal) bool {
	return cmp.Or(cmp.Compare(f.missed, other.missed), cmp.Compare(f.n, other.n)) < 0
}

// unlessImpossible forgets an estimate that found no play.
func (f *knownTotal) unlessImpossible() {
	if f.n >= impossible {
		*f = knownTotal{}
	}
}
