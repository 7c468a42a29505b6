package discord

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fivefold/bot/discord/application"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
)

var browser = flag.String("draw", "", "draw the pictures of channels in docs with this browser, such as chromium")

// TestChannels: the pictures of channels in docs are of what the fake Discord shows now. With
// -draw chromium they are drawn again; look at them then.
func TestChannels(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	t.Parallel()
	scripts, err := filepath.Glob("testdata/channels/*.txt")
	must(t, err)
	for _, path := range scripts {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script, err := os.ReadFile(path)
			must(t, err)
			s := newTiledRunner(t)
			page, files := s.channel(string(script))
			if name == "pokle" {
				checkTable(t, files["0-table.png"])
			}
			golden := filepath.Join("testdata", "channels", name+".html")
			if *browser != "" {
				must(t, os.WriteFile(golden, []byte(page), 0o644))
				for _, theme := range []string{"dark", "light"} {
					photograph(t, page, files, theme, filepath.Join("..", "..", "docs", "channel-"+name+"-"+theme+".png"))
				}
			}
			want, err := os.ReadFile(golden)
			must(t, err)
			if page != string(want) {
				t.Errorf("the channel looks otherwise; draw it again with -draw chromium, and look at docs/channel-%s-*.png:\n%s", name, firstDifference(page, string(want)))
			}
		})
	}
}

// checkTable compares the pixels of a picture with those of the one in docs, which it draws again with -draw.
func checkTable(t *testing.T, drawn []byte) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", "table.png")
	if *browser != "" {
		must(t, os.WriteFile(path, drawn, 0o644))
	}
	stored, err := os.ReadFile(path)
	must(t, err)
	want, err := png.Decode(bytes.NewReader(stored))
	must(t, err)
	if got, err := png.Decode(bytes.NewReader(drawn)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s is another picture, %v; draw it again with -draw chromium, and look at it", path, err)
	}
}

// newTiledRunner returns a runner of a bot that has uploaded its tiles.
func newTiledRunner(t *testing.T) *runner {
	t.Helper()
	s := newRunner(t, false)
	log := discordtest.NewLog(t).Logger
	api := calls.New(calls.Options{Token: s.discord.Token(), BaseURL: mustURL(t, s.discord.URL()), Log: log})
	u := application.Tiles{API: api, App: s.discord.AppID(), Log: log}
	_, _, err := u.Sync(t.Context(), func(int, int) {})
	must(t, err)
	have, err := u.List(t.Context())
	must(t, err)
	s.front.deliverer.Names.LearnEmojis(have)
	return s
}

// title matches the line of a script that says what the channel is called, and how many of the latest messages are shown.
var title = regexp.MustCompile(`(?m)^# (.*), the last (\d+)$`)

