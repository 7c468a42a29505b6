package bot

import (
	"context"
	"errors"
	"time"

	"fivefold/game"
)

// Channels is where a bot posts replies that no request asked for. It is safe for concurrent use.
type Channels interface {
	// Post posts a reply in a channel, for everyone. For a minute, posting again with the same nonce, of at most 25
	// characters, posts nothing more. After an error that does not wrap ErrNoChannel it may have been posted.
	Post(ctx context.Context, in game.ChannelID, r Reply, nonce string) error
	// MayHavePosted reports whether the bot has posted a message with the button in a channel since a time.
	// It is true, too, if the bot cannot read there what was posted.
	MayHavePosted(ctx context.Context, in game.ChannelID, since time.Time, b Button) (bool, error)
}

// ErrNoChannel: there is no such channel any more, or the bot may not post there.
var ErrNoChannel = errors.New("cannot post in the channel")
