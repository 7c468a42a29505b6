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

// scene is a channel that is shown in docs: what happens there, in the language of scripts,
// and who looks at it.
type scene struct {
	name   string // of the files: docs/channel-NAME-dark.png
	title  string // of the channel
	viewer string // sees the ephemeral messages too
	script string
	last   int // how many of the latest messages are shown
}

var scenes = []scene{
	{"won", "word-games", "ana", `hidden: major
ana in general: /wordle start
ana in general presses: Guess
ana in general enters: word:slate
ben in general presses: Guess
ben in general enters: word:crony
ana in general presses: Hint
ana in general presses: Guess
ana in general enters: word:favor
ben in general presses: Guess
ben in general enters: word:major
`, 1}, // the game that docs/playing.md tells
	{"pokle", "poker-games", "ana", `ana in general: /pokle start
ben in general presses: Guess
ben in general enters: cards:7c 9c ks 10d qs
ana in general presses: Guess
ana in general enters: cards:9h 7h qc 10d 8c
ben in general presses: Guess
ben in general enters: cards:7h 9h qh 10d 8c
`, 1}, // the game that docs/playing.md tells
	{"looks", "word-games", "ana", `ana in general: /preferences player colours:contrast
hidden: crane
ana in general: /wordle start mode:solo
ana in general presses: Guess
ana in general enters: word:carve
ana in random: /preferences player text:true
ana in general: /wordle board mode:solo
`, 3},
	{"race", "word-games", "ana", `hidden: major
ana in general: /wordle race
ben in general presses: Join
cleo in general presses: Join
16s pass
ben in general: /guess word:crony
cleo in general: /guess word:slate
ben in general: /guess word:favor
ben in general: /guess word:major
cleo in general: /guess word:chair
ana in general: /guess word:slate
`, 9},
	{"day", "word-games", "ana", `mia, a manager, in mods: /preferences post hour:14 zone:Europe/Berlin
1h pass
daily posts are made
hidden: major
ana in random: /wordle start mode:daily
ana in random: /guess word:slate
ana in random: /guess word:favor
ana in random: /guess word:major
ben in random: /wordle start mode:daily
ben in random: /hint kind:letter
ben in random: /guess word:crony
ben in random: /guess word:major
cleo in random: /wordle start mode:daily
cleo in random: /wordle stop mode:daily sure:true
mia, a manager, in general: /preferences post hour:14
24h pass
daily posts are made
ana in general presses: Results as tiles
`, 2},
	{"daily", "word-games", "ana", dailies("slate mound crane", "shave brick", "", "slate grape shape", "crane slate mound brick grape shave stove", "slate hover", "crane shave vivid") + `ben in general: /wordle start mode:daily
ben in general: /guess word:crane
ben in general: /guess word:slate
ben in general: /guess word:vivid
ana in general: /daily
ana in general presses: Word game: share
`, 2},
}

// dailies plays a daily puzzle of the word game, and every other day one of Pokle, each day with these guesses.
func dailies(days ...string) string {
	var b strings.Builder
	for i, guesses := range days {
		words := strings.Fields(guesses)
		if i > 0 {
			b.WriteString("24h pass\n")
		}
		if len(words) > 0 {
			fmt.Fprintf(&b, "hidden: %s\nana in general: /wordle start mode:daily\n", words[len(words)-1])
		}
		for _, word := range words[:min(6, len(words))] {
			fmt.Fprintf(&b, "ana in general: /guess word:%s mode:daily\n", word)
		}
		if i%2 > 0 {
			b.WriteString("ana in general: /pokle start mode:daily\nana in general: /pokle guess cards:7h 9h qh 10d 8c mode:daily\n")
		}
	}
	return b.String()
}

