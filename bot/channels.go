package bot

import (
	"context"
	"errors"
	"time"

	"fivefold/game"
)

// Channels is where a bot posts replies that no request asked for. It is safe for concurrent use.
type Channels interface {
	// Post posts a reply in a channel, for everyone. For a minute, posting again with the same nonce, of at
	// most 25 characters, posts nothing more. The error wraps ErrNoChannel or ErrRefused if the reply was not
	// posted and never will be; after any other one it may have been.
	Post(ctx context.Context, in game.ChannelID, r Reply, nonce string) error
	// MayHavePosted reports whether the bot has posted a message with the button in a channel since a time.
	// It is true, too, if the bot cannot read there what was posted.
	MayHavePosted(ctx context.Context, in game.ChannelID, since time.Time, b Button) (bool, error)
}

// Errors of [Channels].
var (
	// ErrNoChannel: there is no such channel any more, or the bot may not post there.
	ErrNoChannel = errors.New("cannot post in the channel")
	// ErrRefused: the reply was refused for what it contains.
	ErrRefused = errors.New("the reply was refused")
)
