package application

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
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

// Ask asks what the bot's application is until Discord answers. If ctx ends first, it returns the zero Application. Its only
// error is ErrToken.
func Ask(ctx context.Context, api *calls.Client, log *slog.Logger) (about Application, err error) {
	_, err = calls.Patiently(ctx, log, "could not ask Discord which application this is", time.Second, 30*time.Second,
		func() (err error) { about, err = AskOnce(ctx, api); return err })
	return about, err
}

// ErrPublicKey means that the public key is not that of the bot's application.
var ErrPublicKey = errors.New("the public key is not that of this bot")

// CheckEndpoint is for a bot that takes interactions by HTTP. It logs what is left to do on the developer portal. Its only
// error is ErrPublicKey.
func (a Application) CheckEndpoint(path string, key ed25519.PublicKey, log *slog.Logger) error {
	if its, err := endpoint.ParsePublicKey(a.Key); err == nil && !its.Equal(key) {
		return ErrPublicKey
	}
	portal := "https://discord.com/developers/applications/" + a.ID + "/information"
	if a.Endpoint == "" {
		log.Warn("Discord has no address to post interactions to: enter this bot's public address as Interactions Endpoint URL on the developer portal",
			"enter", "https://YOUR-ADDRESS"+path, "portal", portal)
		return nil
	}
	log.Info("Discord posts interactions", "to", a.Endpoint)
	if !strings.HasSuffix(a.Endpoint, path) {
		log.Warn("the path of the Interactions Endpoint URL on the developer portal differs from this bot's", "path", path, "portal", portal)
	}
	return nil
}

// Servers returns the ids of the servers that the bot is in. Discord lists up to 200 at once.
func Servers(ctx context.Context, api *calls.Client) (ids []string, err error) {
	for after := ""; ; after = "&after=" + ids[len(ids)-1] {
		body, err := api.Retried(ctx, "", http.MethodGet, discordgo.EndpointUserGuilds("@me")+"?limit=200"+after, nil)
		var page []struct {
			ID string `json:"id"`
		}
		if err == nil {
			err = json.Unmarshal(body, &page)
		}
		for _, g := range page {
			ids = append(ids, g.ID)
		}
		if err != nil || len(page) < 200 {
			return ids, err
		}
	}
}

// HasLeft reports whether the bot is not in a server. An error says that this is not known.
func HasLeft(ctx context.Context, api *calls.Client, server string) (bool, error) {
	_, err := api.Retried(ctx, "", http.MethodGet, discordgo.EndpointGuild(server), nil)
	if calls.IsStatus(err, http.StatusNotFound) || calls.IsStatus(err, http.StatusForbidden) {
		return true, nil
	}
	return false, err
}
