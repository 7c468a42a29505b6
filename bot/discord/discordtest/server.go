// Package discordtest is a fake Discord on loopback, for tests only: the part
// of its REST API and of its gateway that this bot uses. It refuses what Discord
// would refuse.
//
// A test starts one with [New], and a program with [Start]; it points the bot at
// [Server.URL], plays with [Server.Invoke] and reads what a player would see from the
// [Call] that this returns. Whatever Discord would have refused (a message that is too
// long, a second answer, an answer after three seconds) is refused in Discord's words
// and noted as a violation. Violations that the test does not fetch with
// [Server.Violations] fail it when it ends.
//
// Facts about Discord are from its public documentation and its OpenAPI description of
// 2026-08. Request bodies are checked against that description too where it is present:
// as ../shared/data/discord-openapi.json, seen from the folder of go.mod. Elsewhere one
// test is skipped, and says so.
package discordtest

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Options change what the fake expects. The zero value is fine.
type Options struct {
	// Token is the bot token that is accepted, without "Bot ". By default a
	// made-up one.
	Token string

	// Guilds are the ids of the guilds the bot is in, named in READY. By default none.
	Guilds []string

	// Now is the clock by which messages and interactions age, by default time.Now: an
	// interaction's token ends after 15 minutes, and a message that is older than an hour
	// takes few edits. Ids hold this time, so the bot must go by the same clock.
	Now func() time.Time

	// ServersOnly means that users cannot install the application for themselves: that is
	// switched off on the developer portal.
	ServersOnly bool

	// Forget is how long the fake remembers interactions, messages and REST calls, at least; 0 is
	// for as long as it runs. An answer to an interaction that is forgotten is a violation.
	Forget time.Duration

	// BotCalls is how many calls the bot's token allows in a second, by default Discord's 50.
	BotCalls int

	// Deliver takes the interactions that are posted to the endpoint, by default over the network.
	Deliver http.RoundTripper

	// Shards is how many shards are recommended, by default 1.
	Shards int
}

const (
	defaultToken = "test-token-AAAAAAAAAAAAAAAAAAAAAAAA.BBBBBB.CCCCCCCCCCCC"
	appID        = "1100000000000000001"
)

// ErrClosed is returned by everything that waits on a server that has ended.
var ErrClosed = errors.New("discordtest: the server is closed")

// Server is the fake. Its methods may be called from any goroutine.
type Server struct {
	options Options       // with the defaults
	answer  time.Duration // how long after an interaction its first answer is accepted
	http    *httptest.Server
	openAPI *openAPI       // nil if the description is absent
	wg      sync.WaitGroup // the goroutines of gateway connections and deliveries
	key     ed25519.PrivateKey
	poster  *http.Client    // posts interactions
	serving context.Context // ended when the server ends
	stop    context.CancelFunc

	// mu protects everything below, and what a conn, session, Call and message
	// say of themselves. It is never held while something is written to or read
	// from the network: packets go through a channel of their conn's.
	mu         sync.Mutex
	endpoint   string // see SetEndpoint
	ids        snowflakes
	changed    signal // connections came; sessions came, went or got ready; or there was a REST call
	conns      map[*conn]struct{}
	sessions   map[string]*session
	identified int
	resumed    int
	closes     []int
	calls      map[string]*Call // by interaction id
	tokens     map[string]*Call // by interaction token
	messages   map[string]*message
	nonces     map[string]*message
	commands   map[string][]object // by guild id, "" is global
	guildsByID map[string]*Guild   // those that the bot is in
	channels   map[string]*Channel
	emojis     []*emojiEntry // the application's, oldest first
	puts       int
	limits     map[string]*limit
	nextForget time.Time
	faults     []*fault
	requests   []Request
	forgotten  int // requests that are not in the list any more
	violations []string
}

// New starts a fake Discord on loopback. It ends with the test, which then
// fails if there are violations that [Server.Violations] has not returned.
func New(tb testing.TB, o Options) *Server {
	tb.Helper()
	description, err := loadOpenAPI()
	if err != nil {
		tb.Fatalf("discordtest: %v", err)
	}
	s := start(o, time.Hour, description) // tests pass on however slow a machine
	tb.Cleanup(func() {
		s.Close()
		for _, v := range s.Violations() {
			tb.Errorf("discord would not have it: %s", v)
		}
	})
	return s
}

// Start starts a fake Discord on loopback for a program that is not a test, which must
// close it. It does not compare requests with Discord's description of its API, which takes
// longer than all else that the fake does.
func Start(o Options) *Server { return start(o, 3*time.Second, nil) } // Discord's limit, 2026-08

