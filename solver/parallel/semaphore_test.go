package parallel

import (
	"context"
	"errors"
	"runtime"
	"testing"
)

// held returns how many slots can be acquired before one has to wait.
func held(t *testing.T, acquire func(context.Context) (func(), error)) (n int, releaseAll func()) {
	t.Helper()
	gone, end := context.WithCancel(t.Context())
	end()
	var releases []func()
	for tries := 0; tries < 1000; tries++ { // an ended context loses now and then where a slot is free
		release, err := acquire(gone)
		if err == nil {
			releases = append(releases, release)
		} else if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want the context's error", err)
		}
	}
	return len(releases), func() {
		for _, release := range releases {
			release()
		}
	}
}

func TestSemaphore(t *testing.T) {
	for _, test := range []struct{ n, all, long int }{
		{1, 1, 1},
		{2, 2, 1},
		{5, 5, 4},
		{0, runtime.GOMAXPROCS(0), max(runtime.GOMAXPROCS(0)-1, 1)},
	} {
		s := NewSemaphore(test.n)
		for range 2 { // all are given back
			long, releaseLong := held(t, s.AcquireLong)
			rest, releaseRest := held(t, s.Acquire)
			if long != test.long || long+rest != test.all {
				t.Errorf("of %d slots: %d long ones and then %d, want %d of %d", test.n, long, rest, test.long, test.all)
			}
			releaseLong()
			releaseRest()
			all, releaseAll := held(t, s.Acquire)
			if more, _ := held(t, s.AcquireLong); all != test.all || more != 0 {
				t.Errorf("of %d slots: %d and then %d long ones, want %d and 0", test.n, all, more, test.all)
			}
			releaseAll()
		}
	}
}
