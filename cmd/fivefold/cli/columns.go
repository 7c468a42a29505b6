package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// columns is a table aligned to the right. Each cell ends with a tab. Lines have no
// spaces at the end.
type columns struct {
	*tabwriter.Writer
	text *bytes.Buffer
	to   io.Writer
}

// NewColumns begins a table.
func NewColumns(to io.Writer) columns {
	var text bytes.Buffer
	return columns{tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight), &text, to}
}

// End writes the table.
func (c columns) End() error {
	if err := c.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(c.text.String()) {
		if _, err := fmt.Fprintln(c.to, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}
