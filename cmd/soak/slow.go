package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// slowConnections is how many connections are half open at once.
const slowConnections = 1000

// slow are connections on which requests begin that never end. The program closes each after a
// while; another one takes its place.
type slow struct {
	stop context.CancelFunc
	all  sync.WaitGroup
}

// slowConnections opens such connections, and keeps them open until close is called.
func (w *world) slowConnections(ctx context.Context) (*slow, error) {
	at, err := url.Parse(w.bot.url)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	s := &slow{stop: stop}
	for n := range slowConnections {
		s.all.Go(func() {
			for ctx.Err() == nil {
				s.once(ctx, at.Host, at.Path, n)
			}
		})
	}
	return s, nil
}

// once opens a connection and waits until it is closed. Errors are to be expected.
func (*slow) once(ctx context.Context, host, path string, n int) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		time.Sleep(100 * time.Millisecond)
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	begin := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\nX-Signature-Timestamp: %d\r\nX-Signature-Ed25519: %s\r\n\r\n{", path, time.Now().Unix(), strings.Repeat("0", 128))
	if n%2 == 0 {
		begin = begin[:20+n%30] // not even the headers
	}
	if _, err := io.WriteString(conn, begin); err == nil {
		_, _ = io.Copy(io.Discard, conn)
	}
}

func (s *slow) close() {
	s.stop()
	s.all.Wait()
}

// forge posts an interaction whose signature is wrong in one of several ways, and notes it if
// the program does not refuse that.
func (w *world) forge(ctx context.Context, random *rand.Rand, event []byte) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r := w.discord.NewDelivery(ctx, w.bot.url, event)
	const sum, at = "X-Signature-Ed25519", "X-Signature-Timestamp"
	switch random.IntN(6) {
	case 0:
		r.Header.Del(sum)
	case 1:
		r.Header.Del(at)
	case 2:
		r.Header.Set(at, fmt.Sprint(time.Now().Unix()+1+random.Int64N(100)))
	case 3:
		text := []byte(r.Header.Get(sum))
		text[random.IntN(len(text))] ^= 1
		r.Header.Set(sum, string(text))
	case 4:
		other := append(append([]byte{}, event...), ' ')
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(other))), int64(len(other))
	case 5:
		timestamp, signature := w.discord.Sign(time.Now().Add(-time.Hour), event)
		r.Header.Set(at, timestamp)
		r.Header.Set(sum, signature)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusUnauthorized {
		w.verdict.finding("not refused", "a wrong signature is answered with %d", answer.StatusCode)
	}
	return nil
}
