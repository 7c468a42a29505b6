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
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"time"
)

// SetEndpoint makes the fake post interactions to an address from now on, as Discord does once
// it is entered on the developer portal as Interactions Endpoint URL; "" makes it send them
// over the gateway again. As Discord does, it asks first: a signed PING must be answered, and
// one with a wrong signature refused with 401. It waits for that until ctx ends.
func (s *Server) SetEndpoint(ctx context.Context, url string) error {
	if url != "" {
		if err := s.askEndpoint(ctx, url); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endpoint = url
	return nil
}

// askEndpoint asks again and again whether the bot is there.
func (s *Server) askEndpoint(ctx context.Context, url string) error {
	ping := mustJSON(object{"id": "1", "application_id": s.appID, "type": 1, "token": "ping", "version": 1, "user": nil})
	for {
		err := s.pingOnce(ctx, url, ping)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-s.done:
			return ErrClosed
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *Server) pingOnce(ctx context.Context, url string, ping []byte) error {
	for _, right := range []bool{false, true} {
		r := s.NewDelivery(ctx, url, ping)
		if !right {
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
		switch {
		case !right && answer.StatusCode != http.StatusUnauthorized:
			return fmt.Errorf("discordtest: a wrong signature is answered with %d", answer.StatusCode)
		case right && (answer.StatusCode != http.StatusOK || json.Unmarshal(b, &pong) != nil || pong.Type != callbackPong):
			return fmt.Errorf("discordtest: PING is answered with %d, %.200s", answer.StatusCode, b)
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

// RefusedError is the error of a Call that the endpoint has refused.
type RefusedError struct{ Status int }

func (e RefusedError) Error() string {
	return fmt.Sprintf("discordtest: the interaction was refused with status %d", e.Status)
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
func (s *Server) deliver(url string, c *Call) {
	s.mu.Lock()
	c.sentLocked(s.now())
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
	answer, err := s.poster.Do(s.NewDelivery(ctx, url, c.payload))
	if err != nil {
		s.undelivered(c, err)
		return
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBody))
	if err != nil {
		s.undelivered(c, err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer.StatusCode == http.StatusAccepted && len(body) == 0 {
		return // it is answered by a callback
	}
	if answer.StatusCode != http.StatusOK {
		c.failed = RefusedError{answer.StatusCode}
		c.changed.fire()
		return
	}
	from := &incoming{method: http.MethodPost, name: "the HTTP response", at: s.now()}
	rep := reply{status: http.StatusBadRequest}
	if err := from.readDelivered(answer.Header, body); err != nil {
		s.violateLocked("%s: %v", from.name, err)
	} else if rep = s.callbackLocked(from, c.id, c.token); rep.status >= 300 {
		c.failed = RefusedError{rep.status}
		c.changed.fire()
	}
	// It is listed as the callback that it stands for.
	s.requests = append(s.requests, Request{
		Method: http.MethodPost, Path: "/api/v10/interactions/" + c.id + "/" + c.token + "/callback",
		Body: from.body, Files: from.files, Status: rep.status, At: from.at,
	})
	s.forgetLocked()
	s.changed.fire()
}

// undelivered notes that there was no answer. After a timeout or a cut, the bot may still answer
// by a callback; after any other error the interaction is lost.
func (s *Server) undelivered(c *Call, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var timeout interface{ Timeout() bool }
	if err != nil && !errors.Is(err, context.Canceled) && !(errors.As(err, &timeout) && timeout.Timeout()) {
		c.lost = true
	}
	c.changed.fire()
}

// readDelivered reads the body of an HTTP response.
func (c *incoming) readDelivered(h http.Header, body []byte) error {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("Content-Type is %q", h.Get("Content-Type"))
	}
	switch media {
	case "application/json":
		c.body = body
	case "multipart/form-data":
		if err := c.readParts(multipart.NewReader(bytes.NewReader(body), params["boundary"])); err != nil {
			return fmt.Errorf("multipart body: %w", err)
		}
	default:
		return fmt.Errorf("Content-Type is %q", media)
	}
	if !json.Valid(c.body) {
		c.body = nil
		return errors.New("the body is no JSON")
	}
	return nil
}

// WaitAnswered waits until there is an answer to the interaction with an id.
func (s *Server) WaitAnswered(ctx context.Context, id string) error {
	return s.waitFor(ctx, func() bool { c := s.calls[id]; return c != nil && c.first != nil })
}