// TestChannels: the pictures of channels in docs are of what the fake Discord shows now. With
// -draw chromium they are drawn again; look at them then.
func TestChannels(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	t.Parallel()
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			s := newTiledRunner(t)
			page, files := s.channel(sc)
			if sc.name == "pokle" {
				checkTable(t, files["0-table.png"])
			}
			golden := filepath.Join("testdata", "channels", sc.name+".html")
			if *browser != "" {
				must(t, os.WriteFile(golden, []byte(page), 0o644))
				for _, theme := range []string{"dark", "light"} {
					photograph(t, page, files, theme, filepath.Join("..", "..", "docs", "channel-"+sc.name+"-"+theme+".png"))
				}
			}
			want, err := os.ReadFile(golden)
			must(t, err)
			if page != string(want) {
				t.Errorf("the channel looks otherwise; draw it again with -draw chromium, and look at docs/channel-%s-*.png:\n%s", sc.name, firstDifference(page, string(want)))
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
	u := application.NewTiles(api, s.discord.AppID(), log)
	_, _, err := u.Sync(t.Context(), func(int, int) {})
	must(t, err)
	have, err := u.List(t.Context())
	must(t, err)
	s.front.deliverer.Names.LearnEmojis(have)
	return s
}

// channel plays a scene and returns the channel as a page, without what it looks like, and
// the pictures in it by name.
func (s *runner) channel(sc scene) (page string, files map[string][]byte) {
	files = map[string][]byte{}
	type post struct{ by, used, message string }
	var posts []post
	for line := range strings.Lines(sc.script) {
		line = strings.TrimSpace(line)
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
	posts = posts[max(0, len(posts)-sc.last):]
	var b strings.Builder
	fmt.Fprintf(&b, "<header><i>#</i> %s</header>\n", html.EscapeString(sc.title))
	for _, p := range posts {
		a, ok := s.discord.Shown(p.message)
		if !ok || a.Ephemeral && p.by != sc.viewer {
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

// style is how Discord looks on a phone; the colours are those of its themes.
const style = `<!doctype html><meta charset="utf-8"><style>
:root { --bg: #1A1A1E; --text: #DFE0E2; --bold: #FFFFFF; --dim: #94959C; --own: #25273A; --line: #2C2C31; --button: #3A3A41; --mention: #3A3F6B; --link: #A9B4FF; --spoiler: #4A4B52; }
.light { --bg: #FFFFFF; --text: #2E2F34; --bold: #060607; --dim: #6C6D75; --own: #EDEEFD; --line: #E3E4E8; --button: #E4E5EA; --mention: #E2E5FF; --link: #4450C8; --spoiler: #C4C5CC; }
* { box-sizing: border-box; margin: 0; }
body { width: 390px; background: var(--bg); color: var(--text); font: 16px/22px Inter, sans-serif; padding-bottom: 12px; }
header { font-weight: 600; color: var(--bold); padding: 14px 16px; border-bottom: 1px solid var(--line); }
header i { color: var(--dim); font-size: 20px; font-style: normal; }
article { position: relative; padding: 12px 14px 6px 66px; }
article.own { background: var(--own); margin-top: 8px; padding-bottom: 10px; }
.used { font-size: 14px; color: var(--dim); margin: 0 0 4px -22px; } .used a { color: var(--link); }
.used .ana { color: #D98B2B; } .used .ben { color: #2F9E80; }
.avatar { position: absolute; left: 14px; width: 40px; height: 40px; border-radius: 50%;
	background: #18222D; } .avatar::after { content: ""; position: absolute; left: 10px; top: 10px; width: 9px; height: 9px; border-radius: 2px;
	background: #25A35A; box-shadow: 11px 0 #F6C51B, 0 11px #4E5965, 11px 11px #25A35A; }
.who b { color: var(--bold); } .who span { font-size: 11px; font-weight: 600; color: #FFF; background: #5865F2; border-radius: 4px; padding: 1px 5px; vertical-align: 1px; }
.who time { font-size: 12px; color: var(--dim); }
.text b { color: var(--bold); font-weight: 600; } .text s { text-decoration: none; color: transparent; background: var(--spoiler); border-radius: 4px; }
.text s * { visibility: hidden; }
pre { font: 14px/18px "DejaVu Sans Mono", monospace; }
.mention { color: var(--link); background: var(--mention); border-radius: 4px; padding: 0 2px; }
.emoji { width: 22px; height: 22px; vertical-align: -5px; }
.suit { color: #31373D; } .suit.red { color: #DD2E44; }
.picture { width: 100%; border-radius: 8px; margin-top: 4px; }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px; }
button { font: 500 14px/18px Inter; padding: 8px 14px; border: 0; border-radius: 8px; color: var(--bold); background: var(--button); }
button.style1 { color: #FFF; background: #5865F2; } button.style3 { color: #FFF; background: #248046; } button.style4 { color: #FFF; background: #DA373C; }
button[disabled] { opacity: .5; }
.note { font-size: 13px; color: var(--dim); margin-top: 4px; } .note a { color: var(--link); }
</style>
`

// photograph draws a page as a phone shows it, in the file of that name.
func photograph(t *testing.T, page string, files map[string][]byte, theme, name string) {
	t.Helper()
	folder := t.TempDir()
	for name, b := range files {
		must(t, os.WriteFile(filepath.Join(folder, name), b, 0o644))
	}
	at := filepath.Join(folder, "page.html")
	must(t, os.WriteFile(at, []byte(style+`<body class="`+theme+`">`+page), 0o644))
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
