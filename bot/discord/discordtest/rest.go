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
	at := s.now()
	s.mu.Lock()
	t := s.effectLocked(r.Method, r.URL.Path)
	s.mu.Unlock()

	if strings.HasPrefix(r.URL.Path, "/socket") && t.status == 0 {
		if s.wait(t, r) && !t.cut {
			s.serveGateway(w, r)
		}
		return
	}
	if t.stall > 0 {
		if !s.wait(effect{delay: t.stall}, r) {
			panic(http.ErrAbortHandler)
		}
		at = s.now()
	}

	c := &incoming{method: r.Method, query: r.URL.Query(), auth: r.Header.Get("Authorization"), at: at}
	c.unheard = t.cut || t.half || t.status != 0
	c.name = r.Method + " " + r.URL.Path
	rep, ok := s.read(w, r, c)

	s.mu.Lock()
	switch m := apiPath.FindStringSubmatch(r.URL.Path); {
	case t.nothing:
	case !ok:
	case m == nil:
		rep = s.unknownLocked(c)
	default:
		c.path = m[2]
		rep = s.routeLocked(c)
	}
	if t.status != 0 {
		rep = failure(t.status)
	}
	s.requests = append(s.requests, Request{
		Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: c.body, Files: c.files, Status: rep.status, At: at,
	})
	s.forgetLocked()
	s.changed.fire()
	s.mu.Unlock()
	var body []byte
	if rep.body != nil {
		body = mustJSON(rep.body)
	}

	gone := !s.wait(t, r)
	if t.half && !gone {
		sendHalf(w, rep.status, body)
	}
	if t.cut || gone {
		// The one way to end a request without an answer.
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
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
	kind := r.Header.Get("Content-Type")
	if len(b) == 0 {
		if kind != "" {
			return refuse(http.StatusBadRequest, 50109, "The request body contains invalid JSON: a Content-Type but no body")
		}
		return reply{}, true
	}
	media, params, err := mime.ParseMediaType(kind)
	if err != nil {
		return refuse(http.StatusBadRequest, 50035, fmt.Sprintf("Content-Type is %q", kind))
	}
	switch media {
	case "application/json":
		c.body = b
	case "multipart/form-data":
		if err := c.readParts(multipart.NewReader(bytes.NewReader(b), params["boundary"])); err != nil {
			return refuse(http.StatusBadRequest, 50035, "multipart body: "+err.Error())
		}
	default:
		return refuse(http.StatusBadRequest, 50035, fmt.Sprintf("Content-Type is %q", kind))
	}
	if c.body != nil && !json.Valid(c.body) {
		c.body = nil
		return refuse(http.StatusBadRequest, 50109, "The request body contains invalid JSON")
	}
	return reply{}, true
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
	switch {
	case at(0) == "interactions" && n == 4 && at(3) == "callback" && c.method == "POST":
		return s.limitedLocked(rateCallback, at(1), c, func() reply { return s.callbackLocked(c, at(1), at(2)) })

	case at(0) == "webhooks" && n == 3 && c.method == "POST":
		return s.limitedLocked(rateWebhook, at(2), c, func() reply { return s.followUpLocked(c, at(1), at(2)) })

	case at(0) == "webhooks" && n == 5 && at(3) == "messages":
		return s.limitedLocked(rateWebhook, at(2), c, func() reply { return s.webhookMessageLocked(c, at(1), at(2), at(4)) })

	case c.path == "/gateway" && c.method == "GET":
		return reply{status: http.StatusOK, body: object{"url": s.gatewayURL()}}

	case c.path == "/gateway/bot" && c.method == "GET":
		return s.asBotLocked(c, func() reply {
			return reply{status: http.StatusOK, body: object{
				"url": s.gatewayURL(), "shards": s.shards, "session_start_limit": s.startsLocked(c.at),
			}}
		})

	case c.path == "/users/@me" && c.method == "GET":
		return s.asBotLocked(c, func() reply {
			me := s.botUser()
			me["mfa_enabled"], me["verified"], me["email"], me["locale"] = true, true, nil, "en-US"
			return reply{status: http.StatusOK, body: me}
		})

	case (c.path == "/applications/@me" || c.path == "/oauth2/applications/@me") && c.method == "GET":
		return s.asBotLocked(c, func() reply { return reply{status: http.StatusOK, body: s.application()} })

	case at(0) == "channels" && n == 2 && c.method == "GET":
		return s.asBotLocked(c, func() reply { return s.channelLocked(c, at(1)) })

	case at(0) == "channels" && n == 3 && at(2) == "messages" && c.method == "POST":
		return s.asBotLocked(c, func() reply {
			return s.limitedLocked(ratePost, at(1), c, func() reply { return s.postLocked(c, at(1)) })
		})

	case at(0) == "channels" && n == 3 && at(2) == "messages" && c.method == "GET":
		return s.asBotLocked(c, func() reply {
			return s.limitedLocked(rateChannel, "GET "+at(1), c, func() reply { return s.listLocked(c, at(1)) })
		})

	case at(0) == "channels" && n == 4 && at(2) == "messages":
		return s.asBotLocked(c, func() reply {
			return s.limitedLocked(rateChannel, c.method+" "+at(1), c, func() reply { return s.channelMessageLocked(c, at(1), at(3)) })
		})

	case at(0) == "guilds" && n == 3 && at(2) == "roles" && c.method == "GET":
		return s.asBotLocked(c, func() reply { return s.rolesLocked(c, at(1)) })

	case at(0) == "applications" && (n == 3 || n == 4) && at(2) == "emojis":
		return s.asBotLocked(c, func() reply { return s.emojisLocked(c, at(1), at(3)) })

	case at(0) == "applications" && n == 3 && at(2) == "commands":
		return s.asBotLocked(c, func() reply { return s.commandsLocked(c, at(1), "") })

	case at(0) == "applications" && n == 5 && at(2) == "guilds" && at(4) == "commands":
		return s.asBotLocked(c, func() reply { return s.commandsLocked(c, at(1), at(3)) })
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
	if c.auth != "Bot "+s.token {
		return apiErrorBody(http.StatusUnauthorized, object{"message": "401: Unauthorized", "code": 0})
	}
	if h := (http.Header{}); !s.takeLocked(rate{"global", s.botCalls, time.Second}, "", c.at, h) {
		rep := tooMany(h.Get("X-RateLimit-Reset-After"))
		rep.body.(object)["global"] = true
		rep.header = http.Header{"Retry-After": h["Retry-After"], "X-Ratelimit-Global": {"true"}, "X-Ratelimit-Scope": {"global"}}
		return rep
	}
	return s.limitedLocked(rate{"bot", s.botCalls, time.Second}, c.path, c, next)
}

func (s *Server) unknownLocked(c *incoming) reply {
	s.violateLocked("%s: no such endpoint here", c.name)
	return apiErrorBody(http.StatusNotFound, object{"message": "404: Not Found", "code": 0})
}

func (s *Server) botUser() object {
	return object{
		"id": s.appID, "username": "Fivefold", "discriminator": "0000", "global_name": nil, "avatar": nil,
		"bot": true, "system": false, "flags": 0, "public_flags": 0, "primary_guild": nil,
	}
}

func (s *Server) application() object {
	installs := object{"0": object{}}
	if !s.only {
		installs["1"] = object{}
	}
	var endpoint any
	if s.endpoint != "" {
		endpoint = s.endpoint
	}
	return object{
		"id": s.appID, "name": "Fivefold", "icon": nil, "description": "", "summary": "", "bot": s.botUser(),
		"bot_public": true, "bot_require_code_grant": false, "verify_key": s.PublicKey(), "flags": 0,
		"integration_types_config": installs, "hook": true, "is_monetized": false,
		"type": nil, "flags_new": "0", "redirect_uris": []string{}, "interactions_endpoint_url": endpoint,
		"role_connections_verification_url": nil, "owner": userObject(defaultUser, defaultUserName), "team": nil,
		"approximate_guild_count": len(s.guilds), "approximate_user_install_count": 0,
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

func apiErrorBody(status int, body object) reply { return reply{status: status, body: body} }

// apiError is Discord's error body: a text and one of its documented codes.
func apiError(status, code int, text string) reply {
	return apiErrorBody(status, object{"message": text, "code": code})
}

// formError is Discord's answer to a body it does not take, with where in it.
func formError(problems []problem) reply {
	return apiErrorBody(http.StatusBadRequest, object{
		"message": "Invalid Form Body", "code": 50035, "errors": nest(problems),
	})
}

// nest turns dotted places into the nested objects that Discord answers with.
func nest(problems []problem) object {
	root := object{}
	for _, p := range problems {
		at := root
		if p.where != "" {
			for _, key := range strings.Split(p.where, ".") {
				next, ok := at[key].(object)
				if !ok {
					next = object{}
					at[key] = next
				}
				at = next
			}
		}
		list, _ := at["_errors"].([]object)
		at["_errors"] = append(list, object{"code": "INVALID", "message": p.what})
	}
	return root
}

// failure is the answer to a call that a [Breakage] with a status makes fail.
func failure(status int) reply {
	if status == http.StatusTooManyRequests {
		rep := tooMany("0.1")
		rep.header = http.Header{"Retry-After": {"1"}, "X-Ratelimit-Scope": {"shared"}}
		return rep
	}
	return apiErrorBody(status, object{"message": fmt.Sprintf("%d: %s", status, http.StatusText(status)), "code": 0})
}

// tooMany is Discord's 429; after is in seconds.
func tooMany(after string) reply {
	return apiErrorBody(http.StatusTooManyRequests, object{
		"message": "You are being rate limited.", "retry_after": json.Number(after), "global": false,
	})
}
