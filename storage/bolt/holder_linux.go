package bolt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// keepsNote: the kernel says who has locked a file, and is right about a process that was
// killed.
const keepsNote = false

// holder names the process that has locked a file, such as "1234 (fivefold play)", or
// returns an empty string if the kernel does not say: the process may be another user's, in
// another container or gone.
func holder(path string) string {
	file, err := os.Stat(path)
	if err != nil {
		return ""
	}
	stat, ok := file.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return ""
	}
	// A line is "1: FLOCK  ADVISORY  WRITE 1234 fd:01:131090 0 EOF". If the process only waits
	// for the lock, "->" follows the number.
	for line := range strings.Lines(string(locks)) {
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != "FLOCK" || !strings.HasSuffix(f[5], fmt.Sprintf(":%d", stat.Ino)) {
			continue
		}
		if pid := f[4]; hasOpen(pid, file) {
			return strings.TrimSpace(pid + " " + commandOf(pid))
		}
	}
	return ""
}

// hasOpen reports whether a process has a file open.
func hasOpen(pid string, file os.FileInfo) bool {
	open, err := filepath.Glob("/proc/" + pid + "/fd/*")
	if err != nil {
		return false
	}
	for _, name := range open {
		if other, err := os.Stat(name); err == nil && os.SameFile(file, other) {
			return true
		}
	}
	return false
}

// commandOf returns the command line of a process, in brackets and without the program's
// folder.
func commandOf(pid string) string {
	line, err := os.ReadFile("/proc/" + pid + "/cmdline")
	if err != nil || len(line) == 0 {
		return ""
	}
	args := strings.Split(string(bytes.TrimRight(line, "\x00")), "\x00")
	args[0] = filepath.Base(args[0])
	return fmt.Sprintf("(%s)", strings.Join(args, " "))
}
