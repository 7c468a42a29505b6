package terminal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// typedLines are the lines that a person has typed, oldest first, and the file that keeps
// them between runs. Nobody else may read the file.
type typedLines struct {
	path string // empty to keep nothing
	all  []string
}

const (
	keptLines    = 500      // in the file, after it was cut
	maxLinesFile = 64 << 10 // bytes in the file; then it is cut
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
	l.all = l.all[max(0, len(l.all)-keptLines):]
	if len(content) <= maxLinesFile {
		return l, os.Chmod(path, 0o600)
	}
	return l, l.rewrite()
}

// rewrite replaces the file by one with the lines that are kept.
func (l *typedLines) rewrite() error {
	temporary, err := os.CreateTemp(filepath.Dir(l.path), filepath.Base(l.path)+".*") // its mode is 0600
	if err != nil {
		return err
	}
	_, err = temporary.WriteString(strings.Join(l.all, "\n") + "\n")
	err = errors.Join(err, temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), l.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
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
	return errors.Join(err, f.Close())
}
