package settings

import (
	"crypto/ed25519"
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

// check calls fault for every setting of HTTP that another one is needed for.
func (h HTTP) check(get func(name string) string, fault func(name, format string, args ...any)) {
	if (h.Cert == "") != (h.Key == "") {
		fault(EnvTLSCert, "it and %s go together: set both, or neither where a balancer ends TLS", envTLSKey)
	}
	switch {
	case h.Address == "":
		for _, name := range []string{envHTTPPath, envGateway, EnvTLSCert} {
			if get(name) != "" {
				fault(name, "it needs %s", EnvHTTP)
			}
		}
	case get(EnvPublicKey) == "":
		fault(EnvHTTP, "it needs %s, which is on the developer portal's page General Information", EnvPublicKey)
	}
}
