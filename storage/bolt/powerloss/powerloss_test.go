package powerloss

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// script returns a log with calls: "w" writes a page of that letter at its place in the
// alphabet, "s" begins a sync and "S" ends it, "r" makes the file four pages long.
func script(steps string) *Log {
	var calls []call
	for _, step := range steps {
		switch step {
		case 's':
			calls = append(calls, call{kind: syncBegins})
		case 'S':
			calls = append(calls, call{kind: syncEnds})
		case 'r':
			calls = append(calls, call{kind: resize, size: 4 * page})
		default:
			calls = append(calls, call{kind: write, offset: int64(step-'a') * page, data: bytes.Repeat([]byte{byte(step)}, page)})
		}
	}
	return &Log{calls: calls}
}

const page = 2 * sector

// describe has a letter for each sector.
func describe(image []byte) string {
	text := ""
	for at := 0; at < len(image); at += sector {
		text += string(max('.', rune(image[at])))
	}
	return text
}

// TestLosses collects files after a loss of power at any moment, and compares them with all that are possible.
func TestLosses(t *testing.T) {
	for _, c := range []struct {
		steps, synced string // what every file begins with at the end
		want          []string
	}{
		{"", "", []string{""}},
		{"asS", "aa", []string{"", "a", "aa", ".a"}},
		{"abS", "", []string{"", "a", ".a", "aa", "..b", "..bb", "...b", "a.b", "a.bb", "a..b", ".ab", ".abb", ".a.b", "aab", "aabb", "aa.b"}},
		{"asSb", "aa", []string{"", "a", ".a", "aa", "aab", "aa.b", "aabb"}},
		{"asbS", "aa", []string{"", "a", ".a", "aa", "..b", "..bb", "...b", "a.b", "a.bb", "a..b", ".ab", ".abb", ".a.b", "aab", "aabb", "aa.b"}},
		{"r", "", []string{"", "........"}},
	} {
		t.Run(c.steps, func(t *testing.T) {
			l, random := script(c.steps), rand.New(rand.NewPCG(1, 2))
			got := map[string]bool{}
			for range 5000 {
				for moment := range l.Moment() + 1 {
					image := describe(l.Loss(moment, random))
					if got[image] = true; moment == l.Moment() && !strings.HasPrefix(image, c.synced) {
						t.Fatalf("it is %q, and %q was synced", image, c.synced)
					}
				}
			}
			want := map[string]bool{}
			for _, text := range c.want {
				want[text] = true
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}
