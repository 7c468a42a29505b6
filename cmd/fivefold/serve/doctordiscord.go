package serve

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"fivefold/cmd/fivefold/settings"
)

// examineDiscord looks at Discord, the clock and the token.
func examineDiscord(ctx context.Context, s settings.Settings, version string) []finding {
	if s.BaseURL == nil {
		return []finding{notChecked("discord", "the settings do not say where it is")}
	}
	d := discordAPI{version: version, base: s.BaseURL, client: &http.Client{Timeout: 15 * time.Second}}
	sent := time.Now()
	_, date, err := d.get(ctx, "gateway", "", new(any))
	received := time.Now()
	if err != nil {
		return []finding{
			fix("discord", "%s cannot be used: %v; check the network, the firewall and %s", s.BaseURL, err, settings.EnvBaseURL),
			notChecked("clock", "Discord's cannot be read"),
			notChecked("token", "Discord cannot be asked"),
		}
	}
	findings := []finding{
		fine("discord", "%s answers within %v", s.BaseURL, received.Sub(sent).Round(time.Millisecond)),
		clockFinding(sent, received, date),
	}
	if s.Token == "" {
		return append(findings, notChecked("token", "%s is not set", settings.EnvToken))
	}
	return append(findings, d.token(ctx, s)...)
}

// maxClockError is how wrong the clock may be: the bot drops requests that seem to have
// waited for 2.5 s.
const maxClockError = time.Second

// clockFinding compares our clock with Discord's, which gives whole seconds.
func clockFinding(sent, received, date time.Time) finding {
	if date.IsZero() {
		return notChecked("clock", "Discord does not give its own")
	}
	ahead, behind := sent.Sub(date.Add(time.Second)), date.Sub(received)
	wrong := max(ahead, behind)
	switch {
	case wrong <= maxClockError:
		return fine("clock", "it agrees with Discord's")
	case ahead > behind:
		return fix("clock", "it is at least %v ahead of Discord's: have it set over the network (NTP)", wrong.Round(time.Second))
	}
	return fix("clock", "it is at least %v behind Discord's: have it set over the network (NTP)", wrong.Round(time.Second))
}

// discordAPI makes the doctor's calls to Discord's REST API.
type discordAPI struct {
	version string // of the program
	base    *url.URL
	client  *http.Client
}

