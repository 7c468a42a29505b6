package simulate

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

func TestEach(t *testing.T) {
	fault := errors.New("of the work")
	gone := errors.New("nobody waits any more")
	for _, test := range []struct {
		name       string
		n, workers int
		fails      int // this one, if not negative
		ends       int // at this one ctx ends, if not negative
		want       error
		begun      int
	}{
		{"nothing to do", 0, 3, -1, -1, nil, 0},
		{"all of it", 20, 3, -1, -1, nil, 20},
		{"more workers than work", 2, 5, -1, -1, nil, 2},
		{"one for each processor", 20, 0, -1, -1, nil, 20},
		{"one fails", 20, 1, 4, -1, fault, 5},
		{"ctx ends", 20, 1, -1, 4, gone, 5},
		{"one fails after ctx ended", 20, 1, 4, 4, gone, 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, end := context.WithCancelCause(t.Context())
			defer end(nil)
			var mu sync.Mutex
			var begun []int
			err := each(ctx, test.n, test.workers, func(_ context.Context, i int) error {
				mu.Lock()
				defer mu.Unlock()
				begun = append(begun, i)
				if i == test.ends {
					end(gone)
				}
				if i == test.fails {
					return fault
				}
				return nil
			})
			slices.Sort(begun)
			want := make([]int, test.begun)
			for i := range want {
				want[i] = i
			}
			if !errors.Is(err, test.want) || !slices.Equal(begun, want) {
				t.Errorf("got %v after %v, want %v after %v", err, begun, test.want, want)
			}
		})
	}
}

// TestEachSideBySide: as many work at a time as are wanted, and the others are told
// when one fails.
func TestEachSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault := errors.New("of the work")
		var all sync.WaitGroup
		all.Add(3)
		err := each(t.Context(), 20, 3, func(ctx context.Context, i int) error {
			if i > 2 {
				t.Errorf("%d was begun after one had failed", i)
				return nil
			}
			all.Done()
			all.Wait()
			if i == 1 {
				return fault
			}
			<-ctx.Done()
			return ctx.Err()
		})
		if !errors.Is(err, fault) {
			t.Errorf("got %v, want %v", err, fault)
		}
	})
}
