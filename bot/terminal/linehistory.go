package terminal

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"fivefold/storage/durable"
)

// typedLines are the latest lines that a person has typed, oldest first, and the file that keeps
// them between runs. Nobody else may read the file.
type typedLines struct {
	path string // empty to keep nothing
	all  []string
}

const (
	keptLines    = 500      // at most
	maxLinesFile = 32 << 10 // bytes in the file
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
	return l, l.keep()
}

// keep leaves out the oldest lines, and replaces the file.
func (l *typedLines) keep() error {
	first, size := len(l.all), 0
	for ; first > 0 && len(l.all)-first < keptLines; first-- {
		if size += len(l.all[first-1]) + 1; size > maxLinesFile {
			break
		}
	}
	l.all = l.all[first:]
	if l.path == "" {
		return nil
	}
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
	return l.keep()
}
