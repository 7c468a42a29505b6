package kinds_test

import (
	"fmt"
	"testing"

	"fivefold/bot/kinds"
)

// TestCodecs: the name and the byte of each kind are in files and must never change.
func TestCodecs(t *testing.T) {
	kept := ""
	for _, c := range kinds.Codecs() {
		kept += fmt.Sprintf("%s %c ", c.Kind(), c.Byte())
	}
	if want := "wordle w pokle p duo 2 quad 4 octo 8 evil e "; kept != want {
		t.Errorf("the kinds are stored as %q, want %q", kept, want)
	}
}
