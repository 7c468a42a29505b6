// Package discordtest is a fake Discord on loopback, for tests only: the part of its REST API and of its gateway that
// this bot uses.
//
// A test starts one with [New], and a program with [Start]. It points the bot at [Server.URL], plays with
// [Server.Invoke] and reads what a player would see from the [Call]. Whatever Discord would refuse (a message that is
// too long, a second answer, an answer after three seconds) is refused in Discord's words and noted as a violation.
// A test fails at its end if there are violations that it has not fetched with [Server.Violations].
//
// Facts about Discord are from its public documentation of 2026-08.
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
	"strconv"
	"sync"
	"testing"
	"time"
)

// Options change what the fake expects. The zero value is fine.
type Options struct {
	Token  string   // the bot token that is accepted, without "Bot "; by default made up
	Guilds []string // the ids of the servers that the bot is in
	Shards int      // how many are recommended, by default 1

	// Now is the clock by which messages and interactions age, by default time.Now. Ids hold this time, so the bot
	// must go by the same clock.
	Now func() time.Time

	// ServersOnly means that the developer portal does not let users install the application for themselves.
	ServersOnly bool

	// Forget is how long the fake remembers interactions, messages and REST calls, at least. 0 is for as long as it
	// runs.
	Forget time.Duration

	// BotCalls is how many calls the bot's token allows in a second, by default Discord's 50.
	BotCalls int

	// Deliver takes the interactions that are posted to the endpoint, by default over the network.
	Deliver http.RoundTripper
}

const (
	defaultToken = "test-token-AAAAAAAAAAAAAAAAAAAAAAAA.BBBBBB.CCCCCCCCCCCC"
	appID        = "1100000000000000001"
)

var botUser = object{"id": appID, "username": "Fivefold", "discriminator": "0000", "bot": true}

// ErrClosed is returned by everything that waits on a server that has ended.
var ErrClosed = errors.New("discordtest: the server is closed")

// Server is the fake. Its methods are safe for concurrent use.
type Server struct {
	options Options       // with the defaults
	answer  time.Duration // how long after an interaction its first answer is accepted
	http    *httptest.Server
	wg      sync.WaitGroup // the goroutines of gateway connections and deliveries
	key     ed25519.PrivateKey
	poster  *http.Client    // posts interactions
	serving context.Context // ends with the server
	stop    context.CancelFunc

	// mu protects everything below, and the fields of a conn, session, Call and message. It is never held during
	// network traffic: packets go through a channel of their conn's.
	mu            sync.Mutex
	endpoint      string // see SetEndpoint
	ids           snowflakes
	changed       signal // fires at each REST call, and when connections or sessions come, go or get ready
	conns         map[*conn]struct{}
	sessions      map[string]*session
	identified    int
	resumed       int
	closes        []int
	calls         map[string]*Call // by interaction id
	tokens        map[string]*Call // by interaction token
	messages      map[string]*message
	nonces        map[string]*message
	commands      map[string][]object // by server id; "" is global
	registrations int
	guilds        map[string]*Guild // those that the bot is in
	channels      map[string]*Channel
	emojis        []*emoji // the application's, oldest first
	buckets       map[string]*bucket
	nextForget    time.Time
	faults        []*fault
	requests      []Request
	forgotten     int // requests that are no longer in the list
	violations    []string
}

// New starts a fake Discord that ends with the test. It accepts a first answer for an hour: tests pass on however slow a
// machine.
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

// Start starts a fake Discord for a program that is not a test, which must close it. It accepts a first answer as long
// as Discord does.
func Start(o Options) *Server { return start(o, 3*time.Second) }

