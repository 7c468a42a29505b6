package main

import (
	"context"
	"net/http"
	"os"

	"github.com/bwmarrin/discordgo"
)

// bareBot is the argument that makes this program the bare bot.
const bareBot = "bare-bot"

// serveBare serves Discord as simply as discordgo allows, until ctx ends: it answers each command with one fixed text
// and saves nothing. It takes the environment of fivefold.
func serveBare(ctx context.Context) error {
	discordgo.EndpointAPI = os.Getenv("DISCORD_BASE_URL") + "api/v" + discordgo.APIVersion + "/"
	discordgo.EndpointGateway = discordgo.EndpointAPI + "gateway"
	session, err := discordgo.New("Bot " + os.Getenv("DISCORD_TOKEN"))
	if err != nil {
		return err
	}
	session.Client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
	session.Identify.Intents = 0
	session.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{ // the player sees whether it came
			Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{
				Flags: discordgo.MessageFlagsIsComponentsV2, Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: "hello"}},
				AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}},
			},
		})
	})
	if err := session.Open(); err != nil {
		return err
	}
	<-ctx.Done()
	return session.Close()
}
