package terminal

import (
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// drawnScreen writes only rows that have changed. bubbletea's own renderer looks for changes sixty times a second.
type drawnScreen struct {
	out           io.Writer
	width, height int
	rows          []string
	cursor        string
}

// begin switches to the alternate screen.
func (s *drawnScreen) begin() error {
	_, err := io.WriteString(s.out, ansi.SetModeAltScreenSaveCursor+ansi.SetModeBracketedPaste)
	return err
}

// end switches back.
func (s *drawnScreen) end() error {
	_, err := io.WriteString(s.out, ansi.ResetModeBracketedPaste+ansi.ResetModeAltScreenSaveCursor+ansi.ShowCursor)
	return err
}

// draw shows as many rows as fit.
func (s *drawnScreen) draw(rows []string, cursor *tea.Cursor, width, height int) error {
	var b strings.Builder
	if width != s.width || height != s.height {
		b.WriteString(ansi.EraseEntireScreen)
		s.rows, s.width, s.height = make([]string, height), width, height
	}
	for y, row := range rows {
		if y < height && row != s.rows[y] {
			b.WriteString(ansi.CursorPosition(1, y+1) + ansi.EraseEntireLine + ansi.Truncate(row, width, ""))
			s.rows[y] = row
		}
	}
	at := ansi.HideCursor
	if cursor != nil {
		at = ansi.CursorPosition(cursor.X+1, cursor.Y+1) + ansi.ShowCursor
	}
	if b.Len() == 0 && at == s.cursor {
		return nil
	}
	s.cursor = at
	_, err := io.WriteString(s.out, ansi.HideCursor+b.String()+at)
	return err
}

// slowAfter is the time until the screen says that an answer takes long.
const slowAfter = 500 * time.Millisecond

// working says in the last row that an answer takes long, until stop is called. Draw the screen only after that.
func (s *drawnScreen) working() (stop func()) {
	said := make(chan struct{})
	slow := time.AfterFunc(slowAfter, func() {
		defer close(said)
		s.rows[s.height-1] = "working …"
		// The next drawing meets the same error.
		_, _ = io.WriteString(s.out, ansi.CursorPosition(1, s.height)+ansi.EraseEntireLine+s.rows[s.height-1])
	})
	return func() {
		if !slow.Stop() {
			<-said
		}
	}
}
