package application

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
)

// strictRegistrations do nothing once the context has ended, as a database does, and fail to
// read the list the next failing times.
type strictRegistrations struct {
	Registrations
	failing int
}

func (s *strictRegistrations) CommandGuilds(ctx context.Context) ([]game.GuildID, error) {
	if s.failing > 0 {
		s.failing--
		return nil, errors.New("no connection")
	}
	return s.Registrations.CommandGuilds(ctx)
}

func (s *strictRegistrations) SetCommandGuilds(ctx context.Context, guilds []game.GuildID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.Registrations.SetCommandGuilds(ctx, guilds)
}

// TestOnePlace: commands are in the server that is named, or everywhere if none is, and nowhere else: what was
// registered elsewhere before is removed there, with one call, once.
func TestOnePlace(t *testing.T) {
	const tries = 5 // of a call
	t.Parallel()
	const other = "1600000000000000002"
	in := func(s *discordtest.Server, guild string) int {
		var all []struct{}
		mustDecode(t, s.Commands(guild), &all)
		return len(all)
	}
	commands := len(specs(table(), true))
	const appCommands = "/applications/1100000000000000001/commands"
	for name, test := range map[string]struct {
		starts  []string // the server that each start names
		trouble func(*discordtest.Server)
		unread  int // the start, after the first, that cannot read where commands were registered
		calls   int // of the starts after the first, for commands
		want    map[string]int
	}{
		"named later":           {[]string{"", server, server}, nil, 0, 6, map[string]int{server: commands}},
		"named for a while":     {[]string{"", server, "", ""}, nil, 0, 8, map[string]int{"": commands}},
		"tried the next time":   {[]string{"", server, server}, func(s *discordtest.Server) { s.FailNext("PUT", appCommands, 500, tries) }, 0, 3 + tries + 3, map[string]int{server: commands}},
		"no longer named":       {[]string{server, "", ""}, nil, 0, 4, map[string]int{"": commands}},
		"another one named":     {[]string{server, other, other}, nil, 0, 6, map[string]int{other: commands}},
		"the bot is not there":  {[]string{server, "", ""}, func(s *discordtest.Server) { s.FailNext("PUT", "/guilds/", 403, 1) }, 0, 4, map[string]int{"": commands, server: commands}},
		"tried again next time": {[]string{server, "", "", ""}, func(s *discordtest.Server) { s.FailNext("PUT", "/guilds/", 500, tries) }, 0, 2 + tries + 2 + 1, map[string]int{"": commands}},
		"list not read once":    {[]string{server, other, ""}, nil, 1, 3 + 2 + 1, map[string]int{"": commands, other: commands}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, store := discordtest.New(t, discordtest.Options{Guilds: []string{server, other}}), &strictRegistrations{Registrations: new(registrations)}
			api, names := mustCall(t, s), new(interaction.Names)
			first := 0
			for n, guild := range test.starts {
				if n > 0 && n == test.unread {
					store.failing = 1
				}
				must(t, Commands{api, time.Hour, table(), s.AppID(), guild, names, store, discordtest.NewLog(t).Logger}.Keep(discordtest.Context(t), true))
				if n == 0 {
					first = len(s.Requests())
					if test.trouble != nil {
						test.trouble(s)
					}
				}
			}
			for _, guild := range []string{"", server, other} {
				if got := in(s, guild); got != test.want[guild] {
					t.Errorf("in %q there are %d commands, want %d", guild, got, test.want[guild])
				}
			}
			if n := len(s.Requests()) - first; n != test.calls {
				t.Errorf("%d calls, want %d", n, test.calls)
			}
			if text := interaction.Text((&interaction.Deliverer{Names: names}).Render("", interaction.Result{Reply: bot.Ephemeral(bot.Text(bot.Slash(wordgame.Commands.Guess)))}).Components); !strings.HasPrefix(text, "</guess:") {
				t.Errorf("a command is named %s", text)
			}
		})
	}
}

func TestRegister(t *testing.T) {
	t.Parallel()
	other := []commandSpec{{Name: "other", Type: discordgo.ChatApplicationCommand, Description: "Of another release"}}
	for name, test := range map[string]struct {
		there    []commandSpec // registered before; nil for the right ones
		trouble  func(*discordtest.Server)
		puts     int // how many were accepted after that
		requests int
		err      error
	}{
		"nothing to do":     {nil, nil, 0, 1, nil},
		"other commands":    {other, nil, 1, 2, nil},
		"look fails":        {nil, func(s *discordtest.Server) { s.FailNext("GET", "/commands", 500, 1) }, 0, 2, nil},
		"refused for now":   {other, func(s *discordtest.Server) { s.FailNext("PUT", "/commands", 403, 1) }, 1, 4, nil},
		"look: wrong token": {other, func(s *discordtest.Server) { s.FailNext("GET", "/commands", 401, 9) }, 0, 1, calls.ErrToken},
		"wrong token":       {other, func(s *discordtest.Server) { s.FailNext("PUT", "/commands", 401, 9) }, 0, 2, calls.ErrToken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			api := mustCall(t, s)
			there := test.there
			if there == nil {
				there = specs(table(), true)
			}
			_, err := api.Call(t.Context(), "PUT", discordgo.EndpointApplicationGlobalCommands(s.AppID()), there)
			must(t, err)
			if test.trouble != nil {
				test.trouble(s)
			}
			err = Commands{API: api, Timeout: time.Hour, Table: table(), App: s.AppID(), Names: new(interaction.Names), Log: discordtest.NewLog(t).Logger}.Keep(discordtest.Context(t), true)
			if !errors.Is(err, test.err) {
				t.Errorf("got %v, want %v", err, test.err)
			}
			if n := s.Registrations() - 1; n != test.puts {
				t.Errorf("overwrote %d times, want %d", n, test.puts)
			}
			if n := len(s.Requests()) - 1; n != test.requests {
				t.Errorf("%d requests, want %d", n, test.requests)
			}
			if test.err == nil && !same(s.Commands(""), specs(table(), true)) {
				t.Errorf("in the end there are %s", s.Commands(""))
			}
		})
	}
}

