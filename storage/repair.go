package storage

import (
	"context"
	"errors"

	"fivefold/storage/bolt"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// CheckFile checks every page and every record of a file, which no process may use, as [Store.Check]
// does, and changes nothing. It returns how many records there are, and how many things are wrong.
func CheckFile(ctx context.Context, path string, codecs record.Codecs, o CheckOptions) (records, problems int, err error) {
	m, err := bolt.OpenReadOnly(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	if err := m.CheckPages(ctx); err != nil {
		return 0, 0, err
	}
	if records, err = m.Count(ctx, everything); err != nil {
		return 0, 0, err
	}
	o.Mend = false
	problems, err = newStore(m, codecs, Options{}).Check(ctx, o)
	return records, problems, err
}

// Repaired is what [Repair] did.
type Repaired struct {
	Changed  bool
	Old      string // where the damaged file is now
	SetAside int    // how many records cannot be read; the new file keeps their bytes
}

// Repair makes a whole file of what can be read of a damaged one, which no process may use. What
// follows from other data is made again by the same code that made it first; what was lost is
// reported. If nothing is wrong, or on an error, the file is left as it was. Where nothing can be read,
// the error wraps [game.ErrDamaged]: then only a backup helps.
func Repair(ctx context.Context, path string, codecs record.Codecs, o CheckOptions) (done Repaired, err error) {
	var damaged []ordered.Pair
	salvaged, err := bolt.Salvage(ctx, path, func(p ordered.Pair) {
		if p.Damaged {
			damaged = append(damaged, setAside(p))
		}
	})
	if err != nil {
		return Repaired{}, err
	}
	defer func() {
		if !done.Changed {
			err = errors.Join(err, salvaged.Abandon())
		}
	}()
	s := newStore(salvaged.Map, codecs, Options{})
	if err := salvaged.Map.Commit(ctx, ordered.Change{Set: damaged}); err != nil {
		return Repaired{}, err
	}
	o.Mend = true
	report := o.Report
	if report == nil {
		report = func(Finding) {}
	}
	if salvaged.Problem != nil {
		report(Finding{What: salvaged.Problem.Error(), Mended: true})
	}
	for _, g := range salvaged.Gaps {
		report(Finding{Key: g.After, What: "what follows it cannot be read"})
	}
	for _, p := range damaged {
		report(Finding{Key: p.Key[len(topicAside):], What: "it cannot be read"})
	}
	problems, err := s.Check(ctx, o)
	if err != nil {
		return Repaired{}, err
	}
	if problems+len(damaged)+len(salvaged.Gaps) == 0 && salvaged.Problem == nil {
		return Repaired{}, nil
	}
	aside, err := s.m.Count(ctx, ordered.Prefix(topicAside))
	if err != nil {
		return Repaired{}, err
	}
	done = Repaired{Changed: true, SetAside: aside}
	done.Old, err = salvaged.Replace()
	return done, err
}
