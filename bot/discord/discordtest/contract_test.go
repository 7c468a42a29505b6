package discordtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestAnswersFitTheDescription checks what the fake itself sends against Discord's
// description of its API. Where that is absent, this is the test that says so.
func TestAnswersFitTheDescription(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{})
	if s.openAPI == nil {
		t.Skipf("Discord's description of its API (../shared/data/%s) is not on this machine, so no test compares requests and answers with it", openAPIName)
	}
	fits := func(name, schema string, raw json.RawMessage) {
		t.Helper()
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		s.openAPI.mu.Lock()
		defer s.openAPI.mu.Unlock()
		if err := s.openAPI.validateLocked(schema, v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	get := func(method, path, body string) json.RawMessage {
		t.Helper()
		status, _, answer := post(t, s, method, path, body)
		if status != 200 {
			t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
		return json.RawMessage(answer)
	}
	fits("gateway/bot", "GatewayBotResponse", get("GET", "gateway/bot", ""))
	fits("application", "PrivateApplicationResponse", get("GET", "applications/@me", ""))

	var commands []json.RawMessage
	list := get("PUT", "applications/"+s.AppID()+"/commands", `[{"name":"wordle","type":1,"description":"A game",
		"contexts":[0,1],"integration_types":[0,1],"options":[{"type":1,"name":"start","description":"x","options":[
		{"type":3,"name":"word","description":"x","required":true,"choices":[{"name":"x","value":"y"}]},
		{"type":5,"name":"n","description":"x"},{"type":6,"name":"who","description":"x"}]}]},
		{"name":"guess","type":1,"description":"x"}]`)
	if err := json.Unmarshal(list, &commands); err != nil || len(commands) != 2 {
		t.Fatalf("%s: %v", list, err)
	}
	for _, c := range commands {
		fits("command", "ApplicationCommandResponse", c)
	}

	call := s.Invoke(Interaction{Command: "wordle start", Guild: "5"})
	hook := "webhooks/" + s.AppID() + "/" + call.Token()
	fits("callback", "InteractionCallbackResponse", get("POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback?with_response=true",
		`{"type":4,"data":{"content":"x",`+quiet+`}}`))
	fits("edit", "MessageResponse", get("PATCH", hook+"/messages/@original", `{"content":"y",`+quiet+`}`))
	fits("follow-up", "MessageResponse", get("POST", hook, `{"content":"y",`+quiet+`}`))
	body, kind := multipartBody(t, `{"attachments":[{"id":0,"description":"x"}],`+quiet+`}`, "a.png")
	status, _, answer := post(t, s, "POST", hook, body, kind)
	if status != 200 {
		t.Fatalf("got %d %s", status, answer)
	}
	fits("picture", "MessageResponse", json.RawMessage(answer))

	s.SetGuild(Guild{ID: "5", Roles: []Role{{"6", "readers", ViewChannel}}, Bot: []string{"6"}})
	s.SetChannel(Channel{ID: "7", Guild: "5", Overwrites: []Overwrite{{"5", false, 0, SendMessages}, {s.AppID(), true, SendMessages, 0}}})
	s.SetChannel(Channel{ID: "9", Type: ChannelDirect})
	fits("roles", "GuildRoleResponse", first(t, get("GET", "guilds/5/roles", "")))
	fits("channel", "GuildChannelResponse", get("GET", "channels/7", ""))
	fits("direct messages", "PrivateChannelResponse", get("GET", "channels/9", ""))
	posted := get("POST", "channels/7/messages", `{"content":"x",`+quiet+`}`)
	fits("post", "MessageResponse", posted)
	fits("channel edit", "MessageResponse", get("PATCH", "channels/7/messages/"+idOf(t, posted), `{"content":"y",`+quiet+`}`))
	emoji, _ := json.Marshal(map[string]string{"name": "crane", "image": dataURI(mustPNG(t, 4, 4))})
	if status, _, answer := post(t, s, "POST", "applications/"+s.AppID()+"/emojis", string(emoji)); status != 201 {
		t.Errorf("emoji: got %d %s", status, answer)
	} else {
		fits("emoji", "EmojiResponse", json.RawMessage(answer))
	}
	fits("emojis", "ListApplicationEmojisResponse", get("GET", "applications/"+s.AppID()+"/emojis", ""))
}

// first is the first element of a list.
func first(tb testing.TB, list json.RawMessage) json.RawMessage {
	tb.Helper()
	var all []json.RawMessage
	if err := json.Unmarshal(list, &all); err != nil || len(all) == 0 {
		tb.Fatalf("%s: %v", list, err)
	}
	return all[0]
}

// idOf is the id of an object.
func idOf(tb testing.TB, o json.RawMessage) string {
	tb.Helper()
	var with struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(o, &with); err != nil || with.ID == "" {
		tb.Fatalf("%s: %v", o, err)
	}
	return with.ID
}

func dataURI(png string) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(png))
}
