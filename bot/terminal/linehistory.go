package terminal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"fivefold/storage/durable"
)

// typedLines are the lines that a person has typed, oldest first, and the file that keeps
// them between runs. Nobody else may read the file.
type typedLines struct {
	path string // empty to keep nothing
	all  []string
}

const (
	maxLinesFile = 64 << 10 // bytes in the file; a longer one is cut to half of that
	keptLines    = 500      // in a file that was cut, at most
)

// readLines reads the lines of a file, which need not exist yet.
func readLines(path string) (*typedLines, error) {
	l := &typedLines{path: path}
	if path == "" {
		return l, nil
	}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, err
	}
	if utf8.Valid(content) {
		l.all = strings.FieldsFunc(string(content), func(r rune) bool { return r == '\n' })
	}
	if len(content) <= maxLinesFile {
		return l, os.Chmod(path, 0o600)
	}
	return l, l.cut()
}

// cut leaves out the oldest lines, and replaces the file.
func (l *typedLines) cut() error {
	first, size := len(l.all), 0
	for first > 0 && len(l.all)-first < keptLines && size+len(l.all[first-1])+1 <= maxLinesFile/2 {
		first--
		size += len(l.all[first]) + 1
	}
	l.all = l.all[first:]
	temporary := l.path + ".new"
	if err := os.WriteFile(temporary, []byte(strings.Join(l.all, "\n")+"\n"), 0o600); err != nil {
		return err
	}
	return durable.Rename(temporary, l.path)
}

// add appends a line, unless it repeats the one before. A line that cannot be kept is still
// remembered until the end of the run.
func (l *typedLines) add(line string) error {
	if len(l.all) > 0 && l.all[len(l.all)-1] == line {
		return nil
	}
	l.all = append(l.all, line)
	if l.path == "" {
		return nil
	}
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, line)
	info, statErr := f.Stat()
	if err = errors.Join(err, statErr, f.Close()); err != nil || info.Size() <= maxLinesFile {
		return err
	}
	return l.cut()
}
