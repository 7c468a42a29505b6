package discord

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/picture"
	"fivefold/game"
)

var postButton = bot.Button{Label: "Tiles", Command: bot.NameDaily, Args: map[string]string{"day": "2026-11-21"}}

var postReply = bot.Reply{Blocks: []bot.Block{bot.Text("the day"), bot.Row{postButton}}}

// second returns the error of a post.
func second(_ string, err error) error { return err }

// TestPosts: a reply is posted once under a nonce, also if Discord's answer is lost, and an error says whether
// it ever can be.
func TestPosts(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{Guilds: []string{server}})
	o := Options{
		Token: s.Token(), BaseURL: mustURL(t, s.URL()), Bot: &bot.Bot{Table: table()}, Log: slog.New(slog.DiscardHandler), Observer: unobserved{},
	}
	timings := patient(defaultTimings)
	to := posts{newFront(o, o.client(timings), timings)}
	denied, thread, locked := "1300000000000000021", "1300000000000000022", "1300000000000000023"
	s.SetChannel(discordtest.Channel{ID: locked, Guild: server, Type: discordtest.ChannelPublicThread, Locked: true})
	s.SetChannel(discordtest.Channel{ID: channels["general"], Guild: server})
	s.SetChannel(discordtest.Channel{ID: thread, Guild: server, Type: discordtest.ChannelPublicThread, Parent: denied})
	s.SetChannel(discordtest.Channel{ID: denied, Guild: server, Overwrites: []discordtest.Overwrite{{ID: server, Deny: discordtest.SendMessages}}})
	s.Break("POST", "/messages", discordtest.Breakage{Done: true, Cut: true}, 1)
	for range 2 {
		must(t, second(to.Post(t.Context(), game.ChannelID(channels["general"]), postReply, "n1")))
	}
	must(t, second(to.Post(t.Context(), game.ChannelID(thread), postReply, "n2")))
	if n, m := len(s.Posted(channels["general"])), len(s.Posted(thread)); n != 1 || m != 1 {
		t.Errorf("it was posted %d times, and %d times in a thread", n, m)
	}
	for channel, want := range map[string]bot.Refused{denied: "Missing Permissions", "1300000000000000099": "Unknown Channel", locked: "Thread is archived"} {
		if _, err := to.Post(t.Context(), game.ChannelID(channel), postReply, "n3"); err != want {
			t.Errorf("%s: got %v, want %v", channel, err, want)
		}
	}
	for _, status := range []int{401, 429, 500} {
		mend := s.Break("POST", "/messages", discordtest.Breakage{Status: status}, -1)
		_, err := to.Post(t.Context(), game.ChannelID(channels["general"]), postReply, "n4")
		if _, refused := errors.AsType[bot.Refused](err); err == nil || refused {
			t.Errorf("status %d: got %v", status, err)
		}
		mend()
	}
	if n := len(s.Violations()); n != 3 {
		t.Errorf("%d violations", n)
	}
}

