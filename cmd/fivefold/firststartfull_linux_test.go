package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fivefold/cmd/fivefold/settings"
)

// TestFirstStartWithoutSpace: a first start for which there is no room says so and leaves no
// file. A limit on the length of files is the full disk.
func TestFirstStartWithoutSpace(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	for _, kilobytes := range []string{"1", "8", "16"} { // when bbolt makes its file, and when it grows
		start, data := newcomer(t)
		cmd := start("play")
		cmd.Args = append([]string{shell, "-c", `ulimit -f ` + kilobytes + ` && exec "$0" "$@"`}, cmd.Args...)
		cmd.Path = shell
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "cannot open the store "+filepath.Join(data, settings.TerminalFile)) {
			t.Errorf("with %s kB: %v\n%s", kilobytes, err, out)
		}
		if err := filepath.WalkDir(data, func(name string, d fs.DirEntry, err error) error {
			if err == nil && name != data {
				t.Errorf("with %s kB: %s is left", kilobytes, name)
			}
			return err
		}); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	}
}
