package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is the release, as in CHANGELOG.md.
const version = "0.1.0"

// versionLine names the release, the commit where the build knows it, and the
// compiler.
func versionLine() string {
	commit := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				commit = " (" + s.Value[:12] + ")"
			}
		}
	}
	return fmt.Sprintf("fivefold %s%s, %s", version, commit, runtime.Version())
}
