// Package discordtest is a fake Discord on loopback, for tests only: the part of its REST API and of its gateway that
// this bot uses.
//
// A test starts one with [New], and a program with [Start]. It points the bot at [Server.URL], plays with
// [Server.Invoke] and reads what a player would see from the [Call]. Whatever Discord would refuse (a message that is
// too long, a second answer, an answer after three seconds) is refused in Discord's words and noted as a violation.
// A test fails at its end if there are violations that it has not fetched.
//
// Facts about Discord are from its public documentation of 2026-08.
package discordtest

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// Server is the fake. Its methods are safe for concurrent use.
type Server struct {
	*exchange
	*gateway
	http   *httptest.Server
	key    ed25519.PrivateKey
	poster *http.Client // posts interactions
	stop   context.CancelFunc
}

// New starts a fake Discord that ends with the test. It accepts a first answer for an hour, for slow machines.
func New(tb testing.TB, o Options) *Server {
	tb.Helper()
	s := start(o, time.Hour)
	tb.Cleanup(func() {
		s.Close()
		for _, v := range s.Violations() {
			tb.Errorf("discord would not have it: %s", v)
		}
	})
	return s
}

// Start starts a fake Discord that its caller must close. It accepts a first answer as long as Discord does.
func Start(o Options) *Server { return start(o, 3*time.Second) }

func start(o Options, answer time.Duration) *Server {
	o.Token = cmp.Or(o.Token, defaultToken)
	o.Shards = cmp.Or(o.Shards, 1)
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Deliver = cmp.Or[http.RoundTripper](o.Deliver, &http.Transport{MaxIdleConnsPerHost: 256})
	public, key, _ := ed25519.GenerateKey(nil) // reading random bytes does not fail
	d := &core{options: o, changed: newSignal()}
	r := &rest{core: d, buckets: map[string]*bucket{}}
	p := &places{rest: r, channels: map[string]*Channel{}, guilds: map[string]*Guild{}, messages: map[string]*message{}, nonces: map[string]*message{}}
	for _, id := range o.Guilds {
		p.guilds[id] = &Guild{ID: id}
	}
	a := &application{places: p, key: public, commands: map[string][]object{}}
	s := &Server{
		exchange: &exchange{application: a, answer: answer, calls: map[string]*Call{}},
		gateway:  &gateway{core: d, conns: map[*conn]struct{}{}, sessions: map[string]*session{}},
		key:      key,
		poster:   &http.Client{Transport: o.Deliver},
	}
	d.serving, s.stop = context.WithCancel(context.Background())
	r.forget = s.forgetLocked
	s.http = httptest.NewUnstartedServer(s.routes())
	s.gateway.url = "ws://" + s.http.Listener.Addr().String() + "/socket"
	s.http.Start()
	return s
}

// Close ends the server and every connection to it, and waits for its goroutines. It can be called twice.
func (s *Server) Close() {
	s.stop()
	s.CutGateway()
	s.http.CloseClientConnections() // Close would wait for idle connections
	s.http.Close()
	s.wg.Wait()
	s.poster.CloseIdleConnections()
}

// URL is the address to give the bot instead of https://discord.com/. It ends in a slash.
func (s *Server) URL() string { return s.http.URL + "/" }

// Token is the bot token that is accepted, without "Bot ".
func (s *Server) Token() string { return s.options.Token }

// AppID is the id of the application, and of its bot user.
func (s *Server) AppID() string { return appID }

