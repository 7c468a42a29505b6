package discordtest

import (
	"context"
	"embed"
	"io/fs"
	"strings"
	"testing"
	"time"
)

// Context ends what would go on for ever; nothing that works comes near it, on however slow a
// machine.
func Context(tb testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	tb.Cleanup(cancel)
	return ctx
}

//go:embed interactions/*.json
var interactions embed.FS

// Interactions returns raw interactions as the gateway sends them, by name.
func Interactions(tb testing.TB) map[string][]byte {
	tb.Helper()
	files, err := fs.Glob(interactions, "interactions/*.json")
	if err != nil {
		tb.Fatal(err)
	}
	all := map[string][]byte{}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "interactions/"), ".json")
		if all[name], err = interactions.ReadFile(file); err != nil {
			tb.Fatal(err)
		}
	}
	return all
}
