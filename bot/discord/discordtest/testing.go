package discordtest

import (
	"bytes"
	"context"
	"log/slog"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Log is a log for tests, at debug level. When the test ends, it must contain no secret. It is safe for concurrent use.
type Log struct {
	*slog.Logger
	core core // protects text
	text bytes.Buffer
}

// Write implements [io.Writer], for the logger.
func (l *Log) Write(b []byte) (int, error) {
	l.core.mu.Lock()
	defer l.core.mu.Unlock()
	l.core.changed.fire()
	return l.text.Write(b)
}

// MustSay waits until the text is in the log.
func (l *Log) MustSay(tb testing.TB, text string) {
	tb.Helper()
	if l.core.waitFor(Context(tb), func() bool { return strings.Contains(l.text.String(), text) }) != nil {
		tb.Fatalf("the log does not say %q", text)
	}
}

// String returns what was logged so far.
func (l *Log) String() string {
	l.core.mu.Lock()
	defer l.core.mu.Unlock()
	return l.text.String()
}

// secrets matches what no log may contain: the bot's token, the interactions' tokens and the hidden word.
var secrets = regexp.MustCompile(`(?i)test-token-|interaction-token-|` + "crane")

// NewLog returns a log that is shown if the test fails.
func NewLog(tb testing.TB) *Log {
	l := &Log{core: core{changed: newSignal(), serving: context.Background()}}
	l.Logger = slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
	tb.Cleanup(func() {
		for line := range strings.Lines(l.String()) {
			if secrets.MatchString(line) {
				tb.Errorf("a secret is in the log: %s", line)
			}
			if tb.Failed() {
				tb.Log(strings.TrimSpace(line))
			}
		}
	})
	return l
}

// Context returns a context for a test that might wait for ever. It ends after more time than a slow machine needs.
func Context(tb testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	tb.Cleanup(cancel)
	return ctx
}

// Clock is the time of day, moved forward as far as a test wants. Its methods are safe for concurrent use.
type Clock struct{ ahead atomic.Int64 }

// Now is for [Options].Now.
func (c *Clock) Now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) { c.ahead.Add(int64(d)) }
