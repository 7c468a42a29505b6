package gateway

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// The gateway's opcodes that we know:
// discord.com/developers/docs/topics/opcodes-and-status-codes.
const (
	opDispatch       = 0
	opHeartbeat      = 1
	opIdentify       = 2
	opResume         = 6
	opReconnect      = 7
	opInvalidSession = 9
	opHello          = 10
	opHeartbeatAck   = 11
)

// frame is what travels over the gateway, both ways.
type frame struct {
	Op   *int            `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  int64           `json:"s"`
	Type string          `json:"t"`
}

// session is what it takes to resume a session on another connection.
type session struct {
	id        string       // empty until READY
	resumeURL string       // where to resume it; empty for the gateway's usual address
	seq       atomic.Int64 // of the latest event
}

var (
	errSilent      = errors.New("Discord did not make the session ready in time")
	errNoAck       = errors.New("Discord did not acknowledge a heartbeat")
	errReconnect   = errors.New("Discord asked to reconnect")
	errInvalid     = errors.New("Discord calls the session invalid; it may be resumed")
	errInvalidated = errors.New("Discord calls the session invalid")
)

// connection serves a session on one line.
type connection struct {
	line          line
	session       *session
	identify      func() ([]byte, error) // the data of IDENTIFY, when it may be sent
	token         string
	connect       time.Duration // how long it may take until the session is ready
	onReady       func(ready)   // called on READY and RESUMED
	onInteraction func(raw []byte)
	log           *slog.Logger

	writing sync.Mutex   // held while a frame is written
	beaten  atomic.Int64 // when the latest heartbeat was sent, in Unix nanoseconds
	acked   atomic.Bool  // whether a heartbeat was acknowledged since the latest check
	busy    atomic.Bool  // whether onInteraction is running, so that nothing is read

	ending sync.Once
	cause  error // why the line was closed by us; set in ending
	hello  bool  // whether HELLO has come
	ready  bool  // whether READY or RESUMED has come
	unread int   // frames that could not be read
}

// ready is what READY says; after RESUMED, resumed is true and the rest is zero.
type ready struct {
	resumed bool
	name    string
	servers int
}

// serve serves the session until the connection ends, and returns why: an error of
// the line, or one of those above. When ctx ends, it closes the session so that
// Discord shows the bot as offline at once.
func (c *connection) serve(ctx context.Context) error {
	unwatch := context.AfterFunc(ctx, func() { c.end(ctx.Err(), websocket.CloseNormalClosure) })
	defer unwatch()
	silent := time.AfterFunc(c.connect, func() { c.end(errSilent, 0) })
	defer silent.Stop()
	onReady := c.onReady
	c.onReady = func(r ready) { silent.Stop(); onReady(r) }

	var heart sync.WaitGroup
	defer heart.Wait()
	done := make(chan struct{})
	defer close(done)
	defer c.line.close(0)
	beat := func(interval time.Duration) { heart.Go(func() { c.heartbeats(interval, done) }) }
	for {
		b, err := c.line.read()
		if err != nil {
			c.end(err, 0)
			return c.cause
		}
		if err := c.receive(b, beat); err != nil {
			c.end(err, 0)
			return c.cause
		}
	}
}

// end closes the line, unless it is closed already, and notes why.
func (c *connection) end(cause error, code int) {
	c.ending.Do(func() {
		c.cause = cause
		c.line.close(code)
	})
}

// receive does what a frame asks for. It returns an error if the connection is to end.
//
// A frame that cannot be read is skipped. Ending the connection would not help: Discord
// would send the frame again when the session is resumed.
func (c *connection) receive(b []byte, beat func(interval time.Duration)) error {
	var f frame
	if err := json.Unmarshal(b, &f); err != nil || f.Op == nil {
		c.skip("frame", err)
		return nil
	}
	if !c.hello && *f.Op != opHello {
		return nil
	}
	switch *f.Op {
	case opHello:
		if c.hello {
			return nil
		}
		interval, err := heartbeatInterval(f.Data)
		if err != nil {
			return err
		}
		c.hello = true
		c.acked.Store(true)
		if err := c.begin(); err != nil {
			return err
		}
		beat(interval)
	case opHeartbeat:
		// Discord accepts 120 frames a minute from us.
		if time.Since(time.Unix(0, c.beaten.Load())) > time.Second {
			return c.beat()
		}
	case opHeartbeatAck:
		c.acked.Store(true)
	case opReconnect:
		return errReconnect
	case opInvalidSession:
		if string(f.Data) == "true" {
			return errInvalid
		}
		return errInvalidated
	case opDispatch:
		return c.dispatch(f)
	}
	return nil
}

func (c *connection) skip(what string, err error) {
	if c.unread++; c.unread == 1 { // more of them would only fill the log
		c.log.Error("could not read an event of the gateway; it was skipped", "what", what, "error", err)
	}
}

// heartbeatInterval reads HELLO. Discord asks for a heartbeat every 41.25 s.
func heartbeatInterval(hello json.RawMessage) (time.Duration, error) {
	var d struct {
		Milliseconds float64 `json:"heartbeat_interval"`
	}
	const least, most = 100, 5 * 60 * 1000
	if err := json.Unmarshal(hello, &d); err != nil {
		return 0, fmt.Errorf("HELLO cannot be read: %w", err)
	}
	if d.Milliseconds < least || d.Milliseconds > most {
		return 0, fmt.Errorf("HELLO has a heartbeat interval of %g ms", d.Milliseconds)
	}
	return time.Duration(d.Milliseconds * float64(time.Millisecond)), nil
}

// begin resumes the session, or begins it.
func (c *connection) begin() error {
	if c.session.id == "" {
		d, err := c.identify()
		if err != nil {
			return err
		}
		return c.send(opIdentify, d)
	}
	d, err := json.Marshal(struct {
		Token   string `json:"token"`
		Session string `json:"session_id"`
		Seq     int64  `json:"seq"`
	}{c.token, c.session.id, c.session.seq.Load()})
	if err != nil {
		return err
	}
	return c.send(opResume, d)
}

// identifyData is the data of IDENTIFY. Interactions come without any intents.
func identifyData(token string, shard, count int) ([]byte, error) {
	return json.Marshal(map[string]any{
		"token":      token,
		"intents":    0,
		"properties": map[string]string{"os": runtime.GOOS, "browser": "fivefold", "device": "fivefold"},
		"shard":      [2]int{shard, count},
	})
}

// dispatch handles an event.
func (c *connection) dispatch(f frame) error {
	switch {
	case f.Type == "READY" && c.session.id == "":
		r, err := c.readReady(f.Data)
		if err != nil {
			return err
		}
		c.session.seq.Store(max(0, f.Seq))
		c.ready = true
		c.onReady(r)
		return nil
	case f.Type == "RESUMED" && c.session.id != "" && !c.ready:
		c.ready = true
		c.onReady(ready{resumed: true})
	case f.Type == "INTERACTION_CREATE":
		c.busy.Store(true)
		c.onInteraction(f.Data)
		c.busy.Store(false)
	}
	if f.Seq > c.session.seq.Load() {
		c.session.seq.Store(f.Seq)
	}
	return nil
}

func (c *connection) readReady(data json.RawMessage) (ready, error) {
	var d struct {
		SessionID string `json:"session_id"`
		ResumeURL string `json:"resume_gateway_url"`
		User      struct {
			Username string `json:"username"`
		} `json:"user"`
		Guilds []json.RawMessage `json:"guilds"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return ready{}, fmt.Errorf("READY cannot be read: %w", err)
	}
	if d.SessionID == "" {
		return ready{}, errors.New("READY names no session")
	}
	c.session.id, c.session.resumeURL = d.SessionID, d.ResumeURL
	return ready{name: d.User.Username, servers: len(d.Guilds)}, nil
}

// heartbeats sends heartbeats until done is closed, and ends the connection if one was
// not acknowledged by the time of the next.
func (c *connection) heartbeats(interval time.Duration, done <-chan struct{}) {
	wait := time.NewTimer(rand.N(interval)) // as Discord asks, lest all clients beat at once
	defer wait.Stop()
	for {
		select {
		case <-done:
			return
		case <-wait.C:
		}
		if !c.acked.Swap(false) && !c.busy.Load() {
			c.end(errNoAck, 0)
			return
		}
		if err := c.beat(); err != nil {
			c.end(err, 0)
			return
		}
		wait.Reset(interval)
	}
}

func (c *connection) beat() error {
	c.beaten.Store(time.Now().UnixNano())
	seq := c.session.seq.Load()
	if seq == 0 {
		return c.send(opHeartbeat, json.RawMessage("null"))
	}
	return c.send(opHeartbeat, json.RawMessage(fmt.Sprint(seq)))
}

func (c *connection) send(op int, data json.RawMessage) error {
	b, err := json.Marshal(struct {
		Op   int             `json:"op"`
		Data json.RawMessage `json:"d"`
	}{op, data})
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.line.write(b)
}
