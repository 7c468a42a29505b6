package calls

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"github.com/bwmarrin/discordgo"
)

const (
	maxTries = 5
	minRetry = 250 * time.Millisecond // the wait before the second try; it doubles each time
)

// minResponseRetry is the wait before the second try of a first response; it doubles
// each time.
const minResponseRetry = 100 * time.Millisecond

// tries counts the tries of one call.
type tries struct {
	n     int
	wait  time.Duration // before the next one; it doubles each time
	until time.Time     // the end of all tries; zero for no limit
}

// again waits before the next try of a call that ended with err, and reports whether there is one.
func (t *tries) again(ctx context.Context, err error) bool {
	t.n++
	pause, again := retryable(err, t.wait)
	if !again || t.n == maxTries {
		return false
	}
	pause += rand.N(min(pause/2, minRetry) + 1)
	if !t.until.IsZero() && time.Now().Add(pause).After(t.until) {
		return false
	}
	t.wait *= 2
	return Sleep(ctx, pause) == nil
}

// Patiently calls a function until it succeeds, Discord refuses the token, or ctx ends. It reports whether the function has
// succeeded; the error is ErrToken. After each failure it calls failed and waits: least at first, twice as long each time up
// to most, with some chance.
func Patiently(ctx context.Context, least, most time.Duration, call func() error, failed func(err error, wait time.Duration)) (done bool, err error) {
	for wait := least; ; wait = min(2*wait, most) {
		err := call()
		if err == nil || ctx.Err() != nil || FinalError(err) != nil {
			return err == nil, FinalError(err)
		}
		failed(err, wait)
		if Sleep(ctx, wait/2+rand.N(wait/2+1)) != nil {
			return false, nil
		}
	}
}

// Sleep waits for a while, or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// retryable reports whether trying again can help, and after which wait: the given one, or a longer one that Discord asks
// for.
func retryable(err error, wait time.Duration) (time.Duration, bool) {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return 0, false
	}
	if limited, ok := errors.AsType[*discordgo.RateLimitError](err); ok {
		return max(limited.RetryAfter, wait/2), true
	}
	status := status(err)
	return wait, status == 0 || status >= 500 // 0 is a broken connection, or a 502, for which discordgo returns a plain error
}

// IsRefused reports whether Discord received the call and refused it. Such a call has no effect.
func IsRefused(err error) bool {
	_, limited := errors.AsType[*discordgo.RateLimitError](err)
	status := status(err)
	return limited || status > 0 && status < 500
}

// isAlreadyAnswered reports whether Discord refused a second first response.
func isAlreadyAnswered(err error) bool {
	return isCode(err, discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged)
}

// IsLimited reports whether Discord refused a call as one too many; a later one may succeed. The limit for edits of messages
// older than an hour is not documented.
func IsLimited(err error) bool {
	_, limited := errors.AsType[*discordgo.RateLimitError](err)
	return limited || isCode(err, discordgo.ErrCodeMaximumNumberOfEditsToMessagesOlderThanOneHourReached)
}

// IsNoWay reports whether Discord refused an edit for good: the message or the token is
// gone, or the bot may not edit the message.
func IsNoWay(err error) bool {
	return IsStatus(err, http.StatusNotFound) || IsStatus(err, http.StatusUnauthorized) || IsStatus(err, http.StatusForbidden)
}

// IsGone reports whether Discord refused a call because the message has been deleted.
func IsGone(err error) bool { return isCode(err, discordgo.ErrCodeUnknownMessage) }

func isCode(err error, code int) bool {
	refused, ok := errors.AsType[*discordgo.RESTError](err)
	return ok && refused.Message != nil && refused.Message.Code == code
}

// IsContentRefused reports whether Discord refused the content of the call, and may accept something plainer. It is false
// where nothing helps: the interaction is answered or has expired, or Discord takes nothing at the moment.
func IsContentRefused(err error) bool {
	return IsRefused(err) && !IsStatus(err, http.StatusNotFound) && !IsStatus(err, http.StatusUnauthorized) && !isAlreadyAnswered(err) && !IsLimited(err)
}

// Refusal returns why Discord refused a call, in its words. It is "" for errors of the token, the network and Discord itself,
// and for one call too many.
func Refusal(err error) string {
	refused, ok := errors.AsType[*discordgo.RESTError](err)
	if !ok || !IsRefused(err) || IsStatus(err, http.StatusUnauthorized) {
		return ""
	}
	if refused.Message == nil || refused.Message.Message == "" {
		return refused.Response.Status
	}
	return refused.Message.Message
}

// IsStatus reports whether Discord refused a call with this HTTP status.
func IsStatus(err error, is int) bool { return status(err) == is }

// status returns the status of Discord's answer; 0 without an answer, and for one call too many.
func status(err error) int {
	if refused, ok := errors.AsType[*discordgo.RESTError](err); ok {
		return refused.Response.StatusCode
	}
	return 0
}

// WithoutAddress removes the address from an error, since it can contain a token.
func WithoutAddress(err error) error {
	if limited, ok := errors.AsType[*discordgo.RateLimitError](err); ok {
		return rateLimited{limited}
	}
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}

// rateLimited is a discordgo.RateLimitError whose text has no address.
type rateLimited struct{ *discordgo.RateLimitError }

func (e rateLimited) Error() string {
	return fmt.Sprintf("rate limited for %v", e.RetryAfter)
}

func (e rateLimited) Unwrap() error { return e.RateLimitError }

// ErrToken means that Discord refused the token.
//
//lint:ignore ST1005 Discord is a name
var ErrToken = errors.New("Discord refuses the token")

// FinalError returns ErrToken if Discord refused the token. For other errors, trying again may help: it returns nil.
func FinalError(err error) error {
	if IsStatus(err, http.StatusUnauthorized) {
		return ErrToken
	}
	return nil
}
