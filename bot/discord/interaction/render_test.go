package interaction

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
)

func TestRender(t *testing.T) {
	broken := public("hi")
	broken.Buttons = [][]bot.Button{{{Label: "A", Command: "hint"}, {Label: "B", Command: "hint"}}}
	typed := public("hi")
	typed.Buttons = [][]bot.Button{{{Label: "A", Command: "hint"}}}
	typed.Lines = append(typed.Lines, bot.Text("or type").AsTyped())
	unpressed := public("hi")
	unpressed.Lines = append(unpressed.Lines, bot.Text("or type").AsTyped())
	for name, test := range map[string]struct {
		reply bot.Reply
		want  string // text, flags and buttons
		fault string // that is logged
	}{
		"public":               {public("hi"), "hi 0 ", ""},
		"ephemeral":            {ephemeral("hi"), "hi 64 ", ""},
		"undecided":            {replyTo(bot.Undecided, "hi"), "hi 64 ", ""},
		"typed, with a button": {typed, "hi 0 [2 A hint]", ""},
		"typed, without one":   {unpressed, "hi\nor type 0 ", ""},
		"faults":               {broken, "hi 0 [2 A hint]", `id=7 error="button 2 of row 1, \"hint\": another`},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			d := Deliverer{Names: &Names{}, Log: slog.New(slog.NewTextHandler(&log, nil))}
			m := d.Render("7", Result{Reply: test.reply})
			if got := fmt.Sprintf("%s %d %s", m.Content, m.Flags, written(m.Components)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if got := log.String(); !strings.Contains(got, test.fault) || test.fault == "" && got != "" {
				t.Errorf("logged %s", got)
			}
		})
	}
}

// TestFirstResponse: how replies to commands and to components are shown.
func TestFirstResponse(t *testing.T) {
	inPlace := func(r bot.Reply) bot.Reply { r.InPlace = true; return r }
	broken := withForm(public("hi"))
	broken.Form.Command = ""
	under := func(kind discordgo.InteractionType, flags int) Interaction {
		i := Interaction{ID: "7", Token: "interaction-token-7", Type: kind, Received: time.Now()}
		i.Message.ID, i.Message.Flags = "5", flags
		return i
	}
	typed, shared, submitted := under(discordgo.InteractionApplicationCommand, 0), under(discordgo.InteractionMessageComponent, 0), under(discordgo.InteractionModalSubmit, 0)
	own := under(discordgo.InteractionMessageComponent, FlagEphemeral)
	for name, test := range map[string]struct {
		reply bot.Reply
		on    Interaction
		want  string // type, text and flags
		fault string // that is logged
	}{
		"in place, no message":      {inPlace(public("hi")), typed, "4 hi 0", ""},
		"in place of a public one":  {inPlace(public("hi")), shared, "7 hi 0", ""},
		"in place of an own one":    {inPlace(public("hi")), own, "7 hi 0", ""},
		"ephemeral under public":    {inPlace(ephemeral("hi")), shared, "4 hi 64", ""},
		"ephemeral under ephemeral": {inPlace(ephemeral("hi")), own, "7 hi 0", ""},
		"undecided under public":    {inPlace(replyTo(bot.Undecided, "hi")), shared, "4 hi 64", ""},
		"a new message":             {public("hi"), shared, "4 hi 0", ""},
		"a form":                    {withForm(ephemeral("hi")), typed, "9  0", ""},
		"a form after a form":       {withForm(ephemeral("hi")), submitted, "4 hi 64", ""},
		"a form at fault":           {broken, typed, "4 hi 0", `id=7 command="" error="not a command`},
		"no fault of a form unseen": {broken, submitted, "4 hi 0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			client := calls.New(calls.Options{Log: slog.New(slog.DiscardHandler), Transport: discordtest.Transport(func(m discordtest.Made) (string, error) {
				got += fmt.Sprintf("%d %s %d", m.Type, m.Content, m.Flags)
				return "", nil
			})})
			var log strings.Builder
			d := Deliverer{Calls: client, Accepted: time.Minute, Timeout: time.Minute, Names: &Names{}, Log: slog.New(slog.NewTextHandler(&log, nil))}
			_, err := d.Deliver(test.on, Result{Reply: test.reply}, nil)
			must(t, err)
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if got := log.String(); !strings.Contains(got, test.fault) || test.fault == "" && got != "" {
				t.Errorf("logged %s", got)
			}
		})
	}
}
