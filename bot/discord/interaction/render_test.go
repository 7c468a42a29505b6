package interaction

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"fivefold/bot"
)

func TestRender(t *testing.T) {
	broken := public("hi").Row(bot.Button{Label: "A", Command: "hint"}, bot.Button{Label: "B", Command: "hint"})
	for name, test := range map[string]struct {
		reply bot.Reply
		want  string // text, flags and buttons
		fault string // that is logged
	}{
		"public":    {public("hi"), "hi 32768 ", ""},
		"ephemeral": {ephemeral("hi"), "hi 32832 ", ""},
		"undecided": {replyTo(bot.Undecided, "hi"), "hi 32832 ", ""},
		"faults":    {broken, "hi 32768 [2 A hint]", `id=7 error="\"B\" of \"hint\": too long, or another`},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			d := Deliverer{Names: &Names{}, Log: slog.New(slog.NewTextHandler(&log, nil))}
			m := d.Render("7", Result{Reply: test.reply})
			if got := fmt.Sprintf("%s %d %s", Text(m.Components), m.Flags, written(m.Components)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if got := log.String(); !strings.Contains(got, test.fault) || test.fault == "" && got != "" {
				t.Errorf("logged %s", got)
			}
		})
	}
}

// TestManyTexts: Discord takes 4000 characters in all texts of a message, however many are cut.
func TestManyTexts(t *testing.T) {
	t.Parallel()
	r := bot.Reply{Heading: bot.Text("Long"), Blocks: []bot.Block{bot.Text(strings.Repeat("a", 3990))}}
	for n := range 10 {
		r.Blocks = append(r.Blocks, bot.Row{{Label: "a", Command: "guess", Args: map[string]string{"word": fmt.Sprint(n)}}}, bot.Text("more"))
	}
	said := Text(render(t, Result{Reply: r}).Components)
	if n := units(strings.ReplaceAll(said, "\n…", "…")); n > 4000 || strings.Count(said, "…") < 9 {
		t.Errorf("%d characters, %.100s", n, said)
	}
}
