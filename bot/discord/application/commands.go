// Package application keeps the bot's application on Discord up to date: its commands, its emojis for tiles, and the settings of the
// developer portal for interactions by HTTP.
package application

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
	"fivefold/game"
)

// commandSpec is a registered command, see
// discord.com/developers/docs/interactions/application-commands.
type commandSpec struct {
	Name        string                           `json:"name"`
	Type        discordgo.ApplicationCommandType `json:"type"`
	Description string                           `json:"description,omitempty"` // none for a command on a message
	Options     []optionSpec                     `json:"options,omitempty"`
	// Contexts and IntegrationTypes are for commands that are registered
	// everywhere; commands of one server have none.
	Contexts         []discordgo.InteractionContextType     `json:"contexts,omitempty"`
	IntegrationTypes []discordgo.ApplicationIntegrationType `json:"integration_types,omitempty"`
}

type optionSpec struct {
	Type         discordgo.ApplicationCommandOptionType `json:"type"`
	Name         string                                 `json:"name"`
	Description  string                                 `json:"description"`
	Required     bool                                   `json:"required,omitempty"`
	Autocomplete bool                                   `json:"autocomplete,omitempty"`
	Choices      []interaction.Choice                   `json:"choices,omitempty"`
	Options      []optionSpec                           `json:"options,omitempty"`
}

