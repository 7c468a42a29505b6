package discordtest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

const say = `{"content":"x",` + quiet + `}`

// answered starts an interaction and answers it with a message; it returns the call and
// the message's id.
func answered(tb testing.TB, s *Server, i Interaction, data string) (*Call, string) {
	tb.Helper()
	call := s.Invoke(i)
	status, _, answer := post(tb, s, "POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback?with_response=true",
		`{"type":4,"data":{"content":"x",`+data+quiet+`}}`)
	if status != 200 {
		tb.Fatalf("got %d %.300s", status, answer)
	}
	var with struct {
		Resource struct{ Message struct{ ID string } }
	}
	if err := json.Unmarshal([]byte(answer), &with); err != nil || with.Resource.Message.ID == "" {
		tb.Fatalf("no message in %s: %v", answer, err)
	}
	return call, with.Resource.Message.ID
}

// TestKeptFiles: an edit names the files that it keeps by their ids, as strings.
func TestKeptFiles(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{})
	call := s.Invoke(Interaction{Command: "x"})
	body, kind := multipartBody(t, `{"type":4,"data":{"attachments":[{"id":0,"description":"one"}],`+quiet+`}}`, "a.png")
	post(t, s, "POST", "interactions/"+call.ID()+"/"+call.Token()+"/callback", body, kind)
	first, err := call.First(Context(t))
	if err != nil {
		t.Fatal(err)
	}
	id := s.messages[first.MessageID].Files[0].ID
	for list, want := range map[string]int{`{"id":` + id + `}`: 400, `{"id":"` + id + `","description":"three"}`: 200} {
		status, _, answer := post(t, s, "PATCH", "webhooks/"+s.AppID()+"/"+call.Token()+"/messages/@original", `{"content":"y","attachments":[`+list+`],`+quiet+`}`)
		if status != want || len(s.Violations()) > 0 != (want == 400) {
			t.Errorf("%s: got %d %.300s, want %d", list, status, answer, want)
		}
	}
}

// TestOldMessages: messages older than an hour take three edits in six seconds in each
// channel, by whatever route.
func TestOldMessages(t *testing.T) {
	t.Parallel()
	var clock Clock
	clock.Stop()
	s, _ := connected(t, Options{Now: clock.Now})
	call, board := answered(t, s, Interaction{Command: "x", Guild: "5", Channel: "7"}, "")
	_, other := answered(t, s, Interaction{Command: "x", Guild: "5", Channel: "8"}, "")
	update := func(message, channel string) (int, int) {
		t.Helper()
		press := s.Invoke(Interaction{Type: TypeComponent, CustomID: "b", Message: message, Guild: "5", Channel: channel})
		status, code, _ := post(t, s, "POST", "interactions/"+press.ID()+"/"+press.Token()+"/callback", `{"type":7,"data":`+say+`}`)
		return status, code
	}
	patch := func() (int, int) {
		t.Helper()
		status, code, _ := post(t, s, "PATCH", "channels/7/messages/"+board, say)
		return status, code
	}
	clock.Advance(14 * time.Minute)
	for range 4 {
		if status, _ := update(board, "7"); status != 204 {
			t.Fatalf("young: got %d", status)
		}
	}
	if status, _, _ := post(t, s, "PATCH", "webhooks/"+s.AppID()+"/"+call.Token()+"/messages/@original", say); status != 200 {
		t.Errorf("by a young token: got %d", status)
	}
	clock.Advance(2 * time.Minute)
	if status, code, _ := post(t, s, "PATCH", "webhooks/"+s.AppID()+"/"+call.Token()+"/messages/@original", say); status != 401 || code != 50027 {
		t.Errorf("by an old token: got %d %d, want 401 50027", status, code)
	}
	clock.Advance(time.Hour)
	for i, edit := range []func() (int, int){patch, func() (int, int) { return update(board, "7") }, patch} {
		if status, code := edit(); status/100 != 2 {
			t.Errorf("edit %d: got %d %d", i+1, status, code)
		}
	}
	if status, code := patch(); status != 400 || code != 30046 {
		t.Errorf("fourth edit: got %d %d, want 400 30046", status, code)
	}
	if status, code := update(board, "7"); status != 400 || code != 30046 {
		t.Errorf("fifth edit, by an update: got %d %d, want 400 30046", status, code)
	}
	if status, _ := update(other, "8"); status != 204 {
		t.Errorf("in another channel: got %d", status)
	}
	clock.Advance(6 * time.Second)
	if status, _ := patch(); status != 200 {
		t.Errorf("after six seconds: got %d", status)
	}
}