// routes returns the gateway, and the part of Discord's REST API that the bot uses.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/socket/", func(w http.ResponseWriter, r *http.Request) {
		if how := s.breakage(r); how.nothing() {
			w.WriteHeader(how.Status)
			return
		}
		s.serveGateway(w, r)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.serve(w, r, func(c *incoming) reply { return s.refuseLocked(c, http.StatusNotFound, 0, "no such endpoint here") })
	})
	route := func(methods, path string, do handler) {
		for method := range strings.SplitSeq(methods, " ") {
			mux.HandleFunc(method+" /api/{version}/"+path, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, do) })
		}
	}
	// By the token of an interaction:
	route("POST", "interactions/{id}/{token}/callback", func(c *incoming) reply {
		return s.callbackLocked(c, c.PathValue("id"), c.PathValue("token"))
	})
	route("POST", "webhooks/"+appID+"/{token}", s.limited(rateWebhook, "token", s.followUpLocked))
	route("GET PATCH DELETE", "webhooks/"+appID+"/{token}/messages/{message}", s.limited(rateWebhook, "token", s.answerLocked))
	route("GET", "gateway", s.gatewayLocked) // other bots ask for this one
	// By the bot's token:
	bot := func(methods, path string, do handler) { route(methods, path, s.asBot(do)) }
	bot("GET", "gateway/bot", s.gatewayLocked)
	bot("GET", "applications/@me", s.applicationLocked)
	bot("GET", "applications/"+appID+"/emojis", s.emojisLocked)
	bot("POST", "applications/"+appID+"/emojis", s.addEmojiLocked)
	bot("DELETE", "applications/"+appID+"/emojis/{emoji}", s.emojisLocked)
	bot("GET PUT", "applications/"+appID+"/commands", s.commandsLocked)
	bot("GET PUT", "applications/"+appID+"/guilds/{guild}/commands", s.commandsLocked)
	bot("GET", "users/@me/guilds", s.guildsLocked)
	bot("POST", "users/@me/channels", s.openDirectLocked)
	bot("GET", "guilds/{guild}", s.guildLocked)
	bot("GET", "guilds/{guild}/roles", s.rolesLocked)
	bot("GET", "guilds/{guild}/members/"+appID, s.selfLocked)
	bot("GET", "channels/{channel}", s.channelLocked)
	bot("POST", "channels/{channel}/messages", s.limited(ratePost, "channel", s.postLocked))
	bot("POST", "channels/{channel}/messages/{message}/threads", s.threadLocked)
	bot("PATCH", "channels/{channel}/messages/{message}", s.limited(rateEdit, "channel", s.ownMessageLocked))
	bot("DELETE", "channels/{channel}/messages/{message}", s.limited(rateDelete, "channel", s.ownMessageLocked))
	return mux
}

// Invoke sends an interaction to the endpoint. Without an endpoint, it goes to every session whose shard serves its server; a
// broken session gets it when it resumes. The time for the first answer starts now. A late answer is refused, which is no
// violation.
func (s *Server) Invoke(i Interaction) *Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.callLocked(i)
	if url := s.endpoint; url != "" && s.serving.Err() == nil {
		s.posts.Add(1)
		s.wg.Go(func() { defer s.posts.Done(); s.deliver(url, c, i.Cut) })
		return c
	}
	s.dispatchLocked("INTERACTION_CREATE", c.asked.Guild, c.payload)
	return c
}

// RemoveBot removes the bot from a server, or has it join again, and tells it so. In an outage, Discord says that a server is
// unavailable, and the bot stays.
func (s *Server) RemoveBot(guild string, back, outage bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	event, says := "GUILD_DELETE", object{"id": guild, "unavailable": outage}
	switch {
	case back:
		event = "GUILD_CREATE"
		s.guilds[guild] = &Guild{ID: guild}
	case !outage:
		delete(says, "unavailable")
		delete(s.guilds, guild)
	}
	s.dispatchLocked(event, guild, mustJSON(says))
}

// WaitPosted waits until every interaction that was posted so far has got its response, or none in time.
func (s *Server) WaitPosted() { s.posts.Wait() }

// Again delivers an interaction again, and returns the bot's second answer, which Discord does not take.
func (s *Server) Again(ctx context.Context, c *Call) (Answer, error) {
	s.mu.Lock()
	c.unheard = true
	n := len(c.repeated)
	s.mu.Unlock()
	s.Invoke(Interaction{ID: c.ID()})
	return c.wait(ctx, func() *Answer { return nth(c.repeated, n) })
}

// Submit fills in the form that answers a call by custom_id, and sends it as the same player. Other inputs keep their value.
func (s *Server) Submit(ctx context.Context, c *Call, texts map[string]string) (*Call, error) {
	form, err := c.First(ctx)
	if err != nil {
		return nil, err
	}
	filled := map[string]any{}
	for _, label := range form.Inputs {
		filled[label.Inner.CustomID] = label.Inner.Value
	}
	for name, text := range texts {
		if filled[name] == nil {
			return nil, fmt.Errorf("discordtest: the form has no input %s", name)
		}
		filled[name] = text
	}
	i := c.asked
	i.ID, i.Type, i.CustomID, i.Options, i.form = "", TypeModal, form.CustomID, filled, form.Layout
	return s.Invoke(i), nil
}

// forgetLocked forgets everything older than a time, except for messages that are still used.
func (s *Server) forgetLocked(old time.Time) {
	maps.DeleteFunc(s.calls, func(_ string, c *Call) bool { return c.began.Before(old) })
	maps.DeleteFunc(s.messages, func(_ string, m *message) bool { return m.used.Before(old) })
	maps.DeleteFunc(s.buckets, func(_ string, b *bucket) bool { return b.reset.Before(old) })
	before := len(s.requests)
	s.requests = slices.DeleteFunc(s.requests, func(r Request) bool { return r.At.Before(old) })
	s.forgotten += before - len(s.requests)
}
