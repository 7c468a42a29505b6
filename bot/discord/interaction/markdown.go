package interaction

import (
	"fmt"
	"regexp"
	"strings"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/game"
)

// writer writes lines in a look, with the names of commands and players.
type writer struct {
	look    bot.Look
	names   *Names
	players game.Names
}

// writeSquares writes a row of tiles as squares, with the word or cards after them.
func (w writer) writeSquares(b *strings.Builder, line bot.Line) {
	for _, t := range line.Tiles {
		if t.Apart {
			b.WriteByte(' ')
		}
		b.WriteString(w.look.Square(t.Mark))
	}
	if len(line.Tiles) > 0 {
		b.WriteString(" " + escape.Replace(line.TileText()))
	}
}

// ownEmojis writes a row of tiles with emojis of our own, if the look wants them and each tile has one.
func (w writer) ownEmojis(line bot.Line) (text string, ok bool) {
	if w.look.Shapes != bot.TileShapes || len(line.Tiles) == 0 {
		return "", false
	}
	own := w.names.Tiles()
	var b strings.Builder
	for _, t := range line.Tiles {
		emoji := own.tile(t, w.look.Colours)
		if emoji == "" {
			return "", false
		}
		if t.Apart {
			b.WriteString("  ")
		}
		b.WriteString(emoji)
	}
	return b.String(), true
}

// keyboard writes a keyboard with emojis of our own, if there is one for each key.
func (w writer) keyboard(k *bot.Keyboard) (text string, ok bool) {
	if w.look.Shapes != bot.TileShapes {
		return "", false
	}
	own := w.names.Tiles()
	var b strings.Builder
	for i, row := range k.Rows {
		b.WriteString("\n" + strings.Repeat("\u2002", i)) // rows of a keyboard are indented
		for _, key := range row {
			emoji := own.key(key, w.look.Colours)
			if emoji == "" {
				return "", false
			}
			b.WriteString(emoji + copies[min(key.Times, len(copies)-1)])
		}
	}
	return b.String() + "\n", true
}

// copies say how often a letter is known to be in the word.
var copies = [...]string{"", "", "²", "³"}

// markdown writes lines and keyboards in Discord's markdown, with the known ids of commands.
func (w writer) markdown(blocks []bot.Block) string {
	var b strings.Builder
	inBlock := false
	for _, block := range blocks {
		line, _ := block.(bot.Line)
		if mono := begins(line, bot.StyleMono); mono != inBlock {
			b.WriteString("```\n")
			inBlock = mono
		}
		if k, ok := block.(*bot.Keyboard); ok {
			text, ok := w.keyboard(k)
			if !ok {
				text = w.markdown(bot.Lines(k.Words...)) + "\n"
			}
			b.WriteString(text)
			continue
		}
		if tiles, drawn := w.ownEmojis(line); drawn {
			b.WriteString(tiles)
		} else if line.Outlines() {
			continue
		} else {
			w.writeSquares(&b, line)
		}
		text := w.spans(line)
		if len(line.Tiles) == 0 && !inBlock && !begins(line, bot.StyleSmall) {
			text = lineStart.ReplaceAllString(text, `$1\$2`)
		}
		b.WriteString(text + "\n")
	}
	if inBlock {
		b.WriteString("```\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// spans writes the text of a line.
func (w writer) spans(line bot.Line) string {
	var b strings.Builder
	for _, s := range line.Named(w.players).Text {
		w.writeSpan(&b, s)
	}
	return b.String()
}

func begins(l bot.Line, s bot.Style) bool { return len(l.Text) > 0 && l.Text[0].Style == s }

func (w writer) writeSpan(b *strings.Builder, s bot.Span) {
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
	case bot.StyleSmall:
		b.WriteString("-# ")
	case bot.StyleTime: // see discord.com/developers/docs/reference, on formatting
		fmt.Fprintf(b, "<t:%d:R>", s.At.Unix())
	case bot.StyleCommand:
		b.WriteString(w.names.mention(s))
	default:
		b.WriteString(escape.Replace(s.Text))
	}
}

// escape makes a text plain: no markup, mentions, links, line breaks or emojis of suits.
var escape = strings.NewReplacer(
	`\`, `\\`, `*`, `\*`, `_`, `\_`, `~`, `\~`, "`", "\\`", `|`, `\|`, `<`, `\<`, `[`, `\[`, `@`, `\@`,
	"://", `:\//`, // a link
	"♣", `\♣`, "♦", `\♦`, "♥", `\♥`, "♠", `\♠`, // the emojis of black suits can hardly be seen on a dark background
	"\n", " ", "\r", " ",
)

// inMono keeps a text from ending its code block.
var inMono = strings.NewReplacer("`", "'", "\n", " ", "\r", " ")

// lineStart matches the beginning of a heading, a quote or a list. Discord renumbers lists: it would show two players who share
// second place as 2 and 3.
var lineStart = regexp.MustCompile(`^([\s\p{Z}]*\d*)([#>.+-]+[\s\p{Z}])`)
