package discordtest

import (
	"net/http"
	"strings"
	"testing"
)

// TestSubmit tries what clients would refuse to send.
func TestSubmit(t *testing.T) {
	t.Parallel()
	for want, texts := range map[string]map[string]string{
		"":                                nil,
		`the input "word" must be filled`: {"word": ""},
		"6 characters":                    {"word": "slates"},
		`no input "letters"`:              {"letters": ""},
	} {
		s, _ := connected(t, Options{})
		call := s.Invoke(Interaction{Command: "x"})
		post(t, s, "POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback", `{"type":9,"data":{"custom_id":"m","title":"Guess","components":[
			{"type":18,"label":"Word","component":{"type":4,"style":1,"custom_id":"word","max_length":5,"value":"crane"}}]}}`)
		if _, err := call.Submit(Context(t), texts); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %s", texts, err, want)
		}
	}
}

// TestPictures sends files that are not pictures for players.
func TestPictures(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{})
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
