package calls

import (
	"context"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/sync/semaphore"
)

// Spacing is the least time from one call by the bot's token to the next. Discord takes 50 in a second from all
// processes together: see discord.com/developers/docs/topics/rate-limits#global-rate-limit. At 40 a second no second
// has more than 41, and the other nine are for calls that are longer on their way than the ones after them.
const Spacing = 25 * time.Millisecond

// ahead is how many calls of a process get their turn before its time: enough to hide the time that a database takes to give
// turns, and few enough that a lookup for a player is not behind a thousand posts.
const ahead = 4

// pace lets calls by the bot's token leave one after the other. It is safe for concurrent use.
type pace struct {
	Options
	posts *semaphore.Weighted // held by posts that wait for their turn
	turn  *semaphore.Weighted // held while a call gets its turn
	last  time.Time           // the latest turn; for the holder of turn
}

// wait waits until a call may leave, or until ctx ends. Posts let other calls go first. Calls by the token of an
// interaction are outside Discord's limit.
func (p *pace) wait(ctx context.Context, address string, post bool) error {
	if p.Spacing == 0 || strings.HasPrefix(address, discordgo.EndpointAPI+"interactions/") || strings.HasPrefix(address, discordgo.EndpointWebhooks) {
		return nil
	}
	if post {
		if err := p.posts.Acquire(ctx, 1); err != nil {
			return err
		}
		defer p.posts.Release(1)
	}
	if err := p.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	at := p.last
	if Sleep(ctx, time.Until(at.Add(-ahead*p.Spacing))) == nil {
		at = p.next(ctx)
		p.last = at
	}
	p.turn.Release(1)
	return Sleep(ctx, time.Until(at))
}

// next returns the next turn. It is called by the holder of turn.
func (p *pace) next(ctx context.Context) time.Time {
	if p.Turn != nil {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if at, err := p.Turn(ctx, p.Spacing); err == nil {
			return at
		}
	}
	return time.Now().Add(max(0, time.Until(p.last.Add(p.Spacing))))
}
