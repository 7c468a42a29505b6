package check

import (
	"context"
	"errors"
	"fmt"

	"fivefold/storage/bolt"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// File checks every page and, as [Map] does, every record of a file, and changes nothing. No process may use the file. It
// returns the number of records and of findings.
func File(ctx context.Context, path string, codecs record.Codecs, o Options) (records, problems int, err error) {
	m, err := bolt.OpenReadOnly(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	if err := m.CheckPages(ctx); err != nil {
		return 0, 0, err
	}
	if records, err = ordered.Count(ctx, m, ordered.Everything); err != nil {
		return 0, 0, err
	}
	var findings []Finding
	report := o.Report
	o.Mend, o.Report = false, func(f Finding) {
		if findings = append(findings, f); report != nil {
			report(f)
		}
	}
	if problems, err = Map(ctx, m, codecs, o); err == nil && problems > 0 && o.Affected != nil {
		err = affected(ctx, m, schema.Codecs{Codecs: codecs}, findings, o.Affected)
	}
	return records, problems, err
}

// Repair puts a whole file, with all that can be read, in the place of a damaged one, and returns the new path of the damaged
// one. No process may use the file. Records that follow from others are made again by the same code; lost ones are reported. If
// nothing is wrong, or on an error, the file is left as it was, and old is empty. If nothing can be read, the error wraps
// [game.ErrDamaged]: then only a backup helps.
func Repair(ctx context.Context, path string, codecs record.Codecs, o Options) (old string, err error) {
	report, problems := o.Report, 0
	o.Mend, o.Report = true, func(f Finding) {
		if problems++; report != nil {
			report(f)
		}
	}
	salvaged, err := bolt.Salvage(ctx, path, func(p ordered.Pair) {
		if p.Damaged {
			o.Report(Finding{Key: p.Key, What: "it cannot be read"})
		}
	})
	if err != nil {
		return "", err
	}
	if salvaged.Problem != nil {
		o.Report(Finding{What: salvaged.Problem.Error(), Derived: true})
	}
	if salvaged.Gap {
		o.Report(Finding{Key: salvaged.After, What: fmt.Sprintf("what follows it cannot be read, up to %q", salvaged.Before)})
	}
	if _, err = Map(ctx, salvaged.Map, codecs, o); err != nil || problems == 0 {
		return "", errors.Join(err, salvaged.Abandon())
	}
	return salvaged.Replace(true)
}
