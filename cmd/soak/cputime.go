package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// processorTime returns how much processor time a process has used itself, how much its
// children used that have ended and that it has waited for, and the id of its parent. It reads
// /proc/PID/stat, and returns zeros if there is none.
func processorTime(pid int) (own, children time.Duration, parent int) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, 0
	}
	_, after, _ := strings.Cut(string(stat), ") ") // the name in parentheses may have spaces
	fields := strings.Fields(after)
	if len(fields) < 15 {
		return 0, 0, 0
	}
	number := func(at int) int {
		n, _ := strconv.Atoi(fields[at]) // always a number, says proc(5)
		return n
	}
	ticks := func(user, system int) time.Duration {
		return time.Duration(number(user)+number(system)) * time.Second / 100 // USER_HZ is 100, proc(5)
	}
	return ticks(11, 12), ticks(13, 14), number(1)
}

// familyTime returns how much processor time a process and its children have used, including the children
// that have ended.
func familyTime(pid int) time.Duration {
	own, ended, _ := processorTime(pid)
	sum := own + ended
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return sum
	}
	for _, path := range all {
		child, err := strconv.Atoi(filepath.Base(path))
		if err != nil {
			continue
		}
		if used, _, parent := processorTime(child); parent == pid {
			sum += used
		}
	}
	return sum
}
