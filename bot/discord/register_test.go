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

// TestSecretOptions: Discord, where others can look at the options of a command, is not told of those that are
// secret.
func TestSecretOptions(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	mustReady(t, s)
	if all := string(s.Commands("")); !strings.Contains(all, `"challenge"`) || strings.Contains(all, `"clue"`) {
		t.Errorf("registered were %s", all)
	}
}
