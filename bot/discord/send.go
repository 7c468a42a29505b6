package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"github.com/bwmarrin/discordgo"
)

// sender makes calls to Discord's REST API. It is safe for concurrent use.
type sender struct {
	session *discordgo.Session // never opened: it only makes requests
}

// respond sends an interaction's first answer, once: whether it arrived is not
// known when the line was cut, and a second one would be refused.
func (s *sender) respond(ctx context.Context, i interaction, r response) error {
	_, err := s.call(ctx, http.MethodPost, discordgo.EndpointInteractionResponse(i.ID, i.Token), r)
	return err
}

// edit replaces the first answer by a message. It tries again as long as that
// can help and ctx allows.
func (s *sender) edit(ctx context.Context, i interaction, m message) error {
	return s.insist(ctx, func() error {
		_, err := s.call(ctx, http.MethodPatch, discordgo.EndpointInteractionResponseActions(i.AppID, i.Token), m)
		return err
	})
}

// follow sends a further message. It tries again like edit: a message that comes
// twice, because Discord's answer to the first was lost, is better than none
// after a button was pressed.
func (s *sender) follow(ctx context.Context, i interaction, m message) error {
	return s.insist(ctx, func() error {
		_, err := s.call(ctx, http.MethodPost, discordgo.EndpointFollowupMessage(i.AppID, i.Token), m)
		return err
	})
}

// remove deletes the first answer. It tries again like edit; that it is gone when
// it does is no error.
func (s *sender) remove(ctx context.Context, i interaction) error {
	tried := false
	return s.insist(ctx, func() error {
		_, err := s.call(ctx, http.MethodDelete, discordgo.EndpointInteractionResponseActions(i.AppID, i.Token), nil)
		if tried && isStatus(err, http.StatusNotFound) {
			return nil
		}
		tried = true
		return err
	})
}

// call makes one request. A picture that the body has goes along.
//
// discordgo keeps a rate-limit bucket for every address it ever called, and the
// address of an answer holds its interaction's token: about 450 bytes would stay
// of each interaction for ever. And it holds a bucket's lock during the call,
// so that edits would wait for each other. A limiter thrown away after the call
// has neither fault; answers to interactions are outside the global limit.
func (s *sender) call(ctx context.Context, method, address string, body any) ([]byte, error) {
	var payload []byte
	if body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	kind := "application/json"
	if p := pictureOf(body); p != nil {
		var err error
		if payload, kind, err = p.with(payload); err != nil {
			return nil, err
		}
	}
	bucket := discordgo.NewRatelimiter().LockBucket("")
	answer, err := s.session.RequestWithLockedBucket(method, address, kind, payload, bucket, 0, discordgo.WithContext(ctx))
	return answer, withoutAddress(err)
}

const (
	firstWait = 250 * time.Millisecond
	tries     = 5
)

// insist calls until it succeeds, fails for good, or ctx ends. Only what may be
// done twice without much harm may be insisted on.
func (s *sender) insist(ctx context.Context, call func() error) error {
	wait := firstWait
	for n := 1; ; n++ {
		err := call()
		pause, again := passing(err, wait)
		if !again || n == tries {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause + rand.N(pause/2+1)):
		}
		wait *= 2
	}
}

// passing reports whether trying again can help, and after what time.
func passing(err error, wait time.Duration) (time.Duration, bool) {
	var (
		limited *discordgo.RateLimitError
		refused *discordgo.RESTError
	)
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return 0, false
	case errors.As(err, &limited):
		return limited.RetryAfter, true
	case errors.As(err, &refused):
		return wait, refused.Response.StatusCode >= 500
	}
	return wait, true // a cut line, or a 502, of which discordgo makes a plain error
}

// isRefusal reports whether Discord got the call and would not have it, so that
// nothing came of it and nothing will.
func isRefusal(err error) bool {
	var refused *discordgo.RESTError
	return errors.As(err, &refused) && refused.Response.StatusCode < 500
}

// alreadyAnswered is Discord's code for a second first answer, see
// discord.com/developers/docs/topics/opcodes-and-status-codes.
const alreadyAnswered = 40060

// isFault reports whether Discord got the call and would not have what is in it,
// so that it may have something plainer. It is false where nothing would help:
// there is an answer already, or it is too late for any.
func isFault(err error) bool {
	var refused *discordgo.RESTError
	if !isRefusal(err) || isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusUnauthorized) {
		return false
	}
	errors.As(err, &refused)
	return refused.Message == nil || refused.Message.Code != alreadyAnswered
}

func isStatus(err error, status int) bool {
	var refused *discordgo.RESTError
	return errors.As(err, &refused) && refused.Response.StatusCode == status
}

// withoutAddress drops the address from an error: it holds the interaction's
// token.
func withoutAddress(err error) error {
	var (
		failed  *url.Error
		limited *discordgo.RateLimitError
	)
	switch {
	case errors.As(err, &limited):
		return addressless{limited}
	case errors.As(err, &failed):
		return failed.Err
	}
	return err
}

type addressless struct{ *discordgo.RateLimitError }

func (e addressless) Error() string {
	return fmt.Sprintf("rate limited for %v", e.RetryAfter)
}

func (e addressless) Unwrap() error { return e.RateLimitError }
