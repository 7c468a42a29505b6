package calls

import (
	"net/http"
	"net/url"
	"strings"
)

// DefaultBaseURL is where Discord is.
const DefaultBaseURL = "https://discord.com/"

// transport sends requests for Discord to another base URL. discordgo's addresses are package variables that are derived
// from each other only once: changing one is not enough.
type transport struct {
	base *url.URL
	next http.RoundTripper
}

func newTransport(base *url.URL) http.RoundTripper {
	next := http.DefaultTransport.(*http.Transport).Clone()
	next.MaxIdleConnsPerHost = 64 // answers come in bursts; two, the default, would mean a handshake for most
	if base == nil || base.String() == DefaultBaseURL {
		return next
	}
	return &transport{base, next}
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != "discord.com" {
		return t.next.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	r.URL.Scheme = t.base.Scheme
	r.URL.Host = t.base.Host
	r.URL.Path = strings.TrimSuffix(t.base.Path, "/") + r.URL.Path
	r.URL.RawPath = ""
	r.Host = ""
	return t.next.RoundTrip(r)
}
