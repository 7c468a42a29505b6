package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// processorTime returns how long a process has used processors, how long its children did that it has
// waited for, and its parent; zeros where that cannot be known.
func processorTime(pid int) (own, children time.Duration, parent int) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, 0
	}
	_, after, _ := strings.Cut(string(stat), ") ") // its name
	fields := strings.Fields(after)
	if len(fields) < 15 {
		return 0, 0, 0
	}
	number := func(at int) int {
		n, _ := strconv.Atoi(fields[at]) // proc(5) says that it is one
		return n
	}
	ticks := func(user, system int) time.Duration {
		return time.Duration(number(user)+number(system)) * time.Second / 100 // USER_HZ is 100, proc(5)
	}
	return ticks(11, 12), ticks(13, 14), number(1)
}

// familyTime returns how long a process and its children, also those that have ended, have used processors.
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
