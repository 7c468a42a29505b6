package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fivefold/game"
)

// TestCompact: a file becomes as small as what is in it, and keeps all of that.
func TestCompact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	m := mustOpen(t, path)
	m.db.NoSync = true
	for i := range 5000 {
		mustCommit(t, m, set(fmt.Sprintf("%06d", i*7919%5000), strings.Repeat("x", i%300)))
	}
	mustCommit(t, m, set("big", string(make([]byte, 5<<20)))) // more than one transaction
	for i := range 1000 {
		mustCommit(t, m, set(fmt.Sprintf("%06d", i), ""))
	}
	want := all(t, m)
	bytes := 0
	for k, v := range want {
		bytes += len(k) + len(v)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	last := 0
	before, after, err := Compact(t.Context(), path, func(done, of int) {
		if done < last || done > of {
			t.Errorf("%d of %d are done, after %d", done, of, last)
		}
		last = done
	})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() != after || after >= before || after > int64(bytes)*5/4 || last == 0 || info.Mode().Perm() != ownersOnly() {
		t.Errorf("%d bytes in %v, then %d instead of %d, %v; progress until %d", bytes, info.Mode(), after, before, err, last)
	}
	mustHave(t, filepath.Dir(path), "test.db")
	m = mustOpen(t, path)
	defer m.Close()
	if got := all(t, m); !reflect.DeepEqual(got, want) {
		t.Errorf("there are %d keys, want %d, or others", len(got), len(want))
	}
}

// TestCompactFails: on any error nothing has changed.
func TestCompactFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	m := mustOpenDamaged(t, path)
	for i := range 2000 {
		mustCommit(t, m, set(fmt.Sprint("key", i), "value"))
		m.db.NoSync = true
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	data := mustRead(t, path)
	leaf := strings.Index(string(data), "key100value") &^ 4095
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		data string
		want error
	}{
		"cancelled":     {cancelled, string(data), context.Canceled},
		"a value":       {t.Context(), strings.ReplaceAll(string(data), "key100value", "key100valuf"), game.ErrDamaged},
		"a page":        {t.Context(), string(data[:leaf]) + strings.Repeat("\x00", 4096) + string(data[leaf+4096:]), game.ErrDamaged},
		"a foreign one": {t.Context(), strings.ReplaceAll(string(data), "records", "recordz"), ErrForeign},
	} {
		mustWrite(t, path, []byte(c.data))
		if _, _, err := Compact(c.ctx, path, nil); !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		checkUntouched(t, name, path, []byte(c.data))
		mustHave(t, filepath.Dir(path), "test.db")
	}
}