// TestPostsElsewhere: a thread is started once on a post, and a direct message opens its channel once. Errors say what Discord
// refuses for good.
func TestPostsElsewhere(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{Guilds: []string{server}})
	o := Options{
		Token: s.Token(), BaseURL: mustURL(t, s.URL()), Bot: &bot.Bot{Table: table()}, Log: slog.New(slog.DiscardHandler), Observer: unobserved{},
	}
	timings := patient(defaultTimings)
	to := posts{newFront(o, o.client(timings), timings)}
	general, thread := game.ChannelID(channels["general"]), game.ChannelID("1300000000000000022")
	s.SetChannel(discordtest.Channel{ID: string(general), Guild: server})
	s.SetChannel(discordtest.Channel{ID: string(thread), Guild: server, Type: discordtest.ChannelPublicThread, Parent: string(general)})
	message, err := to.Post(t.Context(), general, postReply, "n1")
	must(t, err)
	s.Break("POST", "/threads", discordtest.Breakage{Done: true, Cut: true}, 1)
	for range 2 {
		must(t, to.Thread(t.Context(), general, message, "Daily 325"))
	}
	if a := s.Posted(string(general)); len(a) != 1 || a[0].Thread != "Daily 325" {
		t.Errorf("posted: %+v", a)
	}
	inThread, err := to.Post(t.Context(), thread, postReply, "n2")
	must(t, err)
	if err := to.Thread(t.Context(), thread, inThread, "Daily 325"); err != bot.Refused("Cannot execute action on this channel type") {
		t.Errorf("in a thread: %v", err)
	}
	s.SetChannel(discordtest.Channel{ID: string(general), Guild: server, Overwrites: []discordtest.Overwrite{{ID: server, Deny: discordtest.CreatePublicThreads}}})
	message, err = to.Post(t.Context(), general, postReply, "n3")
	must(t, err)
	if err := to.Thread(t.Context(), general, message, "Daily 326"); err != bot.Refused("Missing Permissions") {
		t.Errorf("without the permission: %v", err)
	}

	const ana, ben = "1700000000000000001", "1700000000000000002"
	for _, nonce := range []string{"n4", "n5", "n5"} {
		must(t, to.Direct(t.Context(), ana, postReply, nonce))
	}
	if n := len(s.Posted(discordtest.DirectOf(ana))); n != 2 {
		t.Errorf("%d direct messages", n)
	}
	s.SetChannel(discordtest.Channel{ID: discordtest.DirectOf(ben), Type: discordtest.ChannelDirect, Locked: true})
	if err := to.Direct(t.Context(), ben, postReply, "n6"); err != bot.Refused("Cannot send messages to this user") {
		t.Errorf("to someone who takes none: %v", err)
	}
	s.Break("POST", "/@me/channels", discordtest.Breakage{Status: 500}, 5)
	if err := to.Direct(t.Context(), "1700000000000000003", postReply, "n7"); err == nil || errors.As(err, new(bot.Refused)) {
		t.Errorf("while Discord fails: %v", err)
	}
}

// TestPostsPicture: a post has its picture, or words in its place in a channel where the bot may attach no files.
func TestPostsPicture(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{Guilds: []string{server}})
	o := Options{
		Token: s.Token(), BaseURL: mustURL(t, s.URL()), Bot: &bot.Bot{Table: table()}, Log: slog.New(slog.DiscardHandler), Observer: unobserved{},
	}
	timings := patient(defaultTimings)
	to := posts{newFront(o, o.client(timings), timings)}
	s.SetChannel(discordtest.Channel{ID: channels["general"], Guild: server})
	drawn := 0
	r := bot.Reply{Tone: bot.News, Heading: bot.Text("Yesterday"), Blocks: []bot.Block{&bot.Picture{
		Name: "boards.png", Alt: "ana: 2/6.", Instead: []bot.Line{bot.Text("ana in words")}, Draw: func(bool) []byte {
			drawn++
			return picture.Boards{{Name: "ana"}}.Draw(false)
		},
	}}}
	must(t, second(to.Post(t.Context(), game.ChannelID(channels["general"]), r, "n1")))
	s.SetChannel(discordtest.Channel{ID: channels["general"], Guild: server, Overwrites: []discordtest.Overwrite{{ID: server, Deny: discordtest.AttachFiles}}})
	must(t, second(to.Post(t.Context(), game.ChannelID(channels["general"]), r, "n2")))
	all := s.Posted(channels["general"])
	if len(all) != 2 || len(all[0].Files) != 1 || all[0].Files[0].Description != "ana: 2/6." || len(all[1].Files) != 0 || all[1].Content != "### Yesterday\nana in words" || drawn != 2 {
		t.Errorf("drawn %d times, posted: %+v", drawn, all)
	}
	if n := len(s.Violations()); n != 1 { // the file
		t.Errorf("%d violations", n)
	}
}

// TestPostsWhileItRuns: a bot that runs posts by itself, and its end waits for that.
func TestPostsWhileItRuns(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	s.SetChannel(discordtest.Channel{ID: channels["general"], Guild: server})
	made, ended := make(chan error), false
	r := mustReady(t, s, func(o *setup) {
		o.Post = func(ctx context.Context, to bot.Channels) {
			made <- second(to.Post(ctx, game.ChannelID(channels["general"]), postReply, "n"))
			<-ctx.Done()
			late := context.WithoutCancel(ctx)
			must(t, s.WaitConnected(late, 0)) // all else has ended, too
			must(t, second(to.Post(late, game.ChannelID(channels["general"]), postReply, "late")))
			ended = true
		}
	})
	must(t, <-made)
	if a := s.Posted(channels["general"]); len(a) != 1 || a[0].Content != "the day" || len(a[0].Components) != 1 {
		t.Errorf("posted: %+v", a)
	}
	r.cancel()
	must(t, r.mustEnd(t))
	if !ended {
		t.Error("the bot ended before what posts")
	}
}
