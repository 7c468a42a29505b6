package interaction

import (
	"fmt"
	"regexp"
	"strings"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
)

// writer writes lines in a look.
type writer struct {
	look  bot.Look
	names *Names
}

// content writes lines as the text of a message. An emoji of our own has some thirty characters. If that makes the text too
// long, tiles become squares.
func (w writer) content(lines []bot.Line) string {
	if text := w.markdown(lines); units(text) <= maxContent {
		return text
	}
	if w.look.Shapes == bot.TileShapes {
		w.look.Shapes = bot.SquareShapes
	}
	return clip(w.markdown(lines), maxContent)
}

// writeTiles writes a row of tiles: all as emojis of our own, or as squares with the word or cards after them.
func (w writer) writeTiles(b *strings.Builder, line bot.Line) {
	if text, ok := w.ownEmojis(line); ok {
		b.WriteString(text)
		return
	}
	for _, t := range line.Tiles {
		if t.Apart {
			b.WriteByte(' ')
		}
		b.WriteString(w.look.Square(t.Mark))
	}
	if len(line.Tiles) > 0 {
		b.WriteString(" " + blackSuits.Replace(line.TileText()))
	}
}

// ownEmojis writes a row of tiles with emojis of our own, if the look wants them and each tile has one.
func (w writer) ownEmojis(line bot.Line) (text string, ok bool) {
	if w.look.Shapes != bot.TileShapes || len(line.Tiles) == 0 {
		return "", false
	}
	own := w.names.Emojis()
	var b strings.Builder
	for _, t := range line.Tiles {
		id, name := own.find(t, w.look.Colours)
		if id == "" {
			return "", false
		}
		if t.Apart {
			b.WriteString("  ")
		}
		b.WriteString("<:" + name + ":" + id + ">")
	}
	return b.String(), true
}

// markdown writes lines in Discord's markdown, with the known ids of commands.
func (w writer) markdown(lines []bot.Line) string {
	var b strings.Builder
	inBlock := false
	for _, line := range lines {
		if mono := isMono(line); mono != inBlock {
			b.WriteString("```\n")
			inBlock = mono
		}
		w.writeTiles(&b, line)
		var text strings.Builder
		for _, s := range line.Text {
			writeSpan(&text, s, w.names)
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

func writeSpan(b *strings.Builder, s bot.Span, names *Names) {
	switch s.Style {
	case bot.StyleBold:
		b.WriteString("**" + escape.Replace(s.Text) + "**")
	case bot.StyleSpoiler:
		b.WriteString("||" + escape.Replace(s.Text) + "||")
	case bot.StyleMono:
		b.WriteString(inMono.Replace(s.Text))
	case bot.StylePlayer, bot.StyleChannel:
		sign := map[bot.Style]string{bot.StylePlayer: "@", bot.StyleChannel: "#"}[s.Style]
		if calls.IsSnowflake(s.Text) {
			b.WriteString("<" + sign + s.Text + ">")
		} else {
			b.WriteString(escape.Replace(s.Text))
		}
	case bot.StyleTime: // see discord.com/developers/docs/reference, on formatting
		fmt.Fprintf(b, "<t:%d:R>", s.At.Unix())
	case bot.StyleCommand:
		b.WriteString(names.mention(s))
	default:
		b.WriteString(escape.Replace(s.Text))
	}
}

// escape makes typed text plain: no markup, mentions, links, line breaks or dark emojis.
var escape = strings.NewReplacer(
	`\`, `\\`, `*`, `\*`, `_`, `\_`, `~`, `\~`, "`", "\\`", `|`, `\|`, `<`, `\<`, `[`, `\[`, `@`, `\@`,
	"://", `:\//`, // a link
	"♣", `\♣`, "♠", `\♠`, // letters, not emojis: those can hardly be seen on a dark background
	"\n", " ", "\r", " ",
)

// blackSuits escapes the black suits alone, for text that needs nothing else.
var blackSuits = strings.NewReplacer("♣", `\♣`, "♠", `\♠`)

// inMono keeps a text from ending its code block.
var inMono = strings.NewReplacer("`", "'", "\n", " ", "\r", " ")

// lineStart matches the beginning of a heading, a quote or a list. Discord renumbers lists: it would show two players who share
// second place as 2 and 3.
var lineStart = regexp.MustCompile(`^([\s\p{Z}]*\d*)([#>.+-]+[\s\p{Z}])`)
