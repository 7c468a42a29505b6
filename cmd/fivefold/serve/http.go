package serve

import (
	"fmt"
	"log/slog"
	"net"

	"fivefold/bot/discord/endpoint"
	"fivefold/cmd/fivefold/settings"
)

// listenHTTP begins to listen for interactions by HTTP. It returns nil if they come over the gateway only.
// What handles other paths is yet to be set. Errors name the setting that is wrong.
func listenHTTP(h settings.HTTP, log *slog.Logger) (*endpoint.Options, error) {
	if h.Address == "" {
		return nil, nil
	}
	o := &endpoint.Options{Path: h.Path, PublicKey: h.PublicKey}
	l, err := net.Listen("tcp", h.Address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", settings.EnvHTTP, err)
	}
	o.Listener = l
	log.Info("taking interactions by HTTP", "at", "http://"+l.Addr().String()+h.Path)
	return o, nil
}
