package discordtest

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestRefusedCallbacks(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("é", n) }
	button := func(id string) string {
		return `{"type":2,"style":1,"label":"x","custom_id":"` + id + `"}`
	}
	rows := func(rows ...string) string {
		out := make([]string, len(rows))
		for i, r := range rows {
			out[i] = `{"type":1,"components":[` + r + `]}`
		}
		return `"components":[` + strings.Join(out, ",") + `]`
	}
	say := func(data string) string { return `{"type":4,"data":{` + quiet + `,` + data + `}}` }
	choices := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = `{"name":"x","value":"x"}`
		}
		return `{"type":8,"data":{"choices":[` + strings.Join(list, ",") + `]}}`
	}
	modal := func(title string, inputs ...string) string {
		for i, in := range inputs {
			inputs[i] = `{"type":18,"label":"Word","component":{"type":4,"style":1,` + in + `}}`
		}
		return `{"type":9,"data":{"custom_id":"m","title":"` + title + `","components":[` + strings.Join(inputs, ",") + `]}}`
	}
	const word = `"custom_id":"word"`
	tests := []struct {
		name      string
		kind      int
		body      string
		status    int
		code      int
		violation string // "" for none
	}{
		{"fine", 2, say(`"content":"` + long(2000) + `"`), 204, 0, ""},
		{"too long", 2, say(`"content":"` + long(2001) + `"`), 400, 50035, "data.content: 2001 characters"},
		{"empty", 2, say(`"content":""`), 400, 50006, "empty message"},
		{"no data", 2, `{"type":4}`, 400, 50006, "empty message"},
		{"no mentions", 2, `{"type":4,"data":{"content":"x"}}`, 204, 0, "mentions: "},
		{"null mentions", 2, `{"type":4,"data":{"content":"x","allowed_mentions":{"parse":null}}}`, 204, 0, "mentions: "},
		{"content is a number", 2, say(`"content":5`), 400, 50035, "body.content"},
		{"no type", 2, `{"data":{}}`, 400, 50035, "type: 0"},
		{"an embed", 2, say(`"embeds":[{"title":"x"}]`), 400, 50035, "data.embeds: this bot sends none"},
		{"five buttons", 2, say(`"content":"x",` + rows(button("1")+","+button("2")+","+button("3")+","+button("4")+","+button("5"))), 204, 0, ""},
		{"six buttons", 2, say(`"content":"x",` + rows(button("1")+","+button("2")+","+button("3")+","+button("4")+","+button("5")+","+button("6"))), 400, 50035, "data.components.0.components: 6, at most 5"},
		{"six rows", 2, say(`"content":"x",` + rows(button("1"), button("2"), button("3"), button("4"), button("5"), button("6"))), 400, 50035, "data.components: 6, at most 5"},
		{"id twice", 2, say(`"content":"x",` + rows(button("1"), button("1"))), 400, 50035, `data.components.1: custom_id "1" is there twice`},
		{"long id", 2, say(`"content":"x",` + rows(button(long(101)))), 400, 50035, "data.components.0.components.0.custom_id: 101"},
		{"empty row", 2, say(`"content":"x",` + rows("")), 400, 50035, "data.components.0: no row"},
		{"button without text", 2, say(`"content":"x",` + rows(`{"type":2,"style":1,"custom_id":"x"}`)), 400, 50035, "label or an emoji"},
		{"input in a message", 2, say(`"content":"x",` + rows(`{"type":4,"style":1,"label":"x","custom_id":"x"}`)), 400, 50035, "data.components.0.components.0: no button"},
		{"the newer layout", 2, say(`"content":"x","flags":32768`), 400, 50035, "data.flags: 32768"},
		{"private", 2, say(`"content":"x","flags":64`), 204, 0, ""},
		{"update of a command", 2, `{"type":7,"data":{"content":"x",` + quiet + `}}`, 400, 50035, "type: 7 does not answer"},
		{"update after a command's form", 5, `{"type":7,"data":{"content":"x",` + quiet + `}}`, 404, 10008, "Unknown Message"},
		{"update of a message", 3, `{"type":7,"data":{"content":"x",` + quiet + `}}`, 204, 0, ""},
		{"update becomes private", 3, `{"type":7,"data":{"content":"x","flags":64,` + quiet + `}}`, 400, 50035, "data.flags: 64"},
		{"message for autocomplete", 4, say(`"content":"x"`), 400, 50035, "type: 4 does not answer"},
		{"no choices", 4, choices(0), 204, 0, ""},
		{"choices missing", 4, `{"type":8,"data":{}}`, 400, 50035, "data.choices: missing"},
		{"26 choices", 4, choices(26), 400, 50035, "data.choices: 26"},
		{"choice with a long value", 4, `{"type":8,"data":{"choices":[{"name":"x","value":"` + long(101) + `"}]}}`, 400, 50035, "data.choices.0.value: 101"},
		{"modal", 3, modal("Guess", word), 204, 0, ""},
		{"modal for a modal", 5, modal("Guess", word), 400, 50035, "type: 9 does not answer"},
		{"modal title", 2, modal(long(46), word), 400, 50035, "data.title: 46"},
		{"modal with six inputs", 2, modal("x", `"custom_id":"1"`, `"custom_id":"2"`, `"custom_id":"3"`, `"custom_id":"4"`, `"custom_id":"5"`, `"custom_id":"6"`), 400, 50035, "data.components: 6"},
		{"modal with a row", 2, `{"type":9,"data":{"custom_id":"m","title":"x",` + rows(`{"type":4,"style":1,"custom_id":"x"}`) + `}}`, 400, 50035, "data.components.0: no label"},
		{"input id twice", 2, modal("x", word, word), 400, 50035, `"word" is there twice`},
		{"input value longer than can be", 2, modal("x", word+`,"value":"abc","max_length":2`), 400, 50035, "value: 3"},
		{"file that is not there", 2, say(`"content":"x","attachments":[{"id":0}]`), 400, 50035, "data.attachments.0.id: there is no file 0"},
	}
	s, _ := connected(t, Options{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := s.Invoke(Interaction{Type: tt.kind, Command: "x"})
			status, code, answer := post(t, s, "POST", "interactions/"+c.ID()+"/"+c.Token()+"/callback", tt.body)
			if status != tt.status || code != tt.code {
				t.Errorf("got %d %d %.300s, want %d %d", status, code, answer, tt.status, tt.code)
			}
			wantViolation(t, s, tt.violation)
		})
	}
}

