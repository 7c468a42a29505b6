package discord

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
)

// mustPNG returns a black picture.
func mustPNG(tb testing.TB, width, height int) []byte {
	tb.Helper()
	var b bytes.Buffer
	must(tb, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return b.Bytes()
}

// withPicture returns a reply of two lines, the second of which the picture shows.
func withPicture(text string, draw func(context.Context, bot.Colours) ([]byte, error)) bot.Reply {
	r := public(text)
	r.Lines = append(r.Lines, bot.Line{Pictured: true, Text: []bot.Span{{Text: "in words"}}})
	r.Picture = &bot.Picture{Name: "table.png", Alt: "A table", Draw: draw}
	return r
}

// TestPicture draws pictures in time, too late and not at all.
func TestPicture(t *testing.T) {
	const shown, words = "hi [table.png A table]", "hi\nin words"
	drawn := func(d time.Duration) func(context.Context, bot.Colours) ([]byte, error) {
		return func(context.Context, bot.Colours) ([]byte, error) { time.Sleep(d); return []byte("PNG"), nil }
	}
	for name, test := range map[string]struct {
		i       interaction
		lasts   time.Duration // the handler
		picture bot.Picture
		kind    int
		at      time.Duration // when the first response comes
		want    string
		log     string // empty for nothing
	}{
		"at once":         {asked, 0, bot.Picture{Draw: drawn(0)}, typeMessage, 0, shown, ""},
		"pressed":         {component("hint", false), 0, bot.Picture{Draw: drawn(0)}, typeUpdate, 0, shown, ""},
		"takes time":      {asked, time.Second, bot.Picture{Draw: drawn(deferAfter - time.Second - 1)}, typeMessage, deferAfter - 1, shown, ""},
		"takes too long":  {asked, time.Second, bot.Picture{Draw: drawn(time.Hour)}, typeMessage, deferAfter, words, "takes too long"},
		"late":            {asked, 2 * time.Second, bot.Picture{Draw: drawn(deferAfter - 1)}, typeDeferredMessage, deferAfter, shown, ""},
		"late, pressed":   {component("hint", true), 2 * time.Second, bot.Picture{Draw: drawn(0)}, typeDeferredUpdate, deferAfter, shown, ""},
		"late, too long":  {asked, 2 * time.Second, bot.Picture{Draw: drawn(time.Hour)}, typeDeferredMessage, deferAfter, words, "takes too long"},
		"fails":           {asked, 0, bot.Picture{Draw: func(context.Context, bot.Colours) ([]byte, error) { return nil, errors.New("no ink") }}, typeMessage, 0, words, "no ink"},
		"panics":          {asked, 0, bot.Picture{Draw: func(context.Context, bot.Colours) ([]byte, error) { panic("of the test") }}, typeMessage, 0, words, "panic: of the test"},
		"draws nothing":   {asked, 0, bot.Picture{Draw: func(context.Context, bot.Colours) ([]byte, error) { return nil, nil }}, typeMessage, 0, words, "0 bytes"},
		"draws too much":  {asked, 0, bot.Picture{Draw: func(context.Context, bot.Colours) ([]byte, error) { return make([]byte, maxPicture+1), nil }}, typeMessage, 0, words, "4194305 bytes"},
		"has no words":    {asked, 0, bot.Picture{Alt: " ", Draw: drawn(0)}, typeMessage, 0, words, "alt text is empty"},
		"has no name":     {asked, 0, bot.Picture{Name: " ", Draw: drawn(0)}, typeMessage, 0, words, "name or alt text is empty"},
		"has many words":  {asked, 0, bot.Picture{Alt: strings.Repeat("a", maxAlt+1), Draw: drawn(0)}, typeMessage, 0, "hi [table.png " + strings.Repeat("a", maxAlt-1) + "…]", ""},
		"obeys its limit": {asked, 0, bot.Picture{Draw: func(ctx context.Context, _ bot.Colours) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() }}, typeMessage, deferAfter, words, "takes too long"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, got := newRecorder(t, nil)
				log := discordtest.NewLog(t)
				f.log = log.Logger
				reply := withPicture("hi", test.picture.Draw)
				reply.InPlace = true
				if test.picture.Name != "" {
					reply.Picture.Name = test.picture.Name
				}
				if test.picture.Alt != "" {
					reply.Picture.Alt = test.picture.Alt
				}
				f.answer(t.Context(), test.i, bot.Command{Audience: bot.Everyone}, func(context.Context) bot.Reply {
					time.Sleep(test.lasts)
					return reply
				})
				if len(got.first) != 1 || got.first[0].Type != test.kind || got.firstAt != test.at {
					t.Fatalf("first responses: got %+v at %v, want one of type %d at %v", got.first, got.firstAt, test.kind, test.at)
				}
				all := append(got.edits, got.followUps...)
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
				time.Sleep(2 * time.Hour) // until the slowest one is drawn
			})
		})
	}
}

