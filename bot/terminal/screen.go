package terminal

import (
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// drawnScreen writes the rows that have changed. bubbletea's own renderer looks for changes sixty
// times a second even where there are none.
type drawnScreen struct {
	out           io.Writer
	away          bool // the screen is not ours for a while
	width, height int
	rows          []string
	cursor        string
}

// begin takes the screen.
func (s *drawnScreen) begin() error {
	s.rows, s.width, s.away = nil, 0, false
	_, err := io.WriteString(s.out, ansi.SetModeAltScreenSaveCursor+ansi.SetModeBracketedPaste)
	return err
}

// end gives it back.
func (s *drawnScreen) end() error {
	s.away = true
	_, err := io.WriteString(s.out, ansi.ResetModeBracketedPaste+ansi.ResetModeAltScreenSaveCursor+ansi.ShowCursor)
	return err
}

// draw shows rows, as far as they fit.
func (s *drawnScreen) draw(rows []string, cursor *tea.Cursor, width, height int) error {
	if s.away {
		return nil
	}
	var b strings.Builder
	if width != s.width || height != s.height {
		b.WriteString(ansi.EraseEntireDisplay)
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
