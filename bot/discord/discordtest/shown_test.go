package discordtest

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// glance is what a player sees of a message: its text, and its buttons by row.
func glance(tb testing.TB, s *Server, id string) string {
	tb.Helper()
	a, ok := s.Shown(id)
	if !ok {
		return "nothing"
	}
	text := a.Content
	if a.Ephemeral {
		text += " privately"
	}
	for _, c := range a.Components {
		text += fmt.Sprintf(" %d:%s%s", c.Row, c.Emoji, c.Label)
	}
	return text
}

const twoRows = `"components":[
	{"type":1,"components":[{"type":2,"style":2,"label":"A","custom_id":"a","emoji":{"name":"🟨"}},{"type":2,"style":2,"label":"B","custom_id":"b"}]},
	{"type":1,"components":[{"type":2,"style":1,"label":"C","custom_id":"c"}]}]`

// TestComponents presses buttons of a private message, and answers in every way
// that Discord knows.
func TestComponents(t *testing.T) {
	t.Parallel()
	const before = "x privately 0:🟨A 0:B 1:C"
	update := func(kind, data string) string {
		return `{"type":` + kind + `,"data":{` + quiet + `,` + data + `}}`
	}
	for name, test := range map[string]struct {
		answer   string // to the press
		edit     string // of what was pressed, if any
		followUp string
		pressed  string // what the message that was pressed shows in the end
		seen     string // what Message returns the id of
		edits    []string
	}{
		"update":                    {update("7", `"content":"y","components":[]`), "", "", "y privately", "y privately", nil},
		"a message":                 {update("4", `"content":"y"`), "", "", before, "y", nil},
		"deferred only":             {`{"type":6}`, "", "", before, "", nil},
		"deferred, then edit":       {`{"type":6}`, `{"content":"y","components":[],` + quiet + `}`, "", "y privately", "y privately", []string{"y"}},
		"deferred, then follow-up":  {`{"type":6}`, "", `{"content":"y",` + quiet + `}`, before, "y", nil},
		"deferred message, filled":  {`{"type":5}`, "", `{"content":"y","flags":64,` + quiet + `}`, before, "y", nil},
		"deferred message, by edit": {`{"type":5}`, `{"content":"y",` + quiet + `}`, "", before, "y", []string{"y"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := connected(t, Options{Answer: time.Hour})
			send := func(method, path, body string, want int) {
				t.Helper()
				if status, _, answer := post(t, s, method, path, body); status != want {
					t.Fatalf("%s %s: got %d %.300s", method, path, status, answer)
				}
			}
			call := s.Invoke(Interaction{Command: "x"})
			send("POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback", `{"type":4,"data":{"content":"x","flags":64,`+twoRows+`,`+quiet+`}}`, 204)
			first, err := call.First(Context(t))
			if err != nil {
				t.Fatal(err)
			}
			if got := glance(t, s, first.MessageID); got != before {
				t.Fatalf("got %s, want %s", got, before)
			}

			press := s.Invoke(Interaction{Type: TypeComponent, CustomID: "a", Message: first.MessageID})
			hook := "webhooks/" + s.AppID() + "/" + press.Token()
			send("POST", "interactions/"+press.ID()+"/"+press.Token()+"/callback", test.answer, 204)
			if test.edit != "" {
				send("PATCH", hook+"/messages/@original", test.edit, 200)
			}
			if test.followUp != "" {
				send("POST", hook, test.followUp, 200)
			}
			if got := glance(t, s, first.MessageID); got != test.pressed {
				t.Errorf("what was pressed: got %s, want %s", got, test.pressed)
			}
			if test.seen != "" {
				shown, err := press.Message(Context(t))
				if err != nil {
					t.Fatal(err)
				}
				if got := glance(t, s, shown.MessageID); got != test.seen {
					t.Errorf("the answer: got %s, want %s", got, test.seen)
				}
			} else if press.shown != nil {
				t.Errorf("a deferred response is taken for an answer: %+v", press.shown)
			}
			var edits []string
			for _, e := range press.Edits() {
				edits = append(edits, e.Content)
			}
			if !slices.Equal(edits, test.edits) {
				t.Errorf("edits: got %q, want %q", edits, test.edits)
			}
		})
	}
}
