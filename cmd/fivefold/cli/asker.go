package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
)

// asker reads what a person types, a line at a time.
type asker struct{ lines *bufio.Reader }

// NewAsker returns an asker of whoever writes to in.
func NewAsker(in io.Reader) asker { return asker{bufio.NewReader(in)} }

// Ask returns the next line without spaces around it, or false if the input or ctx ends
// first. After that it must not be called again: a read in progress cannot be stopped.
func (a asker) Ask(ctx context.Context) (line string, ok bool, err error) {
	type answer struct {
		line string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		line, err := a.lines.ReadString('\n')
		answers <- answer{line, err}
	}()
	select {
	case <-ctx.Done():
		return "", false, nil
	case a := <-answers:
		if errors.Is(a.err, io.EOF) {
			return "", false, nil
		}
		return strings.TrimSpace(a.line), true, a.err
	}
}
