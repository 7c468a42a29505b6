package discordtest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// SetEndpoint makes the fake post interactions to an address from now on, as Discord does once
// it is entered on the developer portal as Interactions Endpoint URL; "" makes it send them
// over the gateway again. As Discord does, it asks first: a signed PING must be answered, and
// one with a wrong signature refused with 401. It waits for that until ctx ends.
func (s *Server) SetEndpoint(ctx context.Context, url string) error {
	for err := s.ping(ctx, url); err != nil; err = s.ping(ctx, url) {
		select {
		case <-ctx.Done():
			return err
		case <-s.serving.Done():
			return ErrClosed
		case <-time.After(20 * time.Millisecond):
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endpoint = url
	return nil
}

// ping asks an address whether the bot is there, unless the address is empty.
func (s *Server) ping(ctx context.Context, url string) error {
	if url == "" {
		return nil
	}
	ping := mustJSON(object{"id": "1", "application_id": appID, "type": 1, "token": "ping", "version": 1, "user": nil})
	for _, want := range []int{http.StatusUnauthorized, http.StatusOK} {
		r := s.NewDelivery(ctx, url, ping)
		if want == http.StatusUnauthorized {
			r.Header.Set("X-Signature-Ed25519", hex.EncodeToString(make([]byte, ed25519.SignatureSize)))
		}
		answer, err := s.poster.Do(r)
		if err != nil {
			return err
		}
		b, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			return err
		}
		var pong struct {
			Type int `json:"type"`
		}
		if answer.StatusCode != want || want == http.StatusOK && (json.Unmarshal(b, &pong) != nil || pong.Type != callbackPong) {
			return fmt.Errorf("discordtest: PING is answered with %d instead of %d, %.200s", answer.StatusCode, want, b)
		}
	}
	return nil
}

// PublicKey is that of the application, as the developer portal shows it.
func (s *Server) PublicKey() string { return hex.EncodeToString(s.key.Public().(ed25519.PublicKey)) }

// Sign returns the signature of a body that is posted at a time.
func (s *Server) Sign(at time.Time, body []byte) (timestamp, signature string) {
	timestamp = strconv.FormatInt(at.Unix(), 10)
	return timestamp, hex.EncodeToString(ed25519.Sign(s.key, append([]byte(timestamp), body...)))
}

// NewDelivery returns the signed request with which a body is posted to an address, for tests
// that post it themselves.
func (s *Server) NewDelivery(ctx context.Context, url string, body []byte) *http.Request {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		panic(err) // the address is of the test's own making
	}
	timestamp, signature := s.Sign(time.Now(), body)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Discord-Interactions/1.0 (+https://discord.com)")
	r.Header.Set("X-Signature-Timestamp", timestamp)
	r.Header.Set("X-Signature-Ed25519", signature)
	return r
}

// CutNextDelivery makes the fake cut the line of the next interaction that it posts when cut is
// called. It then does not know whether the interaction was answered, and still takes a callback.
func (s *Server) CutNextDelivery() (cut func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := make(chan struct{})
	s.cutting = c
	return func() { close(c) }
}

// deliver posts an interaction to the endpoint and takes the answer.
func (s *Server) deliver(to string, c *Call) {
	s.mu.Lock()
	c.sentLocked(s.options.Now())
	cut := s.cutting
	s.cutting = nil
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(s.serving, s.answer)
	defer cancel()
	if cut != nil {
		s.wg.Go(func() {
			select {
			case <-cut:
				cancel()
			case <-ctx.Done():
			}
		})
	}
	var body []byte
	answer, err := s.poster.Do(s.NewDelivery(ctx, to, c.payload))
	if err == nil {
		defer answer.Body.Close()
		body, err = io.ReadAll(io.LimitReader(answer.Body, maxBody))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		// After a timeout or a cut, the bot may still answer by a callback; otherwise the interaction is lost.
		var timeout interface{ Timeout() bool }
		c.lost = c.lost || !errors.Is(err, context.Canceled) && !(errors.As(err, &timeout) && timeout.Timeout())
		c.changed.fire()
		return
	}
	if answer.StatusCode == http.StatusAccepted && len(body) == 0 {
		return // it is answered by a callback
	}
	if answer.StatusCode != http.StatusOK {
		c.failedLocked(answer.StatusCode)
		return
	}
	from := &incoming{ // as the callback that it stands for
		Request: &http.Request{Method: http.MethodPost, URL: &url.URL{Path: "/api/v10/interactions/" + c.id + "/" + c.token + "/callback"}},
		name:    "the HTTP response", at: s.options.Now(),
	}
	rep := reply{status: http.StatusBadRequest}
	if from.body, from.files, err = readBody(answer.Header, body); err != nil {
		s.violateLocked("%s: %v", from.name, err)
	} else if rep = s.callbackLocked(from, c.id, c.token); rep.status >= 300 {
		c.failedLocked(rep.status)
	}
	s.noteLocked(from, rep.status)
}

// failedLocked notes a status with which an interaction or its answer was refused.
func (c *Call) failedLocked(status int) {
	c.failed = fmt.Errorf("discordtest: the interaction was refused with status %d", status)
	c.changed.fire()
}

// WaitAnswered waits until there is an answer to the interaction with an id.
func (s *Server) WaitAnswered(ctx context.Context, id string) error {
	return s.waitFor(ctx, func() bool { c := s.calls[id]; return c != nil && c.first != nil })
}
