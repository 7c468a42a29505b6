package discordtest

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
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

// intentGuilds asks for events about servers. The bot needs no other intent.
const intentGuilds = 1

// gateway serves connections, and the sessions that outlive them.
type gateway struct {
	*core
	url        string
	conns      map[*conn]struct{}
	sessions   map[string]*session
	identified int
	resumed    int
}

// packet is what travels over the gateway, both ways.
type packet struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  *int64          `json:"s,omitempty"`
	Type *string         `json:"t,omitempty"`
}

// conn is one websocket connection. The core's mu protects session and over.
type conn struct {
	ws      *websocket.Conn
	session *session
	out     chan []byte // the packets to send; closed when no more come
	over    bool
}

// gatewayLocked answers the call that the bot makes before it connects.
func (g *gateway) gatewayLocked(*incoming) reply {
	const starts = 1000 // in a day, for a bot with few servers, 2026-08; there are always plenty left
	return ok(object{"url": g.url, "shards": g.options.Shards, "session_start_limit": object{
		"total": starts, "remaining": max(starts/2, starts-g.identified), "reset_after": (24 * time.Hour).Milliseconds(), "max_concurrency": 1,
	}})
}

// serveGateway upgrades and reads one connection until it ends.
func (g *gateway) serveGateway(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	ws, err := up.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	c := &conn{ws: ws, out: make(chan []byte, 1<<14)} // many may wait for a client that is slow
	g.mu.Lock()
	if g.serving.Err() != nil {
		g.mu.Unlock()
		ws.Close()
		return
	}
	g.conns[c] = struct{}{}
	g.changed.fire()
	g.wg.Add(1)
	defer g.wg.Done()
	g.wg.Go(c.write)
	g.sendLocked(c, opHello, object{"heartbeat_interval": 41250})
	g.mu.Unlock()
	g.end(c, g.readAll(c))
}

// readAll handles what the client sends until the connection ends, and returns the code it was closed with.
func (g *gateway) readAll(c *conn) int {
	for {
		_, b, err := c.ws.ReadMessage()
		if err != nil {
			if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
				return closed.Code
			}
			return websocket.CloseAbnormalClosure
		}
		g.mu.Lock()
		if !c.over {
			g.handleLocked(c, b)
		}
		g.mu.Unlock()
	}
}

// handleLocked does what a packet asks for.
func (g *gateway) handleLocked(c *conn, b []byte) {
	var p packet
	err := json.Unmarshal(b, &p)
	switch {
	case err == nil && p.Op == opHeartbeat:
		var seq int64
		if c.session != nil && json.Unmarshal(p.Data, &seq) == nil {
			c.session.confirm(seq)
		}
		g.sendTextLocked(c, mustJSON(packet{Op: opHeartbeatAck}))
	case err == nil && (p.Op == opIdentify || p.Op == opResume):
		g.loginLocked(c, p)
	default: // the bot needs no other opcodes
		g.violateLocked("gateway: %s", b)
		g.cutLocked(c)
	}
}

// end forgets the connection, and its session if the client gave it up by a normal close.
func (g *gateway) end(c *conn, code int) {
	c.ws.Close()
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
	g.stopLocked(c, code == websocket.CloseNormalClosure)
}

// detachLocked parts a connection from its session.
func (g *gateway) detachLocked(c *conn, forget bool) {
	ses := c.session
	if ses == nil {
		return
	}
	c.session, ses.conn = nil, nil
	if forget {
		delete(g.sessions, ses.id)
	}
	g.changed.fire()
}

// write sends the packets in out. The reader notices a client that is gone.
func (c *conn) write() {
	for b := range c.out {
		c.ws.WriteMessage(websocket.TextMessage, b)
	}
}

// stopLocked closes out after the last packet, and parts a connection from its session.
func (g *gateway) stopLocked(c *conn, forget bool) {
	if !c.over {
		c.over = true
		close(c.out)
		g.detachLocked(c, forget)
	}
}

func (g *gateway) sendLocked(c *conn, op int, d any) {
	g.sendTextLocked(c, mustJSON(packet{Op: op, Data: mustJSON(d)}))
}

func (g *gateway) sendTextLocked(c *conn, b []byte) {
	if c.over {
		return
	}
	select {
	case c.out <- b:
	default:
		g.cutLocked(c)
	}
}

// cutLocked cuts a connection without a close code. Its session can be resumed, and later events are kept for it.
func (g *gateway) cutLocked(c *conn) {
	g.stopLocked(c, false)
	c.ws.UnderlyingConn().Close()
}

// eachConn does something with every connection.
func (g *gateway) eachConn(do func(*conn)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for c := range g.conns {
		do(c)
	}
}

// CutGateway cuts every connection to the gateway, as a broken line does. The sessions can be resumed.
func (g *gateway) CutGateway() { g.eachConn(g.cutLocked) }

// InvalidateSessions tells every client that its session is invalid and cannot be resumed (opcode 9).
func (g *gateway) InvalidateSessions() {
	g.eachConn(func(c *conn) {
		g.detachLocked(c, true)
		g.sendLocked(c, opInvalidSession, false)
	})
}

