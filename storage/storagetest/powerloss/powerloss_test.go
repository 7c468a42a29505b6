package powerloss

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"fivefold/storage/storagetest/traced"
)

// script plays calls into a log. "w" writes a page of that letter at its place in the
// alphabet, "s" begins a sync and "S" ends it, "r" makes the file four pages long, "n"
// is a note.
func script(l *Log, steps string, note func()) {
	for _, c := range steps {
		var e event
		switch c {
		case 's', 'S':
			e = event{call: &traced.Call{Kind: traced.Sync}, ended: c == 'S'}
		case 'r':
			e = event{call: &traced.Call{Kind: traced.Resize, Size: 4 * page}}
		case 'n':
			e = event{note: note}
		default:
			e = event{call: &traced.Call{Kind: traced.Write, Offset: int64(c-'a') * page, Data: bytes.Repeat([]byte{byte(c)}, page)}}
		}
		l.add(e)
	}
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

// TestImages collects the images of a log and compares them with all that are possible.
func TestImages(t *testing.T) {
	for _, c := range []struct {
		steps string
		want  []string
	}{
		{"", []string{""}},
		{"asS", []string{"", "a", "aa", ".a"}},
		{"abS", []string{"", "a", ".a", "aa", "..b", "..bb", "...b", "a.b", "a.bb", "a..b", ".ab", ".abb", ".a.b", "aab", "aabb", "aa.b"}},
		{"asSb", []string{"", "a", ".a", "aa", "aab", "aa.b", "aabb"}},
		{"asbS", []string{"", "a", ".a", "aa", "..b", "..bb", "...b", "a.b", "a.bb", "a..b", ".ab", ".abb", ".a.b", "aab", "aabb", "aa.b"}},
		{"r", []string{"", "........"}},
	} {
		t.Run(c.steps, func(t *testing.T) {
			var l Log
			script(&l, c.steps, nil)
			got := map[string]bool{}
			err := l.Images(20_000, rand.New(rand.NewPCG(1, 2)), func(image []byte) bool {
				got[describe(image)] = true
				return true
			})
			if err != nil {
				t.Fatal(err)
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

// TestSynced: what was synced before a note is in every image after it.
func TestSynced(t *testing.T) {
	var l Log
	noted := 0
	script(&l, "asSnbsSnc", func() { noted++ })
	seen := map[int]bool{}
	err := l.Images(500, rand.New(rand.NewPCG(3, 4)), func(image []byte) bool {
		seen[noted] = true
		if want := []string{"", "aa", "aabb"}[noted]; len(describe(image)) < len(want) || describe(image)[:len(want)] != want {
			t.Errorf("after %d notes the image is %q", noted, describe(image))
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) != 3 {
		t.Errorf("moments after %v notes", seen)
	}
}
