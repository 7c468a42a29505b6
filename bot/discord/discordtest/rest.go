package discordtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// maxBody is the most that Discord accepts in one request without boosts: 10 MiB of
// files (2026-08) and some room for the rest.
const maxBody = 11 << 20

// incoming is one REST call that is being handled.
type incoming struct {
	method  string
	path    string // below /api/vN
	name    string // method and path, for violations
	query   map[string][]string
	auth    string
	at      time.Time
	body    []byte // the JSON part; nil when there is none
	files   []File
	unheard bool // the client does not learn what came of it
}

// reply is what a REST call is answered with.
type reply struct {
	status int
	body   any // nil for none; encoded without Server.mu, so it shares nothing that mu protects
	header http.Header
}

var apiPath = regexp.MustCompile(`^/api/v(9|10)(/.*)$`)

// serve answers everything that reaches the server: the gateway's upgrade at
// /socket/ and the REST API below /api/v9 and /api/v10.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	how := s.breakageLocked(r.Method, r.URL.Path)
	s.mu.Unlock()
	early, late := how.Slow, time.Duration(0)
	if how.Done {
		early, late = 0, how.Slow
	}
	if early > 0 && !s.wait(r, early, nil) {
		panic(http.ErrAbortHandler)
	}
	if strings.HasPrefix(r.URL.Path, "/socket") && how.Status == 0 {
		if s.wait(r, late, how.held) && !how.Cut {
			s.serveGateway(w, r)
		}
		return
	}

	c := &incoming{method: r.Method, query: r.URL.Query(), auth: r.Header.Get("Authorization"), at: s.options.Now()}
	c.unheard = how.Cut || how.Half || how.Status != 0
	c.name = r.Method + " " + r.URL.Path
	rep, ok := s.read(w, r, c)

	s.mu.Lock()
	switch m := apiPath.FindStringSubmatch(r.URL.Path); {
	case how.nothing():
	case !ok:
	case m == nil:
		rep = s.unknownLocked(c)
	default:
		c.path = m[2]
		rep = s.routeLocked(c)
	}
	if how.Status != 0 {
		rep = failure(how.Status)
	}
	s.requests = append(s.requests, Request{
		Method: r.Method, Path: r.URL.Path, Body: c.body, Files: c.files, Status: rep.status, At: c.at,
	})
	s.forgetLocked(c.at)
	s.changed.fire()
	s.mu.Unlock()
	var body []byte
	if rep.body != nil {
		body = mustJSON(rep.body)
	}

	gone := !s.wait(r, late, how.held)
	if how.Half && !gone {
		sendHalf(w, rep.status, body)
	}
	if how.Cut || gone {
		// The one way to end a request without an answer.
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Date", s.options.Now().UTC().Format(http.TimeFormat))
	for k, v := range rep.header {
		w.Header()[k] = v
	}
	if body != nil {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(rep.status)
	w.Write(body)
}

// read parses the request. It returns false, and the answer, if Discord would refuse the
// request whatever it asks for.
func (s *Server) read(w http.ResponseWriter, r *http.Request, c *incoming) (reply, bool) {
	refuse := func(status, code int, text string) (reply, bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.violateLocked("%s: %s", c.name, text)
		return apiError(status, code, text), false
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return refuse(http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
	case err != nil: // the client has gone, which breaks no rule
		return apiError(http.StatusBadRequest, 0, "Bad Request"), false
	}
	if apiPath.MatchString(r.URL.Path) && !strings.HasPrefix(r.UserAgent(), "DiscordBot (") {
		return refuse(http.StatusForbidden, 40333, fmt.Sprintf("User-Agent is %q, not \"DiscordBot (url, version)\"", r.UserAgent()))
	}
	if len(b) > 0 || r.Header.Get("Content-Type") != "" {
		if err := c.parse(r.Header, b); err != nil {
			return refuse(http.StatusBadRequest, 50109, "The request body contains invalid JSON: "+err.Error())
		}
	}
	return reply{}, true
}

// parse reads a body of JSON, or of several parts.
func (c *incoming) parse(h http.Header, b []byte) error {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	switch {
	case err != nil:
		return err
	case media == "application/json":
		c.body = b
	case media != "multipart/form-data":
		return fmt.Errorf("Content-Type is %q", media)
	default:
		if err := c.readParts(multipart.NewReader(bytes.NewReader(b), params["boundary"])); err != nil {
			return fmt.Errorf("multipart body: %w", err)
		}
	}
	if !json.Valid(c.body) {
		c.body = nil
		return errors.New("no JSON")
	}
	return nil
}

var filePart = regexp.MustCompile(`^files\[([0-9])\]$`)

// readParts reads a multipart body: payload_json and files[0] to files[9].
func (c *incoming) readParts(r *multipart.Reader) error {
	for {
		p, err := r.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		b, err := io.ReadAll(p)
		if err != nil {
			return err
		}
		switch m := filePart.FindStringSubmatch(p.FormName()); {
		case p.FormName() == "payload_json":
			c.body = b
		case m == nil:
			return fmt.Errorf("a part named %q", p.FormName())
		case p.FileName() == "":
			return fmt.Errorf("%s has no filename", p.FormName())
		default:
			c.files = append(c.files, File{
				part: m[1], Name: p.FileName(), ContentType: p.Header.Get("Content-Type"), Data: b,
			})
		}
	}
}

// routeLocked does what the call asks for.
func (s *Server) routeLocked(c *incoming) reply {
	parts := strings.Split(strings.Trim(c.path, "/"), "/")
	at := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	n := len(parts)
	bot := func(next func() reply) reply { return s.asBotLocked(c, next) }
	ok := func(body object) reply {
		return bot(func() reply { return reply{status: http.StatusOK, body: body} })
	}
	switch {
	case at(0) == "interactions" && n == 4 && at(3) == "callback" && c.method == "POST":
		return s.limitedLocked(rateCallback, at(1), c, func() reply { return s.callbackLocked(c, at(1), at(2)) })

	case at(0) == "webhooks" && n == 3 && c.method == "POST":
		return s.limitedLocked(rateWebhook, at(2), c, func() reply { return s.followUpLocked(c, at(1), at(2)) })

	case at(0) == "webhooks" && n == 5 && at(3) == "messages":
		return s.limitedLocked(rateWebhook, at(2), c, func() reply { return s.webhookMessageLocked(c, at(1), at(2), at(4)) })

	case c.path == "/gateway" && c.method == "GET":
		return ok(object{"url": s.gatewayURL()})

	case c.path == "/gateway/bot" && c.method == "GET":
		return ok(object{"url": s.gatewayURL(), "shards": s.options.Shards, "session_start_limit": s.startsLocked(c.at)})

	case c.path == "/applications/@me" && c.method == "GET":
		return ok(s.application())

	case at(0) == "channels" && n == 2 && c.method == "GET":
		return bot(func() reply { return s.channelLocked(c, at(1)) })

	case at(0) == "channels" && n == 3 && at(2) == "messages" && c.method == "POST":
		return bot(func() reply {
			return s.limitedLocked(ratePost, at(1), c, func() reply { return s.postLocked(c, at(1)) })
		})

	case at(0) == "channels" && n == 3 && at(2) == "messages" && c.method == "GET":
		return bot(func() reply {
			return s.limitedLocked(rateChannel, "GET "+at(1), c, func() reply { return s.listLocked(c, at(1)) })
		})

	case at(0) == "channels" && n == 4 && at(2) == "messages" && c.method == "PATCH":
		return bot(func() reply {
			return s.limitedLocked(rateChannel, "PATCH "+at(1), c, func() reply { return s.patchLocked(c, at(1), at(3)) })
		})

	case at(0) == "guilds" && n == 3 && at(2) == "roles" && c.method == "GET":
		return bot(func() reply { return s.rolesLocked(c, at(1)) })

	case at(0) == "applications" && n > 2 && at(1) != appID:
		return bot(func() reply {
			return s.refusedLocked(c, http.StatusForbidden, 20012, "You are not authorized to perform this action on this application")
		})

	case at(0) == "applications" && (n == 3 || n == 4) && at(2) == "emojis":
		return bot(func() reply { return s.emojisLocked(c, at(3)) })

	case at(0) == "applications" && n == 3 && at(2) == "commands":
		return bot(func() reply { return s.commandsLocked(c, "") })

	case at(0) == "applications" && n == 5 && at(2) == "guilds" && at(4) == "commands":
		return bot(func() reply { return s.commandsLocked(c, at(3)) })
	}
	return s.unknownLocked(c)
}

// limitedLocked does next unless its rate limit is used up.
func (s *Server) limitedLocked(r rate, key string, c *incoming, next func() reply) reply {
	h := http.Header{}
	if !s.takeLocked(r, key, c.at, h) {
		rep := tooMany(h.Get("X-RateLimit-Reset-After"))
		rep.header = h
		return rep
	}
	rep := next()
	if rep.header == nil {
		rep.header = h
	}
	return rep
}

// asBotLocked does next if the call carries the bot's token, and the bot has not made too
// many calls of all kinds.
func (s *Server) asBotLocked(c *incoming, next func() reply) reply {
	if c.auth != "Bot "+s.options.Token {
		return failure(http.StatusUnauthorized)
	}
	if h := (http.Header{}); !s.takeLocked(rate{"global", s.options.BotCalls, time.Second}, "", c.at, h) {
		rep := tooMany(h.Get("X-RateLimit-Reset-After"))
		rep.body.(object)["global"] = true
		rep.header = http.Header{"Retry-After": h["Retry-After"], "X-Ratelimit-Global": {"true"}, "X-Ratelimit-Scope": {"global"}}
		return rep
	}
	return s.limitedLocked(rate{"bot", s.options.BotCalls, time.Second}, c.path, c, next)
}

func (s *Server) unknownLocked(c *incoming) reply {
	s.violateLocked("%s: no such endpoint here", c.name)
	return failure(http.StatusNotFound)
}

func (s *Server) botUser() object {
	return object{
		"id": appID, "username": "Fivefold", "discriminator": "0000", "global_name": nil, "avatar": nil,
		"bot": true, "system": false, "flags": 0, "public_flags": 0, "primary_guild": nil,
	}
}

func (s *Server) application() object {
	installs := object{"0": object{}}
	if !s.options.ServersOnly {
		installs["1"] = object{}
	}
	var endpoint any
	if s.endpoint != "" {
		endpoint = s.endpoint
	}
	return object{
		"id": appID, "name": "Fivefold", "icon": nil, "description": "", "summary": "", "bot": s.botUser(),
		"bot_public": true, "bot_require_code_grant": false, "verify_key": s.PublicKey(), "flags": 0,
		"integration_types_config": installs, "hook": true, "is_monetized": false,
		"type": nil, "flags_new": "0", "redirect_uris": []string{}, "interactions_endpoint_url": endpoint,
		"role_connections_verification_url": nil, "owner": userObject(defaultUser, defaultUserName), "team": nil,
		"approximate_guild_count": len(s.options.Guilds), "approximate_user_install_count": 0,
		"approximate_user_authorization_count": 0, "explicit_content_filter": 0, "eligible_oauth2_scopes": []string{},
	}
}

// object is a JSON object that the server sends.
type object = map[string]any

// mustJSON encodes what the server made itself, which cannot fail.
func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// apiError is Discord's error body: a text and one of its documented codes.
func apiError(status, code int, text string) reply {
	return reply{status: status, body: object{"message": text, "code": code}}
}

// failure is an answer that says no more than its status.
func failure(status int) reply {
	if status == http.StatusTooManyRequests {
		rep := tooMany("0.1")
		rep.header = http.Header{"Retry-After": {"1"}, "X-Ratelimit-Scope": {"shared"}}
		return rep
	}
	return apiError(status, 0, fmt.Sprintf("%d: %s", status, http.StatusText(status)))
}

// tooMany is Discord's 429; after is in seconds.
func tooMany(after string) reply {
	return reply{status: http.StatusTooManyRequests, body: object{
		"message": "You are being rate limited.", "retry_after": json.Number(after), "global": false,
	}}
}
