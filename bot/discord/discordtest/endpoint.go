package discordtest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// SetEndpoint makes the fake post interactions to an address from now on, once it answers a signed PING, as Discord does
// with the Interactions Endpoint URL of the developer portal. It asks until ctx ends.
func (s *Server) SetEndpoint(ctx context.Context, url string) error {
	for err := s.ping(ctx, url); err != nil; err = s.ping(ctx, url) {
		if ctx.Err() != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endpoint = url
	return nil
}

func (s *Server) ping(ctx context.Context, url string) error {
	ping := mustJSON(object{"id": "1", "application_id": appID, "type": 1, "token": "ping", "version": 1, "user": nil})
	answer, err := s.poster.Do(s.NewDelivery(ctx, url, ping))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if pong, err := io.ReadAll(answer.Body); err != nil || !bytes.Contains(pong, []byte(`"type":1`)) {
		return fmt.Errorf("discordtest: PING is answered with %d, %s, %w", answer.StatusCode, pong, err)
	}
	return nil
}

// NewDelivery returns the signed request that posts a body to an address, for tests that post it themselves.
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

// deliver posts an interaction to the endpoint and takes the answer, unless the line is cut.
func (s *Server) deliver(to string, c *Call, cut <-chan struct{}) {
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
	// After an error, the bot may still answer by a callback.
	answer, err := s.poster.Do(s.NewDelivery(ctx, to, c.payload))
	if err != nil {
		return
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && answer.StatusCode == http.StatusOK {
		s.responseLocked(c, answer.Header, body)
	}
}

// responseLocked takes the response to an interaction that was posted, like the callback that it stands for.
func (s *Server) responseLocked(c *Call, h http.Header, body []byte) {
	path := &url.URL{Path: "/api/v10/interactions/" + c.ID() + "/" + c.Token() + "/callback"}
	from := &incoming{Request: &http.Request{Method: http.MethodPost, URL: path}, name: "the HTTP response", at: s.options.Now()}
	rep := handle(from, func(in *incoming) (rep reply) {
		var err error
		if in.body, in.files, err = readBody(h, body); err != nil {
			return s.exchange.refuseLocked(in, http.StatusBadRequest, 0, err.Error())
		}
		return s.callbackLocked(in, c.ID(), c.Token())
	})
	s.noteLocked(from, rep.status)
}
