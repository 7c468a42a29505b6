package discordtest

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// redirect sends what discordgo means for discord.com to the fake.
type redirect struct {
	to   *url.URL
	next http.RoundTripper
}

func (r redirect) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host == "discord.com" {
		req = req.Clone(req.Context())
		req.URL.Scheme, req.URL.Host, req.Host = r.to.Scheme, r.to.Host, ""
	}
	return r.next.RoundTrip(req)
}

// newBot is a discordgo session for the fake, not opened.
func newBot(tb testing.TB, s *Server, token string) *discordgo.Session {
	tb.Helper()
	bot, err := discordgo.New("Bot " + token)
	if err != nil {
		tb.Fatal(err)
	}
	to, err := url.Parse(s.URL())
	if err != nil {
		tb.Fatal(err)
	}
	transport := &http.Transport{}
	tb.Cleanup(transport.CloseIdleConnections)
	bot.Client = &http.Client{Transport: redirect{to, transport}}
	bot.Identify.Intents = discordgo.IntentsGuilds
	bot.ShouldReconnectOnError = false
	bot.LogLevel = -1
	return bot
}

func mustOpen(tb testing.TB, bot *discordgo.Session) {
	tb.Helper()
	if err := bot.Open(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { bot.Close() })
}

func TestDiscordgoPlays(t *testing.T) {
	t.Parallel()
	s := New(t, Options{Guilds: []string{"1600000000000000001"}})
	bot := newBot(t, s, s.Token())
	picture := mustPNG(t, 3, 2)
	bot.AddHandler(func(bot *discordgo.Session, i *discordgo.InteractionCreate) {
		switch i.Type {
		case discordgo.InteractionApplicationCommand:
			d := i.ApplicationCommandData()
			sub := d.Options[0]
			text := d.Name + "/" + sub.Name + "/" + sub.Options[0].StringValue() + "/" + sub.Options[1].UserValue(nil).ID + "/" + i.Member.User.ID
			if err := bot.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
				Type: discordgo.InteractionResponseDeferredChannelMessageWithSource,
				Data: &discordgo.InteractionResponseData{Flags: discordgo.MessageFlagsEphemeral},
			}); err != nil {
				t.Error(err)
			}
			if _, err := bot.InteractionResponseEdit(i.Interaction, &discordgo.WebhookEdit{
				Content: &text,
				Components: &[]discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
					discordgo.Button{Label: "Guess", Style: discordgo.PrimaryButton, CustomID: "guess"},
				}}},
				AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}},
			}); err != nil {
				t.Error(err)
			}
		case discordgo.InteractionMessageComponent:
			if err := bot.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
				Type: discordgo.InteractionResponseUpdateMessage,
				Data: &discordgo.InteractionResponseData{
					Content: "board " + i.MessageComponentData().CustomID, AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}},
					Files: []*discordgo.File{{Name: "board.png", ContentType: "image/png", Reader: strings.NewReader(picture)}},
				},
			}); err != nil {
				t.Error(err)
			}
		case discordgo.InteractionApplicationCommandAutocomplete:
			focused := i.ApplicationCommandData().Options[0]
			if err := bot.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
				Type: discordgo.InteractionApplicationCommandAutocompleteResult,
				Data: &discordgo.InteractionResponseData{Choices: []*discordgo.ApplicationCommandOptionChoice{
					{Name: focused.StringValue() + "ne", Value: "crane"},
				}},
			}); err != nil || !focused.Focused {
				t.Error(err, focused.Focused)
			}
		}
	})
	mustOpen(t, bot)
	ctx := Context(t)
	if err := s.WaitReady(ctx, 1); err != nil {
		t.Fatal(err)
	}

	call := s.Invoke(Interaction{
		Guild: "1600000000000000001", User: "77", Permissions: 8, Command: "wordle start",
		Options: map[string]any{"language": "en", "player": UserOption("88")},
	})
	first, err := call.First(ctx)
	if err != nil || first.Type != callbackDefer || !first.Ephemeral {
		t.Fatalf("first answer: got %+v, %v, want a private deferral", first, err)
	}
	board, err := call.Message(ctx)
	if err != nil || board.Content != "wordle/start/en/88/77" || !board.Ephemeral || len(board.Components) != 1 || board.Components[0].CustomID != "guess" {
		t.Fatalf("message: got %+v, %v", board, err)
	}
	if n := len(call.Edits()); n != 1 {
		t.Errorf("got %d edits, want 1", n)
	}

	sent, err := s.Invoke(Interaction{Type: TypeComponent, CustomID: "guess", Message: board.MessageID}).Message(ctx)
	if err != nil || sent.Type != callbackUpdate || sent.Content != "board guess" || sent.MessageID != board.MessageID ||
		!sent.Ephemeral || len(sent.Files) != 1 || string(sent.Files[0].Data) != picture || len(sent.Attachments) != 1 {
		t.Fatalf("update: got %+v, %v", sent, err)
	}
	wantViolation(t, s, "board.png has no alt text") // for which discordgo has no field
	typed, err := s.Invoke(Interaction{
		Type: TypeAutocomplete, Command: "guess", Focused: "word", Options: map[string]any{"word": "cra"},
	}).First(ctx)
	if err != nil || len(typed.Choices) != 1 || typed.Choices[0] != (Choice{"crane", "crane"}) {
		t.Fatalf("choices: got %+v, %v", typed, err)
	}
}

func TestDiscordgoResumes(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	bot := newBot(t, s, s.Token())
	bot.ShouldReconnectOnError = true
	got := make(chan string, 10)
	bot.AddHandler(func(_ *discordgo.Session, i *discordgo.InteractionCreate) { got <- i.ID })
	mustOpen(t, bot)
	ctx := Context(t)
	if err := s.WaitReady(ctx, 1); err != nil {
		t.Fatal(err)
	}
	s.CloseGateway(4000, "for the test")
	missed := s.Invoke(Interaction{Command: "guess"})
	if err := s.WaitReady(ctx, 2); err != nil {
		t.Fatal(err)
	}
	select {
	case id := <-got:
		if id != missed.ID() {
			t.Errorf("got interaction %s, want %s", id, missed.ID())
		}
	case <-ctx.Done():
		t.Fatal("the interaction was not replayed")
	}
	if identified, resumed := s.Sessions(); identified != 1 || resumed != 1 {
		t.Errorf("identified %d, resumed %d, want 1 and 1", identified, resumed)
	}
}

func TestDiscordgoClosesForGood(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	bot := newBot(t, s, s.Token())
	mustOpen(t, bot)
	ctx := Context(t)
	bot.Close() // with 1000
	if err := s.WaitConnected(ctx, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Invoke(Interaction{Command: "guess"}).First(ctx); !errors.Is(err, ErrNobodyConnected) {
		t.Errorf("got %v, want ErrNobodyConnected", err)
	}
	if codes := s.ClientCloses(); len(codes) != 1 || codes[0] != 1000 {
		t.Errorf("close codes: got %v, want 1000", codes)
	}
}

func TestDiscordgoWrongToken(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	bot := newBot(t, s, "wrong")
	err := bot.Open()
	if !websocket.IsCloseError(err, closeWrongToken) {
		t.Errorf("got %v, want close code 4004", err)
	}
	if _, err := bot.User("@me"); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("got %v, want 401", err)
	}
}
