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
//	deliver again                              the last command comes once more
//	deliver the first again                    as does the first one
//	restart                                    the bot stops, and starts on the same store
//
// What follows, each line after "> ", is the answer; "(private)" before it says
// that only who asked sees it. A value may be a quoted Go string. An empty line
// or one that begins with # says nothing. Run with -update to write the answers
// anew, and read them as a player would.
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
	calls   []*discordtest.Call
	players []string // by the last digits of their snowflakes
	starts  int
}

const (
	server    = "1600000000000000001"
	playerIDs = 1700000000000000000
)

func newStage(t *testing.T) *stage {
	s := &stage{t: t, discord: discordtest.New(t, discordtest.Options{Guilds: []string{server}}), store: mustStore(t), hidden: hiddenWord}
	s.start()
	return s
}

func (s *stage) start() {
	s.starts++
	s.bot = mustRun(s.t, s.discord, s.store, func(o *Options, _ *limits) {
		o.Bot.Games.Pick = func(n int) int { return pick(s.t, o.Bot.Games.Lists, n, s.hidden) }
	})
	must(s.t, s.discord.WaitReady(testContext(s.t), s.starts))
}

// play plays a script and returns it with the answers that came.
func (s *stage) play(script string) string {
	var out []string
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, ">") || line == "(private)" {
			continue
		}
		out = append(out, line)
		if line != "" && line[0] != '#' {
			out = append(out, s.step(line)...)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

var action = regexp.MustCompile(`^(\w+)(, a moderator,)? in (\w+)( types)?: /(.*)$`)

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
	i.Command, i.Options = s.parse(m[5])
	if m[4] == "" {
		call := s.discord.Invoke(i)
		s.calls = append(s.calls, call)
		a := mustMessage(s.t, call)
		return s.show(a.Content, a.Private)
	}
	i.Type = discordtest.TypeAutocomplete
	for i.Focused = range i.Options {
	}
	a := mustAnswer(s.t, s.discord, i)
	lines := []string{}
	for _, c := range a.Choices {
		lines = append(lines, fmt.Sprintf("> %s → %s", c.Name, c.Value))
	}
	return append(lines, fmt.Sprintf("> (%d proposed)", len(a.Choices)))
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
		Data message `json:"data"`
	}
	mustDecode(s.t, all[len(all)-1].Body, &answer)
	return s.show(answer.Data.Content, answer.Data.Flags == flagEphemeral)
}

// parse reads a command as a player types it: its name, and at most one option.
func (s *stage) parse(text string) (string, map[string]any) {
	at := strings.IndexByte(text, ':')
	if at < 0 {
		return text, nil
	}
	space := strings.LastIndexByte(text[:at], ' ')
	command, name, value := text[:space], text[space+1:at], text[at+1:]
	if unquoted, err := strconv.Unquote(value); err == nil {
		value = unquoted
	}
	c, _ := bot.Find(command)
	for _, o := range c.Options {
		switch {
		case o.Name == name && o.Kind == bot.Flag:
			return command, map[string]any{name: value == "true"}
		case o.Name == name && o.Kind == bot.Person:
			return command, map[string]any{name: discordtest.UserOption(s.snowflake(value))}
		}
	}
	return command, map[string]any{name: value}
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
func (s *stage) show(content string, private bool) []string {
	var lines []string
	if private {
		lines = append(lines, "(private)")
	}
	for n, name := range s.players {
		content = strings.ReplaceAll(content, "<@"+strconv.Itoa(playerIDs+n)+">", "<@"+name+">")
	}
	for line := range strings.SplitSeq(content, "\n") {
		lines = append(lines, strings.TrimSpace("> "+line))
	}
	return lines
}