// specs returns the commands to register, everywhere or in one server. Commands with the same first word become subcommands of one
// command.
func specs(table bot.Table, everywhere bool) []commandSpec {
	var all []commandSpec
	top := func(name, help string) *commandSpec {
		i := slices.IndexFunc(all, func(c commandSpec) bool { return c.Name == name })
		if i < 0 {
			i = len(all)
			c := commandSpec{Name: name, Type: discordgo.ChatApplicationCommand, Description: help}
			if everywhere {
				c.Contexts = append(serverContexts, discordgo.InteractionContextPrivateChannel)
				c.IntegrationTypes = append(serverInstall, discordgo.ApplicationIntegrationUserInstall)
			}
			all = append(all, c)
		}
		return &all[i]
	}
	for _, c := range table.Commands {
		if c.Pressed {
			continue
		}
		first, second, two := strings.Cut(c.Name, " ")
		if c.OnMessage {
			top(bot.Capital(c.Name), "").Type = discordgo.MessageApplicationCommand
			continue
		}
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

// forServers returns the commands as an application has them that only servers can install.
func forServers(commands []commandSpec) []commandSpec {
	commands = slices.Clone(commands)
	for i := range commands {
		commands[i].Contexts, commands[i].IntegrationTypes = serverContexts, serverInstall
	}
	return commands
}

// If only servers can install the application, its commands work in serverContexts, and serverInstall is how it is installed.
var (
	serverContexts = slices.Clip([]discordgo.InteractionContextType{discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM})
	serverInstall  = slices.Clip([]discordgo.ApplicationIntegrationType{discordgo.ApplicationIntegrationGuildInstall})
)

func optionSpecs(options []bot.Option) []optionSpec {
	var all []optionSpec
	for _, o := range options {
		if o.Secret {
			continue
		}
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
			s.Choices = append(s.Choices, interaction.Choice{Name: c, Value: c})
		}
		all = append(all, s)
	}
	return all
}

// Registrations stores the servers that have commands of their own.
type Registrations interface {
	CommandGuilds(context.Context) ([]game.GuildID, error)
	SetCommandGuilds(context.Context, []game.GuildID) error
}

// Commands registers the commands.
type Commands struct {
	API        *calls.Client
	Timeout    time.Duration // for reading and replacing the commands of one server, or the global ones
	Table      bot.Table
	App, Guild string // Guild is empty to register everywhere
	Names      *interaction.Names
	Remembered Registrations // nil remembers nothing
	Log        *slog.Logger
}

// Keep makes sure that Discord has this version's commands, learns their ids, and removes the commands of other servers. If
// registers is set, it registers the commands; otherwise it waits until another process or "fivefold register" has done so.
// It tries until ctx ends; its only error is ErrToken.
func (r Commands) Keep(ctx context.Context, registers bool) error {
	success, failure, try := "registered the commands", "could not register the commands", r.replace
	if !registers {
		success, failure, try = "found the registered commands", "could not find the registered commands; texts may name them in bold", r.read
	}
	changed := false
	done, err := calls.Patiently(ctx, r.Log, failure, 2*time.Second, time.Minute, func() (err error) {
		var there []byte
		there, changed, err = try(ctx)
		r.Names.LearnCommands(there)
		return err
	})
	if done {
		r.Log.Info(success, "changed", changed, "guild", r.Guild)
		r.clean(ctx)
	}
	return err
}

// RegisterOnce registers the commands. It reports whether it had to change any.
func (r Commands) RegisterOnce(ctx context.Context) (changed bool, err error) {
	if _, changed, err = r.replace(ctx); err == nil {
		r.clean(ctx)
	}
	return changed, err
}

// address returns the address of a server's commands; "" is for the commands that are registered everywhere.
func (r Commands) address(guild string) string {
	if guild == "" {
		return discordgo.EndpointApplicationGlobalCommands(r.App)
	}
	return discordgo.EndpointApplicationGuildCommands(r.App, guild)
}

// replace replaces the commands on Discord by ours if they differ, and returns them as Discord has them.
func (r Commands) replace(ctx context.Context) (there []byte, changed bool, err error) {
	want := specs(r.Table, r.Guild == "")
	there, changed, err = r.overwrite(ctx, r.address(r.Guild), want)
	if r.Guild == "" && calls.IsStatus(err, http.StatusBadRequest) {
		// The developer portal can forbid that players install the application for themselves.
		r.Log.Warn("could not register the commands for users; trying for servers only, see docs/operating.md", "error", err)
		there, changed, err = r.overwrite(ctx, r.address(r.Guild), forServers(want))
	}
	return there, changed, r.explained(err)
}

// explained adds advice to Discord's refusal of commands for a server that the bot has not joined.
func (r Commands) explained(err error) error {
	if r.Guild == "" || !calls.IsNoWay(err) || calls.FinalError(err) != nil {
		return err
	}
	return fmt.Errorf("the bot is not in server %s: invite it there, or correct DISCORD_GUILD_ID (%w)", r.Guild, err)
}

// read returns the commands as Discord has them, with an error if they are not ours.
func (r Commands) read(ctx context.Context) (there []byte, changed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	want := specs(r.Table, r.Guild == "")
	there, err = r.API.Retried(ctx, "", http.MethodGet, r.address(r.Guild), nil)
	if err == nil && !same(there, want) && !same(there, forServers(want)) {
		err = errors.New(`the registered commands are not those of this version: run "fivefold register"`)
	}
	return there, false, r.explained(err)
}

// clean removes the commands that earlier runs registered elsewhere. With r.Guild, it removes the global ones and those of
// other servers. Without, it removes those of single servers. It records the servers that still have commands.
func (r Commands) clean(ctx context.Context) {
	if r.Guild != "" {
		_, changed, err := r.overwrite(ctx, r.address(""), []commandSpec{})
		switch {
		case err == nil && changed:
			r.Log.Warn("commands are now in server "+r.Guild+" only; removed everywhere else", "guild", r.Guild)
		case err != nil && ctx.Err() == nil:
			r.Log.Warn("could not remove the commands from other servers; the next start tries again", "error", err)
		}
	}
	if r.Remembered == nil {
		return
	}
	known, err := r.Remembered.CommandGuilds(ctx)
	kept := []game.GuildID{}
	if r.Guild != "" {
		kept = append(kept, game.GuildID(r.Guild))
	}
	for _, guild := range known {
		if string(guild) == r.Guild {
			continue
		}
		timed, cancel := context.WithTimeout(ctx, r.Timeout)
		_, err := r.API.Retried(timed, "", http.MethodPut, r.address(string(guild)), []commandSpec{})
		cancel()
		switch {
		case err == nil, calls.IsStatus(err, http.StatusForbidden), calls.IsStatus(err, http.StatusNotFound): // the bot is not there any more
			r.Log.Info("removed the commands of a server", "guild", guild)
		default:
			r.Log.Warn("could not remove the commands of a server; the next start tries again", "guild", guild, "error", err)
			kept = append(kept, guild)
		}
	}
	if err == nil && !slices.Equal(known, kept) {
		err = r.Remembered.SetCommandGuilds(ctx, kept)
	}
	if err != nil && ctx.Err() == nil {
		r.Log.Warn("could not record where commands are registered", "error", err)
	}
}

// overwrite replaces the commands at the address if they differ. It returns them as Discord has them.
func (r Commands) overwrite(ctx context.Context, address string, want []commandSpec) (there []byte, changed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	there, err = r.API.Retried(ctx, "", http.MethodGet, address, nil)
	if err == nil && same(there, want) || calls.FinalError(err) != nil {
		return there, false, err
	}
	// If the commands could not be read, overwriting them does no harm.
	there, err = r.API.Retried(ctx, "", http.MethodPut, address, want)
	return there, true, err
}

// same reports whether the commands on Discord are ours. Discord adds fields, may leave out false and empty ones, orders the commands
// its own way, and fills in contexts and integration types if we set none.
func same(have []byte, want []commandSpec) bool {
	var there []commandSpec
	if json.Unmarshal(have, &there) != nil || len(there) != len(want) {
		return false
	}
	for _, w := range want {
		ours, err := json.Marshal(w)
		if err != nil || !slices.ContainsFunc(there, func(h commandSpec) bool {
			if w.Contexts == nil {
				h.Contexts, h.IntegrationTypes = nil, nil
			}
			its, err := json.Marshal(h)
			return err == nil && bytes.Equal(its, ours)
		}) {
			return false
		}
	}
	return true
}
