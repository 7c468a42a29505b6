package discord

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/gateway"
)

// demo is a made-up command whose replies have buttons. Each time a button is
// pressed, hold is called first, unless it is nil.
func demo(hold func()) bot.Command {
	say := func(text string) []bot.Line { return []bot.Line{{Text: []bot.Span{{Text: text}}}} }
	return bot.Command{
		Name: "demo",
		Options: []bot.Option{
			{Name: "word"}, {Name: "tiles"}, {Name: "do", Choices: []string{"next", "end", "tell", "refuse", "whisper"}},
		},
		Run: func(_ context.Context, r bot.Request) (bot.Reply, error) {
			if hold != nil && r.FromComponent {
				hold()
			}
			word, tiles := r.Args["word"], r.Args["tiles"]
			asks := func(label string, look bot.ButtonStyle, do, tiles string) bot.Button {
				return bot.Button{Label: label, Style: look, Command: "demo", Args: map[string]string{"word": word, "tiles": tiles, "do": do}}
			}
			switch r.Args["do"] {
			case "end":
				return bot.Reply{Lines: say(word + " is done."), InPlace: true}, nil
			case "tell":
				return bot.Reply{Lines: say(word + " is " + tiles + ".")}, nil
			case "refuse":
				return bot.Reply{Audience: bot.Asker, Lines: say("No.")}, nil
			case "whisper":
				return bot.Reply{Audience: bot.Asker, InPlace: true, Lines: say("Just you: " + tiles), Buttons: [][]bot.Button{{asks("Hush", bot.ButtonSecondary, "whisper", tiles+"!")}}}, nil
			}
			var row []bot.Button
			for n, c := range tiles {
				next := map[rune]string{'b': "y", 'y': "g", 'g': "b"}[c]
				look := map[rune]bot.ButtonStyle{'b': bot.ButtonBlack, 'y': bot.ButtonYellow, 'g': bot.ButtonGreen}[c]
				row = append(row, asks(word[n:n+1], look, "next", tiles[:n]+next+tiles[n+1:]))
			}
			back := bot.Button{Label: "Back", Command: "demo", Disabled: true}
			return bot.Reply{Lines: say(word + " " + tiles), InPlace: true, Buttons: [][]bot.Button{
				row,
				{back, asks("Done", bot.ButtonPrimary, "end", tiles), asks("Tell", bot.ButtonSuccess, "tell", tiles), asks("No", bot.ButtonDanger, "refuse", tiles), asks("Whisper", bot.ButtonSecondary, "whisper", tiles)},
			}}, nil
		},
	}
}

// mustRunner returns a runner whose bot has one made-up command, and a function
// that stops the bot once everything is answered. Responses are deferred after a
// time, 0 for never.
func mustRunner(t *testing.T, discord *discordtest.Server, made bot.Command, deferAfter time.Duration) (s *runner, log *discordtest.Log, end func()) {
	t.Helper()
	find := func(name string) (bot.Command, bool) {
		if name != made.Name {
			return bot.Command{}, false
		}
		return made, true
	}
	log = discordtest.NewLog(t)
	api := mustRest(t, discord)
	f := newFront(Options{Bot: &bot.Bot{}, Log: log.Logger}, api.Client, new(admission.Ages), patient(defaultTimings))
	t.Cleanup(func() { f.queue.Drain(0) })
	f.find = find
	f.run = func(ctx context.Context, r bot.Request) bot.Reply {
		reply, err := made.Run(ctx, r)
		if err != nil {
			t.Error(err)
		}
		return reply
	}
	f.timings.deferAfter = cmp.Or(deferAfter, time.Hour)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- gateway.Run(ctx, gateway.Options{
			Token: discord.Token(), Calls: api.Client, Log: log.Logger, Timings: patient(defaultTimings).gateway, Observer: unobserved{},
			OnInteraction: func(raw []byte) { f.take(raw, nil) }, OnReady: func(int, string) {},
		})
	}()
	end = sync.OnceFunc(func() {
		cancel()
		must(t, <-done)
		f.queue.Drain(time.Hour)
	})
	t.Cleanup(end)
	must(t, discord.WaitReady(discordtest.Context(t), 1))
	return &runner{t: t, discord: discord, find: find, front: f, seen: map[string]string{}}, log, end
}

// deferNow has the bot defer a response when its handler calls hold, and no others, however slow
// the machine is. hold returns once the deferred response is sent.
func deferNow(t *testing.T, s *runner) (hold func()) {
	var due *time.Timer
	s.front.timings.deferAfter = time.Hour
	s.front.after = func(_ time.Duration, do func()) *time.Timer {
		due = time.AfterFunc(time.Hour, do)
		return due
	}
	return func() {
		n := 1 + len(firsts(s.discord))
		due.Reset(0)
		answered(t, s.discord, n)
	}
}

// firsts returns the first responses, deferred ones included.
func firsts(discord *discordtest.Server) []discordtest.Request {
	return slices.DeleteFunc(discord.Requests(), func(r discordtest.Request) bool { return !strings.HasSuffix(r.Path, "/callback") })
}

// answered waits until there were n first responses, deferred ones included.
func answered(t *testing.T, discord *discordtest.Server, n int) {
	for {
		all := len(discord.Requests())
		if len(firsts(discord)) >= n {
			return
		}
		if err := discord.WaitRequests(discordtest.Context(t), all+1); err != nil {
			t.Error(err) // may be called from any goroutine
			return
		}
	}
}

