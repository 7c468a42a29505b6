// Package bot is what fronts and handlers of commands share: a front passes a [Request]
// to the [Bot] and shows the [Reply].
//
// The [Table] is the only list of commands. What a front registers, parses, completes and explains comes from it.
package bot

import (
	"context"
	"log/slog"
	"slices"

	"fivefold/game"
)

// Bot answers requests. Its fields must be set and not changed afterwards; it is safe for concurrent use.
type Bot struct {
	Table Table
	Log   *slog.Logger
	// Look returns a player's own look; nil if nobody has one.
	Look func(context.Context, game.PlayerID) (Look, error)
}

// Handle does what the request asks for and returns what to show the player. It waits no longer than ctx. A refusal
// is a reply too; an error on our side is logged, and the player sees nothing of its details.
func (b *Bot) Handle(ctx context.Context, r Request) Reply {
	ctx = game.WithWaiting(ctx) // the look is asked for after a command that may have waited in vain
	reply := b.reply(ctx, r)
	if reply.Audience != Asker || b.Look == nil {
		return reply
	}
	look, err := b.Look(ctx, r.Player)
	if err != nil && ctx.Err() == nil {
		b.Log.Warn("could not read a player's look; the standard one is used", "request", r, "error", err)
	}
	return reply.In(look)
}

// reply is Handle in the standard look.
func (b *Bot) reply(ctx context.Context, r Request) Reply {
	c, ok := b.Table.Find(r.Command)
	if !ok {
		return Ephemeral(Text("I do not know that command. ", Slash(NameHelp), " lists those I know."))
	}
	if reply, ok := c.Check(r); !ok {
		return reply
	}
	reply, err := c.Run(ctx, r)
	if err != nil {
		return b.explain(c, r, err)
	}
	if c.Audience == Asker {
		reply.Audience = Asker
	}
	return reply
}

// Check reports whether the request's arguments fit the command's options, which not all fronts
// check. The reply says what is wrong with them.
func (c Command) Check(r Request) (Reply, bool) {
	for _, o := range c.Options {
		value := r.Args[o.Name]
		given, choices := value != "", o.Choices
		if o.Kind == FlagOption {
			choices = []string{"true", "false"}
		}
		switch {
		case !given && o.Required && !(r.FromComponent && o.Name == c.FormFor):
			return Ephemeral(Text("Please add the ", Bold(o.Name), ": ", Slash(c.Name, o.Name, ""), ".")), false
		case given && choices != nil && !slices.Contains(choices, value):
			return Ephemeral(Text(Bold(o.Name), " can be "+Enumerate(choices, "or")+"; ", Quote(value), " is none of them.")), false
		}
	}
	return Reply{}, true
}

// Complete proposes values for the option that a player is typing. The request has what the
// player has entered so far.
func (b *Bot) Complete(ctx context.Context, r Request, option, typed string) []Choice {
	c, _ := b.Table.Find(r.Command)
	for _, o := range c.Options {
		if o.Name == option && o.Complete != nil {
			choices := o.Complete(ctx, r, typed)
			return choices[:min(len(choices), MaxChoices)]
		}
	}
	return nil
}
