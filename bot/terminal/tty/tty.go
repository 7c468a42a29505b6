// Package tty describes terminals: whether a stream is one, what it takes, and how texts fit into it.
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

// TakesControls reports whether a stream takes control sequences: it is a terminal, and the environment doesn't set
// TERM=dumb.
func TakesControls(stream any, env map[string]string) bool {
	return IsTerminal(stream) && env["TERM"] != "dumb" && takesControls(stream)
}

// HasColours reports whether a stream also takes colours: the environment doesn't set NO_COLOR.
func HasColours(stream any, env map[string]string) bool {
	return env["NO_COLOR"] == "" && TakesControls(stream, env)
}

// Size returns the columns and rows of a terminal, or 80 and 24 if they are unknown.
func Size(stream any) (columns, rows int) {
	if f, ok := stream.(*os.File); ok {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return 80, 24
}

// Wrap breaks lines at spaces to fit into the columns. The last column stays free, since a terminal may start a new
// line by itself after it. A word that is wider stays whole.
func Wrap(text string, columns int) string { return ansi.Wordwrap(text, columns-1, "") }
