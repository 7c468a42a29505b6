package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/bwmarrin/discordgo"
)

// envEcho makes this program a bare bot to compare with, which answers every interaction at
// once with the same text, as discordgo's own examples do. Its value is the address of Discord.
const envEcho = "FIVEFOLD_SOAK_ECHO"

// envEchoHTTP is where that bot takes interactions by HTTP instead: it checks the signature, and
// nothing else.
const envEchoHTTP = "FIVEFOLD_SOAK_ECHO_HTTP"

// echo is that bot. It returns the exit status.
func echo() int {
	if address := os.Getenv(envEchoHTTP); address != "" {
		if err := echoHTTP(address, os.Getenv("DISCORD_PUBLIC_KEY")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
	if err := runEcho(os.Getenv(envEcho), os.Getenv("DISCORD_TOKEN")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func runEcho(address, token string) error {
	base, err := url.Parse(address)
	if err != nil {
		return err
	}
	s, err := discordgo.New("Bot " + token)
	if err != nil {
		return err
	}
	s.Client = &http.Client{Transport: redirect{base}}
	s.Identify.Intents = discordgo.IntentsNone
	s.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		// An answer that does not arrive is missed by whoever counts them.
		_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Content: "hello", AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}},
		})
	})
	if err := s.Open(); err != nil {
		return err
	}
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM, os.Interrupt)
	<-end
	return s.Close()
}

func echoHTTP(address, key string) error {
	public, err := hex.DecodeString(key)
	if err != nil {
		return err
	}
	server := &http.Server{Addr: address, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		sum, wrong := hex.DecodeString(r.Header.Get("X-Signature-Ed25519"))
		if err != nil || wrong != nil || !ed25519.Verify(public, append([]byte(r.Header.Get("X-Signature-Timestamp")), body...), sum) {
			http.Error(w, "", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer := `{"type":4,"data":{"content":"hello","allowed_mentions":{"parse":[]}}}`
		if bytes.Contains(body, []byte(`"type":1,`)) && bytes.Contains(body, []byte(`"token":"ping"`)) {
			answer = `{"type":1}`
		}
		// An answer that does not arrive is missed by whoever counts them.
		_, _ = io.WriteString(w, answer)
	})}
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-end
		// This bot is only measured, so how it ends does not matter.
		_ = server.Close()
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// redirect sends requests for Discord to another address.
type redirect struct{ base *url.URL }

func (r redirect) RoundTrip(req *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(req.URL.Host, "discord.com") {
		return http.DefaultTransport.RoundTrip(req)
	}
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host = r.base.Scheme, r.base.Host
	if req.Body == nil {
		req.Body = io.NopCloser(strings.NewReader(""))
	}
	return http.DefaultTransport.RoundTrip(req)
}
