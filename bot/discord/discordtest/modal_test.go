package discordtest

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestSubmit fills in modals as players do, and tries what their clients would
// refuse to send.
func TestSubmit(t *testing.T) {
	t.Parallel()
	const (
		labels = `[{"type":18,"label":"Word","component":{"type":4,"style":1,"custom_id":"word","max_length":5,"placeholder":"crane"}},
			{"type":18,"label":"Notes","component":{"type":4,"style":2,"custom_id":"notes","value":"a b","required":false}}]`
	)
	for name, test := range map[string]struct {
		asked Interaction
		modal string
		texts map[string]string
		has   string // in what is sent
		err   string
	}{
		"labels": {
			Interaction{Command: "x"}, labels, map[string]string{"word": "slate"},
			`"components":[{"component":{"custom_id":"word","id":2,"type":4,"value":"slate"},"id":1,"type":18},` +
				`{"component":{"custom_id":"notes","id":4,"type":4,"value":"a b"},"id":3,"type":18}],"custom_id":"m"`, "",
		},
		"emptied":         {Interaction{Command: "x"}, labels, map[string]string{"word": "slate", "notes": ""}, `"id":4,"type":4,"value":""`, ""},
		"under a message": {Interaction{Type: TypeComponent, CustomID: "b"}, labels, map[string]string{"word": "slate"}, `"message":{`, ""},
		"by whom":         {Interaction{Command: "x", Guild: "5", User: "7", Channel: "9"}, labels, map[string]string{"word": "slate"}, `"channel_id":"9"`, ""},
		"required":        {Interaction{Command: "x"}, labels, nil, "", `the input "word" must be filled in`},
		"too long":        {Interaction{Command: "x"}, labels, map[string]string{"word": "slates"}, "", "6 characters"},
		"another input":   {Interaction{Command: "x"}, labels, map[string]string{"word": "slate", "letters": ""}, "", `no input "letters"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, g := connected(t, Options{Answer: time.Hour})
			call := s.Invoke(test.asked)
			g.want(opDispatch, "INTERACTION_CREATE")
			status, _, answer := post(t, s, "POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback",
				`{"type":9,"data":{"custom_id":"m","title":"Guess","components":`+test.modal+`}}`)
			if status != 204 {
				t.Fatalf("got %d %.300s", status, answer)
			}
			sent, err := call.Submit(Context(t), test.texts)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want %s", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := string(g.want(opDispatch, "INTERACTION_CREATE").Data)
			for _, part := range []string{`"type":5,`, `"id":"` + sent.ID() + `"`, test.has} {
				if !strings.Contains(got, part) {
					t.Errorf("no %s in %s", part, got)
				}
			}
			if onMessage := test.asked.Type == TypeComponent; strings.Contains(got, `"message":{"`) != onMessage {
				t.Errorf("the message: got %s", got)
			}
		})
	}
}

// TestPictures sends files that are no pictures for players.
func TestPictures(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{Answer: time.Hour})
	call := s.Invoke(Interaction{Command: "x"})
	hook := "webhooks/" + s.AppID() + "/" + call.Token()
	send := func(method, path, payload string, want int, names ...string) {
		t.Helper()
		change := []func(*http.Request){}
		body := payload
		if names != nil {
			var kind func(*http.Request)
			body, kind = multipartBody(t, payload, names...)
			change = append(change, kind)
		}
		status, _, answer := post(t, s, method, path, body, change...)
		if status != want {
			t.Fatalf("got %d %.300s, want %d", status, answer, want)
		}
	}
	callback := "interactions/" + call.ID() + "/" + call.Token() + "/callback"
	send("POST", callback, `{"type":4,"data":{"attachments":[{"id":1,"description":"x"}],`+quiet+`}}`, 400, "a.png")
	wantViolation(t, s, "data.attachments.0.id: there is no file 1")
	send("POST", callback, `{"type":4,"data":{"attachments":[{"id":0,"filename":"table.png","description":"x"}],`+quiet+`}}`, 204, "a.png")
	first, err := call.First(Context(t))
	if err != nil || len(first.Files) != 1 || first.Files[0].Name != "table.png" {
		t.Fatalf("got %+v, %v", first.Files, err)
	}
	if w, h, err := first.Files[0].Size(); w != 2 || h != 1 || err != nil {
		t.Errorf("got %d×%d, %v", w, h, err)
	}
	send("PATCH", hook+"/messages/@original", `{"attachments":[{"id":"7"}],"content":"x",`+quiet+`}`, 400)
	wantViolation(t, s, "attachments.0.id: there is no file 7")
	send("POST", hook, `{"attachments":[{"id":"7"}],"content":"x",`+quiet+`}`, 400)
	wantViolation(t, s, "attachments.0.id: there is no file 7")
	body, kind := multipartBody(t, `{"attachments":[{"id":"0","description":"x"}],`+quiet+`}`, "b.png")
	body = strings.Replace(body, mustPNG(t, 2, 1), "no picture", 1)
	if status, _, answer := post(t, s, "POST", hook, body, kind); status != 200 {
		t.Errorf("got %d %.300s", status, answer)
	}
	wantViolation(t, s, "b.png: png: invalid format")
}