// TestDescription sends what only Discord's description of its API forbids. Where that is absent, this is the test
// that says so.
func TestDescription(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{})
	if s.openAPI == nil {
		t.Skipf("Discord's description of its API (../shared/data/%s) is not on this machine, so no test compares requests with it", openAPIName)
	}
	c := s.Invoke(Interaction{Command: "x"})
	body := `{"type":4,"data":{"content":"x",` + quiet + `,"components":[{"type":1,"components":[{"type":2,"style":77,"label":"x","custom_id":"x"}]}]}}`
	if status, code, answer := post(t, s, "POST", "interactions/"+c.ID()+"/"+c.Token()+"/callback", body); status != 400 || code != 50035 {
		t.Errorf("got %d %d %.300s, want 400 50035", status, code, answer)
	}
	wantViolation(t, s, "the description of Discord's API")
}

func TestOneAnswerInTime(t *testing.T) {
	t.Parallel()
	const hello = `{"type":4,"data":{"content":"x",` + quiet + `}}`
	s, _ := connected(t, Options{})
	call := s.Invoke(Interaction{Command: "x"})
	path := "interactions/" + call.ID() + "/" + call.Token() + "/callback"
	hook := "webhooks/" + s.AppID() + "/" + call.Token()

	if status, code, _ := post(t, s, "PATCH", hook+"/messages/@original", `{"content":"x",`+quiet+`}`); status != 404 || code != 10015 {
		t.Errorf("edit before the answer: got %d %d, want 404 10015", status, code)
	}
	wantViolation(t, s, "10015")
	if status, _, answer := post(t, s, "POST", path+"?with_response=true", hello); status != 200 || !strings.Contains(answer, `"response_message_id"`) {
		t.Errorf("answer: got %d %.300s", status, answer)
	}
	if status, code, _ := post(t, s, "POST", path, hello); status != 400 || code != 40060 {
		t.Errorf("second answer: got %d %d, want 400 40060", status, code)
	}
	wantViolation(t, s, "40060")
	if status, code, _ := post(t, s, "POST", "interactions/1/x/callback", hello); status != 404 || code != 10062 {
		t.Errorf("unknown interaction: got %d %d, want 404 10062", status, code)
	}
	wantViolation(t, s, "10062")

	// An answer is late if it comes more than Answer after the interaction was sent:
	// move the sending.
	late := s.Invoke(Interaction{Command: "x"})
	s.mu.Lock()
	late.began = late.began.Add(-2 * time.Hour)
	late.sent = late.began
	s.mu.Unlock()
	if status, code, _ := post(t, s, "POST", "interactions/"+late.ID()+"/"+late.Token()+"/callback", hello); status != 404 || code != 10062 {
		t.Errorf("late answer: got %d %d, want 404 10062", status, code)
	}
	wantViolation(t, s, "the first answer came after")

	again := s.Invoke(Interaction{ID: call.ID()})
	if again != call {
		t.Error("a redelivery is another call")
	}
}

