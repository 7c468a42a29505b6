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

// own are the emojis of our own that the look wants.
func (w writer) own() Tiles {
	if w.look.Shapes != bot.TileShapes {
		return nil
	}
	return w.names.Tiles()
}

// tiles writes a row of tiles: with emojis of our own if each has one, otherwise as squares with the word or cards after
// them. Outlines have no squares.
func (w writer) tiles(line bot.Line) string {
	var drawn, squares string
	whole := true
	for _, t := range line.Tiles {
		if t.Apart {
			drawn, squares = drawn+"  ", squares+" "
		}
		emoji := w.own().tile(t, w.look.Colours)
		drawn, squares, whole = drawn+emoji, squares+w.look.Square(t.Mark), whole && emoji != ""
	}
	switch {
	case whole:
		return drawn
	case line.Outlines():
		return ""
	}
	return squares + " " + escape.Replace(line.TileText())
}

// keyboard writes a keyboard with emojis of our own if there is one for each key, otherwise in words.
func (w writer) keyboard(k *bot.Keyboard) string {
	var b strings.Builder
	for i, row := range k.Rows {
		b.WriteString("\n" + strings.Repeat("\u2002", i)) // rows of a keyboard are indented
		for _, key := range row {
			emoji := w.own().key(key, w.look.Colours)
			if emoji == "" {
				return w.markdown(bot.Lines(k.Words...)) + "\n"
			}
			b.WriteString(emoji + copies[min(key.Times, len(copies)-1)])
		}
	}
	return b.String() + "\n"
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
			b.WriteString(w.keyboard(k))
			continue
		}
		tiles, text := w.tiles(line), w.spans(line)
		if tiles == "" && line.Outlines() {
			continue
		}
		if len(line.Tiles) == 0 && !inBlock && !begins(line, bot.StyleSmall) {
			text = lineStart.ReplaceAllString(text, `$1\$2`)
		}
		b.WriteString(tiles + text + "\n")
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
		text := escape.Replace(s.Text)
		switch s.Style {
		case bot.StyleBold:
			text = "**" + text + "**"
		case bot.StyleSpoiler:
			text = "||" + text + "||"
		case bot.StyleMono:
			text = inMono.Replace(s.Text)
		case bot.StylePlayer, bot.StyleChannel, bot.StyleRole:
			if calls.IsSnowflake(s.Text) {
				text = "<" + map[bot.Style]string{bot.StylePlayer: "@", bot.StyleChannel: "#", bot.StyleRole: "@&"}[s.Style] + s.Text + ">"
			}
		case bot.StyleSmall:
			text = "-# "
		case bot.StyleTime: // see discord.com/developers/docs/reference, on formatting
			text = fmt.Sprintf("<t:%d:R>", s.At.Unix())
		case bot.StyleCommand:
			text = w.names.mention(s)
		}
		b.WriteString(text)
	}
	return b.String()
}

func begins(l bot.Line, s bot.Style) bool { return len(l.Text) > 0 && l.Text[0].Style == s }

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