func TestRegisterEndsWithContext(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	s.FailNext("", "/commands", 403, -1)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- Commands{API: mustCall(t, s), Timeout: time.Hour, Table: table(), App: s.AppID(), Names: new(interaction.Names), Log: discordtest.NewLog(t).Logger}.Keep(ctx, true)
	}()
	must(t, s.WaitRequests(discordtest.Context(t), 2))
	cancel()
	must(t, <-done)
}

// TestNotInServer: for a server that the bot is not in, the log says once what to do, and the commands are registered
// when it is there.
func TestNotInServer(t *testing.T) {
	t.Parallel()
	s, log := discordtest.New(t, discordtest.Options{}), discordtest.NewLog(t)
	var names interaction.Names
	synctest.Test(t, func(t *testing.T) {
		api := calls.New(calls.Options{Token: s.Token(), Log: log.Logger, Transport: s})
		done := make(chan error)
		go func() {
			done <- Commands{API: api, Timeout: time.Hour, Table: table(), App: s.AppID(), Guild: server, Names: &names, Log: log.Logger}.Keep(t.Context(), true)
		}()
		time.Sleep(time.Hour)
		s.SetGuild(discordtest.Guild{ID: server})
		joined := time.Now()
		must(t, <-done)
		if took := time.Since(joined); took > time.Minute {
			t.Errorf("the commands were registered after %v", took)
		}
	})
	text := log.String()
	if n := strings.Count(text, "WARN"); n != 1 || !strings.Contains(text, "the bot is not in server "+server+": invite it there, or correct DISCORD_GUILD_ID") {
		t.Errorf("the log has %s", text)
	}
}

// TestPressed: what is only on buttons is not registered.
func TestPressed(t *testing.T) {
	solve := slices.IndexFunc(specs(table(), true), func(c commandSpec) bool { return c.Name == "solve" })
	var names []string
	for _, o := range specs(table(), true)[solve].Options {
		names = append(names, o.Name)
	}
	if want := []string{"next", "new", "show", "boards"}; !slices.Equal(names, want) {
		t.Errorf("/solve has %q, want %q", names, want)
	}
}

// TestOnMessage: a command on a message has its own type, a capital, and nothing that Discord refuses there.
func TestOnMessage(t *testing.T) {
	b, err := json.Marshal(specs(table(), true))
	must(t, err)
	if want := `{"name":"Import results","type":3,"contexts":[0,1,2],"integration_types":[0,1]}`; !strings.Contains(string(b), want) {
		t.Errorf("there is no %s in %s", want, b)
	}
}

// TestSame compares our commands with what Discord might return for them.
func TestSame(t *testing.T) {
	t.Parallel()
	want := specs(table(), true)
	s := discordtest.New(t, discordtest.Options{})
	api := mustCall(t, s)
	_, err := api.Call(t.Context(), "PUT", discordgo.EndpointApplicationGlobalCommands(s.AppID()), want)
	must(t, err)

	type object = map[string]any
	command := func(all []object, name string) object {
		return all[slices.IndexFunc(all, func(c object) bool { return c["name"] == name })]
	}
	option := func(c object, n int) object { return c["options"].([]any)[n].(object) }
	for name, test := range map[string]struct {
		change func([]object) []object
		same   bool
	}{
		"as it is":         {func(all []object) []object { return all }, true},
		"false and null":   {func(all []object) []object { option(command(all, "guess"), 0)["choices"] = nil; return all }, true},
		"empty list":       {func(all []object) []object { option(command(all, "stats"), 0)["choices"] = []any{}; return all }, true},
		"fields we ignore": {func(all []object) []object { command(all, "stats")["nsfw"] = true; return all }, true},
		"one missing":      {func(all []object) []object { return all[1:] }, false},
		"one more":         {func(all []object) []object { return append(all, object{"name": "x", "type": 1.0}) }, false},
		"other help":       {func(all []object) []object { command(all, "guess")["description"] = "x"; return all }, false},
		"other contexts":   {func(all []object) []object { command(all, "guess")["contexts"] = []any{0.0}; return all }, false},
		"option required":  {func(all []object) []object { option(command(all, "stats"), 0)["required"] = true; return all }, false},
		"no autocomplete":  {func(all []object) []object { delete(option(command(all, "guess"), 0), "autocomplete"); return all }, false},
		"other choices": {func(all []object) []object {
			o := option(command(all, "hint"), 0)
			o["choices"] = o["choices"].([]any)[1:]
			return all
		}, false},
		"options gone": {func(all []object) []object { delete(command(all, "guess"), "options"); return all }, false},
	} {
		t.Run(name, func(t *testing.T) {
			var have []object
			mustDecode(t, s.Commands(""), &have)
			b, err := json.Marshal(test.change(have))
			must(t, err)
			if got := same(b, want); got != test.same {
				t.Errorf("got %t, want %t", got, test.same)
			}
		})
	}
	for _, text := range []string{"", "null", "{}", `{"message":"no"}`, "[]", "[null]"} {
		if same([]byte(text), want) {
			t.Errorf("%q is the same", text)
		}
	}
}
