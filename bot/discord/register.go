package discord

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
)

// commandSpec is a command as it is registered with Discord, see
// discord.com/developers/docs/interactions/application-commands.
type commandSpec struct {
	Name        string       `json:"name"`
	Type        int          `json:"type"`
	Description string       `json:"description"`
	Options     []optionSpec `json:"options,omitempty"`
	// Contexts and IntegrationTypes are for commands that are registered
	// everywhere; commands of one server have none.
	Contexts         []int `json:"contexts,omitempty"`
	IntegrationTypes []int `json:"integration_types,omitempty"`
}

type optionSpec struct {
	Type         discordgo.ApplicationCommandOptionType `json:"type"`
	Name         string                                 `json:"name"`
	Description  string                                 `json:"description"`
	Required     bool                                   `json:"required,omitempty"`
	Autocomplete bool                                   `json:"autocomplete,omitempty"`
	Choices      []choice                               `json:"choices,omitempty"`
	Options      []optionSpec                           `json:"options,omitempty"`
}

const (
	chatInput    = 1 // the type of slash commands
	contextGuild = 0
	contextDM    = 1 // direct messages with the bot
	contextGroup = 2 // other private messages
	guildInstall = 0
	userInstall  = 1
)

// specs returns the commands as they are registered, everywhere or in one server:
// commands with the same first word become subcommands of one command.
func specs(table bot.Table, everywhere bool) []commandSpec {
	var all []commandSpec
	top := func(name, help string) *commandSpec {
		i := slices.IndexFunc(all, func(c commandSpec) bool { return c.Name == name })
		if i < 0 {
			i = len(all)
			c := commandSpec{Name: name, Type: chatInput, Description: help}
			if everywhere {
				c.Contexts = []int{contextGuild, contextDM, contextGroup}
				c.IntegrationTypes = []int{guildInstall, userInstall}
			}
			all = append(all, c)
		}
		return &all[i]
	}
	for _, c := range table.Commands {
		first, second, two := strings.Cut(c.Name, " ")
		if !two {
			top(first, c.Help).Options = optionSpecs(c.Options)
			continue
		}
		group := top(first, table.Groups[first])
		group.Options = append(group.Options, optionSpec{
			Type: discordgo.ApplicationCommandOptionSubCommand, Name: second, Description: c.Help,
			Options: optionSpecs(c.Options),
		})
	}
	return all
}

func optionSpecs(options []bot.Option) []optionSpec {
	var all []optionSpec
	for _, o := range options {
		s := optionSpec{Name: o.Name, Description: o.Help, Required: o.Required, Autocomplete: o.Complete != nil}
		switch o.Kind {
		case bot.TextOption:
			s.Type = discordgo.ApplicationCommandOptionString
		case bot.FlagOption:
			s.Type = discordgo.ApplicationCommandOptionBoolean
		case bot.PlayerOption:
			s.Type = discordgo.ApplicationCommandOptionUser
		}
		for _, c := range o.Choices {
			s.Choices = append(s.Choices, choice{c, c})
		}
		all = append(all, s)
	}
	return all
}

// register replaces the commands that Discord has by ours if they differ, all in
// one call. It tries until ctx ends, and returns only ErrToken.
func register(ctx context.Context, api *rest, table bot.Table, app, guild string, log *slog.Logger) error {
	address := discordgo.EndpointApplicationGlobalCommands(app)
	if guild != "" {
		address = discordgo.EndpointApplicationGuildCommands(app, guild)
	}
	want := specs(table, guild == "")
	for wait := 2 * time.Second; ; wait = min(2*wait, 5*time.Minute) {
		changed, err := overwrite(ctx, api, address, want)
		switch {
		case err == nil:
			log.Info("commands are registered", "changed", changed, "guild", guild)
			return nil
		case finalError(err) != nil:
			return finalError(err)
		case ctx.Err() != nil:
			return nil
		}
		log.Error("commands could not be registered; trying again", "error", err, "wait", wait)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait + rand.N(wait/2)):
		}
	}
}

// overwrite replaces the commands at the address, unless they are right already.
func overwrite(ctx context.Context, api *rest, address string, want []commandSpec) (changed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err = retry(ctx, func() error {
		have, err := api.call(ctx, http.MethodGet, address, nil)
		if err == nil && same(have, want) {
			return nil
		}
		if finalError(err) != nil {
			return err
		}
		// If the commands could not be read, overwriting them does no harm.
		changed = true
		_, err = api.call(ctx, http.MethodPut, address, want)
		return err
	})
	return changed, err
}

// same reports whether the commands that Discord has are ours. Discord adds fields,
// may or may not return what is false or empty, and orders the commands its own
// way.
func same(have []byte, want []commandSpec) bool {
	var haveAny, wantAny []map[string]any
	b, err := json.Marshal(want)
	if err != nil || json.Unmarshal(b, &wantAny) != nil || json.Unmarshal(have, &haveAny) != nil || len(haveAny) != len(wantAny) {
		return false
	}
	for _, w := range wantAny {
		if !slices.ContainsFunc(haveAny, func(h map[string]any) bool { return covers(h, w) }) {
			return false
		}
	}
	return true
}

// compared are the fields that must agree. Contexts and integration types are
// compared only where we set them: elsewhere Discord fills them in.
var (
	compared = []string{"name", "type", "description", "options", "required", "autocomplete", "choices", "value"}
	filledIn = []string{"contexts", "integration_types"}
)

// covers reports whether have agrees with want in all these fields.
func covers(have, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		have, ok := have.(map[string]any)
		if !ok {
			return false
		}
		for _, name := range compared {
			if !covers(have[name], want[name]) {
				return false
			}
		}
		for _, name := range filledIn {
			if want[name] != nil && !covers(have[name], want[name]) {
				return false
			}
		}
		return true
	case []any:
		have, ok := have.([]any)
		return ok && slices.EqualFunc(have, want, covers)
	case nil:
		return isEmpty(have)
	}
	return have == want
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case []any:
		return len(v) == 0
	}
	return false
}
