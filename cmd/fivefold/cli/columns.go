package cli

import (
	"io"
	"text/tabwriter"
)

// NewColumns begins a table aligned to the right, which Flush ends. Each cell ends with a tab, and
// the last one of a row is not empty.
func NewColumns(to io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
}
