package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"mime"
	"mime/multipart"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
)

// mustPNG is a black picture.
func mustPNG(tb testing.TB, width, height int) []byte {
	tb.Helper()
	var b bytes.Buffer
	must(tb, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return b.Bytes()
}

// withPicture is a reply of a line that stays and one that its picture shows.
func withPicture(text string, draw func(context.Context) ([]byte, error)) bot.Reply {
	r := told(text, false)
	r.Lines = append(r.Lines, bot.Line{Pictured: true, Text: []bot.Span{{Text: "in words"}}})
	r.Picture = &bot.Picture{Name: "table.png", Alt: "A table", Draw: draw}
	return r
}

// TestPicture draws pictures in time, too late and not at all.
func TestPicture(t *testing.T) {
	const shown, words = "hi [table.png A table]", "hi\nin words"
	drawn := func(d time.Duration) func(context.Context) ([]byte, error) {
		return func(context.Context) ([]byte, error) { time.Sleep(d); return []byte("PNG"), nil }
	}
	for name, test := range map[string]struct {
		i       interaction
		lasts   time.Duration // the handler
		picture bot.Picture
		kind    int
		at      time.Duration // when the first answer comes
		want    string
		log     string // empty for nothing
	}{
		"at once":         {asked, 0, bot.Picture{Draw: drawn(0)}, typeMessage, 0, shown, ""},
		"pressed":         {press("hint", false), 0, bot.Picture{Draw: drawn(0)}, typeUpdate, 0, shown, ""},
		"takes time":      {asked, time.Second, bot.Picture{Draw: drawn(late - time.Second - 1)}, typeMessage, late - 1, shown, ""},
		"takes too long":  {asked, time.Second, bot.Picture{Draw: drawn(time.Hour)}, typeMessage, late, words, "takes too long"},
		"late":            {asked, 2 * time.Second, bot.Picture{Draw: drawn(late - 1)}, typePromise, late, shown, ""},
		"late, pressed":   {press("hint", false), 2 * time.Second, bot.Picture{Draw: drawn(0)}, typeUpdatePromise, late, shown, ""},
		"late, too long":  {asked, 2 * time.Second, bot.Picture{Draw: drawn(time.Hour)}, typePromise, late, words, "takes too long"},
		"fails":           {asked, 0, bot.Picture{Draw: func(context.Context) ([]byte, error) { return nil, errors.New("no ink") }}, typeMessage, 0, words, "no ink"},
		"panics":          {asked, 0, bot.Picture{Draw: func(context.Context) ([]byte, error) { panic("of the test") }}, typeMessage, 0, words, "panic: of the test"},
		"draws nothing":   {asked, 0, bot.Picture{Draw: func(context.Context) ([]byte, error) { return nil, nil }}, typeMessage, 0, words, "0 bytes"},
		"draws too much":  {asked, 0, bot.Picture{Draw: func(context.Context) ([]byte, error) { return make([]byte, maxPicture+1), nil }}, typeMessage, 0, words, "4194305 bytes"},
		"has no words":    {asked, 0, bot.Picture{Alt: " ", Draw: drawn(0)}, typeMessage, 0, words, "no words"},
		"has no name":     {asked, 0, bot.Picture{Name: " ", Draw: drawn(0)}, typeMessage, 0, words, "no name"},
		"has many words":  {asked, 0, bot.Picture{Alt: strings.Repeat("a", maxAlt+1), Draw: drawn(0)}, typeMessage, 0, "hi [table.png " + strings.Repeat("a", maxAlt-1) + "…]", ""},
		"obeys its limit": {asked, 0, bot.Picture{Draw: func(ctx context.Context) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() }}, typeMessage, late, words, "takes too long"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, got := recorded(t, nil)
				log := newDiary(t)
				a.log = log.Logger
				reply := withPicture("hi", test.picture.Draw)
				reply.InPlace = true
				if test.picture.Name != "" {
					reply.Picture.Name = test.picture.Name
				}
				if test.picture.Alt != "" {
					reply.Picture.Alt = test.picture.Alt
				}
				a.answer(t.Context(), test.i, false, func(context.Context) bot.Reply {
					time.Sleep(test.lasts)
					return reply
				})
				if len(got.first) != 1 || got.first[0].Type != test.kind || got.firstAt != test.at {
					t.Fatalf("first answers: got %+v at %v, want one of type %d at %v", got.first, got.firstAt, test.kind, test.at)
				}
				all := append(got.edits, got.follows...)
				if m, ok := got.first[0].Data.(message); ok {
					all = append(all, m)
				}
				if len(all) != 1 {
					t.Fatalf("got %+v, want one message", all)
				}
				text := all[0].Content
				for _, a := range all[0].Attachments {
					text += fmt.Sprintf(" [%s %s]", a.Name, a.Description)
				}
				if text != test.want || (all[0].picture != nil) != (len(all[0].Attachments) > 0) {
					t.Errorf("got  %q\nwant %q", text, test.want)
				}
				if said := log.String(); !strings.Contains(said, test.log) || test.log == "" && said != "" {
					t.Errorf("the log says %q, want %q", said, test.log)
				}
				time.Sleep(2 * time.Hour) // until one that lasts is drawn
			})
		})
	}
}

