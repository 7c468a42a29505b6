package bolt

import (
	"path/filepath"
	"testing"
)

// TestProgress: checking, repairing and compacting show how far they are, never more than
// all, and at least once near the end of the file.
func TestProgress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpenDamaged(t, path)
	fill(t, s)
	spoil(t, s, bucketTotals)
	mustClose(t, s)
	most := 0.0
	progress := func(done, of int) {
		if done < 0 || done > of {
			t.Errorf("%d of %d are done", done, of)
		}
		most = max(most, float64(done)/float64(of))
	}
	if _, err := Check(t.Context(), path, testCodecs, func(Finding) {}, progress); err != nil || most < 0.8 {
		t.Errorf("check: %v; the most was %.2f", err, most)
	}
	most = 0
	if _, err := Repair(t.Context(), path, testCodecs, func(Finding) {}, progress); err != nil || most < 0.8 {
		t.Errorf("repair: %v; the most was %.2f", err, most)
	}
	most = 0
	if _, _, err := Compact(t.Context(), path, testCodecs, progress); err != nil || most < 0.8 {
		t.Errorf("compact: %v; the most was %.2f", err, most)
	}
}
