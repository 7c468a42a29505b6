package discord

import (
	"errors"
	"strings"
	"testing"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
)

func TestRegisterOnce(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, c := range table().Commands {
		first, _, _ := strings.Cut(c.Name, " ")
		names[first] = true
	}
	for name, guild := range map[string]string{"everywhere": "", "one server": server} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			store := mustStore(t)
			for start, changed := range []string{"changed=true", "changed=false"} {
				r := mustRun(t, s, store, func(o *setup) { o.Guild = guild })
				r.log.MustSay(t, "registered the commands")
				if !strings.Contains(r.log.String(), changed) {
					t.Errorf("start %d: want %s", start+1, changed)
				}
				if n := s.Registrations(); n != 1 {
					t.Errorf("start %d: %d registrations, want one in all", start+1, n)
				}
				r.cancel()
				must(t, r.mustEnd(t))
			}
			var got []struct{ Name string }
			mustDecode(t, s.Commands(guild), &got)
			if len(got) != len(names) {
				t.Errorf("got %v", got)
			}
			if guild != "" && string(s.Commands("")) != "null" {
				t.Error("commands were registered everywhere too")
			}
		})
	}
}

// TestRefusedWhileRegistering wants the bot to stop when REST refuses the token
// that the gateway accepted.
func TestRefusedWhileRegistering(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	s.FailNext("", "/commands", 401, -1)
	if err := mustRun(t, s, mustStore(t)).mustEnd(t); !errors.Is(err, calls.ErrToken) {
		t.Errorf("got %v, want calls.ErrToken", err)
	}
}

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
