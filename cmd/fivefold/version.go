package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"fivefold/cmd/fivefold/cli"
)

// Set by cmd/release: see there.
var (
	version = "0.1.0" // the release, as in CHANGELOG.md
	commit  = ""      // all of its hash
)

// versionCommand is the subcommand version.
func versionCommand(p *cli.Program) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  fivefold version",
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(p.Out, versionLine())
			return err
		},
	}
}

// versionLine names the release, the commit if the build knows it, and the compiler.
func versionLine() string {
	hash := commit
	if info, ok := debug.ReadBuildInfo(); ok && hash == "" {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				hash = s.Value
			}
		}
	}
	name := "fivefold " + version
	if len(hash) >= 12 {
		name += " (" + hash[:12] + ")"
	}
	return fmt.Sprintf("%s, %s", name, runtime.Version())
}