func start(o Options, answer time.Duration) *Server {
	o.Token = cmp.Or(o.Token, defaultToken)
	o.BotCalls = cmp.Or(o.BotCalls, 50)
	o.Shards = cmp.Or(o.Shards, 1)
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
		options:  o,
		answer:   answer,
		key:      key,
		poster:   &http.Client{Transport: o.Deliver},
		ids:      snowflakes{now: o.Now},
		changed:  newSignal(),
		conns:    map[*conn]struct{}{},
		sessions: map[string]*session{},
		calls:    map[string]*Call{},
		tokens:   map[string]*Call{},
		messages: map[string]*message{},
		nonces:   map[string]*message{},
		commands: map[string][]object{},
		buckets:  map[string]*bucket{},
		channels: map[string]*Channel{},
		guilds:   map[string]*Guild{},
	}
	s.serving, s.stop = context.WithCancel(context.Background())
	for _, id := range o.Guilds {
		s.guilds[id] = &Guild{ID: id}
	}
	// Requests read s.http, so it is set before the server starts.
	s.http = httptest.NewUnstartedServer(s.routes())
	s.http.Start()
	return s
}

// Close ends the server and every connection to it, and waits for its goroutines. It can be called twice.
func (s *Server) Close() {
	s.mu.Lock()
	s.stop()
	for c := range s.conns {
		c.ws.UnderlyingConn().Close()
	}
	s.mu.Unlock()
	s.http.CloseClientConnections() // Close would wait for idle ones
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

// Violations returns, and forgets, what Discord would have refused so far and what our own rules forbid ("mentions: …",
// "pictures: …").
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

// Request is a REST call as the server saw it.
type Request struct {
	Method string
	Path   string          // without the query
	Body   json.RawMessage // the JSON part, nil when there was none
	Files  []File
	Status int       // of the answer
	At     time.Time // when it arrived
}

// Requests returns the REST calls in the order in which they took effect; only the latest ones with [Options].Forget.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// WaitRequests waits until there were n REST calls in all.
func (s *Server) WaitRequests(ctx context.Context, n int) error {
	return s.waitFor(ctx, func() bool { return s.forgotten+len(s.requests) >= n })
}

// WaitReady waits until n sessions in all, since the start of the server, have got READY or RESUMED.
func (s *Server) WaitReady(ctx context.Context, n int) error {
	return s.waitFor(ctx, func() bool { return s.identified+s.resumed >= n })
}

// WaitClosed waits until clients have closed n connections in all, and returns their codes in order: 1006 for a line
// that was cut. Closes that the server asked for are not among them.
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

// WaitAnswered waits until there is an answer to the interaction with an id.
func (s *Server) WaitAnswered(ctx context.Context, id string) error {
	return s.waitFor(ctx, func() bool { c := s.calls[id]; return c != nil && c.first != nil })
}

// waitFor waits until ok, which is called with s.mu held.
func (s *Server) waitFor(ctx context.Context, ok func() bool) error {
	return s.await(ctx, &s.changed, func() (bool, error) { return ok(), nil })
}

// await waits until done says so, or returns its error. It calls done with s.mu held, at first and whenever on fires.
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

// signal wakes every goroutine that waits for a change, by closing its channel. Server.mu protects it.
type signal struct{ ch chan struct{} }

func newSignal() signal { return signal{make(chan struct{})} }

func (s *signal) fire() {
	close(s.ch)
	s.ch = make(chan struct{})
}

// discordEpoch is the first millisecond of 2015, from which Discord's ids count.
const discordEpoch = 1420070400000

// snowflakes makes ids that carry the time at which they were made, as Discord's do. Each is greater than the one
// before.
type snowflakes struct {
	now  func() time.Time
	last int64
}

func (f *snowflakes) next() string {
	f.last = max((f.now().UnixMilli()-discordEpoch)<<22, f.last+1)
	return strconv.FormatInt(f.last, 10)
}

// NewID returns the id of something that happens now.
func (s *Server) NewID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids.next()
}

// MadeAt returns the time in an id: 2015 for the short ids that tests make up.
func MadeAt(id string) time.Time {
	n, _ := strconv.ParseInt(id, 10, 64) // ids that a test made up may say anything
	return time.UnixMilli(n>>22 + discordEpoch)
}
