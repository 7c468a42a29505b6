package discordtest

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// wantViolation takes the violations and wants exactly one, with part in it; none if part is empty.
func wantViolation(tb testing.TB, s *Server, part string) {
	tb.Helper()
	got := s.Violations()
	if part == "" && got == nil {
		return
	}
	if len(got) != 1 || !strings.Contains(got[0], part) {
		tb.Errorf("violations: got %q, want one with %q", got, part)
	}
}

// post sends one request as a bot does, and returns status and error code.
func post(tb testing.TB, s *Server, method, path, body string, change ...func(*http.Request)) (status, code int, answer string) {
	tb.Helper()
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	req, err := http.NewRequest(method, s.URL()+"api/v10/"+path, r)
	if err != nil {
		tb.Fatal(err)
	}
	req.Header.Set("User-Agent", "DiscordBot (https://example.com, 1)")
	req.Header.Set("Authorization", "Bot "+s.Token())
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, c := range change {
		c(req)
	}
	resp, err := client.Do(req)
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		tb.Fatal(err)
	}
	var e struct {
		Code int `json:"code"`
	}
	_ = json.Unmarshal(b, &e) // lists and nothing have no code
	return resp.StatusCode, e.Code, string(b)
}

// client has connections of its own: a test server that closes ends the idle ones of
// http.DefaultClient, while another test uses them.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// silent is a client of the gateway that identifies and reads, for tests that
// need no discordgo.
type silent struct {
	tb testing.TB
	ws *websocket.Conn
}

func dialGateway(tb testing.TB, s *Server, query string) *silent {
	tb.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(s.gatewayURL()+"/?"+query, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { ws.Close() })
	ws.SetReadDeadline(time.Now().Add(5 * time.Minute))
	return &silent{tb, ws}
}

func (g *silent) send(text string) {
	g.tb.Helper()
	if err := g.ws.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		g.tb.Fatal(err)
	}
}

// want reads one packet and wants its opcode, and its name if it has one.
func (g *silent) want(op int, name string) packet {
	g.tb.Helper()
	var p packet
	if err := g.ws.ReadJSON(&p); err != nil {
		g.tb.Fatalf("waiting for %d %s: %v", op, name, err)
	}
	got := ""
	if p.Type != nil {
		got = *p.Type
	}
	if p.Op != op || got != name {
		g.tb.Fatalf("got packet %d %s, want %d %s", p.Op, got, op, name)
	}
	return p
}

// wantClose reads until the connection ends and wants its code.
func (g *silent) wantClose(code int) {
	g.tb.Helper()
	for {
		_, _, err := g.ws.ReadMessage()
		if err == nil {
			continue
		}
		if !websocket.IsCloseError(err, code) {
			g.tb.Fatalf("got %v, want close code %d", err, code)
		}
		return
	}
}

// connected starts a fake with one ready session.
func connected(tb testing.TB, o Options) (*Server, *silent) {
	tb.Helper()
	s := New(tb, o)
	g := dialGateway(tb, s, "v=10&encoding=json")
	g.want(opHello, "")
	g.send(identifyText(s.Token(), 0))
	g.want(opDispatch, "READY")
	return s, g
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

const quiet = `"allowed_mentions":{"parse":[]}`

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
