package discord

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"fivefold/bot/discord/application"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
)

var (
	browser = flag.String("draw", "", "draw the pictures of channels in docs with this browser, such as chromium")
	into    = flag.String("into", "", "with -draw: draw every scene into this folder instead, as phones and desktops show it")
)

// inDocs are the pictures of channels in docs, each with the scenes that it shows side by side.
var inDocs = map[string][]string{
	"hero": {"playing", "won", "day"}, "channel-won": {"won"}, "channel-daily": {"daily-month"}, "channel-pokle": {"poklewon"}, "channel-race": {"race3"},
}

// TestChannels: the pictures of channels in docs are of what the fake Discord shows now. With -draw chromium they are drawn
// again; look at them then. The scenes that are in no picture are for looking only:
//
//	go test ./bot/discord -run TestChannels/scenes/race -draw chromium -into FOLDER
func TestChannels(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	t.Parallel()
	text, err := os.ReadFile("testdata/channels/scenes.txt")
	must(t, err)
	var mu sync.Mutex
	pages, files := map[string]string{}, map[string][]byte{}
	t.Run("scenes", func(t *testing.T) {
		for _, scene := range strings.Split(string(text), "\n== ")[1:] {
			name, script, _ := strings.Cut(scene, "\n")
			shown := slices.ContainsFunc(slices.Collect(maps.Values(inDocs)), func(all []string) bool { return slices.Contains(all, name) })
			if !shown && *into == "" {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				p := page{runner: newTiledRunner(t), name: name, files: map[string][]byte{}}
				text := p.channel(script)
				if *into == "" { // how long racers took depends on the machine
					text = durations.ReplaceAllString(text, "1:24")
				}
				mu.Lock()
				pages[name] = text
				maps.Copy(files, p.files)
				mu.Unlock()
				if *into != "" {
					photograph(t, text, p.files, filepath.Join(*into, name+"-%s-%s.png"), view{"phone", 390}, view{"desktop", 800})
					return
				}
				golden := filepath.Join("testdata", "channels", name+".html")
				if *browser != "" {
					must(t, os.WriteFile(golden, []byte(text), 0o644))
				}
				want, err := os.ReadFile(golden)
				must(t, err)
				if text != string(want) {
					t.Errorf("the channel looks otherwise; draw it again with -draw chromium, and look at docs:\n%s", firstDifference(text, string(want)))
				}
			})
		}
	})
	for name, scenes := range inDocs {
		var all string
		for _, scene := range scenes {
			all += "<main>\n" + pages[scene] + "</main>\n"
		}
		if *browser != "" && *into == "" && !t.Failed() {
			photograph(t, all, files, filepath.Join("..", "..", "docs", name+"-%s%.0s.png"), view{"docs", 370 * len(scenes)})
		}
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

var durations = regexp.MustCompile(`\b\d:\d\d\b`)

// title matches the line of a scene that says what the channel is called, and how many of the latest messages are shown.
var title = regexp.MustCompile(`(?m)^# (.*), the last (\d+)$`)

// channel plays a script and returns the channel as ana sees it.
func (p *page) channel(script string) string {
	s := p.runner
	shows := title.FindStringSubmatch(script)
	last, err := strconv.Atoi(shows[2])
	must(s.t, err)
	type post struct{ by, used, message string }
	var posts []post
	forms := 0
	for line := range strings.Lines(withDays(script)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		before := len(s.shown)
		forms = len(s.forms)
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
	posts = slices.DeleteFunc(posts, func(post post) bool {
		a, ok := s.discord.Shown(post.message)
		return !ok || a.Ephemeral && post.by != "ana"
	})
	posts = posts[max(0, len(posts)-last):]
	var b strings.Builder
	fmt.Fprintf(&b, "<header><i>#</i> %s</header>\n", html.EscapeString(shows[1]))
	for _, post := range posts {
		a, _ := s.discord.Shown(post.message)
		p.message = a
		b.WriteString("<article" + map[bool]string{true: ` class="own"`}[a.Ephemeral] + ">\n")
		if post.used != "" {
			fmt.Fprintf(&b, `<p class="used"><b class="%s">%s</b> used <a>/%s</a></p>`+"\n", post.by, post.by, post.used)
		}
		b.WriteString(`<div class="avatar"></div><p class="who"><b>Fivefold</b> <span>APP</span> <time>20:14</time></p>` + "\n")
		if discordtest.TextOf(a.Layout) == "" { // the older layout
			b.WriteString(p.markdown(a.Content))
			for _, f := range a.Files {
				b.WriteString(`<div class="gallery">` + p.picture(discordtest.Medium{Media: &discordtest.Media{AttachmentID: f.ID}, Description: f.Description}) + "</div>\n")
			}
		}
		for _, c := range a.Layout {
			b.WriteString(p.component(c))
		}
		if a.Ephemeral {
			b.WriteString("<p class=\"note\">Only you can see this · <a>Dismiss message</a></p>\n")
		}
		b.WriteString("</article>\n")
	}
	for _, f := range s.forms[forms:] { // that the last step has opened
		form, err := f.call.First(discordtest.Context(s.t))
		must(s.t, err)
		fmt.Fprintf(&b, "<div class=\"form\"><h2>%s</h2>\n", html.EscapeString(form.Title))
		for _, c := range form.Layout {
			b.WriteString(p.component(c))
		}
		b.WriteString(`<div class="row"><button>Cancel</button><button class="style1">Submit</button></div></div>` + "\n")
	}
	return b.String()
}

// manyDays matches a line of a scene: "days: 3 ana ben" is three days on which they play the daily puzzles.
var manyDays = regexp.MustCompile(`(?m)^days: (\d+) (.*)\n`)

// withDays writes out the days on which players play.
func withDays(script string) string {
	words := strings.Fields("crane slate brick shape stove hover vivid major grape shave mound favor crony chair humor polar")
	needed := []int{3, 4, 4, 3, 5, 2, 4, 5, 3, 4, 6, 4, 3, 7, 5, 4}
	return manyDays.ReplaceAllStringFunc(script, func(line string) string {
		m := manyDays.FindStringSubmatch(line)
		days, _ := strconv.Atoi(m[1])
		var b strings.Builder
		for day := range days {
			fmt.Fprintf(&b, "hidden: %s\n", words[day%len(words)])
			for i, who := range strings.Fields(m[2]) {
				if (day+i*5)%29 == 13 || i > 0 && (day+i)%(7-i) == 0 {
					continue // a day off
				}
				need := needed[(day*7+day*day/5+i*3)%len(needed)]
				fmt.Fprintf(&b, "%s in random: /wordle start mode:daily\n", who)
				for n := range min(need, 6) {
					fmt.Fprintf(&b, "%s in random: /guess word:%s mode:daily\n", who, words[(day+(n+1)%need)%len(words)])
				}
				if i == 0 && day%3 != 1 {
					fmt.Fprintf(&b, "%s in random: /pokle start mode:daily\n%s in random: /pokle guess cards:7h 9h qh 10d 8c mode:daily\n", who, who)
				}
			}
			b.WriteString("24h pass\n")
		}
		return b.String()
	})
}

// nameOf returns the name of a player in a script.
func (s *runner) nameOf(id string) string {
	i := slices.IndexFunc(s.players, func(name string) bool { return s.snowflake(name) == id })
	if i < 0 {
		s.t.Fatalf("nobody is %s", id)
	}
	return s.players[i]
}

// view is how wide a device shows a channel, in pixels of CSS.
type view struct {
	device string
	width  int
}

// photograph draws a page as devices show it in both themes. The names of the files have %s for the theme and the device.
func photograph(t *testing.T, page string, files map[string][]byte, names string, views ...view) {
	t.Helper()
	folder := t.TempDir()
	for name, b := range files {
		must(t, os.WriteFile(filepath.Join(folder, name), b, 0o644))
	}
	html, err := os.ReadFile("testdata/style.html")
	must(t, err)
	const scale, height = 2, 2000
	var shots []image.Rectangle
	var paths []string
	x := 0
	for _, v := range views {
		for _, theme := range []string{"dark", "light"} {
			html = fmt.Appendf(html, `<div class="page %s %s" style="left: %dpx; width: %dpx">%s</div>`, theme, v.device, x, v.width, page)
			shots = append(shots, image.Rect(x*scale, 0, (x+v.width)*scale, height*scale))
			paths = append(paths, fmt.Sprintf(names, theme, v.device))
			x += v.width
		}
	}
	at, shot := filepath.Join(folder, "page.html"), filepath.Join(folder, "shot.png")
	must(t, os.WriteFile(at, html, 0o644))
	c := exec.Command(*browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", fmt.Sprintf("--force-device-scale-factor=%d", scale),
		fmt.Sprintf("--window-size=%d,%d", x, height), "--user-data-dir="+filepath.Join(folder, "profile"), "--screenshot="+shot, "file://"+at)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := os.ReadFile(shot)
	must(t, err)
	drawn, err := png.Decode(bytes.NewReader(b))
	must(t, err)
	for i, path := range paths {
		var out bytes.Buffer
		must(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small(drawn, shots[i])))
		must(t, os.WriteFile(path, out.Bytes(), 0o644))
	}
}

// small returns a part of a picture in its most frequent 256 colours, and without the empty rows at its end, except for a few.
func small(m image.Image, part image.Rectangle) image.Image {
	ground, last := m.At(part.Min.X, part.Max.Y-1), 0
	often := map[color.Color]int{}
	for y := range part.Max.Y {
		for x := part.Min.X; x < part.Max.X; x++ {
			c := m.At(x, y)
			if often[c]++; c != ground {
				last = y
			}
		}
	}
	colours := slices.SortedFunc(maps.Keys(often), func(a, b color.Color) int {
		return cmp.Or(often[b]-often[a], cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	const margin = 24
	out := image.NewPaletted(image.Rect(0, 0, part.Dx(), min(last+margin, part.Dy())), colours[:min(256, len(colours))])
	draw.Draw(out, out.Bounds(), m, part.Min, draw.Src)
	return out
}
