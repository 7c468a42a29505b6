package discordtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
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

// forgets reports whether a session cannot be resumed after its connection
// was closed with code, by whichever side.
func forgets(code int) bool {
	return slices.Contains([]int{1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014}, code)
}

// drain is how long a client has to take what is sent, and to notice that it was closed
// before its connection is cut: more than a slow machine needs.
const drain = 5 * time.Minute

// packet is what travels over the gateway, both ways.
type packet struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  *int64          `json:"s,omitempty"`
	Type *string         `json:"t,omitempty"`
}

// session is what the gateway knows of a client across connections.
type session struct {
	id    string
	shard [2]int // which one, and of how many
	seq   int64
	conn  *conn   // nil while it is broken but can be resumed
	kept  []event // what the client has not confirmed by a heartbeat
}

// takes reports whether a session gets what happens in a server; "" stands for direct
// messages. https://docs.discord.com/developers/events/gateway#sharding, 2026-08.
func (ses *session) takes(guild string) bool {
	id, err := strconv.ParseUint(guild, 10, 64)
	if err != nil {
		return ses.shard[0] == 0
	}
	return int(id>>22%uint64(ses.shard[1])) == ses.shard[0]
}

// event is a dispatch that a resumed session may have to be sent again.
type event struct {
	seq  int64
	text []byte
	call *Call // the interaction it carries, if any
}

// conn is one websocket connection. Its fields are protected by Server.mu,
// except ws and out, which its reader and its writer share.
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
	s.wg.Add(2)
	q := r.URL.Query()
	if v := q.Get("v"); v != "9" && v != "10" || q.Get("encoding") != "json" || q.Has("compress") {
		s.violateLocked("gateway: connected with %q, wanted ?v=9 or 10 and encoding=json", r.URL.RawQuery)
		s.closeLocked(c, 4012, "Invalid API version")
	} else {
		s.sendLocked(c, opHello, object{"heartbeat_interval": 41250})
	}
	s.mu.Unlock()

	go func() {
		defer s.wg.Done()
		c.write()
	}()
	defer s.wg.Done()
	s.end(c, s.readAll(c))
}