// TestPictureStops: who draws is told when nobody waits any more.
func TestPictureStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := recorded(t, nil)
		stopped := false
		reply := withPicture("hi", func(ctx context.Context) ([]byte, error) {
			<-ctx.Done()
			stopped = true
			return nil, ctx.Err()
		})
		if p := a.picture(t.Context(), asked, reply, time.After(late)); p != nil {
			t.Errorf("got %+v", p)
		}
		synctest.Wait()
		if !stopped {
			t.Error("it is still drawing")
		}
	})
}

// TestNoPictureOfAForm: what is shown by a form needs no picture.
func TestNoPictureOfAForm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, got := recorded(t, nil)
		a.answer(t.Context(), asked, false, func(context.Context) bot.Reply {
			return withForm(withPicture("hi", func(context.Context) ([]byte, error) {
				t.Error("it is drawn")
				return nil, nil
			}))
		})
		if len(got.first) != 1 || got.first[0].Type != typeModal {
			t.Errorf("got %+v, want a form", got.first)
		}
	})
}

// TestPictureBody reads what is sent.
func TestPictureBody(t *testing.T) {
	p := &picture{`a"b.png`, "alt", []byte("PNG\r\n")}
	body, kind, err := p.with([]byte(`{"type":4}`))
	must(t, err)
	_, params, err := mime.ParseMediaType(kind)
	must(t, err)
	form, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).ReadForm(1 << 20)
	must(t, err)
	if got := form.Value["payload_json"]; len(got) != 1 || got[0] != `{"type":4}` {
		t.Errorf("payload: got %q", got)
	}
	files := form.File["files[0]"]
	if len(files) != 1 || files[0].Filename != `a"b.png` || files[0].Header.Get("Content-Type") != "image/png" || files[0].Size != 5 {
		t.Errorf("files: got %+v", files)
	}
	m := newMessage(told("hi", false))
	m.show(p, told("hi", false))
	got, err := json.Marshal(m)
	must(t, err)
	if want := `{"content":"hi","allowed_mentions":{"parse":[]},"attachments":[{"id":0,"filename":"a\"b.png","description":"alt"}]}`; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestPictureRefused sends pictures that Discord refuses, or that may have