// start starts a fake Discord that accepts a first answer for a while after its interaction.
func start(o Options, answer time.Duration, description *openAPI) *Server {
	o.Token = cmp.Or(strings.TrimPrefix(o.Token, "Bot "), defaultToken)
	o.BotCalls = cmp.Or(o.BotCalls, 50) // Discord's limit, 2026-08
	o.Shards = max(1, o.Shards)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Deliver == nil {
		o.Deliver = &http.Transport{MaxIdleConnsPerHost: 256}
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		panic(err) // there is always randomness
	}
	s := &Server{
		options:    o,
		answer:     answer,
		openAPI:    description,
		key:        key,
		poster:     &http.Client{Transport: o.Deliver},
		ids:        snowflakes{now: o.Now},
		changed:    newSignal(),
		conns:      map[*conn]struct{}{},
		sessions:   map[string]*session{},
		calls:      map[string]*Call{},
		tokens:     map[string]*Call{},
		messages:   map[string]*message{},
		nonces:     map[string]*message{},
		commands:   map[string][]object{},
		limits:     map[string]*limit{},
		channels:   map[string]*Channel{},
		guildsByID: map[string]*Guild{},
	}
	s.serving, s.stop = context.WithCancel(context.Background())
	for _, id := range o.Guilds {
		s.guildLocked(id)
	}
	// It is started only after the assignment to s.http, which requests read: nothing else
	// would order a request from another process after that.
	s.http = httptest.NewUnstartedServer(s.routes())
	s.http.Start()
	return s
}

// Close ends the server and every connection to it, and waits for its
// goroutines. It is called at the end of the test; calling it twice is fine.
func (s *Server) Close() {
	s.mu.Lock()
	s.stop()
	for c := range s.conns {
		c.ws.UnderlyingConn().Close()
	}
	s.mu.Unlock()
	// Clients that keep idle connections would make Close of httptest wait.
	s.http.CloseClientConnections()
	s.http.Close()
	s.wg.Wait()
	s.poster.CloseIdleConnections()
}

// URL is the address to give the bot instead of https://discord.com/; it ends
// in a slash.
func (s *Server) URL() string { return s.http.URL + "/" }

// Token is the bot token that is accepted, without "Bot ".
func (s *Server) Token() string { return s.options.Token }

// AppID is the id of the application, and of its bot user.
func (s *Server) AppID() string { return appID }

// Violations returns, and forgets, what Discord would have refused so far and what our
// own rules forbid ("mentions: …", "pictures: …").
func (s *Server) Violations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.violations
	s.violations = nil
	return v
}

func (s *Server) violateLocked(format string, args ...any) {
	s.violations = append(s.violations, fmt.Sprintf(format, args...))
}

// Request is one REST call as the server saw it.
type Request struct {
	Method string
	Path   string          // with the tokens that are part of it, without the query
	Body   json.RawMessage // the JSON part of it, nil when there was none
	Files  []File          // what came along
	Status int             // what was answered
	At     time.Time       // when it arrived
}

// Requests returns the REST calls so far, in the order in which they took
// effect; only the latest ones with [Options].Forget.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// WaitRequests waits until there were n REST calls in all.
func (s *Server) WaitRequests(ctx context.Context, n int) error {
	return s.waitFor(ctx, func() bool { return s.forgotten+len(s.requests) >= n })
}

// WaitReady waits until n sessions in all, since the start of the server, have
// got READY or RESUMED.
func (s *Server) WaitReady(ctx context.Context, n int) error {
	return s.waitFor(ctx, func() bool { return s.identified+s.resumed >= n })
}

// WaitClosed waits until clients have closed n connections in all. It returns the codes with which they have, in
// order: 1006 for a line that was cut without a code. Closes that the server asked for are not among them.
func (s *Server) WaitClosed(ctx context.Context, n int) (codes []int, err error) {
	err = s.waitFor(ctx, func() bool { codes = slices.Clone(s.closes); return len(codes) >= n })
	return codes, err
}

// WaitConnected waits until exactly n sessions are connected and ready.
func (s *Server) WaitConnected(ctx context.Context, n int) error {
	return s.waitFor(ctx, func() bool {
		connected := 0
		for _, ses := range s.sessions {
			if ses.conn != nil {
				connected++
			}
		}
		return connected == n
	})
}

// waitFor waits until ok, which is called with s.mu held.
func (s *Server) waitFor(ctx context.Context, ok func() bool) error {
	return s.await(ctx, &s.changed, func() (bool, error) { return ok(), nil })
}

// await waits until done, or an error of it. It is called with s.mu held, at first and whenever on fires.
func (s *Server) await(ctx context.Context, on *signal, done func() (bool, error)) error {
	for {
		s.mu.Lock()
		done, err := done()
		changed := on.ch
		s.mu.Unlock()
		if done || err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-s.serving.Done():
			return ErrClosed
		}
	}
}

// Sessions returns how often a session was begun and how often one was resumed.
func (s *Server) Sessions() (identified, resumed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.identified, s.resumed
}

// signal wakes every goroutine that waits for a change: its channel is closed. It is used under Server.mu.
type signal struct{ ch chan struct{} }

func newSignal() signal { return signal{make(chan struct{})} }

func (s *signal) fire() {
	close(s.ch)
	s.ch = make(chan struct{})
}
