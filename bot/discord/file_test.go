package discord

import (
	"bytes"
	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/game/racetest"
	"mime"
	"mime/multipart"
	"strings"
	"testing"
)

// TestPictureBody reads the body of a request with a picture.
func TestPictureBody(t *testing.T) {
	const content = `{"content":"hi","allowed_mentions":{"parse":[]},"attachments":[{"id":0,"filename":"a\"b.png","description":"alt"}]}`
	p := &picture{`a"b.png`, "alt", []byte("PNG\r\n")}
	m := newMessage(public("hi"), nil)
	m.attach(p, public("hi").Lines, nil)
	body, kind, err := calls.Encode(response{typeMessage, m})
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

// TestKeptPicture: an edit that leaves the table as it is keeps its picture, and any other
// one uploads the next.
func TestKeptPicture(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"", " mode:solo"}[:racetest.Cases(2)] {
		t.Run("mode"+mode, func(t *testing.T) {
			t.Parallel()
			s := newRunner(t, false)
			for _, test := range []struct {
				line    string
				uploads int
			}{
				{"ana in general: /pokle start" + mode, 1},
				{"ana in general presses: Hint", 0},
				{"ana in general presses: Guess", 0},
				{"ana in general enters: cards:2c 3d 10s 4s ks", 1},
				{"restart", 0},
				{"ana in general presses: Hint", 0},
				{"ana in general presses: Guess", 0},
				{"ana in general enters: cards:5c 3d 10s 4s ks", 1},
				{"ana in general presses: Hint", 0},
			} {
				before := len(s.discord.Requests())
				got := s.play(test.line + "\n")
				if strings.Contains(got, "**A hint?**") { // it says first what that costs
					got = s.play("ana in general presses: Take a hint\n")
				}
				uploads := 0
				for _, r := range s.discord.Requests()[before:] {
					uploads += len(r.Files)
				}
				if uploads != test.uploads {
					t.Errorf("%s: %d uploads, want %d", test.line, uploads, test.uploads)
				}
				if test.uploads == 0 && strings.HasSuffix(test.line, "Hint") && (strings.Count(got, "(picture ") != 1 || !strings.Contains(got, "**Hint:**")) {
					t.Errorf("%s: got %s", test.line, got)
				}
			}
		})
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
		"answer too large":     {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 413, 1) }, words, 2},
		"answer forbidden":     {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 403, 1) }, words, 2},
		"answer refused again": {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 400, 2) }, "", 2},
		"answer too late":      {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 404, 1) }, "", 1},
		"answer failed":        {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 500, 1) }, shown, 2},
		"answer limited":       {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 429, 1) }, shown, 2},
		"answer cut":           {"answer", func(s *discordtest.Server, m, p string) { s.LoseNext(m, p, 1) }, shown, 2},
		"answer cut, refused":  {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 502, 1); s.FailNext(m, p, 400, 1) }, words, 3},
		"edit refused":         {"edit", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 400, 1) }, words, 2},
		"edit failed":          {"edit", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 500, 1) }, shown, 2},
		"edit cut":             {"edit", func(s *discordtest.Server, m, p string) { s.LoseNext(m, p, 1) }, shown, 2},
		"edit cut, refused":    {"edit", func(s *discordtest.Server, m, p string) { s.LoseNext(m, p, 1); s.FailNext(m, p, 400, 1) }, words, 3},
		"follow-up refused":    {"follow-up", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 413, 1) }, words, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			api := mustRest(t, s)
			d := newFront(Options{Bot: &bot.Bot{}, Log: discordtest.NewLog(t).Logger}, api.Client, new(admission.Ages), patient(defaultTimings)).deliverer
			a, err := render(result{withPicture("hi", nil), &picture{name: "table.png", alt: "A table", png: mustPNG(t, 2, 1)}}, responseOptions{}, nil)
			must(t, err)
			call := s.Invoke(discordtest.Interaction{Command: "hint"})
			if test.kind == "follow-up" {
				call = s.Invoke(discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "hint"})
			}
			i := interaction{ID: call.ID(), Token: call.Token(), AppID: s.AppID()}
			of := kinds[test.kind]
			switch test.kind {
			case "answer":
				test.fail(s, of.method, of.path)
				_ = d.deliver(i, a, nil)
			case "edit":
				must(t, api.respond(t.Context(), i, deferredMessage(bot.Everyone)))
				test.fail(s, of.method, of.path)
				_ = d.deliver(i, a, &deferral{audience: bot.Everyone})
			case "follow-up":
				must(t, api.respond(t.Context(), i, response{Type: typeDeferredUpdate}))
				test.fail(s, of.method, of.path)
				_ = d.deliver(i, a, &deferral{update: true})
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
				if _, err := call.First(ended(t)); err == nil {
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
