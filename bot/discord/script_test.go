package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
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
	"fivefold/bot/admission"
	"fivefold/bot/daypost"
	"fivefold/bot/discord/application"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/league"
	"fivefold/game/matches"
	"fivefold/storage"
)

var update = flag.Bool("update", false, "rewrite the expected lines of testdata/scripts")

// TestScripts plays the scripts of testdata/scripts in a fake Discord, through
// discordgo and on a real store. Each line of a script is a step:
//
//	hidden: slate                              the word that the next game hides
//	ana in general: /guess word:crane          a command in a server's channel
//	ben in dm: /stats player:ana               the same in direct messages; other places are
//	                                           thread (of general), group (a group's messages), elsewhere (a server
//	                                           without the bot, which players have installed for themselves) and
//	                                           hushed (one that keeps such apps out of sight)
//	mia, a moderator, in mods: /wordle stop    by someone who can manage messages, and is the
//	                                           only one to see the channel mods
//	ana in abroad: /wordle start               in another server with the bot
//	mia, a manager, in general: /stats         by someone who can manage the server
//	ana in general types: /guess word:cra      the choices proposed while she types
//	ana in general: /a b:some words c:d        several options; a value ends where the next one begins
//	ana in general presses: LABEL              the button with that label on the latest answer to her there,
//	                                           or else on the latest answer to others that she can see
//	ana in general chooses: LABEL              the option with that label in a menu there
//	ana in general chooses: MENU: a, b         these options, channels or roles in the menu with that placeholder,
//	                                           or none
//	ana in general enters: word:slate          she fills in the latest form shown to her there and submits it;
//	                                           fields that are not named keep their values
//	ana in general presses the first: LABEL    the button with that label that was shown first in the channel,
//	                                           even if it is gone by now and she has not seen that yet
//	ana in general says: hello                 she writes a message that is not for the bot, perhaps a quoted Go string;
//	                                           <@ben> mentions, and newspaper is the newspaper's app
//	ana in general uses: Import results        a command on what was said last there
//	ana in general: count                      how many messages there are in the channel, and how many
//	                                           calls have been made to Discord since the last count
//	2h pass                                    Discord's clock moves on; after a day the next daily puzzle comes
//	deliver again                              the last interaction is delivered again
//	deliver the first again                    the first interaction is
//	the board in general is deleted            by a moderator: the bot's latest answer there
//	idle games end                             those in which nothing has changed for a day
//	races end                                  those whose time is over
//	deadlines are met                          those of matches in turns or by vote
//	daily posts are made                       those that are due
//	reminders are sent                         those that are due
//	ana takes no direct messages               from the bot
//	nobody may start threads in general        the bot included
//	the moderators' role is gone
//	the bot leaves abroad                      its server removes the bot
//	the bot returns to abroad                  its server invites the bot again
//	an outage of abroad                        Discord can't reach its server for a while
//	servers are looked at                      what the bot does once a day about servers that it was removed from
//	restart                                    the bot stops and starts again on the same store
//
// The answer follows, each line after "> ". "(private)" before it means that it is
// ephemeral, "(in place)" that it updates the message of the button. </guess> is a command
// that can be clicked. After the text come its picture, with size and alt text, and its
// buttons and menus, one row a line: [⬛ A] is enabled, (B) is disabled, [Month: May | June✓] is a menu in which June is chosen. "(nothing)" means that the
// player sees no answer. What else changes in the channel comes after "(changed)", and what
// the bot posts there by itself after "(posted)"; "(deleted)" is a message of the bot's that is not there any more. After "(form)" the answer is a modal: its
// title, then its fields with names and values. A value may be a quoted Go string. Empty
// lines and those that begin with # are comments. Run with -update to rewrite the answers,
// and read them as a player would.
func TestScripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/scripts/*.txt")
	must(t, err)
	if len(files) == 0 {
		t.Fatal("there are no scripts")
	}
	for n, file := range files {
		if testing.Short() && n%5 > 0 { // the others overlap as these do, and as TestScriptsByHTTP does
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile(file)
			must(t, err)
			want := string(b)
			got := newRunner(t, false).play(want)
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

// TestScriptsByHTTP plays some of the scripts with a bot to which interactions are posted:
// games by buttons, by typing and by forms, one with pictures, deliveries that come twice, a
// restart, and how many calls there are. The others pass too (2026-11), but take long.
func TestScriptsByHTTP(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"again", "buttons", "counted", "dm", "league", "lost", "mixed", "poklesolve", "private", "restart", "typing"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata", "scripts", name+".txt")
			b, err := os.ReadFile(file)
			must(t, err)
			if got := newRunner(t, true).play(string(b)); got != string(b) {
				t.Errorf("%s plays otherwise by HTTP:\n%s", file, firstDifference(got, string(b)))
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

// runner plays scripts.
type runner struct {
	t       *testing.T
	discord *discordtest.Server
	folder  string // of the store
	store   *storage.Store
	bot     *running
	hidden  string
	find    func(string) (bot.Command, bool) // in the table of commands
	calls   []*discordtest.Call
	shown   []shown
	forms   []form
	players []string          // by the last digits of their snowflakes
	names   map[string]string // of the players, by their snowflakes
	starts  int
	clock   discordtest.Clock
	passed  time.Duration // how far the clock is ahead
	front   *front
	first   []shownButton
	seen    map[string]string // what was last seen of each message, by id
	counted int               // calls that were counted
	said    map[string]string // the latest message of players, by channel
	byHTTP  bool              // interactions are posted to the bot
	games   *matches.Manager
	days    *daypost.Handlers

	registered    []registeredCommand
	registrations int // how many there had been when registered was read
}

type registeredCommand struct{ ID, Name string }

// shownButton is a button as it was shown first.
type shownButton struct{ channel, message, label, customID string }

// shown is an answer that is a message.
type shown struct{ player, channel, message string }

// form is an answer that is a modal, and the interaction that opened it.
type form struct {
	by   discordtest.Interaction
	call *discordtest.Call
}

const (
	server      = "1600000000000000001"
	otherServer = "1600000000000000002"
	thirdServer = "1600000000000000003"
	moderators  = "1500000000000000001" // a role
	botRole     = "1500000000000000002"
	playerIDs   = 1700000000000000000
)

// channels are those that scripts name, but for direct messages.
var channels = map[string]string{
	"general": "1300000000000000011", "random": "1300000000000000012", "thread": "1300000000000000013",
	"group": "1300000000000000014", "elsewhere": "1300000000000000015", "hushed": "1300000000000000016",
	"mods": "1300000000000000017", "abroad": "1300000000000000018",
	"rules": "1300000000000000019", // in which the bot may post nothing
}

// inTwoServers is a Discord whose bot is in two servers.
var inTwoServers = discordtest.Options{Guilds: []string{server, thirdServer}}

func newRunner(t *testing.T, byHTTP bool) *runner {
	s := &runner{t: t, byHTTP: byHTTP, folder: t.TempDir(), hidden: hiddenWord, find: table().Find, seen: map[string]string{}, names: map[string]string{}, said: map[string]string{}}
	t.Cleanup(func() { must(t, s.store.Close()) })
	o := inTwoServers
	o.Now = s.clock.Now
	s.discord = discordtest.New(t, o)
	s.discord.SetChannel(discordtest.Channel{
		ID: channels["thread"], Guild: server, Type: discordtest.ChannelPublicThread, Parent: channels["general"],
	})
	s.discord.SetGuild(discordtest.Guild{ID: server, Roles: []discordtest.Role{{ID: moderators, Name: "moderators"}, {ID: botRole, Name: "bot"}}, Bot: []string{botRole}})
	s.discord.SetChannel(discordtest.Channel{ID: channels["rules"], Guild: server, Overwrites: []discordtest.Overwrite{
		{ID: botRole, Deny: discordtest.SendMessages | discordtest.SendMessagesInThread},
	}})
	s.discord.SetChannel(discordtest.Channel{ID: channels["mods"], Guild: server, Overwrites: []discordtest.Overwrite{
		{ID: server, Deny: discordtest.ViewChannel},
		{ID: moderators, Allow: discordtest.ViewChannel},
		{ID: botRole, Allow: discordtest.ViewChannel},
	}})
	s.start()
	return s
}

// scriptTime is when scripts are played.
var scriptTime = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func (s *runner) start() {
	s.starts++
	s.store = mustStoreIn(s.t, s.folder)
	url := ""
	over := func(*setup) {}
	if s.byHTTP {
		over = overHTTP(s.t, s.discord)
		log := slog.New(slog.DiscardHandler)
		client := calls.New(calls.Options{Token: s.discord.Token(), BaseURL: mustURL(s.t, s.discord.URL()), Log: log})
		_, err := application.Commands{API: client, Timeout: time.Hour, Table: table(), App: s.discord.AppID(), Log: log}.RegisterOnce(discordtest.Context(s.t))
		must(s.t, err)
	}
	s.bot = mustRun(s.t, s.discord, s.store, over, func(o *setup) {
		if s.byHTTP {
			url = endpointOf(o)
		}
		o.hidden = func() string { return s.hidden }
		o.games.Now = func() time.Time { return scriptTime.Add(s.passed) }
		o.Boards, o.Servers = s.store, s.store
		s.days = o.days
		o.started = func(f *front) { s.front, s.games = f, o.games }
		o.timings.eventGap = 0
	})
	if s.byHTTP {
		must(s.t, s.discord.SetEndpoint(discordtest.Context(s.t), url))
		s.bot.log.MustSay(s.t, "found the registered commands")
		return
	}
	must(s.t, s.discord.WaitReady(discordtest.Context(s.t), s.starts))
	s.bot.log.MustSay(s.t, "registered the commands") // from then on texts name them as they can be clicked
}

// play plays a script and returns it with the answers that came.
func (s *runner) play(script string) string {
	var out []string
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, ">") || slices.Contains(annotations, line) {
			continue
		}
		out = append(out, line)
		if line != "" && line[0] != '#' {
			out = append(out, s.step(line)...)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

// annotations are the lines of an answer that do not begin with "> ".
var annotations = []string{"(private)", "(in place)", "(form)", "(nothing)", "(changed)", "(posted)", "(deleted)"}

var action = regexp.MustCompile(`^(\w+)(, a (?:moderator|manager),)? in (\w+)(?:( types)?: /| (presses|presses the first|chooses|enters|says|uses): |: (count))(.*)$`)

// step does what a line says, and returns the answer.
func (s *runner) step(line string) []string {
	if hidden, ok := strings.CutPrefix(line, "hidden: "); ok {
		s.hidden = hidden
		return nil
	}
	if passed, ok := strings.CutSuffix(line, " pass"); ok {
		d, err := time.ParseDuration(passed)
		must(s.t, err)
		s.clock.Advance(d)
		s.passed += d
		return nil
	}
	if channel, ok := strings.CutSuffix(line, " is deleted"); ok {
		_, channel, _ = strings.Cut(channel, " in ")
		all := slices.DeleteFunc(slices.Clone(s.shown), func(m shown) bool { return m.channel != channels[channel] })
		s.discord.Delete(all[len(all)-1].message)
		return nil
	}
	if player, ok := strings.CutSuffix(line, " takes no direct messages"); ok {
		s.discord.SetChannel(discordtest.Channel{ID: discordtest.DirectOf(s.snowflake(player)), Type: discordtest.ChannelDirect, Locked: true})
		return nil
	}
	if channel, ok := strings.CutPrefix(line, "nobody may start threads in "); ok {
		s.discord.SetChannel(discordtest.Channel{ID: channels[channel], Guild: server, Overwrites: []discordtest.Overwrite{{ID: server, Deny: discordtest.CreatePublicThreads}}})
		return nil
	}
	switch line {
	case "the moderators' role is gone":
		s.discord.SetGuild(discordtest.Guild{ID: server, Roles: []discordtest.Role{{ID: botRole, Name: "bot"}}, Bot: []string{botRole}})
		return nil
	case "idle games end":
		_, err := s.games.EndIdle(discordtest.Context(s.t), 24*time.Hour)
		must(s.t, err)
		s.settle()
		return append(s.others(channels["general"]), s.others(channels["thread"])...)
	case "deadlines are met":
		must(s.t, s.games.MeetDeadlines(discordtest.Context(s.t)))
		s.settle()
		return append(s.others(channels["general"]), s.others(channels["thread"])...)
	case "races end":
		games := matches.Manager{Store: s.store, Now: s.clock.Now, RaceChanged: s.games.RaceChanged}
		must(s.t, games.MeetDeadlines(discordtest.Context(s.t)))
		s.settle()
		return append(s.others(channels["general"]), s.others(channels["group"])...)
	case "daily posts are made":
		err := s.days.PostDue(discordtest.Context(s.t), posts{s.front})
		must(s.t, err)
		return append(s.others(channels["general"]), s.others(channels["thread"])...)
	case "reminders are sent":
		must(s.t, s.days.RemindDue(discordtest.Context(s.t), posts{s.front}))
		var lines []string
		for _, name := range s.players {
			if posted := s.others(discordtest.DirectOf(s.snowflake(name))); posted != nil {
				lines = append(append(lines, "> to "+name+":"), posted...)
			}
		}
		return lines
	case "the bot leaves abroad", "the bot returns to abroad", "an outage of abroad":
		s.discord.RemoveBot(thirdServer, strings.Contains(line, "returns"), strings.Contains(line, "outage"))
		if !s.byHTTP && !strings.Contains(line, "outage") {
			for servers, err := s.store.Servers(discordtest.Context(s.t)); ; servers, err = s.store.Servers(discordtest.Context(s.t)) {
				must(s.t, err)
				if gone, known := servers[thirdServer]; known && gone.IsZero() == strings.Contains(line, "returns") {
					break
				}
			}
		}
		return nil
	case "servers are looked at":
		must(s.t, s.front.servers.look(discordtest.Context(s.t)))
		return nil
	case "restart":
		s.bot.cancel()
		must(s.t, s.bot.mustEnd(s.t))
		must(s.t, s.store.Close())
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
	i := discordtest.Interaction{Guild: server, User: s.snowflake(m[1]), UserName: m[1], UserNames: s.names, Channel: m[3]}
	i.Permissions = map[string]int64{
		", a moderator,": discordgo.PermissionManageMessages, ", a manager,": discordgo.PermissionManageGuild,
	}[m[2]]
	if m[2] == ", a moderator," {
		i.Roles = []string{moderators}
	}
	switch i.Channel = channels[m[3]]; m[3] {
	case "dm":
		i.Guild, i.Channel = "", discordtest.DirectOf(i.User)
	case "group":
		i.Guild, i.GroupDM = "", true
	case "elsewhere":
		i.Guild, i.UserInstalled = otherServer, true
		i.Permissions |= discordtest.UseExternalApps
	case "abroad":
		i.Guild = thirdServer
	case "hushed":
		i.Guild, i.UserInstalled = otherServer, true
	}
	switch m[5] {
	case "enters":
		return s.enter(i.User, i.Channel, m[7])
	case "says":
		s.said[i.Channel] = s.discord.Chat(i.Channel, i.User, mentionedName.ReplaceAllStringFunc(unquoted(m[7]), func(at string) string {
			return "<@" + s.snowflake(at[2:len(at)-1]) + ">"
		}))
		return nil
	case "uses":
		i.Command, i.Target = m[7], s.said[i.Channel]
		return s.ask(i)
	case "presses", "chooses":
		i.Type = discordtest.TypeComponent
		i.Message, i.CustomID, i.Values = s.used(i.User, i.Channel, ids(m[7]))
		return s.ask(i)
	case "presses the first":
		i.Type = discordtest.TypeComponent
		n := slices.IndexFunc(s.first, func(b shownButton) bool { return b.channel == i.Channel && b.label == m[7] })
		if n < 0 {
			s.t.Fatalf("no button %q was shown", m[7])
		}
		i.Message, i.CustomID = s.first[n].message, s.first[n].customID
		return s.ask(i)
	}
	if m[6] != "" {
		return []string{s.count(i.Channel)}
	}
	var last string
	i.Command, i.Options, last = s.parse(m[7])
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
func (s *runner) ask(i discordtest.Interaction) []string {
	return s.answer(i, s.discord.Invoke(i))
}

// enter fills in the latest modal of a player in a channel and submits it.
func (s *runner) enter(player, channel, text string) []string {
	for _, f := range slices.Backward(s.forms) {
		if f.by.User != player || f.by.Channel != channel {
			continue
		}
		shown, err := f.call.First(discordtest.Context(s.t))
		must(s.t, err)
		texts, _ := readValues(text, func(name string) bool {
			return slices.ContainsFunc(shown.Inputs, func(l discordtest.Component) bool { return l.Inner.CustomID == name })
		})
		for name, text := range texts {
			texts[name] = unquoted(text)
		}
		call, err := s.discord.Submit(discordtest.Context(s.t), f.call, texts)
		must(s.t, err)
		return s.answer(f.by, call)
	}
	s.t.Fatal("there is no form to fill in")
	return nil
}

// answer waits for the answer to an interaction and returns it as players see it.
func (s *runner) answer(i discordtest.Interaction, call *discordtest.Call) []string {
	s.calls = append(s.calls, call)
	first, err := call.First(discordtest.Context(s.t))
	must(s.t, err)
	s.settle()
	ended, cancel := context.WithCancel(discordtest.Context(s.t))
	cancel()
	if first.Type == typeDeferredMessage || first.Type == typeDeferredUpdate {
		if final, err := call.Message(ended); err == nil {
			first = final
		}
	}
	if first.Type == typeModal {
		s.forms = append(s.forms, form{i, call})
		return formLines(first)
	}
	id := first.MessageID
	a, ok := s.discord.Shown(id)
	if !ok && id != "" { // what everybody sees is not in the deferred response
		return s.others(i.Channel)
	}
	if !ok {
		s.t.Fatalf("the answer is not a message")
	}
	var lines []string
	switch {
	case id == i.Message && s.seen[id] == s.text(a):
		lines = []string{"(nothing)"}
	case id == i.Message:
		lines = s.show(a, true)
	default:
		s.shown = append(s.shown, shown{i.User, i.Channel, id})
		lines = s.show(a, false)
	}
	for _, c := range a.Components {
		b := shownButton{i.Channel, id, c.Label, c.CustomID}
		if !c.Disabled && !slices.Contains(s.first, b) {
			s.first = append(s.first, b)
		}
	}
	s.seen[id] = s.text(a)
	return append(lines, s.others(i.Channel)...)
}

// settle waits until the bot does nothing any more.
func (s *runner) settle() {
	for ctx := discordtest.Context(s.t); ; time.Sleep(time.Millisecond) {
		f := s.front
		answered := f.queue.Stats() == (admission.Stats{}) // before what follows an answer
		if answered && f.boards.Rests() {
			return
		}
		must(s.t, ctx.Err())
	}
}

// others returns what has changed in a channel but the answer itself.
func (s *runner) others(channel string) []string {
	var lines []string
	for _, m := range s.shown {
		a, ok := s.discord.Shown(m.message)
		switch was, known := s.seen[m.message]; {
		case m.channel != channel || a.Ephemeral:
		case ok && was != s.text(a):
			s.seen[m.message] = s.text(a)
			lines = append(append(lines, "(changed)"), s.show(a, false)...)
		case !ok && known:
			delete(s.seen, m.message)
			lines = append(lines, "(deleted)")
		}
	}
	for _, a := range s.discord.Posted(channel) {
		switch was, known := s.seen[a.MessageID]; {
		case !known:
			lines = append(append(lines, "(posted)"), s.show(a, false)...)
		case was != s.text(a):
			lines = append(append(lines, "(changed)"), s.show(a, false)...)
		}
		s.seen[a.MessageID] = s.text(a)
	}
	return lines
}

func (s *runner) text(a discordtest.Answer) string { return strings.Join(s.show(a, false), "\n") }

// count says how many messages of the bot's everybody sees in a channel, and how many calls
// were made since it was asked last.
func (s *runner) count(channel string) string {
	n := len(s.discord.Posted(channel))
	for _, m := range s.shown {
		if a, ok := s.discord.Shown(m.message); ok && m.channel == channel && !a.Ephemeral {
			n++
		}
	}
	calls := len(slices.DeleteFunc(s.discord.Requests(), func(r discordtest.Request) bool {
		return strings.Contains(r.Path, "/applications/") || strings.HasSuffix(r.Path, "/gateway/bot") ||
			r.Method == http.MethodGet && strings.HasSuffix(r.Path, "/@original") // by HTTP, nothing else says its id
	}))
	calls, s.counted = calls-s.counted, calls
	return fmt.Sprintf("> messages: %d, calls: %d", n, calls)
}

// ids returns what is chosen in a menu, with the ids of channels and roles for their names.
func ids(label string) string {
	menu, list, several := strings.Cut(label, ": ")
	if !several {
		return label
	}
	if list == "none" {
		return menu + ": "
	}
	names := strings.Split(list, ", ")
	for n, name := range names {
		names[n] = cmp.Or(channels[name], map[string]string{"moderators": moderators, "bot": botRole}[name], name)
	}
	return menu + ": " + strings.Join(names, ", ")
}

// used finds the button that a player presses, or the menu with the option that she chooses: the message, its custom_id and the
// option's value.
func (s *runner) used(player, channel, label string) (message, customID string, values []string) {
	for _, own := range []bool{true, false} {
		for _, m := range slices.Backward(s.shown) {
			a, ok := s.discord.Shown(m.message)
			if !ok || m.channel != channel || own != (m.player == player) || !own && a.Ephemeral {
				continue
			}
			if customID, values, ok := a.Use(label); ok {
				return m.message, customID, values
			}
		}
	}
	for _, a := range slices.Backward(s.discord.Posted(channel)) {
		if customID, values, ok := a.Use(label); ok {
			return a.MessageID, customID, values
		}
	}
	s.t.Fatalf("there is no button or option %q", label)
	return "", "", nil
}

// again delivers an interaction that was answered. Discord refuses the second answer.
func (s *runner) again(call *discordtest.Call) []string {
	a, err := s.discord.Again(discordtest.Context(s.t), call)
	must(s.t, err)
	switch a.Type {
	case typeModal:
		return formLines(a)
	case typeDeferredUpdate:
		return []string{"(nothing)"}
	}
	return s.show(a, a.Type == typeUpdate)
}

// parse reads a command as a player types it: its name, its options, and the name
// of the last one.
func (s *runner) parse(text string) (command string, options map[string]any, last string) {
	at := strings.IndexByte(text, ':')
	if at < 0 {
		return text, nil, ""
	}
	space := strings.LastIndexByte(text[:at], ' ')
	command = text[:space]
	c, _ := s.find(command)
	values, last := readValues(text[space+1:], func(name string) bool {
		return slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Name == name })
	})
	options = map[string]any{}
	for name, value := range values {
		options[name] = s.value(c, name, value)
	}
	return command, options, last
}

// readValues reads names and values, and returns the last name too. A value ends at
// the next known name, or with its quote if it is a quoted string.
func readValues(text string, known func(name string) bool) (values map[string]string, last string) {
	values = map[string]string{}
	for text != "" {
		last, text, _ = strings.Cut(text, ":")
		value := text
		if end := nextName(text, known); end >= 0 {
			value, text = text[:end], text[end+1:]
		} else {
			text = ""
		}
		values[last] = value
	}
	return values, last
}

var optionName = regexp.MustCompile(` ([a-z-]+):`)

// nextName returns the index of the space before the next known name in a text that
// begins with a value; -1 if there is none.
func nextName(text string, known func(name string) bool) int {
	quoted, _ := strconv.QuotedPrefix(text) // empty if it is not quoted
	for _, m := range optionName.FindAllStringSubmatchIndex(text[len(quoted):], -1) {
		if known(text[len(quoted):][m[2]:m[3]]) {
			return len(quoted) + m[0]
		}
	}
	return -1
}

// value is an option's value as Discord sends it.
func (s *runner) value(c bot.Command, name, text string) any {
	text = unquoted(text)
	for _, o := range c.Options {
		switch {
		case o.Name == name && o.Kind == bot.FlagOption:
			return text == "true"
		case o.Name == name && o.Kind == bot.PlayerOption:
			return discordtest.UserOption(s.snowflake(text))
		}
	}
	return text
}

// unquoted returns the value of a quoted string, or any other text as it is.
func unquoted(text string) string {
	if says, err := strconv.Unquote(text); err == nil {
		return says
	}
	return text
}

var mentionedName = regexp.MustCompile(`<@[a-z]+>`)

// snowflake is a player's id.
func (s *runner) snowflake(name string) string {
	if name == "newspaper" {
		return string(league.Newspaper)
	}
	n := slices.Index(s.players, name)
	if n < 0 {
		n = len(s.players)
		s.players = append(s.players, name)
		s.names[strconv.Itoa(playerIDs+n)] = name
	}
	return strconv.Itoa(playerIDs + n)
}

// show writes an answer as scripts do, with names for ids.
func (s *runner) show(a discordtest.Answer, inPlace bool) []string {
	var lines []string
	if a.Ephemeral {
		lines = append(lines, "(private)")
	}
	if inPlace {
		lines = append(lines, "(in place)")
	}
	content := messageLink.ReplaceAllString(a.Content, "(link)")
	for n, name := range s.players {
		content = strings.ReplaceAll(content, "<@"+strconv.Itoa(playerIDs+n)+">", "<@"+name+">")
	}
	content = strings.ReplaceAll(content, "<@&"+moderators+">", "<@&moderators>")
	content = moment.ReplaceAllString(s.named(content), "$1$2(time)")
	for name, id := range channels {
		content = strings.ReplaceAll(content, "<#"+id+">", "<#"+name+">")
	}
	if content != "" || len(a.Files) == 0 {
		for line := range strings.SplitSeq(content, "\n") {
			lines = append(lines, strings.TrimSpace("> "+line))
		}
	}
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, ".json") {
			lines = append(lines, s.fileLine(f))
			continue
		}
		width, height, err := f.Size()
		must(s.t, err)
		lines = append(lines, fmt.Sprintf("> (picture %s, %d×%d: %s)", f.Name, width, height, moment.ReplaceAllString(f.Description, "$1$2(time)")))
	}
	if lines = append(lines, buttonLines(a.Components)...); a.Pings != nil {
		pings := strings.ReplaceAll(strings.Join(a.Pings, ", "), "<@&"+moderators+">", "moderators")
		for n, name := range s.players {
			pings = strings.ReplaceAll(pings, "<@"+strconv.Itoa(playerIDs+n)+">", name)
		}
		lines = append(lines, "> (notifies "+pings+")")
	}
	if a.Thread != "" {
		lines = append(lines, "> (thread: "+a.Thread+")")
	}
	return lines
}

// fileLine says which records an exported file has. Players' ids in it are those of the asker.
func (s *runner) fileLine(f discordtest.File) string {
	var file struct{ Records []struct{ Topic string } }
	must(s.t, json.Unmarshal(f.Data, &file))
	counts := map[string]int{}
	for _, r := range file.Records {
		counts[r.Topic]++
	}
	var topics []string
	for _, topic := range slices.Sorted(maps.Keys(counts)) {
		topics = append(topics, fmt.Sprint(counts[topic], " ", topic))
	}
	return fmt.Sprintf("> (file %s: %s)", f.Name, strings.Join(topics, ", "))
}

// messageLink matches a link to a message.
var messageLink = regexp.MustCompile(`https://discord\.com/channels/(@me|\d+)/\d+/\d+`)

// moment matches when a race starts or ends, and how long a racer took: by the clock of the fake Discord.
var moment = regexp.MustCompile(`( starts | ends )<t:\d+:R>|( in \d, | guess(?:es)?, )\d+:\d\d`)

var mention = regexp.MustCompile(`</([a-z -]+):(\d+)>((?: \*\*[a-z-]+:[^*]+\*\*)?)`)

// named leaves out the ids with which a text names commands. It reports an error for one that
// is not the id of a registered command with such options.
func (s *runner) named(content string) string {
	if n := s.discord.Registrations(); n != s.registrations {
		s.registered, s.registrations = nil, n
		mustDecode(s.t, s.discord.Commands(""), &s.registered)
	}
	return mention.ReplaceAllStringFunc(content, func(text string) string {
		m := mention.FindStringSubmatch(text)
		first, _, _ := strings.Cut(m[1], " ")
		c, ok := s.find(m[1])
		for _, o := range optionName.FindAllStringSubmatch(strings.ReplaceAll(m[3], "*", ""), -1) {
			ok = ok && slices.ContainsFunc(c.Options, func(have bot.Option) bool { return have.Name == o[1] })
		}
		if !ok || !slices.Contains(s.registered, registeredCommand{m[2], first}) {
			s.t.Errorf("no command can be clicked as %s", text)
		}
		return "</" + m[1] + ">" + m[3]
	})
}

// formLines writes a form: its title, then each field with what is in it, its
// example and its limits.
func formLines(a discordtest.Answer) []string {
	lines := []string{"(form)", "> " + a.Title}
	for line := range strings.Lines(a.Content) {
		lines = append(lines, strings.TrimSpace("> "+line))
	}
	for _, label := range a.Inputs {
		i := label.Inner
		line := fmt.Sprintf("> %s, %s: %q", label.Label, i.CustomID, i.Value)
		if i.Placeholder != "" {
			line += fmt.Sprintf(" such as %q", i.Placeholder)
		}
		line += fmt.Sprintf(" (at most %d", *i.MaxLength)
		if *i.Required {
			line += ", required"
		}
		lines = append(lines, line+")")
	}
	return lines
}

// idName is the name that scripts use for a channel or role.
func idName(id string) string {
	for name, known := range channels {
		if known == id {
			return name
		}
	}
	return map[string]string{moderators: "moderators", botRole: "bot"}[id]
}

// buttonLines writes buttons, one row a line.
func buttonLines(buttons []discordtest.Component) []string {
	var lines []string
	for i, b := range buttons {
		text := strings.TrimSpace(b.Emoji.Name + " " + b.Label)
		for n, o := range b.Options {
			text += map[bool]string{true: b.Placeholder + ": ", false: " | "}[n == 0] + o.Label + map[bool]string{true: "✓"}[o.Default]
		}
		if b.Options == nil && b.Placeholder != "" {
			text = b.Placeholder + ":"
		}
		for _, d := range b.Defaults {
			text += " " + map[string]string{"role": "@", "channel": "#"}[d.Type] + idName(d.ID)
		}
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
