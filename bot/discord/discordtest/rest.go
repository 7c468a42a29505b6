package discordtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// maxBody is the most that Discord accepts in one request without boosts: 10 MiB of
// files (2026-08) and some room for the rest.
const maxBody = 11 << 20

// incoming is one REST call that is being handled.
type incoming struct {
	*http.Request
	name    string // method and path, for violations
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

func ok(body any) reply { return reply{status: http.StatusOK, body: body} }

// handler does what a REST call asks for, with Server.mu held.
type handler func(*incoming) reply

// routes returns what the server knows: the gateway, and the part of Discord's REST API that the bot uses.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/socket/", func(w http.ResponseWriter, r *http.Request) {
		if how := s.breakage(r); how.nothing() {
			w.WriteHeader(how.Status)
			return
		}
		s.serveGateway(w, r)
	})
	route := func(pattern string, do handler) {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" /api/{version}/"+path, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, do) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, s.unknownLocked) })

	// By the token of an interaction:
	route("POST interactions/{id}/{token}/callback", func(c *incoming) reply {
		return s.callbackLocked(c, c.PathValue("id"), c.PathValue("token"))
	})
	route("POST webhooks/"+appID+"/{token}", s.limited(rateWebhook, "token", s.followUpLocked))
	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		route(method+" webhooks/"+appID+"/{token}/messages/{message}", s.limited(rateWebhook, "token", s.webhookMessageLocked))
	}

	// By the bot's token:
	bot := func(pattern string, do handler) { route(pattern, s.asBot(do)) }
	bot("GET gateway/bot", func(*incoming) reply { return ok(s.gatewayLocked()) })
	bot("GET applications/@me", func(*incoming) reply { return ok(s.applicationLocked()) })
	bot("GET channels/{channel}", s.channelLocked)
	bot("POST channels/{channel}/messages", s.limited(ratePost, "channel", s.postLocked))
	bot("GET channels/{channel}/messages", s.limited(rateList, "channel", s.listLocked))
	bot("GET users/@me/guilds", s.guildsLocked)
	bot("PATCH channels/{channel}/messages/{message}", s.limited(rateEdit, "channel", s.ownMessageLocked))
	bot("DELETE channels/{channel}/messages/{message}", s.limited(rateDelete, "channel", s.ownMessageLocked))
	bot("GET guilds/{guild}/roles", s.rolesLocked)
	bot("GET applications/"+appID+"/emojis", s.emojisLocked)
	bot("POST applications/"+appID+"/emojis", s.addEmojiLocked)
	bot("DELETE applications/"+appID+"/emojis/{emoji}", s.deleteEmojiLocked)
	for _, where := range []string{"", "guilds/{guild}/"} {
		bot("GET applications/"+appID+"/"+where+"commands", s.inGuild(s.commandsLocked))
		bot("PUT applications/"+appID+"/"+where+"commands", s.inGuild(s.overwriteLocked))
	}
	return mux
}

