package discordtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// incoming is a REST call that is being handled.
type incoming struct {
	*http.Request
	name    string // method and path, for violations
	at      time.Time
	body    []byte // the JSON part; nil when there is none
	files   []File
	unheard bool // the client does not get the answer
}

// reply answers a REST call.
type reply struct {
	status int
	body   any // nil for none; encoded without Server.mu, so it shares nothing that mu protects
	header http.Header
}

func ok(body any) reply { return reply{status: http.StatusOK, body: body} }

// handler does what a REST call asks for, with mu held. It panics with a reply to refuse.
type handler func(*incoming) reply

// rest takes REST calls.
type rest struct {
	*core
	faults     []*fault
	buckets    map[string]*bucket
	requests   []Request
	forgotten  int // requests that are no longer in the list
	forget     func(old time.Time)
	nextForget time.Time
}

// Request is a REST call as the server saw it.
type Request struct {
	Method string
	Path   string          // without the query
	Body   json.RawMessage // the JSON part, nil when there was none
	Files  []File
	Status int       // of the answer
	At     time.Time // when it arrived
}

// Requests returns the REST calls in the order of their effects; with [Options].Forget, only the latest ones.
func (r *rest) Requests() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.requests)
}

// WaitRequests waits until there were n REST calls in all.
func (r *rest) WaitRequests(ctx context.Context, n int) error {
	return r.waitFor(ctx, func() bool { return r.forgotten+len(r.requests) >= n })
}

// serve answers a REST call, or breaks it as a fault says.
func (r *rest) serve(w http.ResponseWriter, req *http.Request, do handler) {
	how := r.breakage(req)
	if !how.Done && !r.wait(req, how) {
		panic(http.ErrAbortHandler)
	}
	c := &incoming{Request: req, name: req.Method + " " + req.URL.Path, at: r.options.Now(), unheard: how.Cut || how.Status != 0}
	body, err := io.ReadAll(req.Body)

	r.mu.Lock()
	rep := failure(http.StatusBadRequest) // for a client that has gone
	if err == nil && !how.nothing() {
		rep = handle(c, func(c *incoming) reply { r.readLocked(c, body); return do(c) })
	}
	if how.Status != 0 {
		rep = failure(how.Status)
	}
	r.noteLocked(c, rep.status)
	r.mu.Unlock()

	if how.Done && !r.wait(req, how) || how.Cut {
		panic(http.ErrAbortHandler) // the one way to end a request without an answer
	}
	w.Header().Set("Date", r.options.Now().UTC().Format(http.TimeFormat))
	maps.Copy(w.Header(), rep.header)
	if rep.body == nil {
		w.WriteHeader(rep.status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(rep.status)
	w.Write(mustJSON(rep.body))
}

// handle calls do, and returns its reply or its refusal.
func handle(c *incoming, do handler) (rep reply) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case reply:
			rep = p
		default:
			panic(p)
		}
	}()
	return do(c)
}

// noteLocked lists a REST call. Now and then, it forgets everything older than [Options].Forget.
func (r *rest) noteLocked(c *incoming, status int) {
	r.requests = append(r.requests, Request{Method: c.Method, Path: c.URL.Path, Body: c.body, Files: c.files, Status: status, At: c.at})
	if keep := r.options.Forget; keep > 0 && !c.at.Before(r.nextForget) {
		r.nextForget = c.at.Add(keep)
		r.forget(c.at.Add(-keep))
	}
	r.changed.fire()
}

// readLocked reads the body. It refuses faults that Discord would refuse in any call.
func (r *rest) readLocked(c *incoming, b []byte) {
	if !strings.HasPrefix(c.UserAgent(), "DiscordBot (") {
		r.refuseLocked(c, http.StatusForbidden, 40333, fmt.Sprintf("User-Agent is %q, not \"DiscordBot (url, version)\"", c.UserAgent()))
	}
	if len(b) > 0 || c.Header.Get("Content-Type") != "" {
		var err error
		if c.body, c.files, err = readBody(c.Header, b); err != nil {
			r.refuseLocked(c, http.StatusBadRequest, 50109, "The request body contains invalid JSON: "+err.Error())
		}
	}
}

