package interaction

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"fivefold/bot"
)

func TestRender(t *testing.T) {
	inPlace := func(r bot.Reply) bot.Reply { r.InPlace = true; return r }
	broken := withForm(public("hi"))
	broken.Form.Command = ""
	broken.Buttons = [][]bot.Button{{{Label: "A", Command: "hint"}, {Label: "B", Command: "hint"}}}
	typed := public("hi")
	typed.Buttons = [][]bot.Button{{{Label: "A", Command: "hint"}}}
	typed.Lines = append(typed.Lines, bot.Text("or type").AsTyped())
	unpressed := public("hi")
	unpressed.Lines = append(unpressed.Lines, bot.Text("or type").AsTyped())
	for name, test := range map[string]struct {
		reply   bot.Reply
		options ResponseOptions
		want    string // text and flags, and what else there is
		errs    []string
	}{
		"public":                    {public("hi"), ResponseOptions{Modal: true}, "hi 0", nil},
		"ephemeral":                 {ephemeral("hi"), ResponseOptions{Modal: true}, "hi 64", nil},
		"undecided":                 {replyTo(bot.Undecided, "hi"), ResponseOptions{Modal: true}, "hi 64", nil},
		"in place, no message":      {inPlace(public("hi")), ResponseOptions{}, "hi 0", nil},
		"in place of a public one":  {inPlace(public("hi")), ResponseOptions{update: true}, "hi 0 update", nil},
		"in place of an own one":    {inPlace(public("hi")), ResponseOptions{update: true, audience: bot.Asker}, "hi 0 update", nil},
		"ephemeral under public":    {inPlace(ephemeral("hi")), ResponseOptions{update: true}, "hi 64", nil},
		"ephemeral under ephemeral": {inPlace(ephemeral("hi")), ResponseOptions{update: true, audience: bot.Asker}, "hi 64 update", nil},
		"undecided under public":    {inPlace(replyTo(bot.Undecided, "hi")), ResponseOptions{update: true}, "hi 64", nil},
		"a new message":             {public("hi"), ResponseOptions{update: true}, "hi 0", nil},
		"a form":                    {withForm(ephemeral("hi")), ResponseOptions{Modal: true}, "hi 64 modal", nil},
		"a form, no modal":          {withForm(ephemeral("hi")), ResponseOptions{}, "hi 64", nil},
		"typed, with a button":      {typed, ResponseOptions{}, "hi 0 [2 A hint]", nil},
		"typed, without one":        {unpressed, ResponseOptions{}, "hi\nor type 0", nil},
		"faults":                    {broken, ResponseOptions{Modal: true}, "hi 0 [2 A hint]", []string{`form for "": not a command`, `button 2 of row 1, "hint": another`}},
		"no fault of a form unseen": {broken, ResponseOptions{}, "hi 0 [2 A hint]", []string{`button 2 of row 1, "hint": another`}},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			d := Deliverer{Names: &Names{}, Log: slog.New(slog.NewJSONHandler(&log, nil))}
			a := d.Render("7", Result{Reply: test.reply}, test.options)
			got := fmt.Sprintf("%s %d", a.Message.Content, a.Message.Flags)
			if a.update {
				got += " update"
			}
			if a.modal != nil {
				got += " modal"
			}
			if a.Message.Components != nil {
				got += " " + written(a.Message.Components)
			}
			if got != test.want || a.audience != test.reply.Audience {
				t.Errorf("got %s for audience %d, want %s for %d", got, a.audience, test.want, test.reply.Audience)
			}
			var logged struct{ ID, Error string }
			if log.Len() > 0 {
				must(t, json.Unmarshal([]byte(log.String()), &logged))
			}
			errs := strings.FieldsFunc(logged.Error, func(c rune) bool { return c == '\n' })
			if len(errs) != len(test.errs) || len(errs) > 0 && logged.ID != "7" {
				t.Fatalf("errors: got %q, want %q; logged %s", errs, test.errs, &log)
			}
			for i, want := range test.errs {
				if !strings.Contains(errs[i], want) {
					t.Errorf("error: got %q, want %q in it", errs[i], want)
				}
			}
		})
	}
}
