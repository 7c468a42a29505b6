package solve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxLine is how many bytes a question may have.
const maxLine = 1 << 16

// failure is the answer to a bad line.
type failure struct {
	Error string `json:"error"`
	Line  int    `json:"line"`
}

// serveLines writes an answer to each line that is not empty, as JSON, or what is wrong with it.
func serveLines(ctx context.Context, in io.Reader, out io.Writer, answer func(ctx context.Context, text []byte) (any, error)) error {
	lines := make(chan line)
	// Nothing can stop the reader. When ctx ends, its goroutine stays, waiting to read or
	// to send one more line.
	go readLines(ctx, in, lines)
	encoder := json.NewEncoder(out)
	for {
		select {
		case <-ctx.Done():
			return nil
		case l, more := <-lines:
			if !more {
				return nil
			}
			if l.err != nil && l.number == 0 {
				return fmt.Errorf("reading standard input: %w", l.err)
			}
			var reply any
			err := l.err
			if err == nil {
				reply, err = answer(ctx, l.text)
			}
			if err != nil {
				reply = failure{err.Error(), l.number}
			}
			if err := encoder.Encode(reply); err != nil {
				return fmt.Errorf("writing an answer: %w", err)
			}
		}
	}
}

// line is a line of input. One that is too long has an error and its number; when nothing more
// can be read, there is an error and the number is 0.
type line struct {
	number int // from 1
	text   []byte
	err    error
}

// readLines sends the lines that are not empty and closes the channel at the end.
func readLines(ctx context.Context, in io.Reader, lines chan<- line) {
	defer close(lines)
	send := func(l line) {
		select {
		case lines <- l:
		case <-ctx.Done():
		}
	}
	r := bufio.NewReaderSize(in, maxLine)
	for number := 1; ctx.Err() == nil; number++ {
		text, err := r.ReadSlice('\n')
		if number == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff")) // what PowerShell pipes may begin with it
		}
		l := line{number: number, text: bytes.TrimSpace(bytes.Clone(text))}
		if errors.Is(err, bufio.ErrBufferFull) {
			l.err = fmt.Errorf("the line is longer than %d bytes", maxLine)
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
		}
		if l.err != nil || len(l.text) > 0 {
			send(l)
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			send(line{err: err})
			return
		}
	}
}

// parseObject reads a line of JSON, which must have no fields but those that it is read into. The
// error is a sentence.
func parseObject(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something follows the object")
		}
	}
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		return fmt.Errorf("%s is not a field of a question", strings.TrimPrefix(err.Error(), "json: unknown field "))
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s must not be a %s", kind.Field, kind.Value)
	case kind != nil:
		return fmt.Errorf("this is not a JSON object but a JSON %s", kind.Value)
	}
	return fmt.Errorf("this is not a JSON object: %w", err)
}