// readBody reads a body of JSON, or of several parts: payload_json, and files[0] to files[9].
func readBody(h http.Header, b []byte) (text []byte, files []File, err error) {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" {
		if err == nil && (media != "application/json" || !json.Valid(b)) {
			err = fmt.Errorf("no JSON, of type %q", media)
		}
		return b, nil, err
	}
	form, err := multipart.NewReader(bytes.NewReader(b), params["boundary"]).ReadForm(1 << 30)
	if err != nil {
		return nil, nil, err
	}
	for name, parts := range form.File {
		f, err := parts[0].Open()
		if err != nil {
			return nil, nil, err
		}
		data, err := io.ReadAll(f)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, File{ID: strings.Trim(name, "files[]"), Name: parts[0].Filename, Data: data})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.ID, b.ID) })
	if text = []byte(strings.Join(form.Value["payload_json"], "")); !json.Valid(text) {
		err = errors.New("no JSON")
	}
	return text, files, err
}

// rate is how often a kind of call may be made, as Discord's headers say. Discord documents only that the numbers change.
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
	rateOldEdit = rate{"old edits", 3, 6 * time.Second} // of messages older than an hour; not documented
)

// bucket counts calls in a window that begins with the first of them.
type bucket struct {
	used  int
	reset time.Time
}

// takeLocked counts a call, sets in h the headers that the bot reads, and reports whether the call is within the limit.
func (r *rest) takeLocked(limit rate, key string, now time.Time, h http.Header) bool {
	id := limit.bucket + " " + key
	l := r.buckets[id]
	if l == nil || !now.Before(l.reset) {
		l = &bucket{reset: now.Add(limit.window)}
		r.buckets[id] = l
	}
	within := l.used < limit.calls
	if within {
		l.used++
	}
	h.Set("X-RateLimit-Remaining", strconv.Itoa(limit.calls-l.used))
	h.Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", l.reset.Sub(now).Seconds()))
	h.Set("X-RateLimit-Scope", "user")
	return within
}

// limited returns do with a rate limit: one for each value of a part of the path.
func (r *rest) limited(limit rate, part string, do handler) handler {
	return func(c *incoming) reply {
		h := http.Header{}
		if !r.takeLocked(limit, c.PathValue(part), c.at, h) {
			return tooMany(h)
		}
		rep := handle(c, do)
		rep.header = h
		return rep
	}
}

// asBot returns a handler that passes calls with the bot's token to do, and refuses others.
func (r *rest) asBot(do handler) handler {
	return func(c *incoming) reply {
		if c.Header.Get("Authorization") != "Bot "+r.options.Token {
			return failure(http.StatusUnauthorized)
		}
		return do(c)
	}
}

// apiError is Discord's error body: a text and one of its documented codes.
func apiError(status, code int, text string) reply {
	return reply{status: status, body: object{"message": text, "code": code}}
}

// refuseLocked notes a violation and refuses a call with Discord's error. It does not return.
func (r *rest) refuseLocked(c *incoming, status, code int, text string) reply {
	r.violateLocked("%s: %d %s", c.name, code, text)
	panic(apiError(status, code, text))
}

// checkLocked refuses a body if the checker has found faults.
func (r *rest) checkLocked(c *incoming, k *checker) {
	for _, p := range k.problems {
		r.violateLocked("%s: %s", c.name, p)
	}
	if k.problems != nil {
		panic(apiError(http.StatusBadRequest, 50035, "Invalid Form Body: "+strings.Join(k.problems, ", ")))
	}
}

// failure returns an answer with nothing but a status.
func failure(status int) reply {
	if status == http.StatusTooManyRequests {
		return tooMany(http.Header{"X-Ratelimit-Reset-After": {"0.1"}, "X-Ratelimit-Scope": {"shared"}})
	}
	return apiError(status, 0, fmt.Sprintf("%d: %s", status, http.StatusText(status)))
}

// tooMany is Discord's 429, with the headers of a limit.
func tooMany(h http.Header) reply {
	after := json.Number(h.Get("X-RateLimit-Reset-After"))
	return reply{http.StatusTooManyRequests, object{"message": "You are being rate limited.", "retry_after": after, "global": false}, h}
}
