package interaction

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
)

func TestRenderButtons(t *testing.T) {
	board := func(label string) bot.Button { return bot.Button{Label: label, Command: "wordle board"} }
	off := func(label string) bot.Button {
		return bot.Button{Label: label, Command: "wordle board", Disabled: true}
	}
	guess := func(label string, look bot.ButtonStyle, word string) bot.Button {
		return bot.Button{Label: label, Style: look, Command: "guess", Args: map[string]string{"word": word}}
	}
	for name, test := range map[string]struct {
		buttons []bot.Row
		want    string // rows in brackets, each button with its style, emoji, label and custom_id
		faults  []string
	}{
		"none":       {nil, "", nil},
		"empty rows": {[]bot.Row{{}, nil}, "", nil},
		"styles": {
			[]bot.Row{{guess("a", bot.ButtonSecondary, "1"), guess("b", bot.ButtonPrimary, "2"), guess("c", bot.ButtonSuccess, "3"), guess("d", bot.ButtonDanger, "4")}},
			"[2 a guess?word=1, 1 b guess?word=2, 3 c guess?word=3, 4 d guess?word=4]", nil,
		},
		"tiles": {
			[]bot.Row{{guess("A", bot.ButtonBlack, "1"), guess("B", bot.ButtonYellow, "2"), guess("C", bot.ButtonGreen, "3")}},
			"[2 🔳 A guess?word=1, 2 🟨 B guess?word=2, 3 🟩 C guess?word=3]", nil,
		},
		"rows":         {[]bot.Row{{board("a")}, {}, {guess("b", 0, "1")}}, "[2 a wordle board][2 b guess?word=1]", nil},
		"disabled":     {[]bot.Row{{off("a"), board("b")}, {off("c")}}, "[2 a #0 off, 2 b wordle board][2 c #2 off]", nil},
		"a long label": {[]bot.Row{{board(strings.Repeat("a", 81))}}, "[2 " + strings.Repeat("a", 79) + "… wordle board]", nil},
		"asks for too much": {
			[]bot.Row{{board("a")}, {guess("b", 0, strings.Repeat("secret", 20))}},
			"[2 a wordle board]", []string{`"b" of "guess": 131 characters, at most 100`},
		},
		"asks for nothing": {[]bot.Row{{{Label: "a"}}}, "", []string{"not a command"}},
		"the same twice": {
			[]bot.Row{{board("a"), guess("b", 0, "1")}, {board("c")}, {guess("d", bot.ButtonGreen, "1")}},
			"[2 a wordle board, 2 b guess?word=1]",
			[]string{`"c" of "wordle board": too long, or another`, `"d" of "guess": too long, or another`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var reply bot.Reply
			for _, row := range test.buttons {
				reply = reply.Add(row)
			}
			m, err := renderMessage(Result{Reply: reply}, &Names{})
			if got := written(m.Components); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			var faults []string
			if err != nil {
				faults = strings.Split(err.Error(), "\n")
			}
			if len(faults) != len(test.faults) {
				t.Fatalf("faults: got %q, want %q", faults, test.faults)
			}
			for i, want := range test.faults {
				if !strings.Contains(faults[i], want) || strings.Contains(faults[i], "secret") {
					t.Errorf("fault: got %q, want %q in it", faults[i], want)
				}
			}
		})
	}
}

// written writes rows of buttons in one line.
func written(components []any) string {
	text := ""
	for _, c := range components {
		r, ok := c.(component)
		if !ok || r.Type != int(discordgo.ActionsRowComponent) {
			continue
		}
		var line []string
		for _, c := range r.Components {
			b := c.(component)
			words := []string{fmt.Sprint(b.Style)}
			if b.Emoji != nil {
				words = append(words, b.Emoji.Name)
			}
			words = append(words, b.Label, b.CustomID)
			if b.Disabled {
				words = append(words, "off")
			}
			line = append(line, strings.Join(words, " "))
		}
		text += "[" + strings.Join(line, ", ") + "]"
	}
	return text
}
