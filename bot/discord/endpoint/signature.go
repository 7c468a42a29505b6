package endpoint

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// signature is the signature of a request.
type signature struct {
	sum       [ed25519.SignatureSize]byte
	timestamp string
	at        time.Time
}

// readSignature reads the headers of a signed request. It reports false for malformed ones.
func readSignature(h http.Header) (s signature, ok bool) {
	text := h.Get("X-Signature-Ed25519")
	s.timestamp = h.Get("X-Signature-Timestamp")
	if len(text) != hex.EncodedLen(len(s.sum)) || len(s.timestamp) > 20 {
		return s, false
	}
	seconds, err := strconv.ParseInt(s.timestamp, 10, 64)
	if err != nil {
		return s, false
	}
	s.at = time.Unix(seconds, 0)
	_, err = hex.Decode(s.sum[:], []byte(text))
	return s, err == nil
}

// verify reports whether a request was signed with the application's key.
func (e *Endpoint) verify(ctx context.Context, s signature, body []byte) bool {
	select {
	case e.checks <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-e.checks }()
	return ed25519.Verify(e.PublicKey, append([]byte(s.timestamp), body...), s.sum[:])
}

// ParsePublicKey reads a public key as the developer portal shows it: 64 hexadecimal digits.
func ParsePublicKey(text string) (ed25519.PublicKey, error) {
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errors.New("not a key of 64 hexadecimal digits")
	}
	return key, nil
}
