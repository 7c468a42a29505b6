package gateway

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"fivefold/bot/discord/interaction"
	"fivefold/game/work"
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

// frame is a frame that Discord sends. Its data is read as that of an interaction, so that most frames are read once; for
// other data, [readData] reads the frame again.
type frame struct {
	Op   *int                    `json:"op"`
	Data interaction.Interaction `json:"d"`
	Seq  int64                   `json:"s"`
	Type string                  `json:"t"`
}

// readData reads the data of a frame.
func readData[T any](b []byte) (T, error) {
	var f struct {
		Data T `json:"d"`
	}
	err := json.Unmarshal(b, &f)
	return f.Data, err
}

// session is a session of the gateway, which can be resumed on another connection.
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

// connection serves a shard's session on one line.
type connection struct {
	shard   *shard
	line    line
	session *session
	start   *start      // the permission to begin the session; nil to resume it
	silent  *time.Timer // ends the connection if it is not ready in time

	writing sync.Mutex              // held while a frame is written
	acked   atomic.Bool             // whether a heartbeat was acknowledged since the latest check
	end     context.CancelCauseFunc // closes the line

	hello  bool // whether HELLO has come
	ready  bool // whether READY or RESUMED has come
	unread bool // whether a frame could not be read
}

// serve serves the session until the connection ends, and returns why: an error of the line, or one of the errors above. When
// ctx ends, it closes the session, so that Discord shows the bot as offline at once.
func (c *connection) serve(ctx context.Context) error {
	open, end := context.WithCancelCause(ctx)
	c.end = end
	context.AfterFunc(open, func() {
		if ctx.Err() != nil {
			c.line.close(websocket.CloseNormalClosure)
		} else {
			c.line.close(0)
		}
	})
	c.silent = time.AfterFunc(c.shard.gateway.Timings.Ready, func() { end(errSilent) })
	defer c.silent.Stop()
	for {
		_, b, err := c.line.ReadMessage()
		if err == nil {
			err = c.receive(open, b)
		}
		if err != nil {
			end(err)
			c.line.close(0)
			return context.Cause(open)
		}
	}
}

// receive does what a frame asks for. It returns an error if the connection is to end.
//
// A frame that cannot be read is skipped: if the connection ended, Discord would send the frame again in the resumed session.
func (c *connection) receive(ctx context.Context, b []byte) error {
	var f frame
	if err := interaction.Decode(b, &f); err != nil || f.Op == nil {
		if !c.unread { // further errors would only fill the log
			c.shard.log.Error("could not read a frame of the gateway; it was skipped", "error", err)
		}
		c.unread = true
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
		interval, err := heartbeatInterval(b)
		if err != nil {
			return err
		}
		c.hello = true
		c.acked.Store(true)
		if err := c.begin(); err != nil {
			return err
		}
		go c.heartbeats(ctx, interval)
	case opHeartbeat:
		return c.beat()
	case opHeartbeatAck:
		c.acked.Store(true)
	case opReconnect:
		return errReconnect
	case opInvalidSession:
		if resumable, err := readData[bool](b); err == nil && resumable {
			return errInvalid
		}
		return errInvalidated
	case opDispatch:
		switch {
		case f.Type == "READY" && c.session.id == "":
			if err := c.readReady(b); err != nil {
				return err
			}
		case f.Type == "RESUMED" && c.session.id != "" && !c.ready:
			c.shard.log.Info("resumed the session with Discord")
			c.setReady()
		case f.Type == "INTERACTION_CREATE":
			c.shard.gateway.Front.Take(f.Data)
		case f.Type == "GUILD_CREATE" || f.Type == "GUILD_DELETE":
			d, err := readData[struct {
				ID          string `json:"id"`
				Unavailable bool   `json:"unavailable"` // by an outage
			}](b)
			if err == nil && !d.Unavailable {
				c.shard.gateway.Front.Server(d.ID, f.Type == "GUILD_CREATE")
			}
		}
		c.session.seq.Store(max(f.Seq, c.session.seq.Load()))
	}
	return nil
}

// heartbeatInterval reads HELLO. Discord asks for a heartbeat every 41.25 s.
func heartbeatInterval(hello []byte) (time.Duration, error) {
	d, err := readData[struct {
		Milliseconds float64 `json:"heartbeat_interval"`
	}](hello)
	const least, most = 100, 5 * 60 * 1000
	if err != nil {
		return 0, fmt.Errorf("HELLO cannot be read: %w", err)
	}
	if d.Milliseconds < least || d.Milliseconds > most {
		return 0, fmt.Errorf("HELLO has a heartbeat interval of %g ms", d.Milliseconds)
	}
	return time.Duration(d.Milliseconds * float64(time.Millisecond)), nil
}

// begin resumes the session, or begins it.
func (c *connection) begin() error {
	g := c.shard.gateway
	if c.start == nil {
		return c.send(opResume, struct {
			Token   string `json:"token"`
			Session string `json:"session_id"`
			Seq     int64  `json:"seq"`
		}{g.Token, c.session.id, c.session.seq.Load()})
	}
	c.shard.willBegin()
	c.start.sent()
	remaining := -1
	if l := c.start.SessionStartLimit; l.Total > 0 {
		remaining = l.Remaining - 1
	}
	g.Observer.Identified(c.shard.id, remaining)
	return c.send(opIdentify, map[string]any{
		"token":      g.Token,
		"intents":    1, // servers that the bot joins or leaves; interactions come without any
		"properties": map[string]string{"os": runtime.GOOS, "browser": "fivefold", "device": "fivefold"},
		"shard":      [2]int{c.shard.id, g.count},
	})
}

func (c *connection) readReady(ready []byte) error {
	d, err := readData[struct {
		SessionID string `json:"session_id"`
		ResumeURL string `json:"resume_gateway_url"`
		User      struct {
			Username string `json:"username"`
		} `json:"user"`
		Guilds []json.RawMessage `json:"guilds"`
	}](ready)
	if err != nil {
		return fmt.Errorf("READY cannot be read: %w", err)
	}
	if d.SessionID == "" {
		return errors.New("READY names no session")
	}
	c.session.id, c.session.resumeURL = d.SessionID, d.ResumeURL
	c.shard.log.Info("connected to Discord", "as", d.User.Username, "servers", len(d.Guilds))
	c.setReady()
	return nil
}

// setReady records that READY or RESUMED has come.
func (c *connection) setReady() {
	c.silent.Stop()
	c.ready = true
	c.shard.session, c.shard.readyAt = c.session, time.Now()
	c.shard.gateway.Observer.GatewayChanged(c.shard.id, true)
}

// heartbeats sends heartbeats until ctx ends. It ends the connection if one is not acknowledged before the next.
func (c *connection) heartbeats(ctx context.Context, interval time.Duration) {
	wait := rand.N(interval) // as Discord asks, lest all clients beat at once
	for ; work.Sleep(ctx, wait) == nil; wait = interval {
		if !c.acked.Swap(false) {
			c.end(errNoAck)
		} else if err := c.beat(); err != nil {
			c.end(err)
		}
	}
}

func (c *connection) beat() error {
	if seq := c.session.seq.Load(); seq > 0 {
		return c.send(opHeartbeat, seq)
	}
	return c.send(opHeartbeat, nil)
}

func (c *connection) send(op int, data any) error {
	b, err := json.Marshal(struct {
		Op   int `json:"op"`
		Data any `json:"d"`
	}{op, data})
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.line.write(b)
}
