package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutput writes to what may be there already, and leaves nothing else.
func TestOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, err := range []error{
		os.WriteFile("old", []byte("old and longer"), 0o600), os.WriteFile("target", nil, 0o600), os.Symlink("target", "link"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	broken := errors.New("broken")
	for _, c := range []struct {
		typed, content   string
		writing, checked error
		want             string
	}{
		{"new", "new", nil, nil, "new"},
		{"old", "half", broken, nil, "old and longer"},
		{"old", "unusable", nil, broken, "old and longer"},
		{"old", "new", nil, nil, "new"},
		{"link", "through", nil, nil, "through"},
	} {
		o, err := (&Program{}).Output(c.typed, true)
		if err != nil {
			t.Fatal(err)
		}
		err = o.Write(0o640, func(string) error { return c.checked }, func(w io.Writer) error {
			_, err := io.WriteString(w, c.content)
			return errors.Join(err, c.writing)
		})
		if wanted := errors.Join(c.writing, c.checked) != nil; errors.Is(err, broken) != wanted || (err != nil) != wanted {
			t.Errorf("%s: %v", c.typed, err)
		}
		if got, err := os.ReadFile(c.typed); err != nil || string(got) != c.want {
			t.Errorf("%s has %q, %v; want %q", c.typed, got, err, c.want)
		}
	}
	if files, err := filepath.Glob("*"); err != nil || len(files) != 4 {
		t.Errorf("the folder has %v, %v", files, err)
	}
	if info, err := os.Lstat("link"); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link is %v, %v", info, err)
	}
	for typed, want := range map[string]string{".": "it is a folder or a device", os.DevNull: "it is a folder or a device", "none/new": "there is no folder none", "none/": "there is no folder none", "old": "it exists already; --overwrite replaces it", "link": "it exists already"} {
		if _, err := (&Program{}).Output(typed, false); err == nil || !strings.HasPrefix(err.Error(), typed+": "+want) {
			t.Errorf("%s: %v", typed, err)
		}
	}
}
