package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// cmd/release sets these.
var (
	version = "0.1.0" // the release, as in CHANGELOG.md
	commit  = ""      // the whole hash
)

// versionLine returns the release, the commit if the build knows it, and the compiler.
func versionLine() string {
	hash := commit
	if info, ok := debug.ReadBuildInfo(); ok && hash == "" {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				hash = s.Value
			}
		}
	}
	name := version
	if len(hash) >= 12 {
		name += " (" + hash[:12] + ")"
	}
	return fmt.Sprintf("%s, %s", name, runtime.Version())
}
