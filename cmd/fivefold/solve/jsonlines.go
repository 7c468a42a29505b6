package solve

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// failure is the answer to a bad line.
type failure struct {
	Error string `json:"error"`
	Line  int    `json:"line"`
}

// serveLines answers each line that is not empty in JSON, or says what is wrong with it.
func serveLines(ctx context.Context, in io.Reader, out io.Writer, answer func(ctx context.Context, text []byte) (any, error)) error {
	lines := bufio.NewScanner(in)
	encoder := json.NewEncoder(out)
	for number := 1; ; number++ {
		read := make(chan bool, 1)
		go func() { read <- lines.Scan() }() // a read cannot be interrupted; at the end it is abandoned
		select {
		case <-ctx.Done():
			return nil
		case more := <-read:
			if !more {
				return lines.Err()
			}
		}
		text := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("\ufeff"))) // PowerShell's pipes may begin with it
		if len(text) == 0 {
			continue
		}
		reply, err := answer(ctx, text)
		if err != nil {
			reply = failure{err.Error(), number}
		}
		if err := encoder.Encode(reply); err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
	}
}

// parseObject reads a line of JSON without unknown fields.
func parseObject(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil && d.More() {
		return fmt.Errorf("this is not a question: something follows the object")
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("this is not a question: %s cannot be a JSON %s", cmp.Or(wrong.Field, "it"), wrong.Value)
	}
	if err != nil {
		return fmt.Errorf("this is not a question: %w", err)
	}
	return nil
}
