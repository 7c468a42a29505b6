package discordtest

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"time"
)

// session is what the gateway knows of a client across connections.
type session struct {
	id    string
	shard [2]int // which one, and of how many
	seq   int64
	conn  *conn   // nil while it is broken but can be resumed
	kept  []event // what the client has not confirmed by a heartbeat
}

// event is a dispatch that a resumed session may have to be sent again.
type event struct {
	seq  int64
	text []byte
	call *Call // the interaction it carries, if any
}

// takes reports whether a session gets what happens in a server. The first shard gets direct messages, which have none.
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
	Token      string             `json:"token"`
	Intents    *int               `json:"intents"`
	Properties *map[string]string `json:"properties"`
	Shard      *[2]int            `json:"shard"`
	SessionID  string             `json:"session_id"`
	Seq        int64              `json:"seq"`
}

// loginLocked begins or resumes a session.
func (s *Server) loginLocked(c *conn, p packet) {
	var l login
	switch err := json.Unmarshal(p.Data, &l); {
	case err != nil:
		s.refuseLocked(c, 4002, "Error while decoding payload.")
	case c.session != nil:
		s.refuseLocked(c, 4005, "Already authenticated.")
	case strings.TrimPrefix(l.Token, "Bot ") != s.options.Token: // Discord takes both here
		s.closeLocked(c, 4004, "Authentication failed.")
	case p.Op == opResume:
		s.resumeLocked(c, l)
	case l.Properties == nil || l.Intents == nil || *l.Intents != 0: // the bot needs no intents
		s.refuseLocked(c, 4014, "Disallowed intent(s).")
	default:
		s.identifyLocked(c, l)
	}
}

func (s *Server) identifyLocked(c *conn, l login) {
	shard := [2]int{0, 1}
	if l.Shard != nil {
		shard = *l.Shard
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
	s.dispatchLocked(ses, "READY", mustJSON(object{
		"v": 9, "user": botUser, "guilds": guilds, "session_id": ses.id, "shard": shard,
		"resume_gateway_url": s.gatewayURL(), "application": object{"id": appID, "flags": 0},
	}), nil)
	s.identified++
	s.changed.fire()
}

func (s *Server) resumeLocked(c *conn, l login) {
	ses := s.sessions[l.SessionID]
	if ses == nil {
		s.sendLocked(c, opInvalidSession, false)
		return
	}
	if l.Seq > ses.seq {
		s.refuseLocked(c, 4007, "Invalid seq.")
		return
	}
	if ses.conn != nil {
		// The client has given its old connection up without closing it, or the close is not noticed yet.
		s.closeLocked(ses.conn, 4000, "Unknown error.")
	}
	c.session, ses.conn = ses, c
	ses.confirm(l.Seq)
	for _, e := range ses.kept {
		s.sendEventLocked(c, e)
	}
	s.dispatchLocked(ses, "RESUMED", mustJSON(object{}), nil)
	s.resumed++
	s.changed.fire()
}

// dispatchLocked sends an event to a session, or keeps it while the session is broken.
func (s *Server) dispatchLocked(ses *session, name string, d json.RawMessage, call *Call) {
	ses.seq++
	seq := ses.seq
	e := event{seq, mustJSON(packet{Op: opDispatch, Data: d, Seq: &seq, Type: &name}), call}
	ses.kept = append(ses.kept, e)
	if ses.conn != nil {
		s.sendEventLocked(ses.conn, e)
	}
}

func (s *Server) sendEventLocked(c *conn, e event) {
	s.sendTextLocked(c, e.text)
	if e.call != nil {
		e.call.sentLocked(time.Now())
	}
}
