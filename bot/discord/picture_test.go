package discord

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
)

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
		i       interaction.Interaction
		lasts   time.Duration // the handler
		picture bot.Picture
		kind    discordgo.InteractionResponseType
		at      time.Duration // when the first response comes
		want    string
		log     string // empty for nothing
	}{
		"at once":         {asked, 0, bot.Picture{Draw: drawn(0)}, typeMessage, 0, shown, ""},
		"pressed":         {component("hint", false), 0, bot.Picture{Draw: drawn(0)}, typeUpdate, 0, shown, ""},
		"takes time":      {asked, time.Second, bot.Picture{Draw: drawn(deferAfter - time.Second - 1)}, typeMessage, deferAfter - 1, shown, ""},
		"late":            {asked, 2 * time.Second, bot.Picture{Draw: drawn(deferAfter - 1)}, typeDeferredMessage, deferAfter, shown, ""},
		"late, pressed":   {component("hint", true), 2 * time.Second, bot.Picture{Draw: drawn(0)}, typeDeferredUpdate, deferAfter, shown, ""},
		"fails":           {asked, 0, bot.Picture{Draw: func(context.Context, bot.Colours) ([]byte, error) { return nil, errors.New("no ink") }}, typeMessage, 0, words, "no ink"},
		"panics":          {asked, 0, bot.Picture{Draw: func(context.Context, bot.Colours) ([]byte, error) { panic("of the test") }}, typeMessage, 0, words, "of the test"},
		"draws nothing":   {asked, 0, bot.Picture{Draw: func(context.Context, bot.Colours) ([]byte, error) { return nil, nil }}, typeMessage, 0, words, "0 bytes"},
		"draws too much":  {asked, 0, bot.Picture{Draw: func(context.Context, bot.Colours) ([]byte, error) { return make([]byte, 4<<20+1), nil }}, typeMessage, 0, words, "4194305 bytes"},
		"has no words":    {asked, 0, bot.Picture{Alt: " ", Draw: drawn(0)}, typeMessage, 0, words, "alt text is empty"},
		"has no name":     {asked, 0, bot.Picture{Name: " ", Draw: drawn(0)}, typeMessage, 0, words, "name or alt text is empty"},
		"has many words":  {asked, 0, bot.Picture{Alt: strings.Repeat("a", 1025), Draw: drawn(0)}, typeMessage, 0, "hi [table.png " + strings.Repeat("a", 1023) + "…]", ""},
		"obeys its limit": {asked, 0, bot.Picture{Draw: func(ctx context.Context, _ bot.Colours) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() }}, typeMessage, deferAfter, words, "deadline exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, got := newRecorder(t, nil)
				log := discordtest.NewLog(t)
				f.deliverer.Log = log.Logger
				reply := withPicture("hi", test.picture.Draw)
				reply.InPlace = true
				if test.picture.Name != "" {
					reply.Picture.Name = test.picture.Name
				}
				if test.picture.Alt != "" {
					reply.Picture.Alt = test.picture.Alt
				}
				answerBy(t, f, test.i, bot.Command{Audience: bot.Everyone}, func(context.Context) bot.Reply {
					time.Sleep(test.lasts)
					return reply
				})
				if len(got.first) != 1 || got.first[0].Type != test.kind || got.firstAt != test.at {
					t.Fatalf("first responses: got %+v at %v, want one of type %d at %v", got.first, got.firstAt, test.kind, test.at)
				}
				all := append(got.edits, got.followUps...)
				if m, ok := got.first[0].Data.(interaction.Message); ok {
					all = append(all, m)
				}
				if len(all) != 1 {
					t.Fatalf("got %+v, want one message", all)
				}
				text := all[0].Content
				for _, a := range all[0].Attachments {
					text += fmt.Sprintf(" [%s %s]", a.Name, a.Description)
				}
				if text != test.want || (all[0].Picture != nil) != (len(all[0].Attachments) > 0) {
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

// TestNoPictureWithAModal wants no picture to be drawn when a modal is shown.
func TestNoPictureWithAModal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, got := newRecorder(t, nil)
		answerBy(t, f, asked, bot.Command{Audience: bot.Everyone}, func(context.Context) bot.Reply {
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

// TestKeptPicture: an edit that leaves the table as it is keeps its picture, and any other
// one uploads the next.
func TestKeptPicture(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"", " mode:solo"} {
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
