package serve

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"fivefold/bot/discord"
	"fivefold/cmd/fivefold/settings"
)

// listenHTTP begins to listen for interactions by HTTP. It returns nil if they come over the gateway only.
// What handles other paths is yet to be set. Errors name the setting that is wrong.
func listenHTTP(h settings.HTTP, log *slog.Logger) (*discord.HTTP, error) {
	if h.Address == "" {
		return nil, nil
	}
	o := &discord.HTTP{Gateway: h.Gateway}
	o.Path, o.PublicKey = h.Path, h.PublicKey
	scheme := "http"
	if h.Cert != "" {
		scheme = "https"
		c := &certificate{cert: h.Cert, key: h.Key, log: log}
		if _, err := c.get(nil); err != nil {
			return nil, fmt.Errorf("%s: %w", settings.EnvTLSCert, err)
		}
		o.TLS = &tls.Config{GetCertificate: c.get}
	}
	l, err := net.Listen("tcp", h.Address)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			err = op.Err
		}
		return nil, fmt.Errorf("%s: %s: %w", settings.EnvHTTP, h.Address, err)
	}
	o.Listener = l
	log.Info("taking interactions by HTTP", "at", scheme+"://"+l.Addr().String()+h.Path, "gateway", h.Gateway)
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
