package interaction

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"fivefold/bot"
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
