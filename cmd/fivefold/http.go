package main

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/discord"
	"fivefold/cmd/fivefold/cli"
)

// The names of the settings of HTTP.
const (
	envPublicKey = "DISCORD_PUBLIC_KEY"
	envHTTP      = "FIVEFOLD_HTTP"
	envHTTPPath  = "FIVEFOLD_HTTP_PATH"
	envGateway   = "FIVEFOLD_GATEWAY"
	envTLSCert   = "FIVEFOLD_TLS_CERT"
	envTLSKey    = "FIVEFOLD_TLS_KEY"
)

// httpSettings say whether and how Discord sends interactions by HTTP.
type httpSettings struct {
	address   string // empty if interactions come over the gateway
	path      string
	publicKey ed25519.PublicKey
	gateway   bool   // whether the gateway is used as well
	cert, key string // files; empty if a balancer terminates TLS
}

// defaultHTTPPath is the path to which Discord posts interactions by default.
const defaultHTTPPath = "/interactions"

// readHTTPSettings reads the settings of HTTP, which are among those of ofBot. It calls fault for
// every one that is wrong.
func readHTTPSettings(get func(name string) string, fault func(name, format string, args ...any)) httpSettings {
	h := httpSettings{address: get(envHTTP), path: get(envHTTPPath), cert: get(envTLSCert), key: get(envTLSKey)}
	var err error
	if key := get(envPublicKey); key != "" {
		if h.publicKey, err = discord.ParsePublicKey(key); err != nil {
			fault(envPublicKey, "%w; copy it from the developer portal's page General Information", err)
		}
	}
	switch text := get(envGateway); text {
	case "", "off":
	case "on":
		h.gateway = true
	default:
		fault(envGateway, "%q is neither on nor off", text)
	}
	if h.path == "" {
		h.path = defaultHTTPPath
	}
	if !strings.HasPrefix(h.path, "/") || strings.ContainsAny(h.path, "?# ") || h.path == "/healthz" || h.path == "/readyz" {
		fault(envHTTPPath, "%q is not a path such as %s", h.path, defaultHTTPPath)
	}
	if (h.cert == "") != (h.key == "") {
		fault(envTLSCert, "it and %s go together: set both, or neither where a balancer ends TLS", envTLSKey)
	}
	if h.address == "" {
		for _, name := range []string{envHTTPPath, envGateway, envTLSCert} {
			if get(name) != "" {
				fault(name, "it needs %s", envHTTP)
			}
		}
		return h
	}
	if _, _, err := net.SplitHostPort(h.address); err != nil {
		fault(envHTTP, "%q is not an address such as :8080 or 127.0.0.1:8080", h.address)
	}
	if get(envPublicKey) == "" {
		fault(envHTTP, "it needs %s, which is on the developer portal's page General Information", envPublicKey)
	}
	return h
}

// listen begins to listen for interactions by HTTP. It returns nil if they come over the gateway only.
// What handles other paths is yet to be set. Errors name the setting that is wrong.
func (h httpSettings) listen(log *slog.Logger) (*discord.HTTP, error) {
	if h.address == "" {
		return nil, nil
	}
	o := &discord.HTTP{Path: h.path, PublicKey: h.publicKey, Gateway: h.gateway}
	scheme := "http"
	if h.cert != "" {
		scheme = "https"
		c := &certificate{cert: h.cert, key: h.key, log: log}
		if _, err := c.get(nil); err != nil {
			return nil, fmt.Errorf("%s: %w", envTLSCert, err)
		}
		o.TLS = &tls.Config{GetCertificate: c.get}
	}
	l, err := net.Listen("tcp", h.address)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return nil, fmt.Errorf("%s: %s: %w", envHTTP, h.address, err)
	}
	o.Listener = l
	log.Info("taking interactions by HTTP", "at", scheme+"://"+l.Addr().String()+h.path, "gateway", h.gateway)
	return o, nil
}

// certificate reads a certificate again when its file has changed, so that a renewed one needs no
// restart. It is safe for concurrent use.
type certificate struct {
	cert, key string // files
	log       *slog.Logger

	mu      sync.Mutex // protects the fields below
	looked  time.Time  // when the file was last looked at
	changed time.Time  // the time of the file when current was read
	current *tls.Certificate
}

// certificateAge is how long a certificate is used before its file is looked at again.
const certificateAge = time.Minute

// get returns the certificate, as [tls.Config].GetCertificate. If the file can no longer be read, it
// returns the last one that could.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != nil && time.Since(c.looked) < certificateAge {
		return c.current, nil
	}
	c.looked = time.Now()
	err := c.readLocked()
	if c.current == nil {
		return nil, err
	}
	if err != nil {
		c.log.Warn("could not read the certificate again; the old one is used", "error", err)
	}
	return c.current, nil
}

// readLocked reads the certificate, unless its file has not changed since. It is called with mu held.
func (c *certificate) readLocked() error {
	info, err := os.Stat(c.cert)
	if err != nil || info.ModTime().Equal(c.changed) {
		return err
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	c.current, c.changed = &pair, info.ModTime()
	return nil
}

// registerCommand is the subcommand register.
func (p program) registerCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "register",
		Short: "Register the commands, for a bot that takes interactions by HTTP",
		Long: "Register the commands with Discord, for a bot that takes interactions by HTTP: with\n" +
			"FIVEFOLD_HTTP, no process does that by itself, nor does it upload tiles: \"fivefold\n" +
			"emojis\" does. Run it once, and after each upgrade. It needs DISCORD_TOKEN, and with\n" +
			"DISCORD_GUILD_ID it registers the commands in that server only.",
		Example: "  fivefold register",
		Args:    cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := p.settings(ofBotToken)
			if err != nil {
				return err
			}
			return p.register(cmd.Context(), s)
		},
	}
}

// register registers the commands with Discord, and says where and whether any has changed.
func (p program) register(ctx context.Context, s settings) error {
	changed, err := discord.Register(ctx, discord.Options{
		Token: string(s.token), Guild: s.guild, BaseURL: s.baseURL, Log: p.logger(s, slog.LevelWarn),
		Bot: &bot.Bot{Table: commands.New(commands.Dependencies{Lists: s.lists}).Table()},
	})
	if errors.Is(err, discord.ErrToken) {
		return explainToken(err)
	}
	if err != nil {
		return fmt.Errorf("the commands are not registered: %w", err)
	}
	where, how := "everywhere", "now"
	if s.guild != "" {
		where = "in the server " + s.guild
	}
	if !changed {
		how = "as they were"
	}
	_, err = fmt.Fprintf(p.Out, "The commands are registered %s, %s.\n", where, how)
	return err
}
