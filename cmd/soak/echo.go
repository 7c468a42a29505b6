package main

import (
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

// envEcho makes this program a bot that answers every interaction at once with the same
// text, as discordgo's own examples do: what there is to compare with. It is the address of
// Discord.
const envEcho = "FIVEFOLD_SOAK_ECHO"

// echo is that bot. It returns the exit status.
func echo() int {
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
