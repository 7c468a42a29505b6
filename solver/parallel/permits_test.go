package parallel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// mustAcquire returns a permit that can be had at once.
func mustAcquire(t *testing.T, p *Permits, c Cost) *Permit {
	t.Helper()
	before := p.Stats()[c]
	m, err := p.Acquire(t.Context(), c)
	if err != nil || p.Stats()[c].InUse != before.InUse+1 {
		t.Fatalf("a permit for %v: %v", c, err)
	}
	return m
}

// TestPermits: how many permits of each cost there are for many askers, alone and next to others.
func TestPermits(t *testing.T) {
	for _, test := range []struct {
		processors            int
		brief, search, review int // alone
		searchThenBrief       int
		reviewThenSearch      int
	}{
		{1, 1, 1, 1, 1, 0},
		{2, 2, 1, 1, 2, 0},
		{3, 3, 2, 1, 3, 1},
		{6, 6, 5, 4, 6, 1},
	} {
		t.Run(fmt.Sprint(test.processors), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := NewPermits(test.processors)
				// fill acquires as many as there are.
				fill := func(c Cost) (all []*Permit) {
					for {
						ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
						m, err := p.Acquire(For(ctx, fmt.Sprint(len(all))), c)
						cancel()
						if err != nil {
							return all
						}
						all = append(all, m)
					}
				}
				empty := func(all []*Permit) {
					for _, m := range all {
						m.Release()
					}
				}
				for range 2 { // all are given back
					for c, want := range map[Cost]int{Brief: test.brief, Search: test.search, Review: test.review} {
						all := fill(c)
						if len(all) != want {
							t.Errorf("%d permits for %v, want %d", len(all), c, want)
						}
						empty(all)
					}
					for _, pair := range []struct {
						first, second Cost
						want          int
					}{{Search, Brief, test.searchThenBrief}, {Review, Search, test.reviewThenSearch}} {
						a := fill(pair.first)
						b := fill(pair.second)
						if len(b) != pair.want {
							t.Errorf("%d permits for %v next to all for %v, want %d", len(b), pair.second, pair.first, pair.want)
						}
						empty(a)
						empty(b)
					}
				}
			})
		})
	}
}

// TestPermitsWaitingIsBounded: by time; and a caller that gives up leaves no trace.
func TestPermitsWaitingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPermits(3)
		held := []*Permit{mustAcquire(t, p, Search)} // the place of this asker is taken
		if other, err := p.Acquire(For(t.Context(), "other"), Search); err != nil {
			t.Fatal(err)
		} else {
			held = append(held, other)
		}
		var all sync.WaitGroup
		ask := func(ctx context.Context, want error) {
			for _, asker := range []string{"", "other", "third"} {
				all.Go(func() {
					if _, err := p.Acquire(For(ctx, asker), Search); !errors.Is(err, want) {
						t.Errorf("got %v, want %v", err, want)
					}
				})
			}
			synctest.Wait()
		}
		leaving, leave := context.WithCancel(t.Context())
		ask(leaving, context.Canceled)
		if got := p.Stats()[Search]; got != (Stats{2, 3, 0}) {
			t.Errorf("three wait: %+v", got)
		}
		leave()
		all.Wait()
		began := time.Now()
		ask(t.Context(), ErrBusy)
		all.Wait()
		if took := time.Since(began); took != patience[Search] || p.Stats()[Search] != (Stats{2, 0, 3}) {
			t.Errorf("waited for %v, want %v; %+v", took, patience[Search], p.Stats())
		}
		for _, m := range held {
			m.Release()
		}
		for range 2 {
			mustAcquire(t, p, Search).Release()
		}
	})
}

// TestPermitsTakeTurns: a new asker comes after one piece of work of another asker that
// has asked for a lot, and an asker has one permit at a time.
func TestPermitsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPermits(1)
		held := mustAcquire(t, p, Search)
		var order []string // one at a time
		var all sync.WaitGroup
		var ask func(asker string, n int)
		ask = func(asker string, n int) {
			for range n {
				all.Go(func() {
					m, err := p.Acquire(For(t.Context(), asker), Search)
					if err != nil {
						t.Error(err)
						return
					}
					if order = append(order, asker); len(order) == 1 {
						ask("late", 1)
					}
					time.Sleep(time.Millisecond) // its work
					m.Release()
				})
				synctest.Wait()
			}
		}
		ask("many", 4)
		ask("few", 2)
		ask("one", 1)
		held.Release()
		all.Wait()
		if want := []string{"many", "few", "one", "late", "many", "few", "many", "many"}; !slices.Equal(order, want) {
			t.Errorf("got %v, want %v", order, want)
		}
	})
}

// TestLimit: the more wait, the less time each has; and it ends well before the request.
func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPermits(1)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		m, err := p.Acquire(ctx, Search)
		if err != nil || m.Limit(time.Minute) != time.Second || m.Limit(time.Millisecond) != time.Millisecond {
			t.Errorf("with a deadline: %v, %v", m, err)
		}
		var all sync.WaitGroup
		for want := range 4 {
			all.Go(func() {
				m, err := p.Acquire(For(t.Context(), fmt.Sprint(want)), Search)
				if err != nil {
					t.Error(err)
					return
				}
				if got := m.Limit(12 * time.Second); got != 12*time.Second/time.Duration(4-want) {
					t.Errorf("with %d others: %v", 3-want, got)
				}
				m.Release()
			})
			synctest.Wait()
		}
		m.Release()
		all.Wait()
	})
}

// TestNoPool: a nil pool gives any number of permits, but none for a context that has ended.
func TestNoPool(t *testing.T) {
	var p *Permits
	ctx, cancel := context.WithCancel(t.Context())
	for range 1000 {
		m, err := p.Acquire(ctx, Search)
		if err != nil || m.Limit(time.Minute) != time.Minute {
			t.Fatalf("got %+v, %v", m, err)
		}
		defer m.Release()
	}
	cancel()
	if _, err := p.Acquire(ctx, Search); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
