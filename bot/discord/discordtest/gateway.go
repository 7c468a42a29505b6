package discordtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// The gateway's opcodes that a bot sends or gets.
// https://docs.discord.com/developers/topics/opcodes-and-status-codes, 2026-08.
const (
	opDispatch       = 0
	opHeartbeat      = 1
	opIdentify       = 2
	opResume         = 6
	opInvalidSession = 9
	opHello          = 10
	opHeartbeatAck   = 11
)

// forgets reports whether a session cannot be resumed after a close with that code, by whichever side.
func forgets(code int) bool {
	return slices.Contains([]int{1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014}, code)
}

// drain is how long a client has to take what is sent, and to notice a close: more than a slow machine needs.
const drain = 5 * time.Minute

// packet is what travels over the gateway, both ways.
type packet struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  *int64          `json:"s,omitempty"`
	Type *string         `json:"t,omitempty"`
}

// conn is one websocket connection. Server.mu protects its fields, except ws and out, which its reader and its writer
// share.
type conn struct {
	ws        *websocket.Conn
	session   *session
	out       chan []byte // what is to be sent; closed when nothing more is
	closing   bool
	closeWith []byte // a close frame to be sent after the rest, nil for none
}

// maxUnsent is how many packets may wait for a client that does not take them.
const maxUnsent = 1 << 14

func (s *Server) gatewayURL() string {
	return "ws" + strings.TrimPrefix(s.http.URL, "http") + "/socket"
}

// gatewayLocked is what the bot asks for before it connects.
func (s *Server) gatewayLocked(*incoming) reply {
	const starts = 1000 // in a day, for a bot with few servers, 2026-08; there are always plenty left
	return ok(object{"url": s.gatewayURL(), "shards": s.options.Shards, "session_start_limit": object{
		"total": starts, "remaining": max(starts/2, starts-s.identified), "reset_after": (24 * time.Hour).Milliseconds(), "max_concurrency": 1,
	}})
}

// serveGateway upgrades and reads one connection until it ends.
func (s *Server) serveGateway(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	ws, err := up.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	c := &conn{ws: ws, out: make(chan []byte, maxUnsent)}
	s.mu.Lock()
	if s.serving.Err() != nil {
		s.mu.Unlock()
		ws.Close()
		return
	}
	s.conns[c] = struct{}{}
	s.changed.fire()
	s.wg.Add(1)
	defer s.wg.Done()
	s.wg.Go(c.write)
	q := r.URL.Query()
	if v := q.Get("v"); v != "9" && v != "10" || q.Get("encoding") != "json" || q.Has("compress") {
		s.refuseLocked(c, 4012, "Invalid API version")
	} else {
		s.sendLocked(c, opHello, object{"heartbeat_interval": 41250})
	}
	s.mu.Unlock()
	s.end(c, s.readAll(c))
}

// readAll handles what the client sends until the connection ends, and returns the code it was closed with.
func (s *Server) readAll(c *conn) int {
	for {
		_, b, err := c.ws.ReadMessage()
		if err != nil {
			if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
				return closed.Code
			}
			return websocket.CloseAbnormalClosure
		}
		s.mu.Lock()
		if !c.closing {
			s.handleLocked(c, b)
		}
		s.mu.Unlock()
	}
}

// handleLocked does what a packet asks for.
func (s *Server) handleLocked(c *conn, b []byte) {
	var p packet
	if err := json.Unmarshal(b, &p); err != nil {
		s.refuseLocked(c, 4002, "Error while decoding payload.")
		return
	}
	switch p.Op {
	case opHeartbeat:
		var seq int64
		if c.session != nil && json.Unmarshal(p.Data, &seq) == nil {
			c.session.confirm(seq)
		}
		s.sendTextLocked(c, mustJSON(packet{Op: opHeartbeatAck}))
	case opIdentify, opResume:
		s.loginLocked(c, p)
	default: // the bot has no use for others
		s.refuseLocked(c, 4001, fmt.Sprintf("Unknown opcode %d.", p.Op))
	}
}

