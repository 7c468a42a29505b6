package discordtest

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"
)

// limit is one rate-limit bucket: a number of calls in a window that begins with the
// first of them.
type limit struct {
	used  int
	reset time.Time
}

// rate is how much a kind of call may be used. The numbers are Discord's as
// seen in its headers (it documents only that they change): five edits or
// follow-ups in two seconds for one interaction, five messages in five seconds for
// one channel. Discord's limits for registrations are far away; the bucket "bot" only
// stands in for them.
type rate struct {
	bucket string // its name, as X-RateLimit-Bucket gives it
	calls  int
	window time.Duration
}

var (
	rateWebhook = rate{"webhook", 5, 2 * time.Second}
	ratePost    = rate{"post", 5, 5 * time.Second}      // new messages in one channel
	rateList    = rate{"list", 5, 5 * time.Second}      // lists of the messages in one channel
	rateEdit    = rate{"edit", 5, 5 * time.Second}      // edits in one channel
	rateDelete  = rate{"delete", 5, time.Second}        // deletions in one channel
	rateOldEdit = rate{"old edits", 3, 6 * time.Second} // of messages older than oldMessage, in one channel
)

// takeLocked counts a call against its bucket, sets Discord's headers in h and
// reports whether the call is within the limit. key distinguishes what Discord
// limits separately: for webhooks, the interaction's token.
func (s *Server) takeLocked(r rate, key string, now time.Time, h http.Header) bool {
	id := r.bucket + " " + key
	l := s.limits[id]
	if l == nil || !now.Before(l.reset) {
		l = &limit{reset: now.Add(r.window)}
		s.limits[id] = l
	}
	ok := l.used < r.calls
	if ok {
		l.used++
	}
	after := l.reset.Sub(now).Seconds()
	h.Set("X-RateLimit-Bucket", fmt.Sprintf("%032x", r.bucket))
	h.Set("X-RateLimit-Limit", strconv.Itoa(r.calls))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(r.calls-l.used))
	h.Set("X-RateLimit-Reset", fmt.Sprintf("%.3f", float64(l.reset.UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", fmt.Sprintf("%.3f", after))
	if !ok {
		h.Set("X-RateLimit-Scope", "user")
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(after))))
	}
	return ok
}
