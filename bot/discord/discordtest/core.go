package discordtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Options change what the fake expects. The zero value is fine.
type Options struct {
	Token  string   // the bot's token, without "Bot "; by default made up
	Guilds []string // the ids of the servers that the bot is in
	Shards int      // how many shards Discord recommends, by default 1

	// Now is the clock by which messages and interactions age, by default time.Now. Ids hold this time.
	Now func() time.Time

	// ServersOnly means that the developer portal does not let users install the application for themselves.
	ServersOnly bool

	// Forget is how long at least the fake remembers interactions, messages and REST calls; 0 is for ever.
	Forget time.Duration

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

// core is shared by all parts of a fake. mu protects the core and the parts' data. Nobody holds mu during network traffic:
// packets go through the channel out of their conn.
type core struct {
	options Options         // with the defaults
	serving context.Context // ends with the server
	wg      sync.WaitGroup  // the goroutines of gateway connections and deliveries
	posts   sync.WaitGroup  // the deliveries

	mu         sync.Mutex
	last       int64  // the latest id
	changed    signal // fires at each REST call, and when connections or sessions come, go or get ready
	violations []string
}

// object is a JSON object that the server sends.
type object = map[string]any

// mustJSON encodes a value that the server made itself, which cannot fail.
func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// Violations returns the calls that Discord would have refused so far, and mentions, files and pictures against our rules. It
// forgets them.
func (d *core) Violations() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	v := d.violations
	d.violations = nil
	return v
}

func (d *core) violateLocked(format string, args ...any) {
	d.violations = append(d.violations, fmt.Sprintf(format, args...))
}

// waitFor waits until ok returns true. It calls ok with d.mu held.
func (d *core) waitFor(ctx context.Context, ok func() bool) error {
	return d.await(ctx, &d.changed, ok)
}

// await waits until done returns true. It calls done with d.mu held: at first, and whenever on fires.
func (d *core) await(ctx context.Context, on *signal, done func() bool) error {
	for {
		d.mu.Lock()
		done, changed := done(), on.ch
		d.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-d.serving.Done():
			return ErrClosed
		}
	}
}

// signal wakes every goroutine that waits for a change, by closing its channel. The core's mu protects it.
type signal struct{ ch chan struct{} }

func newSignal() signal { return signal{make(chan struct{})} }

func (s *signal) fire() {
	close(s.ch)
	s.ch = make(chan struct{})
}

// discordEpoch is the first millisecond of 2015, from which Discord's ids count.
const discordEpoch = 1420070400000

// newIDLocked returns an id that carries the time, as Discord's do. Each id is greater than the one before.
func (d *core) newIDLocked() string {
	d.last = max((d.options.Now().UnixMilli()-discordEpoch)<<22, d.last+1)
	return strconv.FormatInt(d.last, 10)
}

// NewID returns the id of something that happens now.
func (d *core) NewID() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.newIDLocked()
}

// MadeAt returns the time in an id: 2015 for the short ids that tests make up.
func MadeAt(id string) time.Time {
	n, _ := strconv.ParseInt(id, 10, 64) // ids that a test made up may say anything
	return time.UnixMilli(n>>22 + discordEpoch)
}
