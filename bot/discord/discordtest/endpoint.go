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
// it is entered on the developer portal as Interactions Endpoint URL. As Discord does, it asks first:
// a signed PING must be answered. It waits for that until ctx ends.
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

// ping asks an address whether the bot is there.
func (s *Server) ping(ctx context.Context, url string) error {
	ping := mustJSON(object{"id": "1", "application_id": appID, "type": 1, "token": "ping", "version": 1, "user": nil})
	answer, err := s.poster.Do(s.NewDelivery(ctx, url, ping))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var pong struct {
		Type int `json:"type"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&pong); err != nil || answer.StatusCode != http.StatusOK || pong.Type != callbackPong {
		return fmt.Errorf("discordtest: PING is answered with %d, type %d, %w", answer.StatusCode, pong.Type, err)
	}
	return nil
}

// PublicKey is that of the application, as the developer portal shows it.
func (s *Server) PublicKey() string { return hex.EncodeToString(s.key.Public().(ed25519.PublicKey)) }

// NewDelivery returns the signed request with which a body is posted to an address, for tests
// that post it themselves.
func (s *Server) NewDelivery(ctx context.Context, url string, body []byte) *http.Request {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		panic(err) // the address is of the test's own making
	}
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Discord-Interactions/1.0 (+https://discord.com)")
	r.Header.Set("X-Signature-Timestamp", timestamp)
	r.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(s.key, append([]byte(timestamp), body...))))
	return r
}

// deliver posts an interaction to the endpoint and takes the answer.
func (s *Server) deliver(to string, c *Call) {
	s.mu.Lock()
	again := !c.sent.IsZero()
	c.sentLocked(s.options.Now())
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(s.serving, s.answer)
	defer cancel()
	if cut := c.asked.Cut; cut != nil && !again {
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
		Request: &http.Request{Method: http.MethodPost, URL: &url.URL{Path: "/api/v10/interactions/" + c.ID() + "/" + c.Token() + "/callback"}},
		name:    "the HTTP response", at: s.options.Now(),
	}
	rep := reply{status: http.StatusBadRequest}
	if from.body, from.files, err = readBody(answer.Header, body); err != nil {
		s.violateLocked("%s: %v", from.name, err)
	} else if rep = s.callbackLocked(from, c.ID(), c.Token()); rep.status >= 300 {
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
