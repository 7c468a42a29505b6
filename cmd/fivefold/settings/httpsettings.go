package settings

import (
	"crypto/ed25519"
	"net"
	"strings"

	"fivefold/bot/discord"
)

// The names of the settings of HTTP.
const (
	EnvPublicKey = "DISCORD_PUBLIC_KEY"
	EnvHTTP      = "FIVEFOLD_HTTP"
	envHTTPPath  = "FIVEFOLD_HTTP_PATH"
	envGateway   = "FIVEFOLD_GATEWAY"
	EnvTLSCert   = "FIVEFOLD_TLS_CERT"
	envTLSKey    = "FIVEFOLD_TLS_KEY"
)

// HTTP say whether and how Discord sends interactions by HTTP.
type HTTP struct {
	Address   string // empty if interactions come over the gateway
	Path      string
	PublicKey ed25519.PublicKey
	Gateway   bool   // whether the gateway is used as well
	Cert, Key string // files; empty if a balancer terminates TLS
}

// DefaultHTTPPath is the path to which Discord posts interactions by default.
const DefaultHTTPPath = "/interactions"

// readHTTPSettings reads the settings of HTTP, which are among those of OfBot. It calls fault for
// every one that is wrong.
func readHTTPSettings(get func(name string) string, fault func(name, format string, args ...any)) HTTP {
	h := HTTP{Address: get(EnvHTTP), Path: get(envHTTPPath), Cert: get(EnvTLSCert), Key: get(envTLSKey)}
	var err error
	if key := get(EnvPublicKey); key != "" {
		if h.PublicKey, err = discord.ParsePublicKey(key); err != nil {
			fault(EnvPublicKey, "%w; copy it from the developer portal's page General Information", err)
		}
	}
	switch text := get(envGateway); text {
	case "", "off":
	case "on":
		h.Gateway = true
	default:
		fault(envGateway, "%q is neither on nor off", text)
	}
	if h.Path == "" {
		h.Path = DefaultHTTPPath
	}
	if !strings.HasPrefix(h.Path, "/") || strings.ContainsAny(h.Path, "?# ") || h.Path == "/healthz" || h.Path == "/readyz" {
		fault(envHTTPPath, "%q is not a path such as %s", h.Path, DefaultHTTPPath)
	}
	if (h.Cert == "") != (h.Key == "") {
		fault(EnvTLSCert, "it and %s go together: set both, or neither where a balancer ends TLS", envTLSKey)
	}
	if h.Address == "" {
		for _, name := range []string{envHTTPPath, envGateway, EnvTLSCert} {
			if get(name) != "" {
				fault(name, "it needs %s", EnvHTTP)
			}
		}
		return h
	}
	if _, _, err := net.SplitHostPort(h.Address); err != nil {
		fault(EnvHTTP, "%q is not an address such as :8080 or 127.0.0.1:8080", h.Address)
	}
	if get(EnvPublicKey) == "" {
		fault(EnvHTTP, "it needs %s, which is on the developer portal's page General Information", EnvPublicKey)
	}
	return h
}
