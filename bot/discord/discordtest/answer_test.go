package discordtest

import (
	"strings"
	"testing"
	"time"
)

// TestFirstAnswers sends first answers to interactions of each type.
func TestFirstAnswers(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("é", n) }
	choices := func(n int, value string) string {
		return `{"type":8,"data":{"choices":[` + strings.TrimSuffix(strings.Repeat(`{"name":"x","value":"`+value+`"},`, n), ",") + `]}}`
	}
	form := func(title string, inputs ...string) string {
		for i, in := range inputs {
			inputs[i] = `{"type":18,"label":"Word","component":{"type":4,"style":1,` + in + `}}`
		}
		return `{"type":9,"data":{"custom_id":"m","title":"` + title + `","components":[` + strings.Join(inputs, ",") + `]}}`
	}
	const word, update = `"custom_id":"word"`, `{"type":7,"data":` + say + `}`
	s := connected(t, Options{})
	for _, c := range []struct {
		name       string
		kind, code int // 0 is success
		body       string
		violation  string // empty for none
	}{
		{"fine", TypeCommand, 0, hello, ""},
		{"no mentions", TypeCommand, 0, strings.Replace(hello, quiet, `"nonce":"1"`, 1), "mentions: "},
		{"update of a command", TypeCommand, 50035, update, "type: 7 does not answer"},
		{"update of a message", TypeComponent, 0, update, ""},
		{"update becomes private", TypeComponent, 50035, strings.Replace(update, "32768", "32832", 1), "flags: 32832"},
		{"message for autocomplete", TypeAutocomplete, 50035, hello, "type: 4 does not answer"},
		{"26 choices", TypeAutocomplete, 50035, choices(26, "x"), "choices: 26"},
		{"choice with a long value", TypeAutocomplete, 50035, choices(1, long(101)), "value: 101"},
		{"form", TypeComponent, 0, form("Guess", word), ""},
		{"form with a text", TypeCommand, 0, `{"type":9,"data":{"custom_id":"m","title":"x","components":[` + text("board") + `,{"type":18,"label":"Word","component":{"type":4,"style":1,` + word + `}}]}}`, ""},
		{"form with a row", TypeCommand, 50035, `{"type":9,"data":{"custom_id":"m","title":"x","components":[` + inside(1, press("a")) + `]}}`, "type 1, must be one of [10 18]"},
		{"empty form", TypeCommand, 50035, form("Guess"), "components: 0"},
		{"form of six", TypeCommand, 50035, form("Guess", `"custom_id":"1"`, `"custom_id":"2"`, `"custom_id":"3"`, `"custom_id":"4"`, `"custom_id":"5"`, `"custom_id":"6"`), "components: 6"},
		{"form with a button", TypeCommand, 50035, strings.Replace(form("Guess", word), `"type":4`, `"type":2`, 1), "type 2, must be one of [4]"},
		{"form without a style", TypeCommand, 50035, strings.Replace(form("Guess", word), `"style":1,`, "", 1), "style: 0"},
		{"form with a long example", TypeCommand, 50035, form("Guess", word+`,"placeholder":"`+long(101)+`"`), "placeholder: 101"},
		{"form with a long label", TypeCommand, 50035, strings.Replace(form("Guess", word), "Word", long(46), 1), "label: 46"},
		{"form without a label", TypeCommand, 50035, strings.Replace(form("Guess", word), "Word", "", 1), "label: 0"},
		{"form with a long description", TypeCommand, 50035, strings.Replace(form("Guess", word), `"label"`, `"description":"`+long(101)+`","label"`, 1), "description: 101"},
		{"form with a long text", TypeCommand, 50035, form("Guess", word+`,"value":"`+long(4001)+`"`), "value: 4001"},
		{"form for a long text", TypeCommand, 50035, form("Guess", word+`,"max_length":4001`), "maxlength: 4001"},
		{"form with an input twice", TypeCommand, 50035, form("Guess", word, word), `custom_id: "word"`},
		{"form for a form", TypeModal, 50035, form("Guess", word), "type: 9 does not answer"},
		{"form without a title", TypeCommand, 50035, form("", word), "title: 0"},
		{"form without a custom_id", TypeCommand, 50035, strings.Replace(form("Guess", word), `"custom_id":"m",`, "", 1), "custom_id: 0"},
		{"form title", TypeCommand, 50035, form(long(46), word), "title: 46"},
		{"file that is not there", TypeCommand, 50035, strings.Replace(hello, quiet, quiet+`,"attachments":[{"id":"0"}]`, 1), "there is no file 0"},
		{"file by a number", TypeCommand, 50035, strings.Replace(hello, quiet, quiet+`,"attachments":[{"id":0}]`, 1), "cannot unmarshal number"},
	} {
		call := s.Invoke(Interaction{Type: c.kind, Command: "x"})
		if status, code, answer := respond(t, s, call, c.body); code != c.code || status/100 == 2 != (c.code == 0) {
			t.Errorf("%s: got %d %d %.300s, want code %d", c.name, status, code, answer, c.code)
		}
		got := strings.Join(s.Violations(), "\n")
		if !strings.Contains(got, c.violation) || c.violation == "" && got != "" {
			t.Errorf("%s: got violations %q, want %q", c.name, got, c.violation)
		}
	}
}