// serve answers a REST call, with what goes wrong with it.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, do handler) {
	how := s.breakage(r)
	if how.Slow > 0 && !how.Done && !s.wait(r, how.Slow, nil) {
		panic(http.ErrAbortHandler)
	}
	c := &incoming{Request: r, name: r.Method + " " + r.URL.Path, at: s.options.Now(), unheard: how.Cut || how.Status != 0}
	refused := s.read(w, c)

	s.mu.Lock()
	var rep reply
	switch {
	case how.nothing():
	case refused != nil:
		rep = *refused
	default:
		rep = do(c)
	}
	if how.Status != 0 {
		rep = failure(how.Status)
	}
	s.noteLocked(c, rep.status)
	s.mu.Unlock()

	if how.Done && !s.wait(r, how.Slow, how.held) || how.Cut {
		// The one way to end a request without an answer.
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Date", s.options.Now().UTC().Format(http.TimeFormat))
	for k, v := range rep.header {
		w.Header()[k] = v
	}
	if rep.body != nil {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(rep.status)
	if rep.body != nil {
		w.Write(mustJSON(rep.body))
	}
}

// noteLocked lists a REST call.
func (s *Server) noteLocked(c *incoming, status int) {
	s.requests = append(s.requests, Request{Method: c.Method, Path: c.URL.Path, Body: c.body, Files: c.files, Status: status, At: c.at})
	s.forgetLocked(c.at)
	s.changed.fire()
}

// read reads the body. It returns the answer if Discord would refuse the request whatever it asks for.
func (s *Server) read(w http.ResponseWriter, c *incoming) *reply {
	refuse := func(status, code int, text string) *reply {
		s.mu.Lock()
		defer s.mu.Unlock()
		return new(s.refusedLocked(c, status, code, text))
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, c.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return refuse(http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
	case err != nil: // the client has gone, which breaks no rule
		return new(failure(http.StatusBadRequest))
	case !strings.HasPrefix(c.UserAgent(), "DiscordBot ("):
		return refuse(http.StatusForbidden, 40333, fmt.Sprintf("User-Agent is %q, not \"DiscordBot (url, version)\"", c.UserAgent()))
	case len(b) > 0 || c.Header.Get("Content-Type") != "":
		if c.body, c.files, err = readBody(c.Header, b); err != nil {
			return refuse(http.StatusBadRequest, 50109, "The request body contains invalid JSON: "+err.Error())
		}
	}
	return nil
}

var filePart = regexp.MustCompile(`^files\[([0-9])\]$`)

// readBody reads a body of JSON, or of several parts: payload_json, and files[0] to files[9].
func readBody(h http.Header, b []byte) (text []byte, files []File, err error) {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	switch {
	case err != nil:
		return nil, nil, err
	case media == "application/json":
		text = b
	case media != "multipart/form-data":
		return nil, nil, fmt.Errorf("Content-Type is %q", media)
	default:
		parts := multipart.NewReader(bytes.NewReader(b), params["boundary"])
		for {
			p, err := parts.NextPart()
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, nil, err
			}
			data, err := io.ReadAll(p)
			if err != nil {
				return nil, nil, err
			}
			switch m := filePart.FindStringSubmatch(p.FormName()); {
			case p.FormName() == "payload_json":
				text = data
			case m == nil || p.FileName() == "":
				return nil, nil, fmt.Errorf("a part named %q, or without a filename", p.FormName())
			default:
				files = append(files, File{ID: m[1], Name: p.FileName(), ContentType: p.Header.Get("Content-Type"), Data: data})
			}
		}
	}
	if !json.Valid(text) {
		return nil, nil, errors.New("no JSON")
	}
	return text, files, nil
}

// limited is a handler with a rate limit for each value of a part of the path, or for each path if part is empty.
func (s *Server) limited(r rate, part string, do handler) handler {
	return func(c *incoming) reply {
		key := c.URL.Path
		if part != "" {
			key = c.PathValue(part)
		}
		h := http.Header{}
		if !s.takeLocked(r, key, c.at, h) {
			rep := tooMany(h.Get("X-RateLimit-Reset-After"))
			rep.header = h
			return rep
		}
		rep := do(c)
		if rep.header == nil {
			rep.header = h
		}
		return rep
	}
}

// asBot is a handler of calls that carry the bot's token, as long as there are not too many of all kinds.
func (s *Server) asBot(do handler) handler {
	do = s.limited(rate{"bot", s.options.BotCalls, time.Second}, "", do)
	return func(c *incoming) reply {
		if c.Header.Get("Authorization") != "Bot "+s.options.Token {
			return failure(http.StatusUnauthorized)
		}
		if h := (http.Header{}); !s.takeLocked(rate{"global", s.options.BotCalls, time.Second}, "", c.at, h) {
			rep := tooMany(h.Get("X-RateLimit-Reset-After"))
			rep.body.(object)["global"] = true
			rep.header = http.Header{"Retry-After": h["Retry-After"], "X-Ratelimit-Global": {"true"}, "X-Ratelimit-Scope": {"global"}}
			return rep
		}
		return do(c)
	}
}

func (s *Server) unknownLocked(c *incoming) reply {
	s.violateLocked("%s: no such endpoint here", c.name)
	return failure(http.StatusNotFound)
}

func (s *Server) botUser() object {
	return object{"id": appID, "username": "Fivefold", "discriminator": "0000", "bot": true}
}

func (s *Server) applicationLocked() object {
	installs := object{"0": object{}}
	if !s.options.ServersOnly {
		installs["1"] = object{}
	}
	return object{
		"id": appID, "name": "Fivefold", "bot": s.botUser(), "verify_key": s.PublicKey(), "integration_types_config": installs,
		"interactions_endpoint_url": s.endpoint,
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

// forgetLocked drops what is older than [Options].Forget, at most once in that time; a message that is still used stays.
func (s *Server) forgetLocked(now time.Time) {
	if s.options.Forget == 0 || now.Before(s.nextForget) {
		return
	}
	s.nextForget = now.Add(s.options.Forget)
	old := now.Add(-s.options.Forget)
	maps.DeleteFunc(s.calls, func(_ string, c *Call) bool { return c.began.Before(old) })
	maps.DeleteFunc(s.tokens, func(_ string, c *Call) bool { return c.began.Before(old) })
	maps.DeleteFunc(s.messages, func(_ string, m *message) bool { return m.used.Before(old) })
	maps.DeleteFunc(s.limits, func(_ string, l *limit) bool { return l.reset.Before(old) })
	before := len(s.requests)
	s.requests = slices.DeleteFunc(s.requests, func(r Request) bool { return r.At.Before(old) })
	s.forgotten += before - len(s.requests)
}
