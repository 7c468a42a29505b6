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
