package discordtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// wantViolation takes the violations and wants exactly one, with part in it; none if part is empty.
func wantViolation(tb testing.TB, s *Server, part string) {
	tb.Helper()
	got := s.Violations()
	if part == "" && got == nil {
		return
	}
	if len(got) != 1 || part == "" || !strings.Contains(got[0], part) {
		tb.Errorf("violations: got %q, want one with %q", got, part)
	}
}

// post sends one request as a bot does, and returns its status and error code. A body that begins with a boundary has
// several parts.
func post(tb testing.TB, s *Server, method, path, body string, headers ...string) (status, code int, answer string) {
	tb.Helper()
	req, err := http.NewRequest(method, s.URL()+"api/v10/"+path, strings.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	headers = append([]string{"User-Agent", "DiscordBot (https://example.com, 1)", "Authorization", "Bot " + s.Token()}, headers...)
	if boundary, _, several := strings.Cut(strings.TrimPrefix(body, "--"), "\r\n"); several {
		headers = append(headers, "Content-Type", "multipart/form-data; boundary="+boundary)
	} else if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, 0, ""
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, 0, ""
	}
	var e struct {
		Code int `json:"code"`
	}
	_ = json.Unmarshal(b, &e) // lists and nothing have no code
	return resp.StatusCode, e.Code, string(b)
}

// respond sends the first answer to a call.
func respond(tb testing.TB, s *Server, c *Call, body string) (status, code int, answer string) {
	tb.Helper()
	return post(tb, s, "POST", "interactions/"+c.ID()+"/"+c.Token()+"/callback?with_response=true", body)
}

// answered starts an interaction and answers it with a message. It returns the call and the message's id.
func answered(tb testing.TB, s *Server, i Interaction, body string) (*Call, string) {
	tb.Helper()
	call := s.Invoke(i)
	if status, _, answer := respond(tb, s, call, body); status != 200 {
		tb.Fatalf("got %d %.300s", status, answer)
	}
	first, err := call.First(Context(tb))
	if err != nil || first.MessageID == "" {
		tb.Fatalf("got %+v, %v", first, err)
	}
	return call, first.MessageID
}

// client has connections of its own: a test server that closes ends the idle ones of http.DefaultClient, while another
// test uses them.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// connected starts a fake with one ready session.
func connected(tb testing.TB, o Options) *Server {
	tb.Helper()
	s := New(tb, o)
	ws, _, err := websocket.DefaultDialer.Dial(s.gateway.url+"/", nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { ws.Close() })
	login := object{"op": opIdentify, "d": object{"token": s.Token(), "intents": 0, "properties": object{"os": "linux"}}}
	if err := errors.Join(ws.WriteJSON(login), s.WaitReady(Context(tb), 1)); err != nil {
		tb.Fatal(err)
	}
	return s
}

// mustPNG is a black picture.
func mustPNG(tb testing.TB, width, height int) string {
	tb.Helper()
	var b strings.Builder
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

const (
	quiet = `"allowed_mentions":{"parse":[]}`
	say   = `{"flags":32768,"components":[{"type":10,"content":"x"}],` + quiet + `}`
	hello = `{"type":4,"data":` + say + `}`
)

// withFile is a body with the file a.png, as Discord's documentation has it.
func withFile(tb testing.TB, payload, file string) string {
	tb.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	text, err := w.CreateFormField("payload_json")
	if err != nil {
		tb.Fatal(err)
	}
	io.WriteString(text, payload)
	picture, err := w.CreateFormFile("files[0]", "a.png")
	if err != nil {
		tb.Fatal(err)
	}
	io.WriteString(picture, file)
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}
