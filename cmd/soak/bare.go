package main

import (
	"context"
	"net/http"
	"net/url"
	"os"

	"github.com/bwmarrin/discordgo"
)

// bareBot is the argument that makes this program the bare bot.
const bareBot = "bare-bot"

// serveBare serves Discord as simply as discordgo allows, until ctx ends: it answers each command with one fixed text
// and saves nothing. It takes the environment of fivefold.
func serveBare(ctx context.Context) error {
	base, err := url.Parse(os.Getenv("DISCORD_BASE_URL"))
	if err != nil {
		return err
	}
	session, err := discordgo.New("Bot " + os.Getenv("DISCORD_TOKEN"))
	if err != nil {
		return err
	}
	session.Client = &http.Client{Transport: redirect{base, &http.Transport{MaxIdleConnsPerHost: 256}}}
	session.Identify.Intents = 0
	session.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{ // the player sees whether it came
			Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Content: "hello", AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}},
		})
	})
	if err := session.Open(); err != nil {
		return err
	}
	<-ctx.Done()
	return session.Close()
}

// redirect sends requests to another host.
type redirect struct {
	to *url.URL
	http.RoundTripper
}

func (r redirect) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.URL.Scheme, request.URL.Host = r.to.Scheme, r.to.Host
	return r.RoundTripper.RoundTrip(request)
}
