package cache

import "testing"

// TestCacheIsBounded: the latest value is kept and, with it, no more than there is room for.
func TestCacheIsBounded(t *testing.T) {
	var c Cache[int, int]
	for i := range 100 {
		c.Put(i, -i, 3, 20)
		if v, ok := c.Get(i); v != -i || !ok || len(c.values) != i%6+1 {
			t.Fatalf("after %d: got %d, %t, of %d values", i, v, ok, len(c.values))
		}
	}
	if v, ok := c.Get(0); ok {
		t.Errorf("the first is still there: %d", v)
	}
}
