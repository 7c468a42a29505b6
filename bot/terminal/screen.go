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

// draw shows a view.
func (s *drawnScreen) draw(v tea.View, width, height int) error {
	if s.away {
		return nil
	}
	var b strings.Builder
	if width != s.width || height != s.height {
		b.WriteString(ansi.EraseEntireDisplay)
		s.rows, s.width, s.height = make([]string, height), width, height
	}
	for y, row := range strings.Split(v.Content, "\n") {
		if y < height && row != s.rows[y] {
			b.WriteString(ansi.CursorPosition(1, y+1) + ansi.EraseEntireLine + row)
			s.rows[y] = row
		}
	}
	cursor := ansi.HideCursor
	if v.Cursor != nil {
		cursor = ansi.CursorPosition(v.Cursor.X+1, v.Cursor.Y+1) + ansi.ShowCursor
	}
	if b.Len() == 0 && cursor == s.cursor {
		return nil
	}
	s.cursor = cursor
	_, err := io.WriteString(s.out, ansi.HideCursor+b.String()+cursor)
	return err
}
