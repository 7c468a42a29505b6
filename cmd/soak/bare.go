package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
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

// envBare makes this program a bare bot to compare with, which answers every interaction at
// once with the same text, as discordgo's own examples do. By HTTP it checks the signature, and
// nothing else.
const envBare = "FIVEFOLD_SOAK_BARE"

// bare is that bot, which has the same environment as the program. It is only measured, so how it
// ends does not matter, nor does an answer that does not arrive: whoever counts them misses it.
func bare() {
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM, os.Interrupt)
	failed := make(chan error, 1)
	if address := os.Getenv("FIVEFOLD_HTTP"); address != "" {
		go func() { failed <- http.ListenAndServe(address, http.HandlerFunc(answerHTTP)) }()
	} else if err := answerGateway(os.Getenv("DISCORD_BASE_URL"), os.Getenv("DISCORD_TOKEN")); err != nil {
		failed <- err
	}
	select {
	case <-end:
	case err := <-failed:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answerGateway(address, token string) error {
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
		_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Content: "hello", AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}},
		})
	})
	return s.Open()
}

func answerHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != endpoint {
		return // /readyz
	}
	public, _ := hex.DecodeString(os.Getenv("DISCORD_PUBLIC_KEY")) // the fake Discord's own
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
	_, _ = io.WriteString(w, answer)
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