// end forgets the connection, and its session if the client gave it up.
func (s *Server) end(c *conn, code int) {
	c.ws.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	if !c.closing {
		s.closes = append(s.closes, code)
		s.changed.fire()
		s.detachLocked(c, forgets(code))
		c.stopLocked(nil)
	}
}

// detachLocked parts a connection from its session.
func (s *Server) detachLocked(c *conn, forget bool) {
	ses := c.session
	if ses == nil {
		return
	}
	c.session, ses.conn = nil, nil
	if forget {
		delete(s.sessions, ses.id)
	}
	s.changed.fire()
}

// write sends what is to be sent. The reader notices a client that is gone.
func (c *conn) write() {
	for b := range c.out {
		c.ws.SetWriteDeadline(time.Now().Add(drain))
		c.ws.WriteMessage(websocket.TextMessage, b)
	}
	if c.closeWith == nil {
		return
	}
	c.ws.WriteControl(websocket.CloseMessage, c.closeWith, time.Now().Add(drain))
	// Only our half is closed. A close of the whole connection would reset it while the client sends something, and the
	// client might never see the code.
	if tcp, ok := c.ws.UnderlyingConn().(*net.TCPConn); ok {
		tcp.CloseWrite()
	}
	c.ws.UnderlyingConn().SetReadDeadline(time.Now().Add(drain))
}

// stopLocked sends nothing more but a close frame, unless that is nil.
func (c *conn) stopLocked(frame []byte) {
	c.closing, c.closeWith = true, frame
	close(c.out)
}

func (s *Server) sendLocked(c *conn, op int, d any) {
	s.sendTextLocked(c, mustJSON(packet{Op: op, Data: mustJSON(d)}))
}

func (s *Server) sendTextLocked(c *conn, b []byte) {
	if c.closing {
		return
	}
	select {
	case c.out <- b:
	default:
		s.cutLocked(c)
	}
}

// closeLocked closes a connection with code. It parts the session at once, so that what comes next is kept for it.
func (s *Server) closeLocked(c *conn, code int, reason string) {
	if !c.closing {
		s.detachLocked(c, forgets(code))
		c.stopLocked(websocket.FormatCloseMessage(code, reason))
	}
}

// cutLocked cuts a connection without a close code. Its session can be resumed.
func (s *Server) cutLocked(c *conn) {
	if !c.closing {
		s.detachLocked(c, false)
		c.stopLocked(nil)
	}
	c.ws.UnderlyingConn().Close()
}

// refuseLocked closes a connection for what its client did wrong.
func (s *Server) refuseLocked(c *conn, code int, reason string) {
	s.violateLocked("gateway: closed with %d: %s", code, reason)
	s.closeLocked(c, code, reason)
}

// eachConn does something with every connection.
func (s *Server) eachConn(do func(*conn)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		do(c)
	}
}

// CloseGateway closes every connection to the gateway with that code. Sessions that can be resumed miss nothing.
func (s *Server) CloseGateway(code int, reason string) {
	s.eachConn(func(c *conn) { s.closeLocked(c, code, reason) })
}

// CutGateway cuts every connection to the gateway without a close code, as a broken line does. The sessions can be
// resumed.
func (s *Server) CutGateway() { s.eachConn(s.cutLocked) }

// SendFrame sends every client a frame as it is.
func (s *Server) SendFrame(frame string) {
	s.eachConn(func(c *conn) { s.sendTextLocked(c, []byte(frame)) })
}

// InvalidateSessions tells every client that its session is invalid (opcode 9). Only a resumable one may be resumed.
func (s *Server) InvalidateSessions(resumable bool) {
	s.eachConn(func(c *conn) {
		s.detachLocked(c, !resumable)
		s.sendLocked(c, opInvalidSession, resumable)
	})
}
