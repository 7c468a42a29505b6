package main

import (
	"path/filepath"
	"testing"
)

// TestForeignToken: a person is asked before a bot runs with a token that may be that of
// another one.
func TestForeignToken(t *testing.T) {
	for _, c := range []struct {
		name, file, answer string
		asks, bot          bool
	}{
		{"yes", "DISCORD_TOKEN=not a token", "yes", true, true},
		{"Enter", "DISCORD_TOKEN=not a token", "", true, false},
		{"no", "DISCORD_TOKEN=not a token", "no", true, false},
		{"one of ours", "DISCORD_TOKEN=not a token\nFIVEFOLD_LOG=text", "", false, true},
		{"no token", "DISCORD_CLIENT_ID=1", "", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cmd := process(t)
			mustWriteFile(t, filepath.Join(cmd.Dir, ".env"), c.file, 0o600)
			screen := startOn(t, 80, 24, cmd, "HOME="+t.TempDir(), "USER=ana", "TERM=xterm")
			if c.asks {
				screen.shows("The file .env in this folder has a Discord token. ")
				screen.typed(c.answer + "\r")
			}
			if c.bot { // which ends because this is no token
				screen.shows("DISCORD_TOKEN: it has a space")
			} else {
				screen.shows(boardReady)
			}
		})
	}
}
