package discordtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxBody is the most that Discord accepts in one request without boosts: 10 MiB of files (2026-08) and some room for
// the rest.
const maxBody = 11 << 20

// incoming is a REST call that is being handled.
type incoming struct {
	*http.Request
	name    string // method and path, for violations
	at      time.Time
	body    []byte // the JSON part; nil when there is none
	files   []File
	unheard bool // the client does not learn what came of it
}

// reply answers a REST call.
type reply struct {
	status int
	body   any // nil for none; encoded without Server.mu, so it shares nothing that mu protects
	header http.Header
}

func ok(body any) reply { return reply{status: http.StatusOK, body: body} }

// handler does what a REST call asks for, with Server.mu held.
type handler func(*incoming) reply

// routes returns the gateway, and the part of Discord's REST API that the bot uses.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/socket/", func(w http.ResponseWriter, r *http.Request) {
		if how := s.breakage(r); how.nothing() {
			w.WriteHeader(how.Status)
			return
		}
		s.serveGateway(w, r)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.serve(w, r, func(c *incoming) reply { return s.refusedLocked(c, http.StatusNotFound, 0, "no such endpoint here") })
	})
	route := func(methods, path string, do handler) {
		for method := range strings.SplitSeq(methods, " ") {
			mux.HandleFunc(method+" /api/{version}/"+path, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, do) })
		}
	}
	// By the token of an interaction:
	route("POST", "interactions/{id}/{token}/callback", func(c *incoming) reply {
		return s.callbackLocked(c, c.PathValue("id"), c.PathValue("token"))
	})
	route("POST", "webhooks/"+appID+"/{token}", s.limited(rateWebhook, "token", s.followUpLocked))
	route("GET PATCH DELETE", "webhooks/"+appID+"/{token}/messages/{message}", s.limited(rateWebhook, "token", s.answerLocked))
	// By the bot's token:
	bot := func(methods, path string, do handler) { route(methods, path, s.asBot(do)) }
	route("GET", "gateway", s.gatewayLocked)
	bot("GET", "gateway/bot", s.gatewayLocked)
	bot("GET", "applications/@me", s.applicationLocked)
	bot("GET POST", "applications/"+appID+"/emojis", s.emojisLocked)
	bot("DELETE", "applications/"+appID+"/emojis/{emoji}", s.emojisLocked)
	bot("GET PUT", "applications/"+appID+"/commands", s.commandsLocked)
	bot("GET PUT", "applications/"+appID+"/guilds/{guild}/commands", s.commandsLocked)
	bot("GET", "users/@me/guilds", s.guildsLocked)
	bot("GET", "guilds/{guild}/roles", s.rolesLocked)
	bot("GET", "channels/{channel}", s.channelLocked)
	bot("POST", "channels/{channel}/messages", s.limited(ratePost, "channel", s.postLocked))
	bot("PATCH", "channels/{channel}/messages/{message}", s.limited(rateEdit, "channel", s.ownMessageLocked))
	bot("DELETE", "channels/{channel}/messages/{message}", s.limited(rateDelete, "channel", s.ownMessageLocked))
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
		panic(http.ErrAbortHandler) // the one way to end a request without an answer
	}
	w.Header().Set("Date", s.options.Now().UTC().Format(http.TimeFormat))
	maps.Copy(w.Header(), rep.header)
	if rep.body == nil {
		w.WriteHeader(rep.status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(rep.status)
	w.Write(mustJSON(rep.body))
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
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
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
				files = append(files, File{ID: m[1], Name: p.FileName(), Data: data})
			}
		}
	}
	if !json.Valid(text) {
		return nil, nil, errors.New("no JSON")
	}
	return text, files, nil
}

// rate is how often a kind of call may be made. The numbers are those in Discord's headers; it documents only that they
// change.
type rate struct {
	bucket string // its name in X-RateLimit-Bucket
	calls  int
	window time.Duration
}

var (
	rateWebhook = rate{"webhook", 5, 2 * time.Second}   // for one interaction; the others are for one channel
	ratePost    = rate{"post", 5, 5 * time.Second}      // new messages
	rateEdit    = rate{"edit", 5, 5 * time.Second}      // edits
	rateDelete  = rate{"delete", 5, time.Second}        // deletions
	rateOldEdit = rate{"old edits", 3, 6 * time.Second} // of messages older than oldMessage
)

// bucket counts calls in a window that begins with the first of them.
type bucket struct {
	used  int
	reset time.Time
}