// readAll handles what the client sends until the connection ends, and returns
// the code it was closed with.
func (s *Server) readAll(c *conn) int {
	for {
		_, b, err := c.ws.ReadMessage()
		if err != nil {
			var closed *websocket.CloseError
			if errors.As(err, &closed) {
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

// end forgets the connection, and its session when the client gave it up.
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
	c.session = nil
	ses.conn = nil
	if forget {
		delete(s.sessions, ses.id)
	}
	s.changed.fire()
}

// write sends what is to be sent.
func (c *conn) write() {
	for b := range c.out {
		// A client that is gone is noticed by the reader.
		c.ws.SetWriteDeadline(time.Now().Add(drain))
		c.ws.WriteMessage(websocket.TextMessage, b)
	}
	if c.closeWith == nil {
		return
	}
	c.ws.WriteControl(websocket.CloseMessage, c.closeWith, time.Now().Add(drain))
	// Only our half is closed: were the whole connection closed while
	// something of the client's is under way, it would be reset and the
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

// closeLocked closes a connection with code. Its session is parted from it at
// once, so that what comes next is kept for a resumption.
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
	// Closing does not wait, so it may be done under the lock.
	c.ws.UnderlyingConn().Close()
}

// refuseLocked closes a connection for what its client did wrong.
func (s *Server) refuseLocked(c *conn, code int, reason, format string, args ...any) {
	s.violateLocked("gateway: closed with %d: %s", code, fmt.Sprintf(format, args...))
	s.closeLocked(c, code, reason)
}

func (s *Server) handleLocked(c *conn, b []byte) {
	var p packet
	if err := json.Unmarshal(b, &p); err != nil {
		s.refuseLocked(c, 4002, "Error while decoding payload.", "%v", err)
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
		if l := s.loginLocked(c, p.Data); l != nil && p.Op == opIdentify {
			s.identifyLocked(c, l)
		} else if l != nil {
			s.resumeLocked(c, l)
		}
	default: // the bot has no use for others
		s.refuseLocked(c, 4001, "Unknown opcode.", "opcode %d", p.Op)
	}
}

// confirm drops the events up to seq, which the client says it has.
func (ses *session) confirm(seq int64) {
	for len(ses.kept) > 0 && ses.kept[0].seq <= seq {
		ses.kept = ses.kept[1:]
	}
}

// login is the data of IDENTIFY and RESUME.
type login struct {
	Token      string             `json:"token"`
	Intents    *int               `json:"intents"`
	Properties *map[string]string `json:"properties"`
	Shard      *[2]int            `json:"shard"`
	SessionID  string             `json:"session_id"`
	Seq        int64              `json:"seq"`
}

// loginLocked reads the data of IDENTIFY or RESUME. It returns nil, and closes the connection, if Discord would.
func (s *Server) loginLocked(c *conn, d json.RawMessage) *login {
	var l login
	switch err := json.Unmarshal(d, &l); {
	case err != nil:
		s.refuseLocked(c, 4002, "Error while decoding payload.", "%v", err)
	case c.session != nil:
		s.refuseLocked(c, 4005, "Already authenticated.", "a session runs already")
	case strings.TrimPrefix(l.Token, "Bot ") != s.options.Token: // Discord takes both here
		s.closeLocked(c, 4004, "Authentication failed.")
	default:
		return &l
	}
	return nil
}

func (s *Server) identifyLocked(c *conn, id *login) {
	if id.Properties == nil || id.Intents == nil || *id.Intents != 0 {
		s.refuseLocked(c, 4014, "Disallowed intent(s).", "IDENTIFY needs properties and intents, and the bot none of them")
		return
	}
	shard := [2]int{0, 1}
	if id.Shard != nil {
		shard = *id.Shard
	}
	// The client has given up the sessions that it has not resumed.
	maps.DeleteFunc(s.sessions, func(_ string, old *session) bool { return old.conn == nil && old.shard == shard })
	ses := &session{id: "session-" + s.ids.next(), shard: shard, conn: c}
	c.session = ses
	s.sessions[ses.id] = ses
	guilds := []object{}
	for _, g := range s.options.Guilds {
		guilds = append(guilds, object{"id": g, "unavailable": true})
	}
	ready := object{
		"v": 9, "user": s.botUser(), "guilds": guilds, "session_id": ses.id,
		"resume_gateway_url": s.gatewayURL(), "application": object{"id": appID, "flags": 0},
	}
	if id.Shard != nil {
		ready["shard"] = id.Shard
	}
	s.dispatchLocked(ses, "READY", mustJSON(ready), nil)
	s.identified++
	s.changed.fire()
}

// gatewayLocked is what the bot asks for before it connects.
func (s *Server) gatewayLocked() object {
	const starts = 1000 // in a day, for a bot with few servers, 2026-08; there are always plenty left
	return object{"url": s.gatewayURL(), "shards": s.options.Shards, "session_start_limit": object{
		"total": starts, "remaining": max(starts/2, starts-s.identified), "reset_after": (24 * time.Hour).Milliseconds(), "max_concurrency": 1,
	}}
}

func (s *Server) resumeLocked(c *conn, res *login) {
	ses := s.sessions[res.SessionID]
	if ses == nil {
		s.sendLocked(c, opInvalidSession, false)
		return
	}
	if res.Seq > ses.seq {
		s.refuseLocked(c, 4007, "Invalid seq.", "RESUME at %d, only %d were sent", res.Seq, ses.seq)
		return
	}
	if ses.conn != nil {
		// The client has given its old connection up without closing it, or it is not noticed yet.
		s.closeLocked(ses.conn, 4000, "Unknown error.")
	}
	c.session, ses.conn = ses, c
	ses.confirm(res.Seq)
	for _, e := range ses.kept {
		s.sendTextLocked(c, e.text)
		if e.call != nil {
			e.call.sentLocked(time.Now())
		}
	}
	s.dispatchLocked(ses, "RESUMED", mustJSON(object{}), nil)
	s.resumed++
	s.changed.fire()
}

// dispatchLocked sends an event to a session, or keeps it while the session is
// broken.
func (s *Server) dispatchLocked(ses *session, name string, d json.RawMessage, call *Call) {
	ses.seq++
	seq := ses.seq
	text := mustJSON(packet{Op: opDispatch, Data: d, Seq: &seq, Type: &name})
	ses.kept = append(ses.kept, event{seq, text, call})
	if ses.conn != nil {
		s.sendTextLocked(ses.conn, text)
		if call != nil {
			call.sentLocked(time.Now())
		}
	}
}

// eachConn does something with every connection.
func (s *Server) eachConn(do func(*conn)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		do(c)
	}
}

// CloseGateway closes every connection to the gateway with that code. What
// happens before the sessions are resumed is kept for them, unless the code is
// one after which Discord does not resume.
func (s *Server) CloseGateway(code int, reason string) {
	s.eachConn(func(c *conn) { s.closeLocked(c, code, reason) })
}

// CutGateway cuts every connection to the gateway without a close code, as a
// broken line does. The sessions can be resumed.
func (s *Server) CutGateway() { s.eachConn(s.cutLocked) }

// SendFrame sends every client a frame as it is, whatever it contains.
func (s *Server) SendFrame(frame string) {
	s.eachConn(func(c *conn) { s.sendTextLocked(c, []byte(frame)) })
}

// InvalidateSessions sends every client that its session is invalid (opcode
// 9). Only with resumable may it resume; otherwise it must identify again.
func (s *Server) InvalidateSessions(resumable bool) {
	s.eachConn(func(c *conn) {
		s.detachLocked(c, !resumable)
		s.sendLocked(c, opInvalidSession, resumable)
	})
}