// TestBotInChannel: the bot posts and edits only with the permissions that it has.
func TestBotInChannel(t *testing.T) {
	t.Parallel()
	s := New(t, Options{Guilds: []string{"5"}})
	s.SetGuild(Guild{ID: "5", Roles: []Role{{ID: "6", Name: "bots", Permissions: SendMessages}}, Bot: []string{"6"}})
	deny := func(what int64) []Overwrite {
		return []Overwrite{{ID: "5", Deny: what}}
	}
	for _, ch := range []Channel{
		{ID: "100", Guild: "5"},
		{ID: "101", Guild: "5", Overwrites: deny(ViewChannel)},
		{ID: "102", Guild: "5", Overwrites: deny(SendMessages)},
		{ID: "103", Guild: "5", Overwrites: append(deny(SendMessages), Overwrite{ID: "6", Allow: SendMessages})},
		{ID: "105", Guild: "5", Type: ChannelPublicThread, Parent: "102"},
		{ID: "110", Guild: "70"}, // the bot is not in there
		{ID: "111", Type: ChannelDirect},
		{ID: "112", Type: ChannelGroup},
		{ID: "106", Guild: "5", Type: ChannelPublicThread, Parent: "107"},
		{ID: "107", Guild: "5", Overwrites: deny(SendMessagesInThread)},
		{ID: "113", Guild: "5", Overwrites: deny(AttachFiles)},
	} {
		s.SetChannel(ch)
	}
	picture, kind := multipartBody(t, `{"attachments":[{"id":0,"description":"x"}],`+quiet+`}`, "a.png")
	for _, test := range []struct {
		channel, body string
		status, code  int
	}{
		{"100", say, 200, 0},
		{"100", picture, 200, 0},
		{"101", say, 403, 50001},
		{"102", say, 403, 50013},
		{"103", say, 200, 0},
		{"105", say, 200, 0},
		{"106", say, 403, 50013},
		{"110", say, 403, 50001},
		{"111", say, 200, 0},
		{"112", say, 403, 50001},
		{"113", say, 200, 0},
		{"113", picture, 403, 50013},
		{"999", say, 404, 10003},
		{"100", `{"content":"",` + quiet + `}`, 400, 50006},
		{"111", `{"content":"` + strings.Repeat("x", 2001) + `",` + quiet + `}`, 400, 50035},
		{"111", `{"content":"x","flags":64,` + quiet + `}`, 400, 50035},
	} {
		change := []func(*http.Request){}
		if test.body == picture {
			change = append(change, kind)
		}
		status, code, answer := post(t, s, "POST", "channels/"+test.channel+"/messages", test.body, change...)
		if status != test.status || code != test.code {
			t.Errorf("%s %.20s: got %d %d %.300s, want %d %d", test.channel, test.body, status, code, answer, test.status, test.code)
		}
		if got := len(s.Violations()); got != 0 != (test.status != 200) {
			t.Errorf("%s %.20s: %d violations", test.channel, test.body, got)
		}
	}
	if got := s.Posted("100"); len(got) != 2 || got[0].Content != "x" || len(got[1].Files) != 1 {
		t.Errorf("posted: got %+v", got)
	}
}

// TestEditsInChannel: the bot edits its own messages that everybody sees, and no others.
func TestEditsInChannel(t *testing.T) {
	t.Parallel()
	s, _ := connected(t, Options{})
	_, board := answered(t, s, Interaction{Command: "x", Guild: "5", Channel: "7"}, "")
	private, secret := answered(t, s, Interaction{Command: "x", Guild: "5", Channel: "7"}, `"flags":64,`)
	for _, test := range []struct {
		method, channel, message string
		status, code             int
	}{
		{"PATCH", "7", board, 200, 0},
		{"PATCH", "7", secret, 404, 10008},
		{"PATCH", "7", s.Chat("7", "hello"), 403, 50005},
		{"PATCH", "7", "1234", 404, 10008},
	} {
		status, code, _ := post(t, s, test.method, "channels/"+test.channel+"/messages/"+test.message, say)
		if status != test.status || code != test.code {
			t.Errorf("%+v: got %d %d", test, status, code)
		}
		if got := len(s.Violations()); got != 0 != (test.status/100 != 2) {
			t.Errorf("%+v: %d violations", test, got)
		}
	}
	if status, _, _ := post(t, s, "PATCH", "webhooks/"+s.AppID()+"/"+private.Token()+"/messages/@original", say); status != 200 {
		t.Errorf("private, by token: got %d", status)
	}
	press := s.Invoke(Interaction{Type: TypeComponent, CustomID: "b", Message: secret, Guild: "5", Channel: "7"})
	if status, _, _ := post(t, s, "POST", "interactions/"+press.ID()+"/"+press.Token()+"/callback", `{"type":7,"data":`+say+`}`); status != 204 {
		t.Errorf("private, by its button: got %d", status)
	}
}