// demoScript is a script of the made-up command.
const demoScript = `ana in general: /demo word:crane tiles:bbygb
> crane bbygb
> [🔳 c] [🔳 r] [🟨 a] [🟩 n] [🔳 e]
> (Back) [Done] [Tell] [No] [Whisper]
ana in general presses: c
(in place)
> crane ybygb
> [🟨 c] [🔳 r] [🟨 a] [🟩 n] [🔳 e]
> (Back) [Done] [Tell] [No] [Whisper]
deliver again
(in place)
> crane ybygb
> [🟨 c] [🔳 r] [🟨 a] [🟩 n] [🔳 e]
> (Back) [Done] [Tell] [No] [Whisper]

# Everybody can press the buttons of a public message.
ben in general presses: n
(in place)
> crane ybybb
> [🟨 c] [🔳 r] [🟨 a] [🔳 n] [🔳 e]
> (Back) [Done] [Tell] [No] [Whisper]
ben in general presses: No
(private)
> No.
ben in general presses: Tell
> crane is ybybb.
deliver again
> crane is ybybb.

# An ephemeral reply does not replace a message that everybody sees.
ben in general presses: Whisper
(private)
> Just you: ybybb
> [Hush]
ben in general presses: Hush
(private)
(in place)
> Just you: ybybb!
> [Hush]
ana in general: /demo word:"ab" tiles:yg do:next
> ab yg
> [🟨 a] [🟩 b]
> (Back) [Done] [Tell] [No] [Whisper]
ana in general presses: Done
(in place)
> ab is done.
ana in general presses: Done
(in place)
> crane is done.
`

// TestButtons plays a script in which buttons are pressed.
func TestButtons(t *testing.T) {
	t.Parallel()
	s, _, _ := mustRunner(t, discordtest.New(t, inTwoServers), demo(nil), 0)
	if got := s.play(demoScript); got != demoScript {
		t.Errorf("plays otherwise:\n%s", firstDifference(got, demoScript))
	}
}

// TestLateButtons presses buttons whose replies are ready only after the response
// was deferred.
func TestLateButtons(t *testing.T) {
	t.Parallel()
	discord := discordtest.New(t, inTwoServers)
	var presses atomic.Int32
	s, _, _ := mustRunner(t, discord, demo(func() { answered(t, discord, 1+int(presses.Add(1))) }), 5*time.Millisecond)
	const script = `ana in general: /demo word:crane tiles:bbbbb
> crane bbbbb
> [🔳 c] [🔳 r] [🔳 a] [🔳 n] [🔳 e]
> (Back) [Done] [Tell] [No] [Whisper]
ana in general presses: a
(posted)
> crane bbybb
> [🔳 c] [🔳 r] [🟨 a] [🔳 n] [🔳 e]
> (Back) [Done] [Tell] [No] [Whisper]
ben in general presses: No
(private)
> No.
ben in general presses: Tell
(posted)
> crane is bbbbb.
ben in general presses: Whisper
(private)
> Just you: bbbbb
> [Hush]
ben in general presses: Hush
(private)
(in place)
> Just you: bbbbb!
> [Hush]
ana in general presses: Done
(posted)
> crane is done.
`
	if got := s.play(script); got != script {
		t.Errorf("plays otherwise:\n%s", firstDifference(got, script))
	}
	for n, c := range s.calls[1:] {
		want := typeDeferredMessage
		if n == 4 { // the button of a message that only its player sees
			want = typeDeferredUpdate
		}
		if first, err := c.First(discordtest.Context(t)); err != nil || first.Type != want {
			t.Errorf("button %d: got %+v, %v, want type %d", n+1, first, err, want)
		}
		if all := c.FollowUps(); len(all) > 0 {
			t.Errorf("button %d is followed up: %+v", n+1, all)
		}
	}
}

// TestLateButtonTwice delivers an interaction again while it is being answered.
// The player gets one reply.
func TestLateButtonTwice(t *testing.T) {
	t.Parallel()
	discord := discordtest.New(t, inTwoServers)
	s, log, end := mustRunner(t, discord, demo(func() { answered(t, discord, 3) }), 5*time.Millisecond)
	s.play("ana in general: /demo word:crane tiles:bbbbb\n")
	player, channel := s.shown[0].player, s.shown[0].channel
	message, id := s.button(player, channel, "No")
	call := discord.Invoke(discordtest.Interaction{
		Type: discordtest.TypeComponent, Guild: server, User: player, Channel: channel, CustomID: id, Message: message,
	})
	discord.Invoke(discordtest.Interaction{ID: call.ID()})
	if a := mustMessage(t, call); a.Content != "No." || !a.Ephemeral {
		t.Errorf("got %+v", a)
	}
	log.MustSay(t, "already been acknowledged")
	for _, v := range discord.Violations() {
		if !strings.Contains(v, "already been acknowledged") {
			t.Errorf("discord would not have it: %s", v)
		}
	}
	end()
	for _, a := range append(call.Edits(), call.FollowUps()...) {
		if a.MessageID != call.Edits()[0].MessageID || a.Content != "No." {
			t.Errorf("answered again: %+v", a)
		}
	}
}
