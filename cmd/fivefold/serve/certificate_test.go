package serve

import (
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord"
	"fivefold/bot/discord/discordtest"
	"fivefold/cmd/fivefold/settings"
)

// TestCertificate: a renewed certificate is used without a restart, and one that cannot be read
// leaves the old one.
func TestCertificate(t *testing.T) { synctest.Test(t, testCertificate) }

func testCertificate(t *testing.T) {
	folder := t.TempDir()
	c := &certificate{cert: filepath.Join(folder, "cert.pem"), key: filepath.Join(folder, "key.pem"), log: slog.New(slog.DiscardHandler)}
	if _, err := c.get(nil); err == nil {
		t.Error("there is a certificate before there is one")
	}
	write := func(serial int64, at time.Time) {
		t.Helper()
		public, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}}
		cert, err := x509.CreateCertificate(nil, template, template, public, private)
		if err != nil {
			t.Fatal(err)
		}
		key, err := x509.MarshalPKCS8PrivateKey(private)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(
			os.WriteFile(c.cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), 0o600),
			os.WriteFile(c.key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600),
			os.Chtimes(c.cert, at, at),
		); err != nil {
			t.Fatal(err)
		}
	}
	serial := func() int64 {
		t.Helper()
		pair, err := c.get(nil)
		if err != nil {
			t.Fatal(err)
		}
		return pair.Leaf.SerialNumber.Int64()
	}
	now := time.Now()
	write(1, now)
	if got := serial(); got != 1 {
		t.Errorf("certificate %d, want 1", got)
	}
	write(2, now.Add(time.Second))
	time.Sleep(certificateAge - time.Nanosecond)
	if got := serial(); got != 1 {
		t.Errorf("certificate %d within a minute, want 1", got)
	}
	time.Sleep(time.Nanosecond)
	if got := serial(); got != 2 {
		t.Errorf("certificate %d, want 2", got)
	}
	if err := errors.Join(os.WriteFile(c.cert, []byte("nonsense"), 0o600), os.Chtimes(c.cert, now, now)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(certificateAge)
	if got := serial(); got != 2 {
		t.Errorf("certificate %d after nonsense, want 2", got)
	}
}

// TestTLS: with a certificate, the bot takes interactions by HTTPS.
func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(nil) // for its certificate
	server.StartTLS()
	defer server.Close()
	folder := t.TempDir()
	pair := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	const path = "/interactions"
	h := settings.HTTP{Address: "127.0.0.1:0", Path: path, Cert: filepath.Join(folder, "cert.pem"), Key: filepath.Join(folder, "key.pem")}
	if err := errors.Join(
		os.WriteFile(h.Cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}), 0o600),
		os.WriteFile(h.Key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	fake := discordtest.New(t, discordtest.Options{})
	if h.PublicKey, err = discord.ParsePublicKey(fake.PublicKey()); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	o, err := listenHTTP(h, log)
	if err != nil {
		t.Fatal(err)
	}
	o.Other = http.NotFoundHandler()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		base, _ := url.Parse(fake.URL()) // the fake's own
		done <- discord.Run(ctx, discord.Options{
			Token: fake.Token(), BaseURL: base, Bot: &bot.Bot{Log: log}, Log: log, HTTP: o,
		})
	}()
	address := o.Listener.Addr().String()
	answer, err := server.Client().Do(fake.NewDelivery(t.Context(), "https://"+address+path, []byte(`{"type":1}`)))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.ProtoMajor != 1 {
		t.Errorf("status %d over %s", answer.StatusCode, answer.Proto)
	}
	if answer, err := http.Get("http://" + address + "/healthz"); err == nil {
		answer.Body.Close()
		if answer.StatusCode != http.StatusBadRequest {
			t.Errorf("without TLS: status %d", answer.StatusCode)
		}
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
