package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
)

// TestLateForAll gives answers that were promised to the asker alone, and turn out
// to be for everybody or not.
func TestLateForAll(t *testing.T) {
	field := `[{"type":18,"component":{"type":4,"custom_id":"word","value":"x"}}]`
	cut := errors.New("cut")
	refused := &discordgo.RESTError{Request: &http.Request{}, Response: &http.Response{StatusCode: http.StatusNotFound}}
	for name, test := range map[string]struct {
		i       interaction
		private bool             // the reply
		failing map[string]error // by what fails
		want    string
	}{
		"for everybody":               {asked, false, nil, "promise 64, edit moved, follow hi 0, remove"},
		"for the asker":               {asked, true, nil, "promise 64, edit hi 0"},
		"the line fails":              {asked, false, map[string]error{"edit": cut}, "promise 64, edit moved, follow hi 0"},
		"everybody cannot be told":    {asked, false, map[string]error{"follow": cut}, "promise 64, edit moved, follow hi 0, edit hi 0"},
		"the line stays":              {asked, false, map[string]error{"remove": cut}, "promise 64, edit moved, follow hi 0, remove"},
		"the promise cut":             {asked, false, map[string]error{"promise": cut}, "promise 64, edit moved, follow hi 0, remove"},
		"the promise refused":         {asked, false, map[string]error{"promise": refused}, "promise 64"},
		"refused, for the asker":      {asked, true, map[string]error{"promise": refused}, "promise 64, edit hi 0"},
		"a form, for everybody":       {sent("hint", field, "typed"), false, nil, "promise 64, edit moved, follow hi 0, remove"},
		"a form, for the asker":       {sent("hint", field, "typed"), true, nil, "promise 64, edit hi 0"},
		"a form under a message":      {sent("hint", field, "private"), false, nil, "update, follow hi 0"},
		"a button under a message":    {press("hint", true), false, nil, "update, follow hi 0"},
		"a button, the asker's reply": {press("hint", true), true, nil, "update, follow hi 64"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got []string
				say := func(what string, m message) error {
					text := strings.Replace(m.Content, draw(bot.Moved()), "moved", 1)
					if text == "moved" {
						got = append(got, what+" moved")
					} else {
						got = append(got, fmt.Sprintf("%s %s %d", what, text, m.Flags))
					}
					return test.failing[what]
				}
				a := &answerer{
					respond: func(_ context.Context, _ interaction, r response) error {
						switch r {
						case promise(true):
							got = append(got, "promise 64")
						case response{Type: typeUpdatePromise}:
							got = append(got, "update")
						default:
							got = append(got, fmt.Sprint(r))
						}
						return test.failing["promise"]
					},
					edit:   func(_ context.Context, _ interaction, m message) error { return say("edit", m) },
					follow: func(_ context.Context, _ interaction, m message) error { return say("follow", m) },
					remove: func(context.Context, interaction) error {
						got = append(got, "remove")
						return test.failing["remove"]
					},
					late: late, limit: handleLimit, log: newDiary(t).Logger,
				}
				a.answer(t.Context(), test.i, true, func(context.Context) bot.Reply {
					time.Sleep(2 * time.Second)
					return told("hi", test.private)
				})
				if got := strings.Join(got, ", "); got != test.want {
					t.Errorf("got  %s\nwant %s", got, test.want)
				}
			})
		})
	}
}

// TestMayBePrivate asks for what may be private, of which the answers are late.
func TestMayBePrivate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		private bool
		trouble func(*discordtest.Server)
		shown   string // what stands in the place of the promise, empty for nothing
		follows int
		logged  bool // that something was not delivered
	}{
		"private":                {true, nil, "hi", 0, false},
		"public":                 {false, nil, "", 1, false},
		"public, line stays":     {false, func(s *discordtest.Server) { s.FailNext("DELETE", "@original", 403, 1) }, draw(bot.Moved()), 1, true},
		"public, removed twice":  {false, func(s *discordtest.Server) { s.LoseNext("DELETE", "@original", 1) }, "", 1, false},
		"public, cannot be sent": {false, func(s *discordtest.Server) { s.FailNext("POST", "/webhooks/", 400, 1) }, "hi", 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			discord := discordtest.New(t, discordtest.Options{})
			made := bot.Command{Name: "whether", Audience: bot.Undecided, Run: func(context.Context, bot.Request) (bot.Reply, error) {
				answered(t, discord, 1)
				return told("hi", test.private), nil
			}}
			if test.trouble != nil {
				test.trouble(discord)
			}
			_, log, end := mustStage(t, discord, made, 5*time.Millisecond)
			call := discord.Invoke(discordtest.Interaction{Command: "whether", Guild: server})
			first, err := call.First(testContext(t))
			must(t, err)
			if first.Type != typePromise || !first.Private {
				t.Fatalf("got %+v, want a private promise", first)
			}
			end() // when all is answered
			if failed := strings.Contains(log.String(), "not delivered"); failed != test.logged {
				t.Errorf("a failure is logged: got %t, want %t", failed, test.logged)
			}
			shown, _ := discord.Shown(first.MessageID)
			if shown.Content != test.shown || shown.Content != "" && !shown.Private {
				t.Errorf("in place of the promise: got %+v, want %q", shown, test.shown)
			}
			follows := call.FollowUps()
			if len(follows) != test.follows {
				t.Fatalf("%d follow-ups, want %d", len(follows), test.follows)
			}
			if len(follows) == 1 && (follows[0].Content != "hi" || follows[0].Private || follows[0].MessageID == first.MessageID) {
				t.Errorf("got %+v", follows[0])
			}
			for _, v := range discord.Violations() {
				if name != "public, removed twice" || !strings.Contains(v, "10008 Unknown Message") {
					t.Errorf("discord would not have it: %s", v)
				}
			}
		})
	}
}
