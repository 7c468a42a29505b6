package game

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// Origin says who asks for a change, where, and by which request.
type Origin struct {
	Request  RequestID
	Location Location
	Player   PlayerID
	// Name is the player's display name where the request was made, and Global is the one outside all servers: see [Names]. Either
	// can be empty.
	Name, Global string
	// Made is when the player made the request, by the clock of the front. The zero time means now.
	Made time.Time
	// Expires is the time from which the request changes nothing and is refused with [ErrExpired]. The zero time means never.
	Expires time.Time
}

// CheckExpiry returns [ErrExpired] if the request has expired.
func (o Origin) CheckExpiry() error {
	if !o.Expires.IsZero() && !time.Now().Before(o.Expires) {
		return ErrExpired
	}
	return nil
}

// Within returns a context that ends when the request expires, with [ErrExpired] as its cause, or when ctx does. All work that
// leads to a change uses this context. Only the commit uses [Origin.ForCommit]: if a commit was cut off, its outcome would be
// unknown.
func (o Origin) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.Expires.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadlineCause(ctx, o.Expires, ErrExpired)
}

// ForCommit returns a context for the commit of the request. Once the request has expired, a store begins no commit, however long
// it has waited: the error is [ErrExpired]. A commit that has begun is not cut off.
func (o Origin) ForCommit(ctx context.Context) context.Context {
	return context.WithValue(ctx, committing{}, o)
}

// Committing returns the origin that [Origin.ForCommit] put into a context, else an origin that never expires. A store checks the
// expiry last before it begins a transaction that changes something.
func Committing(ctx context.Context) Origin {
	o, _ := ctx.Value(committing{}).(Origin)
	return o
}

type committing struct{}

// Expired returns err wrapped with [ErrExpired] if err comes from an ended context and the request has expired; else err as it
// is.
func (o Origin) Expired(err error) error {
	if (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) && o.CheckExpiry() != nil {
		return fmt.Errorf("%w: %w", ErrExpired, err)
	}
	return err
}

// ErrID means that a front passed something that cannot be an identifier.
var ErrID = errors.New("not an identifier")

const maxIDBytes = 100 // Discord's have up to 20

// Check returns nil, or an error that wraps [ErrID] and names the field that cannot be an identifier. Only the guild may be
// empty.
func (o Origin) Check() error {
	for _, id := range []struct {
		name, value string
		empty       bool // may be empty
	}{
		{"request", string(o.Request), false},
		{"guild", string(o.Location.Guild), true},
		{"channel", string(o.Location.Channel), false},
		{"player", string(o.Player), false},
	} {
		if id.value == "" && !id.empty || len(id.value) > maxIDBytes || strings.ContainsRune(id.value, 0) || !utf8.ValidString(id.value) {
			return fmt.Errorf("%s: %w", id.name, ErrID)
		}
	}
	return nil
}

// WithWaiting returns a context for one request of a player. All operations of the request share one limit of waiting for a store
// that cannot be reached: that of a single operation. A context that has this already stays as it is.
func WithWaiting(ctx context.Context) context.Context {
	if _, ok := ctx.Value(waited{}).(*atomic.Int64); ok {
		return ctx
	}
	return context.WithValue(ctx, waited{}, new(atomic.Int64))
}

// Waited returns the time that the request of a context has waited for a store, as a [time.Duration]. Stores add to it.
func Waited(ctx context.Context) *atomic.Int64 {
	if w, ok := ctx.Value(waited{}).(*atomic.Int64); ok {
		return w
	}
	return new(atomic.Int64)
}

type waited struct{}

// Viewer is a player who looks at finished matches, and from where.
type Viewer struct {
	Player   PlayerID
	Location Location
	// MayRead reports whether the player may read another channel of the same community. If it is nil, the player may read no
	// other one.
	MayRead func(context.Context, ChannelID) bool
}
