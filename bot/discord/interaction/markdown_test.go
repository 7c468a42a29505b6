package interaction

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/game/wordle"
)

func TestMarkdown(t *testing.T) {
	text := func(spans ...bot.Span) bot.Line { return bot.Line{Text: spans} }
	mono := func(s string) bot.Line { return text(bot.Span{Style: bot.StyleMono, Text: s}) }
	plain := func(s string) bot.Line { return text(bot.Span{Text: s}) }
	for name, test := range map[string]struct {
		lines []bot.Line
		want  string
	}{
		"nothing": {nil, ""},
		"tiles": {[]bot.Line{{Tiles: []bot.Tile{
			{Text: "A", Mark: wordle.Black}, {Text: "B", Mark: wordle.Yellow}, {Text: "C", Mark: wordle.Green},
		}}}, "🔳🟨🟩 ABC"},
		"cards": {[]bot.Line{{Tiles: []bot.Tile{
			{Text: "2♣", Mark: wordle.Green}, {Text: "10♦", Mark: wordle.Yellow}, {Text: "A♥", Mark: wordle.Black},
			{Text: "4♠", Mark: wordle.Black, Apart: true}, {Text: "K♠", Mark: wordle.Green, Apart: true},
		}}}, "🟩🟨🔳 🔳 🟩 2\\♣ 10\\♦ A\\♥ \\| 4\\♠ \\| K\\♠"},
		"styles": {[]bot.Line{text(
			bot.Span{Style: bot.StyleBold, Text: "a*"}, bot.Span{Text: " b_ "}, bot.Span{Style: bot.StyleSpoiler, Text: "c|"},
		)}, `**a\*** b\_ ||c\|||`},
		"code block":            {[]bot.Line{plain("x"), mono("1 █ 2"), mono("2  ` *"), plain("y")}, "x\n```\n1 █ 2\n2  ' *\n```\ny"},
		"code block at the end": {[]bot.Line{mono("1"), mono("2")}, "```\n1\n2\n```"},
		"player":                {[]bot.Line{text(bot.Span{Style: bot.StylePlayer, Text: "1200000000000000001"})}, "<@1200000000000000001>"},
		"no snowflake":          {[]bot.Line{text(bot.Span{Style: bot.StylePlayer, Text: "&1"}, bot.Span{Style: bot.StylePlayer, Text: ""})}, "&1"},
		"too long a snowflake":  {[]bot.Line{text(bot.Span{Style: bot.StylePlayer, Text: strings.Repeat("1", 21)})}, strings.Repeat("1", 21)},
		"a role's":              {[]bot.Line{text(bot.Span{Style: bot.StylePlayer, Text: "<@&1>"})}, `\<\@&1>`},
		"heading":               {[]bot.Line{plain("# a"), plain("-# b"), plain("## c")}, "\\# a\n\\-# b\n\\## c"},
		"lists and quotes":      {[]bot.Line{plain("- a"), plain("> b"), plain("1. c"), plain(" 12. d")}, "\\- a\n\\> b\n1\\. c\n 12\\. d"},
		"links":                 {[]bot.Line{plain("a https://b [c](http://d)")}, `a https:\//b \[c](http:\//d)`},
		"line breaks":           {[]bot.Line{plain("a\nb\r\n# c"), mono("d\n```e")}, "a b  # c\n```\nd '''e\n```"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (writer{names: &Names{}}).markdown(bot.Lines(test.lines...)); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestClip(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want int // UTF-16 units; -1 for the text as it is
	}{
		"short":              {"hi", -1},
		"just fits":          {strings.Repeat("a", 2000), -1},
		"one too many":       {strings.Repeat("a", 2001), 2000},
		"just fits in pairs": {strings.Repeat("😀", 1000), -1},
		"pairs":              {strings.Repeat("😀", 1001), 1999}, // a surrogate pair is not split
	} {
		t.Run(name, func(t *testing.T) {
			got := clip(test.text, 2000)
			if test.want < 0 {
				if got != test.text {
					t.Errorf("a text of %d bytes was cut to %d", len(test.text), len(got))
				}
				return
			}
			if n := units(got); n != test.want || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") {
				t.Errorf("got %d units, want %d: %q", n, test.want, got)
			}
		})
	}
}

var (
	escaped = regexp.MustCompile(`\\[^0-9A-Za-z\s]`) // an escape, to Discord
	control = regexp.MustCompile("[*_~`|<\\[@\\\\]|://")
	starts  = regexp.MustCompile(`^[\s\p{Z}]*(#+|-#|>+|[-+]|\d+\.)[\s\p{Z}]`)
)

// FuzzMarkdown puts a player's text wherever there can be one, and wants it to
// have no effect as markup.
func FuzzMarkdown(f *testing.F) {
	for _, text := range []string{
		"", "@everyone", "<@1>", "**", "`", "```", "||", "~~a~~", "__a__", "[a](https://b)", "# a", "> a", "- a", "1. a",
		`\`, `\\`, `\*`, "a\n# b", "a\r> b", "\xff", "😀", strings.Repeat("*", 3000), "</guess:1>", "<a:b:1>", "https://a.b",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, style := range []bot.Style{bot.StylePlain, bot.StyleBold, bot.StyleSpoiler} {
			drawn := writer{names: &Names{}}.markdown(bot.Lines(bot.Line{Text: []bot.Span{{Style: style, Text: text}}}))
			switch style {
			case bot.StylePlain:
				if starts.MatchString(drawn) {
					t.Errorf("%q is drawn as a list or heading: %q", text, drawn)
				}
			case bot.StyleBold:
				drawn = strings.TrimSuffix(strings.TrimPrefix(drawn, "**"), "**")
			case bot.StyleSpoiler:
				drawn = strings.TrimSuffix(strings.TrimPrefix(drawn, "||"), "||")
			}
			if strings.Contains(drawn, "\n") {
				t.Errorf("style %d: %q is drawn in two lines: %q", style, text, drawn)
			}
			if bare := escaped.ReplaceAllString(drawn, "x"); control.MatchString(bare) {
				t.Errorf("style %d: %q is drawn %q, with %q", style, text, drawn, control.FindString(bare))
			}
		}
		if drawn := (writer{names: &Names{}}).markdown(bot.Lines(bot.Line{Text: []bot.Span{{Style: bot.StyleMono, Text: text}}})); strings.Count(drawn, "`") != 6 {
			t.Errorf("%q ends its code block: %q", text, drawn)
		}
		if drawn := (writer{names: &Names{}}).markdown(bot.Lines(bot.Line{Text: []bot.Span{{Style: bot.StylePlayer, Text: text}}})); !calls.IsSnowflake(text) && strings.Contains(escaped.ReplaceAllString(drawn, ""), "<") {
			t.Errorf("%q mentions: %q", text, drawn)
		}
		if n := units(Text(NewMessage(public(text).Lines()...).Components)); n > maxText {
			t.Errorf("a message of %d units", n)
		}
	})
}
