package discord

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/game"
)

var update = flag.Bool("update", false, "rewrite the expected lines of testdata/scripts")

// TestScripts plays what testdata/scripts says, in a fake Discord through
// discordgo, on a real store. A script is read by lines:
//
//	hidden: slate                              the word that the next game hides
//	ana in general: /guess word:crane          a command in a server's channel
//	ben in dm: /stats player:ana               the same in direct messages
//	mia, a moderator, in general: /wordle stop by who may manage messages
//	ana in general types: /guess word:cra      what is proposed for what she types
//	ana in general: /a b:some words c:d        several options; a value ends where the next one begins
//	ana in general presses: LABEL              the button of the latest answer to her there that has one so labelled,
//	                                           or else of the latest answer to others that she can see
//	deliver again                              the last command or press comes once more
//	deliver the first again                    as does the first one
//	restart                                    the bot stops, and starts on the same store
//
// What follows, each line after "> ", is the answer; "(private)" before it says
// that only who asked sees it, "(in place)" that it takes the place of what was
// pressed. Its buttons come last, a row a line: [⬛ A] can be pressed, (B) cannot.
// A value may be a quoted Go string. An empty line or one that begins with # says
// nothing. Run with -update to write the answers anew, and read them as a player
// would.
func TestScripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/scripts/*.txt")
	must(t, err)
	if len(files) == 0 {
		t.Fatal("there are no scripts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(file)
			must(t, err)
			want := string(b)
			got := newStage(t).play(want)
			switch {
			case got == want:
			case *update:
				must(t, os.WriteFile(file, []byte(got), 0o644))
			default:
				t.Errorf("%s plays otherwise (-update rewrites it):\n%s", file, firstDifference(got, want))
			}
		})
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: got  %s\nline %d: want %s", i+1, g[i], i+1, w[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}

// stage is where a script plays.
type stage struct {
	t       *testing.T
	discord *discordtest.Server
	store   game.Store
	bot     *running
	hidden  string
	find    func(string) (bot.Command, bool) // a row of the table of commands
	calls   []*discordtest.Call
	shown   []shown
	players []string // by the last digits of their snowflakes
	starts  int
}

// shown is an answer that stays as a message.
type shown struct{ player, channel, message string }

const (
	server    = "1600000000000000001"
	playerIDs = 1700000000000000000
)

func newStage(t *testing.T) *stage {
	s := &stage{t: t, discord: discordtest.New(t, discordtest.Options{Guilds: []string{server}}), store: mustStore(t), hidden: hiddenWord, find: bot.Find}
	s.start()
	return s
}

func (s *stage) start() {
	s.starts++
	s.bot = mustRun(s.t, s.discord, s.store, func(o *Options, _ *limits) {
		o.Bot.Games.Pick = func(n int) int { return pick(s.t, o.Bot.Games.Lists, n, s.hidden) }
		o.Bot.Games.Now = func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
		o.Bot.Games.FormTime = time.Minute // the same card on a slow machine
	})
	must(s.t, s.discord.WaitReady(testContext(s.t), s.starts))
}

// play plays a script and returns it with the answers that came.
func (s *stage) play(script string) string {
	var out []string
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, ">") || line == "(private)" || line == "(in place)" {
			continue
		}
		out = append(out, line)
		if line != "" && line[0] != '#' {
			out = append(out, s.step(line)...)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

var action = regexp.MustCompile(`^(\w+)(, a moderator,)? in (\w+)(?:( types)?: /| (presses): )(.*)$`)

// step does what a line says, and returns what that shows.
func (s *stage) step(line string) []string {
	if hidden, ok := strings.CutPrefix(line, "hidden: "); ok {
		s.hidden = hidden
		return nil
	}
	switch line {
	case "restart":
		s.bot.cancel()
		must(s.t, s.bot.mustEnd(s.t))
		s.start()
		return nil
	case "deliver again":
		return s.again(s.calls[len(s.calls)-1])
	case "deliver the first again":
		return s.again(s.calls[0])
	}
	m := action.FindStringSubmatch(line)
	if m == nil {
		s.t.Fatalf("cannot be played: %s", line)
	}
	i := discordtest.Interaction{Guild: server, User: s.snowflake(m[1]), UserName: m[1], Channel: m[3]}
	if m[2] != "" {
		i.Permissions = discordgo.PermissionManageMessages
	}
	i.Channel = map[string]string{"general": "1300000000000000011", "random": "1300000000000000012"}[m[3]]
	if m[3] == "dm" {
		i.Guild, i.Channel = "", "18"+i.User[2:] // everybody has one of their own
	}
	if m[5] != "" {
		i.Type = discordtest.TypeComponent
		i.Message, i.CustomID = s.button(i.User, i.Channel, m[6])
		return s.ask(i)
	}
	var last string
	i.Command, i.Options, last = s.parse(m[6])
	if m[4] == "" {
		return s.ask(i)
	}
	i.Type, i.Focused = discordtest.TypeAutocomplete, last
	a := mustAnswer(s.t, s.discord, i)
	lines := []string{}
	for _, c := range a.Choices {
		lines = append(lines, fmt.Sprintf("> %s → %s", c.Name, c.Value))
	}
	return append(lines, fmt.Sprintf("> (%d proposed)", len(a.Choices)))
}

// ask sends an interaction and returns its answer as players see it.
func (s *stage) ask(i discordtest.Interaction) []string {
	call := s.discord.Invoke(i)
	s.calls = append(s.calls, call)
	id := mustMessage(s.t, call).MessageID
	a, ok := s.discord.Shown(id)
	if !ok {
		s.t.Fatalf("the answer is no message")
	}
	if id == i.Message {
		return s.show(a, true)
	}
	s.shown = append(s.shown, shown{i.User, i.Channel, id})
	return s.show(a, false)
}

// button finds the button that a player presses: the message and its custom_id.
func (s *stage) button(player, channel, label string) (message, customID string) {
	for _, own := range []bool{true, false} {
		for _, m := range slices.Backward(s.shown) {
			a, ok := s.discord.Shown(m.message)
			if !ok || m.channel != channel || own != (m.player == player) || !own && a.Private {
				continue
			}
			for _, c := range a.Components {
				if c.Label == label && !c.Disabled {
					return m.message, c.CustomID
				}
			}
		}
	}
	s.t.Fatalf("there is no button %q to press", label)
	return "", ""
}

// again delivers an interaction that was answered. Discord refuses the second
// answer, but tells what it would have been.
func (s *stage) again(call *discordtest.Call) []string {
	isAnswer := func(r discordtest.Request) bool { return strings.Contains(r.Path, "/"+call.ID()+"/") }
	before := len(slices.DeleteFunc(s.discord.Requests(), func(r discordtest.Request) bool { return !isAnswer(r) }))
	s.discord.Invoke(discordtest.Interaction{ID: call.ID()})
	mustSee(s.t, s.discord, isAnswer, before+1)
	for _, v := range s.discord.Violations() {
		if !strings.Contains(v, "already been acknowledged") {
			s.t.Errorf("discord would not have it: %s", v)
		}
	}
	all := slices.DeleteFunc(s.discord.Requests(), func(r discordtest.Request) bool { return !isAnswer(r) })
	var answer struct {
		Type int     `json:"type"`
		Data message `json:"data"`
	}
	mustDecode(s.t, all[len(all)-1].Body, &answer)
	a := discordtest.Answer{Content: answer.Data.Content, Private: answer.Data.Flags == flagEphemeral}
	for n, row := range answer.Data.Components {
		for _, b := range row.Components {
			c := discordtest.Component{Row: n, Label: b.Label, Disabled: b.Disabled}
			if b.Emoji != nil {
				c.Emoji = b.Emoji.Name
			}
			a.Components = append(a.Components, c)
		}
	}
	return s.show(a, answer.Type == typeUpdate)
}

// parse reads a command as a player types it: its name and its options, and
// which of them is the last. A value goes on until the next option of that
// command; one that is a quoted string ends with its quote.
func (s *stage) parse(text string) (command string, options map[string]any, last string) {
	at := strings.IndexByte(text, ':')
	if at < 0 {
		return text, nil, ""
	}
	space := strings.LastIndexByte(text[:at], ' ')
	command, rest := text[:space], text[space+1:]
	c, _ := s.find(command)
	options = map[string]any{}
	for rest != "" {
		last, rest, _ = strings.Cut(rest, ":")
		value := rest
		if end := nextOption(c, rest); end >= 0 {
			value, rest = rest[:end], rest[end+1:]
		} else {
			rest = ""
		}
		options[last] = s.value(c, last, value)
	}
	return command, options, last
}

var optionName = regexp.MustCompile(` ([a-z-]+):`)

// nextOption is where in a text, after the value at its beginning, the space
// before an option of the command is; -1 for nowhere.
func nextOption(c bot.Command, text string) int {
	quoted, _ := strconv.QuotedPrefix(text) // empty for what is not quoted
	for _, m := range optionName.FindAllStringSubmatchIndex(text[len(quoted):], -1) {
		name := text[len(quoted):][m[2]:m[3]]
		if slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Name == name }) {
			return len(quoted) + m[0]
		}
	}
	return -1
}

// value is an option's value as Discord sends it.
func (s *stage) value(c bot.Command, name, text string) any {
	if unquoted, err := strconv.Unquote(text); err == nil {
		text = unquoted
	}
	for _, o := range c.Options {
		switch {
		case o.Name == name && o.Kind == bot.Flag:
			return text == "true"
		case o.Name == name && o.Kind == bot.Person:
			return discordtest.UserOption(s.snowflake(text))
		}
	}
	return text
}

// snowflake is a player's id.
func (s *stage) snowflake(name string) string {
	n := slices.Index(s.players, name)
	if n < 0 {
		n = len(s.players)
		s.players = append(s.players, name)
	}
	return strconv.Itoa(playerIDs + n)
}

// show writes an answer as scripts do, with names for ids.
func (s *stage) show(a discordtest.Answer, inPlace bool) []string {
	var lines []string
	if a.Private {
		lines = append(lines, "(private)")
	}
	if inPlace {
		lines = append(lines, "(in place)")
	}
	content := a.Content
	for n, name := range s.players {
		content = strings.ReplaceAll(content, "<@"+strconv.Itoa(playerIDs+n)+">", "<@"+name+">")
	}
	for line := range strings.SplitSeq(content, "\n") {
		lines = append(lines, strings.TrimSpace("> "+line))
	}
	return append(lines, buttonLines(a.Components)...)
}

// buttonLines writes buttons, a row a line.
func buttonLines(buttons []discordtest.Component) []string {
	var lines []string
	for i, b := range buttons {
		text := strings.TrimSpace(b.Emoji + " " + b.Label)
		if b.Disabled {
			text = "(" + text + ")"
		} else {
			text = "[" + text + "]"
		}
		if i > 0 && b.Row == buttons[i-1].Row {
			lines[len(lines)-1] += " " + text
		} else {
			lines = append(lines, "> "+text)
		}
	}
	return lines
}

// TestScriptOptions reads commands as scripts write them.
func TestScriptOptions(t *testing.T) {
	t.Parallel()
	s := &stage{find: func(string) (bot.Command, bool) { return dance(nil), true }}
	for text, want := range map[string]string{
		"dance":                                "dance map[] ",
		"dance waltz":                          "dance waltz map[] ",
		"dance word:crane":                     "dance map[word:crane] word",
		"dance word:":                          "dance map[word:] word",
		"dance word:crane tiles:bbygb":         "dance map[tiles:bbygb word:crane] tiles",
		"dance waltz tiles:a word:b do:c":      "dance waltz map[do:c tiles:a word:b] do",
		"dance word:two words: ten tiles:x":    "dance map[tiles:x word:two words: ten] tiles",
		`dance word:" tiles:a" tiles:"b \"c"`:  `dance map[tiles:b "c word: tiles:a] tiles`,
		`dance word:"a" b tiles:`:              `dance map[tiles: word:"a" b] tiles`,
		`dance word:" open tiles:x`:            `dance map[tiles:x word:" open] tiles`,
		"dance word:a other:b <@1:2> http://c": "dance map[word:a other:b <@1:2> http://c] word",
	} {
		command, options, last := s.parse(text)
		if got := fmt.Sprintf("%s %v %s", command, options, last); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
