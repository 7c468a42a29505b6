package discord

import (
	"strings"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// TestRegisterForServersOnly: where players cannot install the application for themselves,
// the commands are there for servers all the same, at the next start too.
func TestRegisterForServersOnly(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{ServersOnly: true})
	store := mustStore(t)
	for range 2 {
		r := mustRun(t, s, store, func(*setup) {})
		r.log.MustSay(t, "registered the commands")
		r.cancel()
		must(t, r.mustEnd(t))
		for _, v := range s.Violations() {
			if !strings.Contains(v, "users cannot install this application") {
				t.Error(v)
			}
		}
		if got := string(s.Commands("")); !strings.Contains(got, `"integration_types":[0]`) || strings.Contains(got, `"integration_types":[0,1]`) {
			t.Errorf("got %s", got)
		}
	}
}
