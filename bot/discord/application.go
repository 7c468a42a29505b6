package discord

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
	"fivefold/game"
)

// application is what Discord says about the bot's application.
type application struct {
	ID       string `json:"id"`
	Key      string `json:"verify_key"`
	Endpoint string `json:"interactions_endpoint_url"` // empty if interactions come over the gateway
}

func readApplication(body []byte) (application, error) {
	var a application
	if err := json.Unmarshal(body, &a); err != nil || !calls.IsSnowflake(a.ID) {
		return a, errors.New("Discord does not say which application this is")
	}
	return a, nil
}

// askApplication asks what the bot's application is.
func askApplication(ctx context.Context, api *calls.Client) (application, error) {
	body, err := api.Call(ctx, http.MethodGet, discordgo.EndpointApplication("@me"), nil)
	if err != nil {
		return application{}, err
	}
	return readApplication(body)
}

// ErrPublicKey means that the public key is not that of the bot's application.
var ErrPublicKey = errors.New("the public key is not that of this bot")

// relearn is the longest wait between two looks at the registered commands, as long as they are
// not ours.
const relearn = 5 * time.Minute

// prepareHTTP does what the gateway's READY would start: it finds out which application
// this is and the ids of its commands, and says what is still to be done on the developer
// portal. It registers nothing, since processes that serve HTTP are all alike: there is a command
// of its own for that. It tries until ctx ends; its errors are final.
func prepareHTTP(ctx context.Context, o Options, api *calls.Client, n *names, t timings, known func(app string)) error {
	var about application
	for wait := t.gateway.MinBackoff; ; wait = min(2*wait, t.gateway.MaxBackoff) {
		var err error
		if about, err = askApplication(ctx, api); err == nil {
			break
		}
		if final := calls.FinalError(err); final != nil {
			return final
		}
		if ctx.Err() != nil {
			return nil
		}
		o.Log.Warn("could not ask Discord which application this is; trying again", "error", err, "wait", wait)
		if calls.Sleep(ctx, wait/2+rand.N(wait/2+1)) != nil {
			return nil
		}
	}
	if key, err := endpoint.ParsePublicKey(about.Key); err == nil && !key.Equal(o.HTTP.PublicKey) {
		return ErrPublicKey
	}
	portal := "https://discord.com/developers/applications/" + about.ID + "/information"
	switch {
	case about.Endpoint == "":
		o.Log.Warn("Discord has no address to post interactions to: enter this bot's public address as Interactions Endpoint URL on the developer portal",
			"enter", "https://YOUR-ADDRESS"+o.HTTP.Path, "portal", portal)
	default:
		o.Log.Info("Discord posts interactions", "to", about.Endpoint)
		if !strings.HasSuffix(about.Endpoint, o.HTTP.Path) {
			o.Log.Warn("the path of the Interactions Endpoint URL on the developer portal differs from this bot's", "path", o.HTTP.Path, "portal", portal)
		}
	}
	if o.Tiles {
		known(about.ID)
	}
	r := registration{api, t.register, o.Bot.Table, about.ID, o.Guild, &n.commands, o.Registrations, o.Log}
	guilds := r.remember(ctx)
	for warned := false; ; {
		there := r.learn(ctx)
		if r.areOurs(there) {
			break
		}
		if there != nil && !warned {
			warned = true
			o.Log.Warn("the registered commands are not those of this version: run \"fivefold register\"")
		}
		if calls.Sleep(ctx, relearn/2+rand.N(relearn/2)) != nil {
			return nil
		}
	}
	o.Log.Info("found the registered commands")
	r.clean(ctx, guilds)
	return nil
}

// areOurs reports whether commands, as Discord has them, are those of this version.
func (r registration) areOurs(there []byte) bool {
	commands := specs(r.table, r.guild == "")
	return same(there, commands) || same(there, forServers(commands))
}

// serverRemoved is called when a server has removed the bot. What was played there is kept: the
// server may invite the bot again.
func serverRemoved(ctx context.Context, o Options, t timings, guild string) {
	o.Log.Info("a server has removed the bot", "guild", guild)
	if o.Registrations == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, t.send)
	defer cancel()
	known, err := o.Registrations.CommandGuilds(ctx)
	if at := slices.Index(known, game.GuildID(guild)); err == nil && at >= 0 && guild != o.Guild {
		err = o.Registrations.SetCommandGuilds(ctx, slices.Delete(known, at, at+1))
	}
	if err != nil {
		o.Log.Warn("could not save that a server has removed the bot", "guild", guild, "error", err)
	}
}

// Register registers the commands, everywhere or in Options.Guild, and reports whether it had to
// change any. Of the other options it needs the token, the address, the bot's table and the log.
// The error is ErrToken if Discord refuses the token; otherwise it says what failed in the end,
// after some tries.
func Register(ctx context.Context, o Options) (changed bool, err error) {
	return register(ctx, o, o.usualTimings())
}

func register(ctx context.Context, o Options, t timings) (changed bool, err error) {
	api, err := calls.New(calls.Options{Token: o.Token, BaseURL: o.BaseURL, Timeout: t.call, Log: o.Log})
	if err != nil {
		return false, err
	}
	var about application
	err = calls.Retry(ctx, func() (err error) { about, err = askApplication(ctx, api); return err })
	if err == nil {
		changed, err = registration{api: api, timeout: t.register, table: o.Bot.Table, app: about.ID, guild: o.Guild, log: o.Log}.once(ctx)
	}
	if final := calls.FinalError(err); final != nil {
		err = final
	}
	return changed, err
}
