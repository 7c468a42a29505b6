package discordtest

import (
	"strings"
	"testing"
)

// TestCommands registers commands.
func TestCommands(t *testing.T) {
	t.Parallel()
	options := func(list ...string) string {
		return `[{"name":"x","type":1,"description":"x","options":[` + strings.Join(list, ",") + `]}]`
	}
	text := func(more string) string { return `{"type":3,"name":"y","description":"x"` + more + `}` }
	choice := `{"name":"` + strings.Repeat("x", 100) + `","value":"` + strings.Repeat("x", 100) + `"}`
	long := text(`,"choices":[` + strings.Repeat(choice+",", 19) + choice + `]`) // 4002 characters
	s := New(t, Options{Guilds: []string{"5"}, ServersOnly: true})
	for body, violation := range map[string]string{
		options(text(`,"required":true`), text("")):                                                     "",
		options(text(""), text(`,"required":true`)):                                                     "required options must come before",
		options(strings.Split(strings.Repeat(text("")+"\n", 25)+text(""), "\n")...):                     "options: 26",
		`[{"name":"x","type":1}]`:                                                                       "description: 0",
		`[{"name":"Some results","type":3}]`:                                                            "",
		`[{"name":"Some results","type":3,"description":"x"}]`:                                          "of a command on a message: 1",
		`[{"name":"Some results","type":1,"description":"x"}]`:                                          "name: \"Some results\"",
		`[{"name":"x","type":1,"description":"x","options":[{"name":"Y","type":3,"description":"x"}]}]`: "name: \"Y\"",
		options(long, long): "characters of a command: 8006",
		`[{"name":"x","type":1,"description":"x","integration_types":[1]}]`:            "users cannot install",
		`[{"name":"x","type":1,"description":"x","name_localizations":{"de-AT":"x"}}]`: "unknown field",
	} {
		status, _, answer := post(t, s, "PUT", "applications/"+appID+"/guilds/5/commands", body)
		if status == 200 != (violation == "") {
			t.Errorf("%.100s: got %d %.300s", body, status, answer)
		}
		wantViolation(t, s, violation)
	}
	if status, code, _ := post(t, s, "PUT", "applications/"+appID+"/guilds/6/commands", "[]"); status != 403 || code != 50001 {
		t.Errorf("where the bot is not: got %d %d, want 403 50001", status, code)
	}
}

// TestFrontDoor: every call names its agent and, but for those by an interaction's token, has the bot's token.
func TestFrontDoor(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	for _, c := range []struct {
		header, value string
		status        int
		violation     string
	}{
		{"Authorization", "Bot " + defaultToken, 200, ""},
		{"Authorization", "Bot wrong", 401, ""},
		{"User-Agent", "Go-http-client/1.1", 403, "User-Agent"},
	} {
		if status, _, answer := post(t, s, "GET", "applications/@me", "", c.header, c.value); status != c.status {
			t.Errorf("%s %s: got %d %.300s, want %d", c.header, c.value, status, answer, c.status)
		}
		wantViolation(t, s, c.violation)
	}
}
