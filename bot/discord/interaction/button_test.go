package interaction

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
)

func TestRenderButtons(t *testing.T) {
	board := func(label string) bot.Button { return bot.Button{Label: label, Command: "wordle board"} }
	off := func(label string) bot.Button {
		return bot.Button{Label: label, Command: "wordle board", Disabled: true}
	}
	guess := func(label string, look bot.ButtonStyle, word string) bot.Button {
		return bot.Button{Label: label, Style: look, Command: "guess", Args: map[string]string{"word": word}}
	}
	many := func(n int) []bot.Button {
		var line []bot.Button
		for i := range n {
			line = append(line, guess("A", bot.ButtonSecondary, fmt.Sprint(n, i)))
		}
		return line
	}
	for name, test := range map[string]struct {
		buttons [][]bot.Button
		want    string // rows in brackets, each button with its style, emoji, label and custom_id
		faults  []string
	}{
		"none":       {nil, "", nil},
		"empty rows": {[][]bot.Button{{}, nil}, "", nil},
		"styles": {
			[][]bot.Button{{guess("a", bot.ButtonSecondary, "1"), guess("b", bot.ButtonPrimary, "2"), guess("c", bot.ButtonSuccess, "3"), guess("d", bot.ButtonDanger, "4")}},
			"[2 a guess?word=1, 1 b guess?word=2, 3 c guess?word=3, 4 d guess?word=4]", nil,
		},
		"tiles": {
			[][]bot.Button{{guess("A", bot.ButtonBlack, "1"), guess("B", bot.ButtonYellow, "2"), guess("C", bot.ButtonGreen, "3")}},
			"[2 🔳 A guess?word=1, 2 🟨 B guess?word=2, 3 🟩 C guess?word=3]", nil,
		},
		"rows":          {[][]bot.Button{{board("a")}, {}, {guess("b", 0, "1")}}, "[2 a wordle board][2 b guess?word=1]", nil},
		"disabled":      {[][]bot.Button{{off("a"), board("b")}, {off("c")}}, "[2 a #1.1 off, 2 b wordle board][2 c #2.1 off]", nil},
		"a long label":  {[][]bot.Button{{board(strings.Repeat("a", 80))}}, "[2 " + strings.Repeat("a", 80) + " wordle board]", nil},
		"a longer one":  {[][]bot.Button{{board(strings.Repeat("a", 81))}}, "", []string{"a label of 81 characters, must be 1 to 80"}},
		"no label":      {[][]bot.Button{{board(""), guess("b", 0, "1")}}, "[2 b guess?word=1]", []string{`button 1 of row 1, "wordle board": a label of 0`}},
		"a blank label": {[][]bot.Button{{board(" ")}}, "", []string{"a label of 1 char"}},
		"no such style": {[][]bot.Button{{guess("a", 99, "1")}}, "", []string{"no style has number 99"}},
		"asks for too much": {
			[][]bot.Button{{board("a")}, {guess("b", 0, strings.Repeat("secret", 20))}},
			"[2 a wordle board]", []string{`button 1 of row 2, "guess": 131 characters, at most 100`},
		},
		"asks for nothing": {[][]bot.Button{{{Label: "a"}}}, "", []string{"not a command"}},
		"the same twice": {
			[][]bot.Button{{board("a"), guess("b", 0, "1")}, {board("c")}, {guess("d", bot.ButtonGreen, "1")}},
			"[2 a wordle board, 2 b guess?word=1]",
			[]string{"button 1 of row 2, \"wordle board\": another", "button 1 of row 3, \"guess\": another"},
		},
		"five of five": {
			[][]bot.Button{many(5), {board("a")}, {guess("b", 0, "1")}, {guess("c", 0, "2")}, {guess("d", 0, "3")}},
			"[2 A guess?word=5+0, 2 A guess?word=5+1, 2 A guess?word=5+2, 2 A guess?word=5+3, 2 A guess?word=5+4]" +
				"[2 a wordle board][2 b guess?word=1][2 c guess?word=2][2 d guess?word=3]", nil,
		},
		"six in a row": {
			[][]bot.Button{many(6)},
			"[2 A guess?word=6+0, 2 A guess?word=6+1, 2 A guess?word=6+2, 2 A guess?word=6+3, 2 A guess?word=6+4]",
			[]string{"button 6 of row 1, \"guess\": more than 5 in a row"},
		},
		"six rows": {
			[][]bot.Button{many(1), {off("a")}, {off("b")}, {off("c")}, {off("d")}, {board("e"), board("f")}},
			"[2 A guess?word=1+0][2 a #2.1 off][2 b #3.1 off][2 c #4.1 off][2 d #5.1 off]",
			[]string{"button 1 of row 6, \"wordle board\": more than 5 rows", "button 2 of row 6, \"wordle board\": more than 5 rows"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := renderButtons(test.buttons, bot.Look{})
			if got := written(rows); got != test.want {
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
func written(rows []row) string {
	text := ""
	for _, r := range rows {
		var line []string
		for _, b := range r.Components {
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

func TestButtonJSON(t *testing.T) {
	with := func(b ...bot.Button) bot.Reply {
		r := ephemeral("hi")
		r.Buttons = [][]bot.Button{b}
		return r
	}
	rendered := func(r bot.Reply) Message {
		a, err := Render(Result{Reply: r}, ResponseOptions{}, nil)
		must(t, err)
		return a.Message
	}
	for name, test := range map[string]struct {
		body Message
		want string
	}{
		"a message": {
			rendered(with(bot.Button{Label: "A", Style: bot.ButtonYellow, Command: "guess", Args: map[string]string{"word": "slate"}})),
			`{"content":"hi","flags":64,"allowed_mentions":{"parse":[]},"components":[{"type":1,"components":[` +
				`{"type":2,"style":2,"label":"A","emoji":{"name":"🟨"},"custom_id":"guess?word=slate"}]}]}`,
		},
		"an update": {
			rendered(with(bot.Button{Label: "B", Style: bot.ButtonPrimary, Disabled: true})).AsEdit(),
			`{"content":"hi","allowed_mentions":{"parse":[]},"components":[{"type":1,"components":[` +
				`{"type":2,"style":1,"label":"B","custom_id":"#1.1","disabled":true}]}],"attachments":[]}`,
		},
		"a message without": {rendered(with()), `{"content":"hi","flags":64,"allowed_mentions":{"parse":[]}}`},
		"an update without": {rendered(with()).AsEdit(), `{"content":"hi","allowed_mentions":{"parse":[]},"components":[],"attachments":[]}`},
	} {
		b, err := json.Marshal(test.body)
		must(t, err)
		if string(b) != test.want {
			t.Errorf("%s: got  %s\nwant %s", name, b, test.want)
		}
	}
}

// TestDiscordAcceptsButtons sends messages with buttons of every kind, good and
// bad. A bad one that was not left out would make the fake refuse the message.
func TestDiscordAcceptsButtons(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	api := mustRest(t, s)
	random := rand.New(rand.NewPCG(1, 2))
	labels := []string{"", " ", "A", "é", strings.Repeat("😀", 40), strings.Repeat("😀", 41), strings.Repeat("a", 81)}
	words := []string{"", "slate", "\xff", strings.Repeat("x", 89), strings.Repeat("x", 90), "a b&c"}
	commands := []string{"guess", "guess", "hint", "", "#1.1"}
	of := func(list []string) string { return list[random.IntN(len(list))] }
	for range 200 {
		reply := public("hi")
		for range random.IntN(8) {
			var line []bot.Button
			for range random.IntN(8) {
				line = append(line, bot.Button{
					Label: of(labels), Style: bot.ButtonStyle(random.IntN(len(buttonStyles) + 1)), Disabled: random.IntN(3) == 0,
					Command: of(commands), Args: map[string]string{"word": of(words) + fmt.Sprint(random.IntN(9))},
				})
			}
			reply.Buttons = append(reply.Buttons, line)
		}
		call := s.Invoke(discordtest.Interaction{Command: "hint"})
		i := Interaction{ID: call.ID(), Token: call.Token(), AppID: s.AppID(), Received: time.Now()}
		a, _ := Render(Result{Reply: reply}, ResponseOptions{}, nil) // the error lists what was left out
		m := a.Message
		must(t, api.respond(i, "response", Response{Type: typeMessage, Data: m}))
		if got, want := mustMessage(t, call).Components, m.Components; len(got) > 0 != (len(want) > 0) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}
