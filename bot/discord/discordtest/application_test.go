package discordtest

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// TestCommands registers commands.
func TestCommands(t *testing.T) {
	t.Parallel()
	options := func(list ...string) string {
		return `[{"name":"x","type":1,"description":"x","options":[{"type":1,"name":"y","description":"x","options":[` + strings.Join(list, ",") + `]}]}]`
	}
	text := func(name, more string) string {
		return `{"type":3,"name":"` + name + `","description":"x"` + more + `}`
	}
	big := make([]string, 25)
	for i := range big {
		big[i] = text("o"+string(rune('a'+i)), strings.ReplaceAll(`,"choices":[{"name":"N","value":"N"},{"name":"NN","value":"N"},{"name":"N.","value":"NN"}]`, "N", strings.Repeat("n", 50)))
	}
	s := New(t, Options{Guilds: []string{"5"}, ServersOnly: true})
	for _, c := range []struct{ body, violation string }{
		{options(text("a", `,"required":true`), text("b", "")), ""},
		{`[{"name":"x","type":1}]`, "description: 0"},
		{options(text("a", ""), text("b", `,"required":true`)), "required options must come before"},
		{options(append(big, text("z", ""))...), "options: 26"},
		{`[{"name":"x","type":1,"description":"x","integration_types":[1]}]`, "users cannot install"},
		{`[{"name":"x","type":1,"description":"x","name_localizations":{"de-AT":"x"}}]`, `unknown field "name_localizations"`},
	} {
		status, _, answer := post(t, s, "PUT", "applications/"+appID+"/guilds/5/commands", c.body)
		if status == 200 != (c.violation == "") {
			t.Errorf("%.100s: got %d %.300s", c.body, status, answer)
		}
		if got := strings.Join(s.Violations(), "\n"); !strings.Contains(got, c.violation) || c.violation == "" && got != "" {
			t.Errorf("%.100s: got violations %q, want %q", c.body, got, c.violation)
		}
	}
	if status, code, _ := post(t, s, "PUT", "applications/"+appID+"/guilds/6/commands", "[]"); status != 403 || code != 50001 {
		t.Errorf("where the bot is not: got %d %d, want 403 50001", status, code)
	}
}

// TestEmojis adds emojis of the application, lists them and deletes one.
func TestEmojis(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	const path = "applications/" + appID + "/emojis"
	good := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(mustPNG(t, 8, 8)))
	for _, c := range []struct{ name, image, violation string }{
		{"crane_1", good, ""},
		{"crane_1", good, "taken"},
	} {
		if status, _, answer := post(t, s, "POST", path, fmt.Sprintf(`{"name":%q,"image":%q}`, c.name, c.image)); status == 201 != (c.violation == "") {
			t.Errorf("%s %.40s: got %d %.300s", c.name, c.image, status, answer)
		}
		wantViolation(t, s, c.violation)
	}
	_, _, list := post(t, s, "GET", path, "")
	if strings.Count(list, `"name":"crane_1"`) != 1 || string(s.Emoji("crane_1")) != mustPNG(t, 8, 8) || s.Emoji("slate") != nil {
		t.Errorf("got %s", list)
	}
	id := s.emojis[0].ID
	for _, status := range []int{204, 404} {
		if got, _, _ := post(t, s, "DELETE", path+"/"+id, ""); got != status {
			t.Errorf("delete: got %d, want %d", got, status)
		}
	}
	wantViolation(t, s, "10014")
}

// TestFrontDoor: every call names its agent and, but for those by an interaction's token, has the bot's token.
func TestFrontDoor(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	for _, c := range []struct {
		method, path, body string
		headers            []string
		status             int
		violation          string
	}{
		{"GET", "applications/@me", "", nil, 200, ""},
		{"GET", "applications/@me", "", []string{"Authorization", "Bot wrong"}, 401, ""},
		{"GET", "gateway/bot", "", []string{"User-Agent", "Go-http-client/1.1"}, 403, "User-Agent"},
		{"PUT", "applications/" + appID + "/commands", "{", nil, 400, "invalid JSON"},
		{"GET", "guilds/1", "", nil, 404, "no such endpoint"},
	} {
		if status, _, answer := post(t, s, c.method, c.path, c.body, c.headers...); status != c.status {
			t.Errorf("%s %s %v: got %d %.300s, want %d", c.method, c.path, c.headers, status, answer, c.status)
		}
		wantViolation(t, s, c.violation)
	}
	if got := s.Requests(); len(got) != 5 || got[0].Path != "/api/v10/applications/@me" || got[0].Status != 200 {
		t.Errorf("got %+v", got)
	}
}