// TestPictureStops wants the drawing to be cancelled when nobody waits for it.
func TestPictureStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _ := newRecorder(t, nil)
		stopped := false
		reply := withPicture("hi", func(ctx context.Context, _ bot.Colours) ([]byte, error) {
			<-ctx.Done()
			stopped = true
			return nil, ctx.Err()
		})
		h := f.handle(t.Context(), asked, asked.responseOptions(), func(context.Context) bot.Reply { return reply })
		if r, _ := h.inTime(t.Context()); r.picture != nil {
			t.Errorf("got %+v", r.picture)
		}
		synctest.Wait()
		if !stopped {
			t.Error("it is still drawing")
		}
	})
}

// TestNoPictureWithAModal wants no picture to be drawn when a modal is shown.
func TestNoPictureWithAModal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, got := newRecorder(t, nil)
		f.answer(t.Context(), asked, bot.Command{Audience: bot.Everyone}, func(context.Context) bot.Reply {
			return withForm(withPicture("hi", func(context.Context, bot.Colours) ([]byte, error) {
				t.Error("it is drawn")
				return nil, nil
			}))
		})
		if len(got.first) != 1 || got.first[0].Type != typeModal {
			t.Errorf("got %+v, want a form", got.first)
		}
	})
}

// ended returns a context that has ended.
func ended(tb testing.TB) context.Context {
	ctx, cancel := context.WithCancel(testContext(tb))
	cancel()
	return ctx
}

// paint is a made-up command whose replies have pictures. Each time a button is
// pressed, hold is called first, unless it is nil.
func paint(tb testing.TB, hold func()) bot.Command {
	return bot.Command{
		Name:    "paint",
		Options: []bot.Option{{Name: "what"}},
		Run: func(_ context.Context, r bot.Request) (bot.Reply, error) {
			if hold != nil && r.FromComponent {
				hold()
			}
			what := r.Args["what"]
			reply := withPicture(what, func(context.Context, bot.Colours) ([]byte, error) { return mustPNG(tb, 10*len(what), 7), nil })
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

// paintScript is a script of the made-up command: a message's picture is replaced
// by the next one, or removed.
const paintScript = `ana in general: /paint what:sun
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
	s, _, _ := mustRunner(t, discordtest.New(t, inTwoServers), paint(t, nil), 0)
	if got := s.play(paintScript); got != paintScript {
		t.Errorf("plays otherwise:\n%s", firstDifference(got, paintScript))
	}
}

// TestLatePictures plays the same script in private, but responses to buttons are deferred.
func TestLatePictures(t *testing.T) {
	t.Parallel()
	discord := discordtest.New(t, inTwoServers)
	var hold func()
	private := paint(t, func() { hold() })
	run := private.Run
	private.Run = func(ctx context.Context, r bot.Request) (bot.Reply, error) {
		reply, err := run(ctx, r)
		reply.Audience = bot.Asker
		return reply, err
	}
	s, _, _ := mustRunner(t, discord, private, 0)
	hold = deferNow(t, s)
	script := strings.NewReplacer(
		"deliver again\n> sun\n> (picture sun.png, 30×7: A table)\n> [alone] [apart] [nothing]\n", "",
		"(in place)", "(private)\n(in place)",
		"what:sun", "what:sun\n(private)",
		"presses: apart", "presses: apart\n(private)\n(in place)",
	).Replace(paintScript)
	if got := s.play(script); got != script {
		t.Errorf("plays otherwise:\n%s", firstDifference(got, script))
	}
}

// TestLostPicture: if the picture that an edit wants to keep is no longer there, it is uploaded
// again.
func TestLostPicture(t *testing.T) {
	t.Parallel()
	p := &picture{name: "table.png", alt: "A table", png: []byte("PNG")}
	refused := &discordgo.RESTError{Request: &http.Request{}, Response: &http.Response{StatusCode: http.StatusBadRequest}}
	for name, test := range map[string]struct {
		has   file
		fails int // calls that are refused
		want  string
	}{
		"it has it":           {file{"7", "table.png", "A table"}, 0, "keeps 7"},
		"it is gone":          {file{"7", "table.png", "A table"}, 1, "keeps 7, uploads"},
		"no picture is taken": {file{"7", "table.png", "A table"}, 2, "keeps 7, uploads, in words"},
		"it has another one":  {file{"7", "table.png", "No table"}, 0, "uploads"},
		"of other colours":    {file{"7", "contrast-table.png", "A table"}, 0, "uploads"},
		"it has none":         {file{}, 0, "uploads"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMessage(public("hi"), nil)
			m.attach(p, nil, nil)
			var got []string
			err := m.asEdit().keeping(test.has).try(func(m message) error {
				switch {
				case len(m.Attachments) == 0:
					got = append(got, "in words")
				case !m.kept:
					got = append(got, "uploads")
				default:
					got = append(got, fmt.Sprint("keeps ", m.Attachments[0].ID))
				}
				if len(got) <= test.fails {
					return refused
				}
				return nil
			}, func(error) {})
			if got := strings.Join(got, ", "); got != test.want || err != nil {
				t.Errorf("got %s, %v, want %s", got, err, test.want)
			}
		})
	}
}
