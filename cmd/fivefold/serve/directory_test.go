package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestDirectory: what the directory asks for fits its limits, invites as the README does, and names files that exist.
func TestDirectory(t *testing.T) {
	l := directory
	for text, most := range map[string]int{l.Short: 200, l.Long: 400} {
		if n := utf8.RuneCountInString(text); n > most {
			t.Errorf("%d characters, at most %d can be: %s", n, most, text)
		}
	}
	if len(l.Tags) > 5 {
		t.Errorf("%d tags", len(l.Tags))
	}
	for _, tag := range l.Tags {
		if len(tag) > 20 {
			t.Errorf("the tag %q is too long", tag)
		}
	}
	root := filepath.Join("..", "..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil || !strings.Contains(string(readme), l.Invite) {
		t.Errorf("the README has another invitation than %s (%v)", l.Invite, err)
	}
	for _, file := range append([]string{l.Privacy, l.Terms, l.Support}, l.Pictures...) {
		if _, err := os.Stat(filepath.Join(root, file)); err != nil {
			t.Error(err)
		}
	}
}