// takeLocked counts a call, sets Discord's headers in h and reports whether the call is within the limit. Discord limits
// each key separately.
func (s *Server) takeLocked(r rate, key string, now time.Time, h http.Header) bool {
	id := r.bucket + " " + key
	l := s.buckets[id]
	if l == nil || !now.Before(l.reset) {
		l = &bucket{reset: now.Add(r.window)}
		s.buckets[id] = l
	}
	within := l.used < r.calls
	if within {
		l.used++
	}
	after := l.reset.Sub(now).Seconds()
	h.Set("X-RateLimit-Bucket", fmt.Sprintf("%032x", r.bucket))
	h.Set("X-RateLimit-Limit", strconv.Itoa(r.calls))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(r.calls-l.used))
	h.Set("X-RateLimit-Reset", fmt.Sprintf("%.3f", float64(l.reset.UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", after))
	if !within {
		h.Set("X-RateLimit-Scope", "user")
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(after))))
	}
	return within
}

// limited is a handler with a rate limit for each value of a part of the path.
func (s *Server) limited(r rate, part string, do handler) handler {
	return func(c *incoming) reply {
		h := http.Header{}
		if !s.takeLocked(r, c.PathValue(part), c.at, h) {
			rep := tooMany(h.Get("X-RateLimit-Reset-After"), false)
			rep.header = h
			return rep
		}
		rep := do(c)
		rep.header = h
		return rep
	}
}

// asBot is a handler of calls with the bot's token, as long as there are not too many of all kinds.
func (s *Server) asBot(do handler) handler {
	return func(c *incoming) reply {
		if c.Header.Get("Authorization") != "Bot "+s.options.Token {
			return failure(http.StatusUnauthorized)
		}
		if h := (http.Header{}); !s.takeLocked(rate{"global", s.options.BotCalls, time.Second}, "", c.at, h) {
			rep := tooMany(h.Get("X-RateLimit-Reset-After"), true)
			rep.header = http.Header{"Retry-After": h["Retry-After"], "X-Ratelimit-Global": {"true"}, "X-Ratelimit-Scope": {"global"}}
			return rep
		}
		return do(c)
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

// refusedLocked notes a violation and answers with Discord's error.
func (s *Server) refusedLocked(c *incoming, status, code int, text string) reply {
	s.violateLocked("%s: %d %s", c.name, code, text)
	return apiError(status, code, text)
}

// badFormLocked notes what is wrong with a body and answers with it.
func (s *Server) badFormLocked(c *incoming, k *checker) reply {
	for _, p := range k.problems {
		s.violateLocked("%s: %s", c.name, p)
	}
	return apiError(http.StatusBadRequest, 50035, "Invalid Form Body: "+strings.Join(k.problems, ", "))
}

// failure is an answer that says no more than its status.
func failure(status int) reply {
	if status == http.StatusTooManyRequests {
		rep := tooMany("0.1", false)
		rep.header = http.Header{"Retry-After": {"1"}, "X-Ratelimit-Scope": {"shared"}}
		return rep
	}
	return apiError(status, 0, fmt.Sprintf("%d: %s", status, http.StatusText(status)))
}

// tooMany is Discord's 429; after is in seconds.
func tooMany(after string, global bool) reply {
	return reply{status: http.StatusTooManyRequests, body: object{
		"message": "You are being rate limited.", "retry_after": json.Number(after), "global": global,
	}}
}

// forgetLocked drops what is older than [Options].Forget, at most once in that time. A message that is still used stays.
func (s *Server) forgetLocked(now time.Time) {
	if s.options.Forget == 0 || now.Before(s.nextForget) {
		return
	}
	s.nextForget = now.Add(s.options.Forget)
	old := now.Add(-s.options.Forget)
	maps.DeleteFunc(s.calls, func(_ string, c *Call) bool { return c.began.Before(old) })
	maps.DeleteFunc(s.tokens, func(_ string, c *Call) bool { return c.began.Before(old) })
	maps.DeleteFunc(s.messages, func(_ string, m *message) bool { return m.used.Before(old) })
	maps.DeleteFunc(s.buckets, func(_ string, b *bucket) bool { return b.reset.Before(old) })
	before := len(s.requests)
	s.requests = slices.DeleteFunc(s.requests, func(r Request) bool { return r.At.Before(old) })
	s.forgotten += before - len(s.requests)
}
