package calls

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/game/work"
)

const (
	maxTries         = 5
	minRetry         = 250 * time.Millisecond // the wait before the second try; it doubles each time
	minResponseRetry = 100 * time.Millisecond // the same for a first response
)

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
	return work.Sleep(ctx, pause) == nil
}

// Patiently calls a function until it succeeds, Discord refuses the token, or ctx ends. It reports whether the function has
// succeeded; the error is ErrToken. After each failure it waits: least at first, twice as long each time up to most, and up
// to half of that less by chance. It logs failures, once for each reason.
func Patiently(ctx context.Context, log *slog.Logger, failure string, least, most time.Duration, call func() error) (done bool, err error) {
	said := ""
	for wait := least; ; wait = min(2*wait, most) {
		err := call()
		if err == nil || ctx.Err() != nil || FinalError(err) != nil {
			return err == nil, FinalError(err)
		}
		if why := err.Error(); why != said {
			said = why
			log.Warn(failure+"; trying again", "error", err, "wait", wait)
		}
		if work.Sleep(ctx, wait/2+rand.N(wait/2+1)) != nil {
			return false, nil
		}
	}
}

// retryable reports whether trying again can help, and after which wait: the given one, or a longer one that Discord asks
// for.
func retryable(err error, wait time.Duration) (time.Duration, bool) {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return 0, false
	}
	if IsStatus(err, http.StatusTooManyRequests) {
		refused, _ := errors.AsType[*Error](err)
		return max(refused.after(), wait/2), true
	}
	return wait, !IsRefused(err)
}

// Error is a response of Discord that refuses a call, or says that it has failed.
type Error struct {
	Status     int
	Code       int     `json:"code"` // see discord.com/developers/docs/topics/opcodes-and-status-codes#json
	Message    string  `json:"message"`
	RetryAfter float64 `json:"retry_after"` // in seconds, if there were too many calls
	body       []byte
}

func newError(status int, body []byte) error {
	e := &Error{body: body}
	_ = json.Unmarshal(body, e) // a proxy's answer has no JSON
	e.Status = status
	return e
}

func (e *Error) Error() string {
	return fmt.Sprintf("HTTP %d %s, %.1000s", e.Status, http.StatusText(e.Status), e.body)
}

// after returns how long Discord asks to wait.
func (e *Error) after() time.Duration { return time.Duration(e.RetryAfter * float64(time.Second)) }

// status returns the status of Discord's answer; 0 without an answer.
func status(err error) int {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Status
	}
	return 0
}

// IsStatus reports whether Discord refused a call with this HTTP status.
func IsStatus(err error, is int) bool { return status(err) == is }

// IsRefused reports whether Discord received the call and refused it. Such a call has no effect.
func IsRefused(err error) bool { return status(err) > 0 && status(err) < 500 }

// isAlreadyAnswered reports whether Discord refused a second first response.
func isAlreadyAnswered(err error) bool {
	return isCode(err, discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged)
}

// IsLimited reports whether Discord refused a call as one too many; a later one may succeed. The limit for edits of messages
// older than an hour is not documented.
func IsLimited(err error) bool {
	return IsStatus(err, http.StatusTooManyRequests) || isCode(err, discordgo.ErrCodeMaximumNumberOfEditsToMessagesOlderThanOneHourReached) ||
		isCode(err, discordgo.ErrCodeOpeningDirectMessagesTooFast)
}

// IsNoWay reports whether Discord refused an edit for good: the message or the token is
// gone, or the bot may not edit the message.
func IsNoWay(err error) bool {
	return IsStatus(err, http.StatusNotFound) || IsStatus(err, http.StatusUnauthorized) || IsStatus(err, http.StatusForbidden)
}

// IsGone reports whether Discord refused a call because the message has been deleted.
func IsGone(err error) bool { return isCode(err, discordgo.ErrCodeUnknownMessage) }

func isCode(err error, code int) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}

// IsContentRefused reports whether Discord refused the content of the call, and may accept something plainer. It is false
// where nothing helps: the interaction is answered or has expired, or Discord takes nothing at the moment.
func IsContentRefused(err error) bool {
	return IsRefused(err) && !IsStatus(err, http.StatusNotFound) && !IsStatus(err, http.StatusUnauthorized) && !isAlreadyAnswered(err) && !IsLimited(err)
}

// Refusal returns why Discord refused a call, in its words. It is "" for errors of the token, the network and Discord itself,
// and for one call too many.
func Refusal(err error) string {
	e, ok := errors.AsType[*Error](err)
	if !ok || !IsRefused(err) || FinalError(err) != nil || IsLimited(err) {
		return ""
	}
	return cmp.Or(e.Message, http.StatusText(e.Status))
}

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
