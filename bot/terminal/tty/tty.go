// Package tty says what a terminal can show: whether a stream is one, how large it is,
// whether it has colours, and how wide a text is in it.
package tty

import (
	"os"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

// IsTerminal reports whether a stream, such as an [os.File], is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// HasColours reports whether colours and control sequences may be written to a stream: it is
// a terminal, and the environment sets neither NO_COLOR nor TERM=dumb.
func HasColours(stream any, env map[string]string) bool {
	return IsTerminal(stream) && env["NO_COLOR"] == "" && env["TERM"] != "dumb" && showsColours(stream)
}

// Size returns how many columns and rows a terminal has: 80 and 24 if it does not say.
func Size(stream any) (columns, rows int) {
	if f, ok := stream.(*os.File); ok {
		// Without a size it is as good as a terminal that does not know its own.
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return 80, 24
}

// Width returns how many columns a text takes; control sequences for colours take none.
func Width(text string) int { return ansi.StringWidth(text) }

// Wrap breaks lines at spaces so that each fits into that many columns. The last column stays
// free, since a terminal may start a new line by itself after it. A word that is wider stays
// whole.
func Wrap(text string, columns int) string { return ansi.Wordwrap(text, columns-1, "") }
