package discord

import (
	"regexp"
	"strings"
	"unicode/utf16"

	"fivefold/bot"
	"fivefold/game/wordle"
)

// The types of first answers, as Discord numbers them. These and the messages
// below are our own JSON: discordgo leaves out empty lists of choices, and sends
// null for mentions that are allowed to nobody.
const (
	typeMessage       = 4
	typePromise       = 5 // of a message
	typeUpdatePromise = 6 // of an update, or of nothing: the player sees no sign of it
	typeUpdate        = 7 // of the message whose button was pressed
	typeProposals     = 8
	typeModal         = 9 // a form, which never answers a form
)

// flagEphemeral makes a message visible to who asked only.
const flagEphemeral = 1 << 6

// response is a first answer.
type response struct {
	Type int `json:"type"`
	Data any `json:"data,omitempty"`
}

// message is the body of a message, and of its edit.
type message struct {
	Content         string          `json:"content"`
	Flags           int             `json:"flags,omitempty"`
	AllowedMentions allowedMentions `json:"allowed_mentions"`
	// An edit keeps those there were where these are nil.
	Components  []row        `json:"components,omitzero"`
	Attachments []attachment `json:"attachments,omitzero"`

	picture *picture // what Attachments names, nil for none
	plain   string   // the Content without it
}

// allowedMentions allows none. Left out, it would allow all.
type allowedMentions struct {
	Parse []string `json:"parse"`
}

type choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type choiceList struct {
	Choices []choice `json:"choices"`
}

func promise(private bool) response {
	if !private {
		return response{Type: typePromise}
	}
	return response{Type: typePromise, Data: struct {
		Flags int `json:"flags"`
	}{flagEphemeral}}
}

func proposals(choices []bot.Choice) response {
	list := choiceList{Choices: []choice{}}
	for _, c := range choices {
		list.Choices = append(list.Choices, choice(c))
	}
	return response{Type: typeProposals, Data: list}
}

func newMessage(r bot.Reply) message {
	m := message{Content: clip(draw(r), maxContent), AllowedMentions: allowedMentions{Parse: []string{}}}
	if r.Audience == bot.Asker {
		m.Flags = flagEphemeral
	}
	return m
}

// squares are the tiles by mark.
var squares = [...]string{wordle.Black: "⬛", wordle.Yellow: "🟨", wordle.Green: "🟩"}

// draw writes a reply in Discord's markdown.
func draw(r bot.Reply) string {
	var b strings.Builder
	inBlock := false
	for _, line := range r.Lines {
		if mono := isMono(line); mono != inBlock {
			b.WriteString("```\n")
			inBlock = mono
		}
		for _, t := range line.Tiles {
			if t.Apart {
				b.WriteByte(' ')
			}
			b.WriteString(squares[t.Mark])
		}
		if len(line.Tiles) > 0 {
			b.WriteString(" " + line.Word())
		}
		var text strings.Builder
		for _, s := range line.Text {
			drawSpan(&text, s)
		}
		if len(line.Tiles) == 0 && !inBlock {
			b.WriteString(lineStart.ReplaceAllString(text.String(), `$1\$2`))
		} else {
			b.WriteString(text.String())
		}
		b.WriteByte('\n')
	}
	if inBlock {
		b.WriteString("```\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func isMono(l bot.Line) bool {
	return len(l.Text) > 0 && l.Text[0].Style == bot.StyleMono
}

func drawSpan(b *strings.Builder, s bot.Span) {
	switch s.Style {
	case bot.StyleBold:
		b.WriteString("**" + escape.Replace(s.Text) + "**")
	case bot.StyleSpoiler:
		b.WriteString("||" + escape.Replace(s.Text) + "||")
	case bot.StyleMono:
		b.WriteString(inMono.Replace(s.Text))
	case bot.StylePlayer:
		if isSnowflake(s.Text) {
			b.WriteString("<@" + s.Text + ">")
		} else {
			b.WriteString(escape.Replace(s.Text))
		}
	default:
		b.WriteString(escape.Replace(s.Text))
	}
}

// escape takes the meaning from what a player may have typed; lines stay lines.
var escape = strings.NewReplacer(
	`\`, `\\`, `*`, `\*`, `_`, `\_`, `~`, `\~`, "`", "\\`", `|`, `\|`, `<`, `\<`, `[`, `\[`, `@`, `\@`,
	"://", `:\//`, // a link
	"\n", " ", "\r", " ",
)

// inMono keeps a text from ending the code block it is in.
var inMono = strings.NewReplacer("`", "'", "\n", " ", "\r", " ")

// lineStart is what makes a line a heading, a quote or a list. Of a list Discord
// counts the numbers itself, and shows a shared place as two.
var lineStart = regexp.MustCompile(`^([\s\p{Z}]*\d*)([#>.+-]+[\s\p{Z}])`)

// units is how long a text is for Discord.
func units(text string) int { return len(utf16.Encode([]rune(text))) }

func isSnowflake(id string) bool {
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	return id != "" && len(id) <= 20
}

// maxContent is Discord's limit for a message's text, in UTF-16 units to be on
// the safe side.
const maxContent = 2000

// clip cuts a text that Discord would refuse, at most so many units. No reply is
// meant to be so long; a list of very long names could be.
func clip(text string, most int) string {
	if units(text) <= most {
		return text
	}
	n := 0
	for at, r := range text {
		n += utf16.RuneLen(r)
		if n > most-1 {
			return text[:at] + "…"
		}
	}
	return text
}
