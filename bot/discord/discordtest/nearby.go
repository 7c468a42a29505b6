package discordtest

import (
	"net/http"
	"net/http/httptest"
	"time"
)

// Nearby calls the fake without a network: a call takes that long, half of it on the way there. With the
// testing/synctest of its caller, who must have made the server outside, that takes no time.
func (s *Server) Nearby(latency time.Duration) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		time.Sleep(latency / 2)
		w := httptest.NewRecorder()
		r = r.Clone(r.Context())
		if r.Body == nil {
			r.Body = http.NoBody
		}
		s.http.Config.Handler.ServeHTTP(w, r)
		time.Sleep(latency - latency/2)
		return w.Result(), nil
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
