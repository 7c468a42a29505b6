package discord

import (
	"regexp"
	"strings"

	"fivefold/bot"
	"fivefold/game/wordle"
)

// squares are the tiles by mark.
var squares = [...]string{wordle.Black: "⬛", wordle.Yellow: "🟨", wordle.Green: "🟩"}

// markdown writes lines in Discord's markdown, with the ids of commands as far as they are
// known.
func markdown(lines []bot.Line, ids *commandIDs) string {
	var b strings.Builder
	inBlock := false
	for _, line := range lines {
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
			b.WriteString(" " + line.TileText())
		}
		var text strings.Builder
		for _, s := range line.Text {
			writeSpan(&text, s, ids)
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

func writeSpan(b *strings.Builder, s bot.Span, ids *commandIDs) {
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
	case bot.StyleCommand:
		b.WriteString(ids.mention(s))
	default:
		b.WriteString(escape.Replace(s.Text))
	}
}

// escape makes text that a player may have typed plain: no markup, no mentions,
// no links, no line breaks.
var escape = strings.NewReplacer(
	`\`, `\\`, `*`, `\*`, `_`, `\_`, `~`, `\~`, "`", "\\`", `|`, `\|`, `<`, `\<`, `[`, `\[`, `@`, `\@`,
	"://", `:\//`, // a link
	"\n", " ", "\r", " ",
)

// inMono keeps a text from ending the code block that it is in.
var inMono = strings.NewReplacer("`", "'", "\n", " ", "\r", " ")

// lineStart matches what makes a line a heading, a quote or a list. Discord
// renumbers lists, so it would show two players who share second place as 2 and 3.
var lineStart = regexp.MustCompile(`^([\s\p{Z}]*\d*)([#>.+-]+[\s\p{Z}])`)

// isSnowflake reports whether a text can be an id of Discord's, and so be a part of a path
// as it is.
func isSnowflake(id string) bool {
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	return id != "" && len(id) <= 20
}