// get reads what Discord answers as JSON into an object, and returns the status and the date by
// Discord's clock. An answer with another status than 200 is an error.
func (d discordAPI) get(ctx context.Context, path string, token settings.Secret, into any) (status int, date time.Time, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, d.base.JoinPath("api/v10", path).String(), nil)
	if err != nil {
		return 0, date, err
	}
	// Discord refuses requests whose User-Agent does not have this form.
	r.Header.Set("User-Agent", "DiscordBot (fivefold doctor, "+d.version+")")
	if token != "" {
		r.Header.Set("Authorization", "Bot "+string(token))
	}
	answer, err := d.client.Do(r)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return 0, date, err
	}
	defer answer.Body.Close()
	// A date that cannot be read is as good as none.
	date, _ = http.ParseTime(answer.Header.Get("Date"))
	if answer.StatusCode != http.StatusOK {
		return answer.StatusCode, date, fmt.Errorf("it answers with status %d", answer.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	return answer.StatusCode, date, err
}

// application is what Discord says about the bot's application.
type application struct {
	ID       string `json:"id"`
	Key      string `json:"verify_key"`
	Endpoint string `json:"interactions_endpoint_url"`
	// Types are by who installs it: 0 is a server, 1 a user.
	Types map[string]json.RawMessage `json:"integration_types_config"`
}

// token looks at the token, and at what Discord allows its bot.
func (d discordAPI) token(ctx context.Context, s settings.Settings) []finding {
	var me struct {
		Username string `json:"username"`
	}
	switch status, _, err := d.get(ctx, "users/@me", s.Token, &me); {
	case status == http.StatusUnauthorized:
		return []finding{fix("token", "Discord refuses it: reset it on the developer portal's page of the bot, and put the new one into %s", settings.EnvToken)}
	case status != 0 && status != http.StatusOK:
		return []finding{fix("token", "Discord answers with status %d; try again later", status)}
	case err != nil:
		return []finding{fix("token", "Discord cannot be asked: %v", err)}
	}
	findings := []finding{fine("token", "it is that of the bot %s", me.Username)}
	if s.HTTP.Address == "" || s.HTTP.Gateway {
		findings = append(findings, d.sessions(ctx, s.Token))
	}
	var app application
	_, _, err := d.get(ctx, "applications/@me", s.Token, &app)
	findings = append(findings, installs(app, err))
	return append(findings, d.endpoint(ctx, s, app, err)...)
}

// endpoint looks at where Discord sends interactions, by HTTP or over the gateway. It returns
// nothing if neither the settings nor Discord have an address for HTTP.
func (d discordAPI) endpoint(ctx context.Context, s settings.Settings, app application, err error) []finding {
	portal := "https://discord.com/developers/applications/" + app.ID + "/information"
	switch {
	case s.HTTP.Address == "" && app.Endpoint != "":
		return []finding{fix("http", "Discord posts interactions to %s, so none come over the gateway: clear the Interactions Endpoint URL at\n%s or set %s", app.Endpoint, portal, settings.EnvHTTP)}
	case s.HTTP.Address == "":
		return nil
	case err != nil:
		return []finding{fix("http", "Discord does not say where it posts interactions: %v", err)}
	case !strings.EqualFold(app.Key, hex.EncodeToString(s.HTTP.PublicKey)):
		return []finding{fix("http", "%s is not this bot's key, which is %s", settings.EnvPublicKey, app.Key)}
	case app.Endpoint == "":
		return []finding{fix("http", "Discord has no address to post interactions to: enter https://YOUR-ADDRESS%s as Interactions Endpoint URL at\n%s", s.HTTP.Path, portal)}
	}
	// Like Discord now and then, send a wrong signature.
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, app.Endpoint, strings.NewReader(`{"type":1}`))
	if err != nil {
		return []finding{fix("http", "the Interactions Endpoint URL is not an address: %v", err)}
	}
	r.Header.Set("X-Signature-Ed25519", strings.Repeat("0", 2*ed25519.SignatureSize))
	r.Header.Set("X-Signature-Timestamp", fmt.Sprint(time.Now().Unix()))
	got, err := d.client.Do(r)
	if err != nil {
		return []finding{fix("http", "%s cannot be reached from here: %v; look at the bot, the balancer and the firewall", app.Endpoint, err)}
	}
	// Only its status counts.
	_ = got.Body.Close()
	if got.StatusCode != http.StatusUnauthorized {
		return []finding{fix("http", "%s answers a wrong signature with %d instead of 401: something else answers there, or its path is not %s", app.Endpoint, got.StatusCode, s.HTTP.Path)}
	}
	return []finding{fine("http", "Discord posts interactions to %s, which refuses wrong signatures", app.Endpoint)}
}

// With fewer than fewSessions left for today, something must be wrong.
const fewSessions = 100

// sessions looks at how often the bot may still connect today, and with how many shards it
// should.
func (d discordAPI) sessions(ctx context.Context, token settings.Secret) finding {
	var gateway struct {
		Shards int `json:"shards"`
		Limit  struct {
			Remaining  int `json:"remaining"`
			ResetAfter int `json:"reset_after"` // milliseconds
		} `json:"session_start_limit"`
	}
	if _, _, err := d.get(ctx, "gateway/bot", token, &gateway); err != nil {
		return fix("sessions", "Discord does not say how many are allowed: %v", err)
	}
	if gateway.Limit.Remaining < fewSessions {
		return fix("sessions", "only %d more are allowed in the next %v: find out why the bot starts so often, before Discord refuses it",
			gateway.Limit.Remaining, (time.Duration(gateway.Limit.ResetAfter) * time.Millisecond).Round(time.Minute))
	}
	return fine("sessions", "%d more are allowed today; shards that Discord recommends: %d", gateway.Limit.Remaining, gateway.Shards)
}

// installs looks at who may install the application, which is set on the developer portal.
func installs(app application, err error) finding {
	const page = "on the developer portal's page Installation"
	if err != nil {
		return fix("installs", "Discord does not say who may install the bot: %v", err)
	}
	_, servers := app.Types["0"]
	_, users := app.Types["1"]
	switch {
	case servers && users:
		return fine("installs", "servers can install the bot, and users for themselves")
	case servers || len(app.Types) == 0: // an application that was never set up is for servers
		return fine("installs", "only servers can install the bot; to have it in groups and on servers without it too, check User Install %s, and restart", page)
	}
	return fix("installs", "no server can install the bot: check Guild Install %s, and restart", page)
}