// arrived. What may have arrived as a first answer is not sent again.
func TestPictureRefused(t *testing.T) {
	t.Parallel()
	const shown, words = "hi [table.png]", "hi\nin words"
	kinds := map[string]struct{ method, path string }{"answer": {"POST", "/callback"}, "edit": {"PATCH", "@original"}, "follow-up": {"POST", "/webhooks/"}}
	for name, test := range map[string]struct {
		kind  string
		fail  func(s *discordtest.Server, method, path string)
		want  string // empty for nothing
		calls int    // of that kind
	}{
		"answer refused":       {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 400, 1) }, words, 2},
		"answer too large":     {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 413, 1) }, words, 2},
		"answer forbidden":     {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 403, 1) }, words, 2},
		"answer refused again": {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 400, 2) }, "", 2},
		"answer too late":      {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 404, 1) }, "", 1},
		"answer failed":        {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 500, 1) }, "", 1},
		"answer limited":       {"answer", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 429, 1) }, "", 1},
		"answer cut":           {"answer", func(s *discordtest.Server, m, p string) { s.LoseNext(m, p, 1) }, shown, 1},
		"edit refused":         {"edit", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 400, 1) }, words, 2},
		"edit failed":          {"edit", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 500, 1) }, shown, 2},
		"edit cut":             {"edit", func(s *discordtest.Server, m, p string) { s.LoseNext(m, p, 1) }, shown, 2},
		"edit cut, refused":    {"edit", func(s *discordtest.Server, m, p string) { s.LoseNext(m, p, 1); s.FailNext(m, p, 400, 1) }, words, 3},
		"follow-up refused":    {"follow-up", func(s *discordtest.Server, m, p string) { s.FailNext(m, p, 413, 1) }, words, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			api := mustSender(t, s.Token(), s.URL())
			a := &answerer{respond: api.respond, edit: api.edit, follow: api.follow, remove: api.remove, late: time.Minute, limit: time.Minute, log: newDiary(t).Logger}
			reply := withPicture("hi", func(context.Context) ([]byte, error) { return mustPNG(t, 2, 1), nil })
			call := s.Invoke(discordtest.Interaction{Command: "hint"})
			if test.kind == "follow-up" {
				call = s.Invoke(discordtest.Interaction{Type: discordtest.TypeComponent, CustomID: "hint"})
			}
			i := interaction{ID: call.ID(), Token: call.Token(), AppID: s.AppID()}
			due := make(chan time.Time)
			of := kinds[test.kind]
			switch test.kind {
			case "answer":
				test.fail(s, of.method, of.path)
				a.answerNow(t.Context(), i, reply, due)
			case "edit":
				must(t, api.respond(t.Context(), i, promise(false)))
				test.fail(s, of.method, of.path)
				a.afterPromise(i, reply, a.picture(t.Context(), i, reply, due), false, nil)
			case "follow-up":
				must(t, api.respond(t.Context(), i, response{Type: typeUpdatePromise}))
				test.fail(s, of.method, of.path)
				i.Type = 3
				a.afterPromise(i, reply, a.picture(t.Context(), i, reply, due), false, nil)
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

// ended is a context that has ended.
func ended(tb testing.TB) context.Context {
	ctx, cancel := context.WithCancel(testContext(tb))
	cancel()
	return ctx
}

// paint is a made-up command whose replies have pictures. hold, where it is not
// nil, is called before each answer to a press.
func paint(tb testing.TB, hold func()) bot.Command {
	return bot.Command{
		Name:    "paint",
		Options: []bot.Option{{Name: "what"}},
		Run: func(_ context.Context, r bot.Request) (bot.Reply, error) {
			if hold != nil && r.Pressed {
				hold()
			}
			what := r.Args["what"]
			reply := withPicture(what, func(context.Context) ([]byte, error) { return mustPNG(tb, 10*len(what), 7), nil })
			reply.Picture.Name = what + ".png"
			reply.InPlace = what != "apart"
			switch what {
			case "nothing":
				reply.Picture = nil
			case "alone":
				reply.Lines = reply.Lines[1:]
			}
			row := []bot.Button{}
			for _, next := range []string{"sun", "alone", "apart", "nothing"} {
				if next != what {
					row = append(row, bot.Button{Label: next, Command: "paint", Args: map[string]string{"what": next}})
				}
			}
			reply.Buttons = [][]bot.Button{row}
			return reply, nil
		},
	}
}

// painted is a script of the made-up command: a message's picture is replaced by
// the next one, or taken away.
const painted = `ana in general: /paint what:sun
> sun
> (picture sun.png, 30×7: A table)
> [alone] [apart] [nothing]
deliver again
> sun
> (picture sun.png, 30×7: A table)
> [alone] [apart] [nothing]
ana in general presses: alone
(in place)
> (picture alone.png, 50×7: A table)
> [sun] [apart] [nothing]
ana in general presses: nothing
(in place)
> nothing
> in words
> [sun] [alone] [apart]
ana in general presses: sun
(in place)
> sun
> (picture sun.png, 30×7: A table)
> [alone] [apart] [nothing]
ana in general presses: apart
> apart
> (picture apart.png, 50×7: A table)
> [sun] [alone] [nothing]
ana in general presses: alone
(in place)
> (picture alone.png, 50×7: A table)
> [sun] [apart] [nothing]
`

// TestPictures plays a script of pictures.
func TestPictures(t *testing.T) {
	t.Parallel()
	s, _, _ := mustStage(t, discordtest.New(t, discordtest.Options{Guilds: []string{server}}), paint(t, nil), 0)
	if got := s.play(painted); got != painted {
		t.Errorf("plays otherwise:\n%s", firstDifference(got, painted))
	}
}

// TestLatePictures plays the same, but each answer to a press is late.
func TestLatePictures(t *testing.T) {
	t.Parallel()
	discord := discordtest.New(t, discordtest.Options{Guilds: []string{server}})
	var presses atomic.Int32
	s, _, _ := mustStage(t, discord, paint(t, func() { answered(t, discord, 1+int(presses.Add(1))) }), time.Second)
	script := strings.Replace(painted, "deliver again\n> sun\n> (picture sun.png, 30×7: A table)\n> [alone] [apart] [nothing]\n", "", 1)
	if got := s.play(script); got != script {
		t.Errorf("plays otherwise:\n%s", firstDifference(got, script))
	}
}