func TestEditsAndFollowUps(t *testing.T) {
	t.Parallel()
	var clock Clock
	clock.Stop()
	s, _ := connected(t, Options{Now: clock.Now})
	call := s.Invoke(Interaction{Command: "x", UserInstalled: true})
	post(t, s, "POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback", `{"type":4,"data":{"content":"x","flags":64,`+quiet+`}}`)
	hook := "webhooks/" + s.AppID() + "/" + call.Token()
	reset := func() {
		s.mu.Lock()
		clear(s.limits)
		s.mu.Unlock()
	}
	steps := []struct {
		name, method, path, body string
		status, code             int
		violation                string
	}{
		{"edit", "PATCH", "/messages/@original", `{"content":"y",` + quiet + `}`, 200, 0, ""},
		{"edit that hides embeds", "PATCH", "/messages/@original", `{"content":"y","flags":4,` + quiet + `}`, 200, 0, ""},
		{"edit that says private again", "PATCH", "/messages/@original", `{"content":"y","flags":64,` + quiet + `}`, 200, 0, ""},
		{"edit without mentions", "PATCH", "/messages/@original", `{"content":"y"}`, 200, 0, "mentions: "},
		{"edit to nothing", "PATCH", "/messages/@original", `{"content":"",` + quiet + `}`, 400, 50006, "50006"},
		{"edit too long", "PATCH", "/messages/@original", `{"content":"` + strings.Repeat("x", 2001) + `",` + quiet + `}`, 400, 50035, "content: 2001"},
		{"get", "GET", "/messages/@original", ``, 200, 0, ""},
		{"follow-up", "POST", "", `{"content":"1",` + quiet + `}`, 200, 0, ""},
		{"follow-up without mentions", "POST", "", `{"content":"2"}`, 200, 0, "mentions: "},
		{"empty follow-up", "POST", "", `{` + quiet + `}`, 400, 50006, "50006"},
		{"third", "POST", "", `{"content":"3",` + quiet + `}`, 200, 0, ""},
		{"fourth", "POST", "", `{"content":"4",` + quiet + `}`, 200, 0, ""},
		{"fifth", "POST", "", `{"content":"5",` + quiet + `}`, 200, 0, ""},
		{"sixth", "POST", "", `{"content":"6",` + quiet + `}`, 400, 40094, "40094"},
		{"unknown message", "PATCH", "/messages/5", `{"content":"x",` + quiet + `}`, 404, 10008, "10008"},
		{"put", "PUT", "/messages/@original", `{"content":"x",` + quiet + `}`, 404, 0, "no such endpoint"},
		{"delete", "DELETE", "/messages/@original", ``, 204, 0, ""},
		{"delete again", "DELETE", "/messages/@original", ``, 404, 10008, ""},
		{"edit what is gone", "PATCH", "/messages/@original", `{"content":"x",` + quiet + `}`, 404, 10008, ""},
	}
	for _, tt := range steps {
		reset()
		if status, code, answer := post(t, s, tt.method, hook+tt.path, tt.body); status != tt.status || code != tt.code {
			t.Errorf("%s: got %d %.300s, want %d %d", tt.name, status, answer, tt.status, tt.code)
		}
		wantViolation(t, s, tt.violation)
	}
	if f := len(call.FollowUps()); f != 5 {
		t.Errorf("got %d follow-ups, want 5", f)
	}
	first, err := call.First(Context(t))
	if _, there := s.Shown(first.MessageID); err != nil || there {
		t.Errorf("the answer is still there, %v", err)
	}
	follow := call.FollowUps()[0].MessageID
	reset()
	if status, _, answer := post(t, s, "PATCH", hook+"/messages/"+follow, `{"content":"edited",`+quiet+`}`); status != 200 {
		t.Errorf("edit of a follow-up: got %d %.300s", status, answer)
	}
	for range 4 {
		post(t, s, "GET", hook+"/messages/"+follow, "")
	}
	if status, _, answer := post(t, s, "GET", hook+"/messages/"+follow, ""); status != 429 || !strings.Contains(answer, "retry_after") {
		t.Errorf("sixth call in two seconds: got %d %.300s, want 429", status, answer)
	}
	reset()
	clock.Advance(tokenLife + time.Second)
	if status, code, _ := post(t, s, "GET", hook+"/messages/"+follow, ""); status != 401 || code != 50027 {
		t.Errorf("expired: got %d %d, want 401 50027", status, code)
	}
}