// channel plays a script and returns the channel as ana sees it: as a page, without what it looks like, and the pictures in
// it by name.
func (s *runner) channel(script string) (page string, files map[string][]byte) {
	files = map[string][]byte{}
	shows := title.FindStringSubmatch(script)
	last, err := strconv.Atoi(shows[2])
	must(s.t, err)
	type post struct{ by, used, message string }
	var posts []post
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line[0] == '#' {
			continue
		}
		before := len(s.shown)
		s.step(line)
		for _, a := range s.discord.Posted(channels["general"]) {
			if !slices.ContainsFunc(posts, func(p post) bool { return p.message == a.MessageID }) {
				posts = append(posts, post{message: a.MessageID})
			}
		}
		for _, shown := range s.shown[before:] {
			if shown.channel != channels["general"] {
				continue
			}
			m := action.FindStringSubmatch(line)
			used := ""
			if m[5] == "" {
				used, _, _ = strings.Cut(m[7], ":")
				if strings.Contains(m[7], ":") {
					used = used[:strings.LastIndexByte(used, ' ')]
				}
			}
			posts = append(posts, post{m[1], used, shown.message})
		}
	}
	posts = posts[max(0, len(posts)-last):]
	var b strings.Builder
	fmt.Fprintf(&b, "<header><i>#</i> %s</header>\n", html.EscapeString(shows[1]))
	for _, p := range posts {
		a, ok := s.discord.Shown(p.message)
		if !ok || a.Ephemeral && p.by != "ana" {
			continue
		}
		b.WriteString("<article" + map[bool]string{true: ` class="own"`}[a.Ephemeral] + ">\n")
		if p.used != "" {
			fmt.Fprintf(&b, `<p class="used"><b class="%s">%s</b> used <a>/%s</a></p>`+"\n", p.by, p.by, p.used)
		}
		b.WriteString(`<div class="avatar"></div><p class="who"><b>Fivefold</b> <span>APP</span> <time>20:14</time></p>` + "\n")
		fmt.Fprintf(&b, "<div class=\"text\">%s</div>\n", s.asHTML(a.Content, files))
		for _, f := range a.Files {
			name := fmt.Sprintf("%d-%s", len(files), f.Name)
			files[name] = f.Data
			fmt.Fprintf(&b, "<img class=\"picture\" alt=\"%s\" src=\"%s\">\n", html.EscapeString(f.Description), name)
		}
		b.WriteString(buttonsHTML(a.Components))
		if a.Ephemeral {
			b.WriteString("<p class=\"note\">Only you can see this · <a>Dismiss message</a></p>\n")
		}
		b.WriteString("</article>\n")
	}
	return b.String(), files
}

func buttonsHTML(components []discordtest.Component) string {
	var b strings.Builder
	for i, c := range components {
		if i == 0 || c.Row != components[i-1].Row {
			if i > 0 {
				b.WriteString("</div>\n")
			}
			b.WriteString(`<div class="row">`)
		}
		fmt.Fprintf(&b, `<button class="style%d"%s>%s</button>`, c.Style, map[bool]string{true: " disabled"}[c.Disabled], emojiHTML(c.Emoji.Name)+html.EscapeString(c.Label))
	}
	if len(components) > 0 {
		b.WriteString("</div>\n")
	}
	return b.String()
}

// marked matches what Discord's markdown has in our messages.
var marked = regexp.MustCompile("\\\\(.)|(\\*\\*)|(\\|\\|)|<@(\\d+)>|</([^:>]+):\\d+>|<:(\\w+):(\\d+)>|(```\\n?)|(https://discord\\.com/channels/\\S+)|([🔳🟨🟩🟦🟧🟡🔵♣♦♥♠])|(\\n)|<t:(\\d+):R>")

// asHTML writes a message's text as HTML, and adds the emojis in it to the files.
func (s *runner) asHTML(text string, files map[string][]byte) string {
	var b strings.Builder
	text = moment.ReplaceAllStringFunc(text, func(moment string) string {
		if strings.HasPrefix(moment, " ends") {
			return " ends in 8 minutes"
		}
		return ", after 1:24"
	})
	open := map[string]bool{}
	toggle := func(tag, class string) {
		if open[tag] {
			b.WriteString("</" + tag + ">")
		} else {
			b.WriteString("<" + tag + class + ">")
		}
		open[tag] = !open[tag]
	}
	at := 0
	for _, m := range marked.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(html.EscapeString(text[at:m[0]]))
		at = m[1]
		group := func(n int) string {
			if m[2*n] < 0 {
				return ""
			}
			return text[m[2*n]:m[2*n+1]]
		}
		switch {
		case group(1) != "":
			b.WriteString(html.EscapeString(group(1)))
		case group(2) != "":
			toggle("b", "")
		case group(3) != "":
			toggle("s", "")
		case group(4) != "":
			b.WriteString("<a class=\"mention\">@" + s.nameOf(group(4)) + "</a>")
		case group(5) != "":
			b.WriteString("<a class=\"mention\">/" + group(5) + "</a>")
		case group(6) != "":
			files[group(6)+".png"] = s.discord.Emoji(group(6))
			b.WriteString("<img class=\"emoji\" alt=\":" + group(6) + ":\" src=\"" + group(6) + ".png\">")
		case group(8) != "":
			toggle("pre", "")
		case group(9) != "":
			b.WriteString("<a class=\"mention\">#&nbsp;›&nbsp;💬</a>")
		case group(10) != "":
			b.WriteString(emojiHTML(group(10)))
		case group(11) != "":
			b.WriteString("<br>\n")
		case group(12) != "":
			unix, err := strconv.ParseInt(group(12), 10, 64)
			must(s.t, err)
			fmt.Fprintf(&b, "in %d hours", time.Unix(unix, 0).Sub(scriptTime.Add(s.passed))/time.Hour)
		}
	}
	b.WriteString(html.EscapeString(text[at:]))
	return b.String()
}