// session is what the gateway knows of a client across connections.
type session struct {
	id      string
	shard   [2]int // the shard's number, and how many there are
	intents int
	seq     int64
	conn    *conn   // nil while the session is broken but can be resumed
	kept    []event // the events that the client has not confirmed by a heartbeat
}

// event is a dispatch that a resumed session may have to be sent again.
type event struct {
	seq  int64
	text []byte
}

// takes reports whether a session gets the events of a server. The first shard gets direct messages, which have no server.
// https://docs.discord.com/developers/events/gateway#sharding, 2026-08.
func (ses *session) takes(guild string) bool {
	id, err := strconv.ParseUint(guild, 10, 64)
	if err != nil {
		return ses.shard[0] == 0
	}
	return int(id>>22%uint64(ses.shard[1])) == ses.shard[0]
}

// confirm drops the events up to seq, which the client says it has.
func (ses *session) confirm(seq int64) {
	for len(ses.kept) > 0 && ses.kept[0].seq <= seq {
		ses.kept = ses.kept[1:]
	}
}

// login is the data of IDENTIFY and RESUME.
type login struct {
	Token     string `json:"token"`
	Intents   int    `json:"intents"`
	Shard     [2]int `json:"shard"`
	SessionID string `json:"session_id"`
	Seq       int64  `json:"seq"`
}

// loginLocked begins or resumes a session.
func (g *gateway) loginLocked(c *conn, p packet) {
	var l login
	err := json.Unmarshal(p.Data, &l)
	ses := g.sessions[l.SessionID]
	switch {
	case strings.TrimPrefix(l.Token, "Bot ") != g.options.Token: // Discord takes the token with "Bot " and without
		g.cutLocked(c)
	case err != nil || c.session != nil || l.Intents&^intentGuilds != 0 || ses != nil && l.Seq > ses.seq: // the bot needs no others
		g.violateLocked("gateway: %s", p.Data)
		g.sendLocked(c, opInvalidSession, false)
	case p.Op == opResume && ses == nil:
		g.sendLocked(c, opInvalidSession, false)
	case p.Op == opResume:
		g.resumeLocked(c, ses, l.Seq)
	default:
		g.identifyLocked(c, [2]int{l.Shard[0], max(1, l.Shard[1])}, l.Intents)
	}
}

func (g *gateway) identifyLocked(c *conn, shard [2]int, intents int) {
	// The client has given up the sessions that it has not resumed.
	maps.DeleteFunc(g.sessions, func(_ string, old *session) bool { return old.conn == nil && old.shard == shard })
	ses := &session{id: "session-" + g.newIDLocked(), shard: shard, intents: intents, conn: c}
	c.session = ses
	g.sessions[ses.id] = ses
	g.identified++
	g.sendReadyLocked(ses, "READY", object{
		"v": 9, "user": botUser, "guilds": g.options.Guilds, "session_id": ses.id, "shard": shard, "resume_gateway_url": g.url,
	})
}

func (g *gateway) resumeLocked(c *conn, ses *session, seq int64) {
	if ses.conn != nil {
		// The client has given its old connection up without closing it, or the close is not noticed yet.
		g.cutLocked(ses.conn)
	}
	c.session, ses.conn = ses, c
	ses.confirm(seq)
	for _, e := range ses.kept {
		g.sendTextLocked(c, e.text)
	}
	g.resumed++
	g.sendReadyLocked(ses, "RESUMED", object{})
}

func (g *gateway) sendReadyLocked(ses *session, name string, d object) {
	g.sendEventLocked(ses, name, mustJSON(d))
	g.changed.fire()
}

// dispatchLocked sends an event to every session whose shard serves a guild.
func (g *gateway) dispatchLocked(name, guild string, d json.RawMessage) {
	for _, ses := range g.sessions {
		if ses.takes(guild) && (!strings.HasPrefix(name, "GUILD_") || ses.intents&intentGuilds != 0) {
			g.sendEventLocked(ses, name, d)
		}
	}
}

// sendEventLocked sends an event to a session, or keeps it while the session is broken.
func (g *gateway) sendEventLocked(ses *session, name string, d json.RawMessage) {
	ses.seq++
	seq := ses.seq
	e := event{seq, mustJSON(packet{Op: opDispatch, Data: d, Seq: &seq, Type: &name})}
	ses.kept = append(ses.kept, e)
	if ses.conn != nil {
		g.sendTextLocked(ses.conn, e.text)
	}
}

// WaitReady waits until the server has sent READY or RESUMED n times in all.
func (g *gateway) WaitReady(ctx context.Context, n int) error {
	return g.waitFor(ctx, func() bool { return g.identified+g.resumed >= n })
}

// WaitConnected waits until exactly n sessions are connected and ready.
func (g *gateway) WaitConnected(ctx context.Context, n int) error {
	return g.waitFor(ctx, func() bool {
		connected := 0
		for _, ses := range g.sessions {
			if ses.conn != nil {
				connected++
			}
		}
		return connected == n
	})
}

// Sessions returns how often a session was begun and how often one was resumed.
func (g *gateway) Sessions() (identified, resumed int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.identified, g.resumed
}
