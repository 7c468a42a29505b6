package solver

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
)

func TestUnsealed(t *testing.T) {
	fault := errors.New("no such file")
	numbers := func(all ...uint64) []byte {
		var b []byte
		for _, n := range all {
			b = binary.AppendUvarint(b, n)
		}
		return b
	}
	for _, test := range []struct {
		name   string
		body   []byte
		limits []int
		want   []int
		err    error
	}{
		{"none", nil, nil, nil, nil},
		{"each below its limit", numbers(0, 299, 7), []int{1, 300, 1000}, []int{0, 299, 7}, nil},
		{"one at its limit", numbers(0, 300, 7), []int{1, 300, 1000}, []int{0, 0, 7}, fault},
		{"one that no int holds", numbers(1<<64 - 1), []int{300}, []int{0}, fault},
		{"one that is torn", numbers(300)[:1], []int{1000}, []int{0}, fault},
		{"one is missing", numbers(1), []int{2, 2}, []int{1, 0}, fault},
		{"one too many", numbers(1, 1), []int{2}, []int{1}, fault},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := withCRC(slices.Concat([]byte("first line\n"), []byte("sum"), test.body))
			v, err := checked(file, "first line\n", []byte("sum"), fault)
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, limit := range test.limits {
				got = append(got, v.next(limit))
			}
			if err := v.end(); !slices.Equal(got, test.want) || !errors.Is(err, test.err) {
				t.Errorf("got %v, %v, want %v, %v", got, err, test.want, test.err)
			}
		})
	}
}
