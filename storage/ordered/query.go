package ordered

import "context"

// Query is a range of keys.
type Query struct {
	From, To string // From is included, To is not
	Skip     int    // how many keys are left out first
	Limit    int    // how many keys follow at most; 0 for no limit
	Backward bool   // from the greatest key down
}

// Everything is the query of all keys.
var Everything = Query{To: "\xff"}

// Scan returns the pairs of one query.
func Scan(ctx context.Context, m Map, q Query) ([]Pair, error) {
	answers, err := m.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}

// AtOnce is how many pairs [Each] reads at once.
const AtOnce = 500

// Each calls f with the pairs of a query, in batches and in their order, until f returns an error.
func Each(ctx context.Context, m Map, q Query, f func(batch []Pair) error) error {
	for q.Limit = AtOnce; ; {
		batch, err := Scan(ctx, m, q)
		if err != nil || len(batch) == 0 {
			return err
		}
		if err := f(batch); err != nil || len(batch) < AtOnce {
			return err
		}
		q.From = batch[len(batch)-1].Key + "\x00"
	}
}

// Count returns how many keys of a map a query matches.
func Count(ctx context.Context, m Map, q Query) (int, error) {
	counts, err := m.Count(ctx, q)
	if err != nil {
		return 0, err
	}
	return counts[0], nil
}

// Prefix returns the query of all keys that begin with a prefix.
func Prefix(prefix string) Query { return Query{From: prefix, To: End(prefix)} }

// End returns the first key after all that begin with a prefix, which must not be empty and
// must not consist of bytes 255 alone.
func End(prefix string) string {
	last := len(prefix) - 1
	for prefix[last] == 255 {
		last--
	}
	return prefix[:last] + string([]byte{prefix[last] + 1})
}
