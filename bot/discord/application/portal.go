package application

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
	"fivefold/game/work"
)

// Application is the bot's application on Discord.
type Application struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Key      string `json:"verify_key"`
	Endpoint string `json:"interactions_endpoint_url"` // empty if interactions come over the gateway
}

// AskOnce asks what the bot's application is, with retries.
func AskOnce(ctx context.Context, api *calls.Client) (a Application, err error) {
	body, err := api.Retried(ctx, "", http.MethodGet, discordgo.EndpointApplication("@me"), nil)
	if err == nil && (json.Unmarshal(body, &a) != nil || !calls.IsSnowflake(a.ID)) {
		return Application{}, errors.New("Discord does not say which application this is")
	}
	return a, err
}

// Ask asks what the bot's application is until ctx ends, when it returns the zero value. Its only error is ErrToken.
func Ask(ctx context.Context, api *calls.Client, log *slog.Logger) (about Application, err error) {
	_, err = calls.Patiently(ctx, time.Second, 30*time.Second,
		func() (err error) { about, err = AskOnce(ctx, api); return err },
		func(err error, wait time.Duration) {
			log.Warn("could not ask Discord which application this is; trying again", "error", err, "wait", wait)
		})
	return about, err
}

// ErrPublicKey means that the public key is not that of the bot's application.
var ErrPublicKey = errors.New("the public key is not that of this bot")

// relearn is the longest wait between two looks at the registered commands, until they are ours.
const relearn = 5 * time.Minute

// Prepare is for a bot that takes interactions by HTTP. It learns the ids of the commands, and logs what is left to do on the
// developer portal. It registers nothing, since processes that serve HTTP are all alike: "fivefold register" does. It tries
// until ctx ends; its only error is ErrPublicKey.
func (r Commands) Prepare(ctx context.Context, about Application, path string, key ed25519.PublicKey) error {
	if its, err := endpoint.ParsePublicKey(about.Key); err == nil && !its.Equal(key) {
		return ErrPublicKey
	}
	portal := "https://discord.com/developers/applications/" + about.ID + "/information"
	switch {
	case about.Endpoint == "":
		r.Log.Warn("Discord has no address to post interactions to: enter this bot's public address as Interactions Endpoint URL on the developer portal",
			"enter", "https://YOUR-ADDRESS"+path, "portal", portal)
	default:
		r.Log.Info("Discord posts interactions", "to", about.Endpoint)
		if !strings.HasSuffix(about.Endpoint, path) {
			r.Log.Warn("the path of the Interactions Endpoint URL on the developer portal differs from this bot's", "path", path, "portal", portal)
		}
	}
	said := ""
	for warned := false; ; {
		there := r.Learn(ctx, &said)
		if r.areOurs(there) {
			break
		}
		if there != nil && !warned {
			warned = true
			r.Log.Warn("the registered commands are not those of this version: run \"fivefold register\"")
		}
		if work.Sleep(ctx, relearn/2+rand.N(relearn/2)) != nil {
			return nil
		}
	}
	r.Log.Info("found the registered commands")
	r.clean(ctx)
	return nil
}

// areOurs reports whether the commands on Discord are those of this version.
func (r Commands) areOurs(there []byte) bool {
	commands := specs(r.Table, r.Guild == "")
	return same(there, commands) || same(there, forServers(commands))
}

// RegisterOnce registers the commands. It reports whether it had to change any.
func (r Commands) RegisterOnce(ctx context.Context) (changed bool, err error) {
	if _, changed, err = r.once(ctx); err == nil {
		r.clean(ctx)
	}
	return changed, err
}

// Servers reports whether the bot is in a server, and in how many others. It looks at the first 200, Discord's limit. In is true if
// there are more.
func Servers(ctx context.Context, api *calls.Client, guild string) (in bool, others int, err error) {
	body, err := api.Retried(ctx, "", http.MethodGet, discordgo.EndpointUserGuilds("@me"), nil)
	var all []struct {
		ID string `json:"id"`
	}
	if err == nil {
		err = json.Unmarshal(body, &all)
	}
	for _, g := range all {
		if g.ID == guild {
			in = true
		} else {
			others++
		}
	}
	return in || len(all) == 200, others, err
}
