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
				Type: discordgo.InteractionResponseModal,
				Data: &discordgo.InteractionResponseData{CustomID: "modal:" + i.Message.ID, Title: "Guess", Components: []discordgo.MessageComponent{
					discordgo.ActionsRow{Components: []discordgo.MessageComponent{
						discordgo.TextInput{CustomID: "word", Label: "Word", Style: discordgo.TextInputShort, Required: true, MinLength: 5, MaxLength: 5},
					}},
				}},
			}); err != nil {
				t.Error(err)
			}
		case discordgo.InteractionModalSubmit:
			word := i.ModalSubmitData().Components[0].(*discordgo.ActionsRow).Components[0].(*discordgo.TextInput).Value
			if err := bot.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
				Type: discordgo.InteractionResponseUpdateMessage,
				Data: &discordgo.InteractionResponseData{
					Content: "board " + word, AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}},
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
	ctx := testContext(t)
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

	press, err := s.Invoke(Interaction{Type: TypeComponent, CustomID: "guess", Message: board.MessageID}).First(ctx)
	if err != nil || press.Type != callbackModal || press.CustomID != "modal:"+board.MessageID || press.Title != "Guess" {
		t.Fatalf("modal: got %+v, %v", press, err)
	}
	sent, err := s.Invoke(Interaction{
		Type: TypeModal, CustomID: press.CustomID, Message: board.MessageID, Options: map[string]any{"word": "crane"},
	}).Message(ctx)
	if err != nil || sent.Type != callbackUpdate || sent.Content != "board crane" || sent.MessageID != board.MessageID ||
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
	ctx := testContext(t)
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
	ctx := testContext(t)
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

func TestDiscordgoRegisters(t *testing.T) {
	t.Parallel()
	s := New(t, Options{})
	if got := string(s.Commands("")); got != "null" {
		t.Errorf("before: got %s, want null", got)
	}
	bot := newBot(t, s, s.Token())
	permissions := int64(8)
	least := 5
	want := []*discordgo.ApplicationCommand{{
		Name: "wordle", Description: "A word game", DefaultMemberPermissions: &permissions,
		Contexts:          &[]discordgo.InteractionContextType{discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM},
		NameLocalizations: &map[discordgo.Locale]string{discordgo.German: "wortspiel"},
		Options: []*discordgo.ApplicationCommandOption{{
			Type: discordgo.ApplicationCommandOptionSubCommand, Name: "start", Description: "Start",
			Options: []*discordgo.ApplicationCommandOption{
				{Type: discordgo.ApplicationCommandOptionString, Name: "word", Description: "Word", Required: true, Autocomplete: true, MinLength: &least, MaxLength: 5},
				{Type: discordgo.ApplicationCommandOptionUser, Name: "player", Description: "Player"},
			},
		}},
	}, {Type: discordgo.MessageApplicationCommand, Name: "Read result"}}
	first, err := bot.ApplicationCommandBulkOverwrite(s.AppID(), "", want)
	if err != nil {
		t.Fatal(err)
	}
	second, err := bot.ApplicationCommandBulkOverwrite(s.AppID(), "", append(want[:1:1], &discordgo.ApplicationCommand{Name: "guess", Description: "Guess"}))
	if err != nil {
		t.Fatal(err)
	}
	if s.Registrations() != 2 || len(first) != 2 || len(second) != 2 {
		t.Fatalf("got %d registrations of %d and %d commands", s.Registrations(), len(first), len(second))
	}
	if first[0].ID != second[0].ID || first[0].Version != second[0].Version {
		t.Errorf("the same command got another id or version: %+v, %+v", first[0], second[0])
	}
	if first[0].ID == "" || first[0].Type != 1 || *first[0].DefaultMemberPermissions != 8 || *first[0].NSFW || (*first[0].NameLocalizations)["de"] != "wortspiel" {
		t.Errorf("came back as %+v", first[0])
	}
	listed, err := bot.ApplicationCommands(s.AppID(), "") // with_localizations=true
	if err != nil || len(listed) != 2 || listed[0].NameLocalizations == nil {
		t.Errorf("listed %+v, %v, want two with localizations", listed, err)
	}
	if _, _, plain := post(t, s, "GET", "applications/"+s.AppID()+"/commands", ""); strings.Contains(plain, "wortspiel") {
		t.Errorf("listed with localizations though nobody asked: %s", plain)
	}
	if text := string(s.Commands("")); strings.Contains(text, `"required":false`) || !strings.Contains(text, `"required":true`) {
		t.Errorf("options came back as %s", text)
	}
	if got := string(s.Commands("5")); got != "null" {
		t.Errorf("guild: got %s, want null", got)
	}
}
