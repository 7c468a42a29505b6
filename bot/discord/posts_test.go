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

var postButton = bot.Button{Label: "Tiles", Command: bot.NameDayPost, Args: map[string]string{"day": "2026-11-21"}}

var postReply = bot.Reply{Blocks: []bot.Block{bot.Text("the day"), bot.Row{postButton}}}

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
		must(t, to.Post(t.Context(), game.ChannelID(channels["general"]), postReply, "n1"))
	}
	must(t, to.Post(t.Context(), game.ChannelID(thread), postReply, "n2"))
	if n, m := len(s.Posted(channels["general"])), len(s.Posted(thread)); n != 1 || m != 1 {
		t.Errorf("it was posted %d times, and %d times in a thread", n, m)
	}
	for channel, want := range map[string]bot.Refused{denied: "Missing Permissions", "1300000000000000099": "Unknown Channel", locked: "Thread is archived"} {
		if err := to.Post(t.Context(), game.ChannelID(channel), postReply, "n3"); err != want {
			t.Errorf("%s: got %v, want %v", channel, err, want)
		}
	}
	for _, status := range []int{401, 429, 500} {
		mend := s.Break("POST", "/messages", discordtest.Breakage{Status: status}, -1)
		err := to.Post(t.Context(), game.ChannelID(channels["general"]), postReply, "n4")
		if _, refused := errors.AsType[bot.Refused](err); err == nil || refused {
			t.Errorf("status %d: got %v", status, err)
		}
		mend()
	}
	if n := len(s.Violations()); n != 3 {
		t.Errorf("%d violations", n)
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
	must(t, to.Post(t.Context(), game.ChannelID(channels["general"]), r, "n1"))
	s.SetChannel(discordtest.Channel{ID: channels["general"], Guild: server, Overwrites: []discordtest.Overwrite{{ID: server, Deny: discordtest.AttachFiles}}})
	must(t, to.Post(t.Context(), game.ChannelID(channels["general"]), r, "n2"))
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
			made <- to.Post(ctx, game.ChannelID(channels["general"]), postReply, "n")
			<-ctx.Done()
			late := context.WithoutCancel(ctx)
			must(t, s.WaitConnected(late, 0)) // all else has ended, too
			must(t, to.Post(late, game.ChannelID(channels["general"]), postReply, "late"))
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
