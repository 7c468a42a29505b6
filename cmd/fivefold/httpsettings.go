package main

import (
	"crypto/ed25519"
	"fivefold/bot/discord"
	"net"
	"strings"
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