// nameOf returns the name of a player in a script.
func (s *runner) nameOf(id string) string {
	i := slices.IndexFunc(s.players, func(name string) bool { return s.snowflake(name) == id })
	if i < 0 {
		s.t.Fatalf("nobody is %s", id)
	}
	return s.players[i]
}

// twemoji are the squares and circles as Discord draws them.
var twemoji = map[string]string{
	"🟩": `<rect width="36" height="36" rx="4" fill="#78B159"/>`, "🟨": `<rect width="36" height="36" rx="4" fill="#FDCB58"/>`,
	"🟧": `<rect width="36" height="36" rx="4" fill="#F4900C"/>`, "🟦": `<rect width="36" height="36" rx="4" fill="#55ACEE"/>`,
	"🔳": `<rect width="36" height="36" rx="4" fill="#E6E7E8"/><rect x="6" y="6" width="24" height="24" rx="2" fill="#31373D"/>`,
	"🟡": `<circle cx="18" cy="18" r="18" fill="#FDCB58"/>`, "🔵": `<circle cx="18" cy="18" r="18" fill="#55ACEE"/>`,
}

func emojiHTML(emoji string) string {
	if emoji == "" {
		return ""
	}
	if strings.Contains("♣♦♥♠", emoji) { // not behind a backslash
		return `<span class="suit` + map[bool]string{true: " red"}[strings.Contains("♦♥", emoji)] + `">` + emoji + `</span>`
	}
	if shape, ok := twemoji[emoji]; ok {
		return `<svg class="emoji" viewBox="0 0 36 36">` + shape + `</svg>`
	}
	return `<span>` + emoji + `</span>`
}

// photograph draws a page as a phone shows it, in the file of that name.
func photograph(t *testing.T, page string, files map[string][]byte, theme, name string) {
	t.Helper()
	folder := t.TempDir()
	for name, b := range files {
		must(t, os.WriteFile(filepath.Join(folder, name), b, 0o644))
	}
	style, err := os.ReadFile("testdata/style.html") // how Discord looks on a phone; the colours are those of its themes
	must(t, err)
	at := filepath.Join(folder, "page.html")
	must(t, os.WriteFile(at, []byte(string(style)+`<body class="`+theme+`">`+page), 0o644))
	shot := filepath.Join(folder, "shot.png")
	c := exec.Command(*browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=2",
		"--window-size=390,2400", "--user-data-dir="+filepath.Join(folder, "profile"), "--screenshot="+shot, "file://"+at)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := os.ReadFile(shot)
	must(t, err)
	drawn, err := png.Decode(bytes.NewReader(b))
	must(t, err)
	var out bytes.Buffer
	must(t, png.Encode(&out, cropped(drawn)))
	must(t, os.WriteFile(name, out.Bytes(), 0o644))
}

// cropped returns a picture without the empty rows at its end, except for a few.
func cropped(m image.Image) image.Image {
	bounds := m.Bounds()
	ground := m.At(bounds.Min.X, bounds.Max.Y-1)
	last := bounds.Min.Y
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			if m.At(x, y) != ground {
				last = y
				break
			}
		}
	}
	const margin = 24
	out := image.NewNRGBA(image.Rect(0, 0, bounds.Dx(), min(last+margin, bounds.Dy())))
	draw.Draw(out, out.Bounds(), m, bounds.Min, draw.Src)
	return out
}