func TestRefusedCommands(t *testing.T) {
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
	tests := []struct{ name, body, violation string }{
		{"fine", options(text("a", `,"required":true`), text("b", "")), ""},
		{"twice", `[{"name":"x","type":1,"description":"x"},{"name":"x","type":1,"description":"y"}]`, `1.name: "x" is there twice`},
		{"required last", options(text("a", ""), text("b", `,"required":true`)), "0.options.0.options.1: required"},
		{"option twice", options(text("a", ""), text("a", "")), "0.options.0.options.1.name"},
		{"too big", options(big...), "the command has 10"},
		{"menu", `[{"name":"x","type":3,"description":"x"}]`, "0: no chat command"},
		{"choices and autocomplete", options(text("a", `,"autocomplete":true,"choices":[{"name":"x","value":"x"}]`)), "not together with autocomplete"},
		{"locale", `[{"name":"x","type":1,"description":"x","name_localizations":{"de-AT":"x"}}]`, `unknown field "name_localizations"`},
		{"not a list", `{"name":"x"}`, "cannot unmarshal"},
	}
	s := New(t, Options{Guilds: []string{"5"}})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := 200
			if tt.violation != "" {
				want = 400
			}
			status, _, answer := post(t, s, "PUT", "applications/"+s.AppID()+"/guilds/5/commands", tt.body)
			if status != want {
				t.Errorf("got %d %.300s, want %d", status, answer, want)
			}
			wantViolation(t, s, tt.violation)
		})
	}
	if status, code, _ := post(t, s, "PUT", "applications/"+s.AppID()+"/guilds/6/commands", "[]"); status != 403 || code != 50001 {
		t.Errorf("where the bot is not: got %d %d, want 403 50001", status, code)
	}
}

func TestFrontDoor(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	header := func(k, v string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(k, v) }
	}
	tests := []struct {
		name, method, path, body string
		change                   func(*http.Request)
		status                   int
		violation                string
	}{
		{"application", "GET", "applications/@me", "", nil, 200, ""},
		{"gateway/bot", "GET", "gateway/bot", "", nil, 200, ""},
		{"wrong token", "GET", "applications/@me", "", header("Authorization", "Bot wrong"), 401, ""},
		{"no Bot", "GET", "applications/@me", "", header("Authorization", s.Token()), 401, ""},
		{"no agent", "GET", "gateway/bot", "", header("User-Agent", "Go-http-client/1.1"), 403, "User-Agent"},
		{"type without body", "GET", "gateway/bot", "", header("Content-Type", "application/json"), 400, "no JSON"},
		{"not JSON", "PUT", "applications/" + s.AppID() + "/commands", "{", nil, 400, "invalid JSON"},
		{"a guild", "GET", "guilds/1", "", nil, 404, "no such endpoint"},
		{"another application", "GET", "applications/5/commands", "", nil, 404, "no such endpoint"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			change := []func(*http.Request){}
			if tt.change != nil {
				change = append(change, tt.change)
			}
			if status, _, answer := post(t, s, tt.method, tt.path, tt.body, change...); status != tt.status {
				t.Errorf("got %d %.300s, want %d", status, answer, tt.status)
			}
			wantViolation(t, s, tt.violation)
		})
	}
	if got := s.Requests(); len(got) != len(tests) || got[0].Path != "/api/v10/applications/@me" || got[0].Status != 200 {
		t.Errorf("log: got %+v", got)
	}
}
