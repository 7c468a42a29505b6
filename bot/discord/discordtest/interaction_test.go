package discordtest

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
)

// TestInteractionJSON checks what differs between places and kinds.
func TestInteractionJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		in      Interaction
		has     []string
		without []string
	}{
		{"guild", Interaction{Guild: "5", User: "7", Permissions: 8192, Command: "a"},
			[]string{`"member":{`, `"permissions":"8192"`, `"context":0`, `"guild_id":"5"`, `"authorizing_integration_owners":{"0":"5"}`}, []string{`"message":`}},
		{"direct", Interaction{User: "7", Command: "a"},
			[]string{`"user":{`, `"context":1`, `"authorizing_integration_owners":{"0":"0"}`}, []string{`"member":`, `"guild_id":`}},
		{"group", Interaction{User: "7", Command: "a", GroupDM: true},
			[]string{`"context":2`, `"authorizing_integration_owners":{"1":"7"}`}, []string{`"member":`}},
		{"subcommand", Interaction{Command: "a b", Options: map[string]any{"n": 3, "yes": true, "who": UserOption("9")}},
			[]string{`"name":"a"`, `"options":[{"name":"b","options":[{"name":"n","type":4,"value":3},{"name":"who","type":6,"value":"9"},{"name":"yes","type":5,"value":true}],"type":1}]`, `"resolved":{"users":{"9":`}, []string{`"members":`}},
		{"typing", Interaction{Type: TypeAutocomplete, Command: "a", Focused: "word"},
			[]string{`{"focused":true,"name":"word","type":3,"value":""}`}, nil},
		{"button", Interaction{Type: TypeComponent, CustomID: "x"}, []string{`"component_type":2`, `"custom_id":"x"`, `"message":{`}, []string{`"values":`}},
		{"select", Interaction{Type: TypeComponent, CustomID: "x", Values: []string{"v"}}, []string{`"component_type":3`, `"values":["v"]`}, nil},
		{"modal of a command", Interaction{Type: TypeModal, CustomID: "x", Options: map[string]any{"w": "v"}}, []string{`"custom_id":"w"`, `"value":"v"`}, []string{`"message":`}},
		{"raw", Interaction{Raw: json.RawMessage(`{"id":"1","type":99}`)}, []string{`{"id":"1","type":99}`}, []string{"token"}},
	}
	s, g := connected(t, Options{})
	for _, tt := range tests {
		s.Invoke(tt.in)
		got := string(g.want(opDispatch, "INTERACTION_CREATE").Data)
		for _, part := range tt.has {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %s in %s", tt.name, part, got)
			}
		}
		for _, part := range tt.without {
			if strings.Contains(got, part) {
				t.Errorf("%s: %s in %s", tt.name, part, got)
			}
		}
	}
}

// multipartBody is a body with files, as discordgo and Discord's documentation
// have them.
func multipartBody(tb testing.TB, payload string, names ...string) (body string, contentType func(*http.Request)) {
	tb.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part := func(disposition, kind, content string) {
		p, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {disposition}, "Content-Type": {kind}})
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := p.Write([]byte(content)); err != nil {
			tb.Fatal(err)
		}
	}
	part(`form-data; name="payload_json"`, "application/json", payload)
	for i, name := range names {
		part(`form-data; name="files[`+string(rune('0'+i))+`]"; filename="`+name+`"`, "image/png", mustPNG(tb, 2, 1))
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	kind := w.FormDataContentType()
	return b.String(), func(r *http.Request) { r.Header.Set("Content-Type", kind) }
}
