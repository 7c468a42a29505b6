package discordtest

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"time"
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
		{"group of subcommands", Interaction{Command: "a b c", Options: map[string]any{"n": 3, "yes": true, "who": UserOption("9")}},
			[]string{`"name":"a"`, `"options":[{"name":"b","options":[{"name":"c","options":[{"name":"n","type":4,"value":3},{"name":"who","type":6,"value":"9"},{"name":"yes","type":5,"value":true}],"type":1}],"type":2}]`, `"resolved":{"users":{"9":`}, []string{`"members":`}},
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

// TestLateReplay answers an interaction that a broken session got too late: the
// answer is refused, but is no violation.
func TestLateReplay(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{Answer: 3 * time.Second})
	s.CutGateway()
	call := s.Invoke(Interaction{Command: "x"})
	s.mu.Lock()
	call.began = call.began.Add(-time.Minute)
	for _, ses := range s.sessions {
		for _, e := range ses.kept {
			if e.call != nil {
				e.call.sentLocked(time.Now())
			}
		}
	}
	s.mu.Unlock()
	status, code, _ := post(t, s, "POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback", `{"type":5}`)
	if status != 404 || code != 10062 {
		t.Errorf("got %d %d, want 404 10062", status, code)
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

// TestFilesStay follows the files of one message through its edits: they stay
// unless the edit lists which to keep.
func TestFilesStay(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{Answer: time.Hour})
	call := s.Invoke(Interaction{Command: "x"})
	body, kind := multipartBody(t, `{"type":4,"data":{"attachments":[{"id":0,"description":"five letters"}],`+quiet+`}}`, "a.png")
	if status, _, answer := post(t, s, "POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback", body, kind); status != 204 {
		t.Fatalf("got %d %.300s", status, answer)
	}
	first, err := call.First(Context(t))
	if err != nil || len(first.Files) != 1 || first.Files[0].Description != "five letters" || string(first.Files[0].Data) != mustPNG(t, 2, 1) {
		t.Fatalf("got %+v, %v", first, err)
	}
	hook := "webhooks/" + s.AppID() + "/" + call.Token() + "/messages/@original"
	edit := func(payload string, names ...string) string {
		t.Helper()
		body, kind := multipartBody(t, payload, names...)
		if status, _, answer := post(t, s, "PATCH", hook, body, kind); status != 200 {
			t.Fatalf("got %d %.300s", status, answer)
		}
		return strings.Join(lastEdit(t, call).Attachments, " ")
	}
	if got := edit(`{`+quiet+`}`, "b.png"); got != "a.png b.png" {
		t.Errorf("without attachments: got %s, want both", got)
	}
	wantViolation(t, s, "pictures: PATCH /api/v10/"+hook+": b.png has no alt text")
	shown, _ := s.Shown(lastEdit(t, call).MessageID)
	if len(shown.Files) != 2 || shown.Files[0].Description != "five letters" || shown.Files[1].Name != "b.png" {
		t.Errorf("shown: got %+v", shown.Files)
	}
	if got := edit(`{"attachments":[{"id":"0","description":"x"}],`+quiet+`}`, "c.png"); got != "c.png" {
		t.Errorf("with a list of the new one only: got %s, want c.png", got)
	}
	if got := edit(`{"attachments":[],"content":"x",` + quiet + `}`); got != "" {
		t.Errorf("with an empty list: got %s, want none", got)
	}
	body, kind = multipartBody(t, `{"attachments":[],"content":"",`+quiet+`}`)
	if status, code, _ := post(t, s, "PATCH", hook, body, kind); status != 400 || code != 50006 {
		t.Errorf("nothing left: got %d %d, want 400 50006", status, code)
	}
	wantViolation(t, s, "50006")
}

// lastEdit returns the latest edit of the answers to a call.
func lastEdit(tb testing.TB, c *Call) Answer {
	tb.Helper()
	all := c.Edits()
	if len(all) == 0 {
		tb.Fatal("nothing was edited")
	}
	return all[len(all)-1]
}

// TestFollowUpTakesPlace sends a follow-up to a deferred answer, which becomes
// that answer and as private as it.
func TestFollowUpTakesPlace(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{Answer: time.Hour})
	call := s.Invoke(Interaction{Command: "x"})
	post(t, s, "POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback", `{"type":5,"data":{"flags":64}}`)
	post(t, s, "POST", "webhooks/"+s.AppID()+"/"+call.Token(), `{"content":"x",`+quiet+`}`)
	shown, err := call.Message(Context(t))
	first, _ := call.First(Context(t))
	if err != nil || shown.Content != "x" || !shown.Ephemeral || shown.MessageID != first.MessageID {
		t.Errorf("got %+v, %v", shown, err)
	}
}
