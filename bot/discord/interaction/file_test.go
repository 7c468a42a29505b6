package interaction

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
)

// TestPictureBody reads the body of a request with a picture.
func TestPictureBody(t *testing.T) {
	const content = `{"flags":32768,"allowed_mentions":{"parse":[]},"components":[{"type":10,"content":"hi"},{"type":12,"items":[{"media":{"url":"attachment://a\"b.png"},"description":"alt"}]}],"attachments":[{"id":"0","filename":"a\"b.png","description":"alt"}]}`
	p := &Picture{`a"b.png`, "alt", []byte("PNG\r\n")}
	m := render(t, Result{withPicture("hi"), p})
	body, kind, err := calls.Encode(Response{discordgo.InteractionResponseChannelMessageWithSource, m})
	must(t, err)
	_, params, err := mime.ParseMediaType(kind)
	must(t, err)
	form, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).ReadForm(1 << 20)
	must(t, err)
	if got := form.Value["payload_json"]; len(got) != 1 || got[0] != `{"type":4,"data":`+content+`}` {
		t.Errorf("payload: got %q", got)
	}
	files := form.File["files[0]"]
	if len(files) != 1 || files[0].Filename != `a"b.png` || files[0].Header.Get("Content-Type") != "image/png" || files[0].Size != 5 {
		t.Errorf("files: got %+v", files)
	}
}

// TestIsShown: a message shows a reply with the same text and picture, or in words without one.
func TestIsShown(t *testing.T) {
	d := &Deliverer{Names: new(Names), Log: slog.New(slog.DiscardHandler)}
	const file = `{"type":12,"items":[{"media":{"url":"https://cdn/1/2/table.png?ex=1","attachment_id":"7"},"description":"%s"}]}`
	for message, want := range map[string]bool{
		`{"type":10,"content":"hi"},` + fmt.Sprintf(file, "A table"):    true,
		`{"type":10,"content":"hi"},` + fmt.Sprintf(file, "Another"):    false,
		`{"type":10,"content":"hello"},` + fmt.Sprintf(file, "A table"): false,
		`{"type":10,"content":"hi\nin words"}`:                          true,
		`{"type":10,"content":"hi"}`:                                    false,
	} {
		var i Interaction
		must(t, Decode([]byte(`{"message":{"id":"2","components":[`+message+`]}}`), &i))
		reply := public("hi").Add(&bot.Picture{Name: "table.png", Alt: "A table", Instead: []bot.Line{bot.Text("in words")}})
		if got := d.IsShown(i, reply); got != want {
			t.Errorf("%s: got %v", message, got)
		}
	}
}

// TestPictureRefused sends pictures that Discord refuses, or that may have
// arrived.
func TestPictureRefused(t *testing.T) {
	t.Parallel()
	const shown, words = "hi [table.png]", "hi\nin words"
	kinds := map[string]struct{ method, path string }{"answer": {"POST", "/callback"}, "edit": {"PATCH", "@original"}, "follow-up": {"POST", "/webhooks/"}}
	for name, test := range map[string]struct {
		kind  string
		fail  func(s *discordtest.Server, method, path string)
		want  string // empty for nothing
		calls int    // of that method and path
	}{
		"answer refused":       {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 400, 1) }, words, 2},
		"answer refused again": {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 400, 2) }, "", 2},
		"answer cut, refused":  {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 502, 1); s.FailNext(m, p, 400, 1) }, words, 3},
		"edit refused":         {"edit", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 400, 1) }, words, 2},
		"edit cut, refused": {"edit", func(s *discordtest.Server, m, p string) {
			s.Break(m, p, discordtest.Breakage{Done: true, Cut: true}, 1)
			s.FailNext(m, p, 400, 1)
		}, words, 3},
		"follow-up refused": {"follow-up", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 413, 1) }, words, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			d := mustRest(t, s)
			a := Result{withPicture("hi"), &Picture{Name: "table.png", Alt: "A table", content: mustPNG(t, 2, 1)}}
			call := s.Invoke(discordtest.Interaction{Command: "hint"})
			if test.kind == "follow-up" {
				call = s.Invoke(discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "hint"})
			}
			i := Interaction{ID: call.ID(), Token: call.Token(), AppID: s.AppID(), Received: time.Now()}
			of := kinds[test.kind]
			switch test.kind {
			case "answer":
				test.fail(s, of.method, of.path)
				_, _ = d.Deliver(i, a, nil)
			case "edit":
				must(t, d.DeferResponse(i, bot.Command{}).Err)
				test.fail(s, of.method, of.path)
				_, _ = d.Deliver(i, a, &Deferral{audience: bot.Everyone})
			case "follow-up":
				_, err := d.Send(i, Acknowledge, nil)
				must(t, err)
				test.fail(s, of.method, of.path)
				_, _ = d.Deliver(i, a, &Deferral{update: true})
			}
			calls := 0
			for _, r := range s.Requests() {
				if r.Method == of.method && strings.Contains(r.Path, of.path) {
					calls++
				}
			}
			if calls != test.calls {
				t.Errorf("sent %d times, want %d", calls, test.calls)
			}
			if test.want == "" {
				ended, cancel := context.WithCancel(t.Context())
				cancel()
				if _, err := call.First(ended); err == nil {
					t.Error("it arrived")
				}
				return
			}
			m, _ := s.Shown(mustMessage(t, call).MessageID)
			text := m.Content
			for _, f := range m.Files {
				text += " [" + f.Name + "]"
			}
			if text != test.want {
				t.Errorf("got %q, want %q", text, test.want)
			}
		})
	}
}

func mustPNG(tb testing.TB, width, height int) []byte {
	tb.Helper()
	var b bytes.Buffer
	must(tb, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return b.Bytes()
}

// withPicture returns a reply of two lines, the second of which the picture shows.
func withPicture(text string) bot.Reply {
	return public(text).Add(&bot.Picture{Instead: []bot.Line{bot.Text("in words")}})
}

// TestLostPicture: if the picture that an edit wants to keep is no longer there, it is uploaded
// again.
func TestLostPicture(t *testing.T) {
	t.Parallel()
	p := &Picture{Name: "table.png", Alt: "A table", content: []byte("PNG")}
	refused := &calls.Error{Status: http.StatusBadRequest}
	for name, test := range map[string]struct {
		has   File
		fails int // calls that are refused
		want  string
	}{
		"it has it":           {File{ID: "7", Name: "table.png", Description: "A table"}, 0, "keeps 7"},
		"it is gone":          {File{ID: "7", Name: "table.png", Description: "A table"}, 1, "keeps 7, uploads"},
		"no picture is taken": {File{ID: "7", Name: "table.png", Description: "A table"}, 2, "keeps 7, uploads, in words"},
		"it has another one":  {File{ID: "7", Name: "table.png", Description: "No table"}, 0, "uploads"},
		"of other colours":    {File{ID: "7", Name: "contrast-table.png", Description: "A table"}, 0, "uploads"},
		"it has none":         {File{}, 0, "uploads"},
	} {
		t.Run(name, func(t *testing.T) {
			m := render(t, Result{withPicture("hi"), p}).AsEdit().Keeping(test.has)
			var got []string
			for again := true; again; {
				switch {
				case len(m.Attachments) == 0:
					got = append(got, "in words")
				case !m.Kept:
					got = append(got, "uploads")
				default:
					got = append(got, fmt.Sprint("keeps ", m.Attachments[0].ID))
				}
				var err error
				if len(got) <= test.fails {
					err = refused
				}
				m, again = m.Plainer(err, slog.New(slog.DiscardHandler), "")
			}
			if got := strings.Join(got, ", "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