// TestOneAnswerInTime: an interaction takes one answer, in time, and its token counts from then on.
func TestOneAnswerInTime(t *testing.T) {
	t.Parallel()
	var clock Clock
	began := time.Now() // for slow machines, the clock stands still but for Advance
	s := connected(t, Options{Now: func() time.Time { return began.Add(time.Duration(clock.ahead.Load())) }})
	call := s.Invoke(Interaction{Command: "x", UserInstalled: true})
	hook := "webhooks/" + appID + "/" + call.Token()
	original := hook + "/messages/@original"
	first := "interactions/" + call.ID() + "/" + call.Token() + "/callback"
	for _, c := range []struct {
		name, method, path, body string
		status, code             int
		violation                string
	}{
		{"edit before the answer", "PATCH", original, say, 404, 10015, "10015"},
		{"answer", "POST", first, hello, 204, 0, ""},
		{"second answer", "POST", first, hello, 400, 40060, "40060"},
		{"unknown interaction", "POST", "interactions/1/x/callback", hello, 404, 10062, "10062"},
		{"edit", "PATCH", original, say, 200, 0, ""},
		{"edit that makes it private", "PATCH", original, strings.Replace(say, "32768", "32832", 1), 400, 50035, "flags: 32832"},
		{"follow-up", "POST", hook, say, 200, 0, ""},
		{"unknown message", "PATCH", hook + "/messages/5", say, 404, 10008, "10008"},
		{"delete", "DELETE", original, ``, 204, 0, ""},
		{"delete again", "DELETE", original, ``, 404, 10008, ""},
		{"edit what is gone", "PATCH", original, say, 404, 10008, ""},
	} {
		clock.Advance(time.Second)
		if status, code, answer := post(t, s, c.method, c.path, c.body); status != c.status || code != c.code {
			t.Errorf("%s: got %d %.300s, want %d %d", c.name, status, answer, c.status, c.code)
		}
		wantViolation(t, s, c.violation)
	}
	clock.Advance(2 * time.Second)
	further, err := call.FollowedUp(Context(t))
	follow := hook + "/messages/" + further.MessageID
	for n := range 6 {
		clock.Advance(time.Second / 4)
		if status, _, answer := post(t, s, "PATCH", follow, say); err != nil || (status == 429) != (n == 5) || status == 429 && !strings.Contains(answer, "retry_after") {
			t.Errorf("edit %d within two seconds: got %d %.300s", n+1, status, answer)
		}
	}
	late := s.Invoke(Interaction{Command: "x"})
	clock.Advance(2 * time.Hour)
	if status, code, _ := respond(t, s, late, hello); status != 404 || code != 10062 {
		t.Errorf("late answer: got %d %d, want 404 10062", status, code)
	}
	if again := s.Invoke(Interaction{ID: call.ID()}); again != call {
		t.Error("a redelivery is another call")
	}
}

// TestFiles: pictures can be seen and have alt texts, and an edit names the files that it keeps by their ids, as strings. Discord
// does not list the files that components show.
func TestFiles(t *testing.T) {
	t.Parallel()
	var clock Clock
	s := connected(t, Options{Now: clock.Now})
	picture := mustPNG(t, 2, 1)
	const attached = "attachment://a.png"
	keep := func(list, body string) string { return strings.Replace(body, "{", `{"attachments":[`+list+`],`, 1) }
	call, id := answered(t, s, Interaction{Command: "x"}, withFile(t, `{"type":4,"data":`+newer(gallery(attached))+`}`, picture))
	shown, _ := s.Shown(id)
	if len(shown.Files) != 1 || shown.Files[0].Name != "a.png" || shown.Files[0].Description != "alt" {
		t.Fatalf("got %+v", shown.Files)
	}
	kept := shown.Files[0].ID
	original := "webhooks/" + appID + "/" + call.Token() + "/messages/@original"
	if _, _, got := post(t, s, "GET", original, ""); !strings.Contains(got, `"attachments":[]`) || !strings.Contains(got, `"attachment_id":"`+kept+`"`) {
		t.Errorf("got %s", got)
	}
	for _, c := range []struct {
		body      string
		status    int
		violation string
	}{
		{keep(`{"id":"`+kept+`"}`, newer(gallery(attached))), 400, "there is no file attachment://a.png"},
		{keep(`{"id":"`+kept+`","filename":"a.png"}`, newer(gallery(attached))), 200, ""},
		{`{` + quiet + `}`, 200, ""},
		{keep(`{"id":"`+kept+`"}`, newer(text("x"))), 200, "no component shows a.png"},
		{keep(`{"id":"`+kept+`","filename":"a.png"}`, strings.Replace(newer(gallery(attached)), `"alt"`, `""`, 1)), 200, "no alt text"},
		{keep(`{"id":"7"}`, newer(text("x"))), 400, "there is no file 7"},
		{newer(gallery(attached)), 400, "there is no file attachment://a.png"},
		{keep("", `{`+quiet+`}`), 400, "there is no file https://"},
		{keep("", newer(gallery(attached))), 400, "there is no file attachment://a.png"},
		{keep("", newer(text("x"))), 200, ""},
		{withFile(t, keep(`{"id":"0"}`, newer(gallery(attached))), picture), 200, ""},
	} {
		clock.Advance(time.Second)
		if status, _, answer := post(t, s, "PATCH", original, c.body); status != c.status {
			t.Errorf("%s: got %d %.300s, want %d", c.body, status, answer, c.status)
		}
		wantViolation(t, s, c.violation)
	}
}