// TestChannelLimits: five messages in five seconds, and fifty calls a second in all.
func TestChannelLimits(t *testing.T) {
	t.Parallel()
	var clock Clock
	clock.Stop()
	s := New(t, Options{Now: clock.Now})
	for _, id := range []string{"7", "8"} {
		s.SetChannel(Channel{ID: id, Type: ChannelDirect})
	}
	for i := range 6 {
		want := 200
		if i == 5 {
			want = 429
		}
		if status, _, answer := post(t, s, "POST", "channels/7/messages", say); status != want {
			t.Errorf("message %d: got %d %.300s, want %d", i+1, status, answer, want)
		}
	}
	if status, _, _ := post(t, s, "POST", "channels/8/messages", say); status != 200 {
		t.Errorf("in another channel: got %d", status)
	}
	clock.Advance(5 * time.Second)
	if status, _, _ := post(t, s, "POST", "channels/7/messages", say); status != 200 {
		t.Errorf("five seconds later: got %d", status)
	}
	clock.Advance(time.Minute)
	limited := 0
	for i := range 51 {
		if status, _, answer := post(t, s, "GET", fmt.Sprintf("channels/%d", 7+i%2), ""); status == 429 && strings.Contains(answer, `"global":true`) {
			limited++
		}
	}
	if limited != 1 {
		t.Errorf("%d of 51 calls were limited, want the last", limited)
	}
}

// TestEmojis adds the application's emojis and lists them.
func TestEmojis(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	path := "applications/" + s.AppID() + "/emojis"
	good := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(mustPNG(t, 8, 8)))
	for _, test := range []struct {
		name, image  string
		status, code int
	}{
		{"crane_1", good, 201, 0},
		{"crane_1", good, 400, 50035},
		{"c", good, 400, 50035},
		{"crane-1", good, 400, 50035},
		{"slate", "iVBORw0KGgo=", 400, 50035},
		{"slate", "data:image/png;base64,AAAA", 400, 50035},
	} {
		status, code, answer := post(t, s, "POST", path, fmt.Sprintf(`{"name":%q,"image":%q}`, test.name, test.image))
		if status != test.status || code != test.code {
			t.Errorf("%s %.40s: got %d %d %.300s, want %d %d", test.name, test.image, status, code, answer, test.status, test.code)
		}
		if got := len(s.Violations()); got != 0 != (test.status != 201) {
			t.Errorf("%s %.40s: %d violations", test.name, test.image, got)
		}
	}
	_, _, list := post(t, s, "GET", path, "")
	if strings.Count(list, `"name":"crane_1"`) != 1 || string(s.Emoji("crane_1")) != mustPNG(t, 8, 8) || s.Emoji("slate") != nil {
		t.Errorf("got %s", list)
	}
}

// TestListOfMessages: a list has the first messages after one, the newest first; none where the bot may not
// read the history.
func TestListOfMessages(t *testing.T) {
	t.Parallel()
	s := New(t, Options{Guilds: []string{"5"}})
	s.SetChannel(Channel{ID: "100", Guild: "5"})
	s.SetChannel(Channel{ID: "101", Guild: "5", Overwrites: []Overwrite{{ID: "5", Deny: ReadMessageHistory}}})
	s.SetChannel(Channel{ID: "102", Guild: "5", Overwrites: []Overwrite{{ID: "5", Deny: ViewChannel}}})
	var ids []string
	for range 4 {
		ids = append(ids, s.Chat("100", "x"))
		s.Chat("101", "x")
	}
	for _, c := range []struct {
		channel, query string
		status         int
		want           []string
	}{
		{"100", "limit=100&after=1", 200, []string{ids[3], ids[2], ids[1], ids[0]}},
		{"100", "limit=2&after=" + ids[0], 200, []string{ids[2], ids[1]}},
		{"100", "limit=2&after=" + ids[3], 200, nil},
		{"101", "limit=2&after=1", 200, nil},
		{"102", "limit=2&after=1", 403, nil},
		{"100", "limit=101&after=1", 400, nil},
	} {
		status, _, answer := post(t, s, "GET", "channels/"+c.channel+"/messages?"+c.query, "")
		var list []struct{ ID string }
		_ = json.Unmarshal([]byte(answer), &list) // an error is not a list
		var got []string
		for _, m := range list {
			got = append(got, m.ID)
		}
		if status != c.status || strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%s %s: got %d %v, want %d %v", c.channel, c.query, status, got, c.status, c.want)
		}
		if n := len(s.Violations()); n != 0 != (c.status != 200) {
			t.Errorf("%s %s: %d violations", c.channel, c.query, n)
		}
	}
}
