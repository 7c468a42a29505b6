package discord

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
)

// page writes messages as HTML, for testdata/style.html to make them look as in Discord.
type page struct {
	*runner
	name    string            // of the scene
	files   map[string][]byte // the pictures in it, by name
	message discordtest.Answer
}

// component writes a component with all in it. The types are those of https://docs.discord.com/developers/components/reference.
func (p *page) component(c discordtest.Component) string {
	var inner strings.Builder
	for _, child := range c.Components {
		inner.WriteString(p.component(child))
	}
	switch c.Type {
	case 2:
		return fmt.Sprintf(`<button class="style%d"%s>%s</button>`, c.Style, map[bool]string{true: " disabled"}[c.Disabled], emojiHTML(strings.TrimSpace(c.Emoji.Name+" "+c.Label)))
	case 3, 6, 8:
		var chosen []string
		for _, o := range c.Options {
			if o.Default {
				chosen = append(chosen, o.Label)
			}
		}
		for _, d := range c.Defaults {
			chosen = append(chosen, map[int]string{6: "@", 8: "#"}[c.Type]+idName(d.ID))
		}
		return fmt.Sprintf(`<div class="select">%s</div>`, html.EscapeString(cmp.Or(strings.Join(chosen, ", "), c.Placeholder)))
	case 4:
		return fmt.Sprintf(`<div class="input">%s</div>`, html.EscapeString(c.Value+c.Placeholder))
	case 9:
		return `<div class="section"><div>` + inner.String() + `</div>` + p.component(*c.Accessory) + "</div>\n"
	case 10:
		return p.markdown(c.Content)
	case 12:
		for _, item := range c.Items {
			inner.WriteString(p.picture(item))
		}
		return `<div class="gallery">` + inner.String() + "</div>\n"
	case 14:
		return "<hr>\n"
	case 17:
		edge := ""
		if c.Accent != nil {
			edge = fmt.Sprintf(` style="border-left: 4px solid #%06X"`, *c.Accent)
		}
		return `<div class="container"` + edge + ">" + inner.String() + "</div>\n"
	case 18:
		return `<label>` + html.EscapeString(c.Label) + "</label>" + p.component(*c.Inner)
	}
	return `<div class="row">` + inner.String() + "</div>\n"
}

// picture writes a picture, which is one of the message's files.
func (p *page) picture(m discordtest.Medium) string {
	n := slices.IndexFunc(p.message.Files, func(f discordtest.File) bool { return f.ID == m.Media.AttachmentID })
	name := fmt.Sprintf("%s-%d.png", p.name, len(p.files))
	p.files[name] = p.message.Files[n].Data
	return fmt.Sprintf(`<img alt="%s" src="%s">`, html.EscapeString(m.Description), name)
}

// blocks are what begins a line that is no plain one, and its element.
var blocks = []struct{ mark, tag string }{{"# ", "h1"}, {"## ", "h2"}, {"### ", "h3"}, {"-# ", "small"}, {"> ", "blockquote"}, {"- ", "li"}}

// markdown writes a text as HTML. Emojis alone are large.
func (p *page) markdown(text string) string {
	var b strings.Builder
	class := "text"
	if onlyEmojis.MatchString(text) {
		class = "text large"
	}
	fmt.Fprintf(&b, `<div class="%s">`, class)
	for i, part := range strings.Split(text, "```") {
		if part = strings.Trim(part, "\n"); part == "" {
			continue
		}
		if i%2 == 1 {
			b.WriteString("<pre>" + html.EscapeString(part) + "</pre>\n")
			continue
		}
		for line := range strings.SplitSeq(part, "\n") {
			tag := "p"
			for _, block := range blocks {
				if rest, ok := strings.CutPrefix(line, block.mark); ok {
					tag, line = block.tag, rest
				}
			}
			fmt.Fprintf(&b, "<%s>%s</%s>\n", tag, p.inline(line), tag)
		}
	}
	return b.String() + "</div>\n"
}

const unicodeEmoji = `[\x{1F000}-\x{1FAFF}♣♦♥♠⏱⏳⌛⚡⭐✅❌⬛⬜]\x{FE0F}?`

var (
	emoji      = regexp.MustCompile(unicodeEmoji)
	onlyEmojis = regexp.MustCompile(`^(<:\w+:\d+>|` + unicodeEmoji + `|\s)+$`)
	// marked matches the markdown in our messages, but for what begins a line.
	marked = regexp.MustCompile("\\\\(.)|(\\*\\*)|(\\|\\|)|<@(\\d+)>|</([^:>]+):\\d+>|<:(\\w+):\\d+>|`([^`]+)`|https://discord\\.com/channels/(\\S+)|<#(\\d+)>|<t:(\\d+):\\w>|(" + unicodeEmoji + ")")
)

// inline writes a line as HTML.
func (p *page) inline(line string) string {
	var b strings.Builder
	open, at := map[string]bool{}, 0
	for _, m := range marked.FindAllStringSubmatchIndex(line, -1) {
		b.WriteString(html.EscapeString(line[at:m[0]]))
		at = m[1]
		for n := 1; n < len(m)/2; n++ {
			if m[2*n] < 0 {
				continue
			}
			switch text := line[m[2*n]:m[2*n+1]]; n {
			case 1:
				b.WriteString(html.EscapeString(text))
			case 2, 3:
				tag := map[string]string{"**": "b", "||": "s"}[text]
				b.WriteString(map[bool]string{true: "</", false: "<"}[open[tag]] + tag + ">")
				open[tag] = !open[tag]
			case 4:
				b.WriteString("<a class=\"mention\">@" + p.nameOf(text) + "</a>")
			case 5:
				b.WriteString("<a class=\"mention\">/" + text + "</a>")
			case 6:
				p.files[text+".png"] = p.discord.Emoji(text)
				b.WriteString("<img class=\"emoji\" alt=\":" + text + ":\" src=\"" + text + ".png\">")
			case 7:
				b.WriteString("<code>" + html.EscapeString(text) + "</code>")
			case 8:
				b.WriteString("<a class=\"mention\">#&nbsp;›&nbsp;💬</a>")
			case 9:
				b.WriteString("<a class=\"mention\"># word-games</a>")
			case 10:
				b.WriteString("<time>" + p.relative(text) + "</time>")
			case 11:
				b.WriteString(emojiHTML(text))
			}
		}
	}
	return b.String() + html.EscapeString(line[at:])
}

// relative says when a moment is, as Discord does.
func (p *page) relative(unix string) string {
	seconds, err := strconv.ParseInt(unix, 10, 64)
	must(p.t, err)
	at := time.Unix(seconds, 0)
	d := at.Sub(scriptTime.Add(p.passed))
	if byIDs := at.Sub(p.clock.Now()); byIDs.Abs() < d.Abs() { // races go by the clock that ids tell
		d = byIDs
	}
	text := ""
	for _, unit := range []struct {
		name string
		time.Duration
	}{{"second", time.Second}, {"minute", time.Minute}, {"hour", time.Hour}, {"day", 24 * time.Hour}} {
		if d.Abs() > unit.Duration*9/10 {
			text = bot.Plural(int(d.Abs().Round(unit.Duration)/unit.Duration), unit.name)
		}
	}
	switch {
	case text == "":
		return "now"
	case d < 0:
		return text + " ago"
	}
	return "in " + text
}

// emojiHTML writes a text with its emojis as large as Discord's.
func emojiHTML(text string) string {
	return emoji.ReplaceAllString(html.EscapeString(text), "<i class=\"emoji\">$0</i>")
}
