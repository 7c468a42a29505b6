// Package bot joins fronts and commands: a front passes a [Request] to the [Bot] and shows the [Reply].
//
// The [Table] is the only list of commands. Fronts register, parse, complete and explain the commands in it.
package bot

import (
	"context"
	"log/slog"
	"slices"

	"fivefold/game"
)

// Bot answers requests. Set its fields before the first request. It is safe for concurrent use.
type Bot struct {
	Table Table
	Log   *slog.Logger
	// Look returns a player's look. A nil Look means that every player has the standard one.
	Look func(context.Context, game.PlayerID) (Look, error)
}

// Handle carries out a request and returns the reply. A command without Run stands for a command that no longer exists.
// The Run of /guess is in guess of bot/play. Handle waits no longer than ctx. A refusal is a reply too. An error on our
// side, even a panic, is logged, and the player sees none of its details.
func (b *Bot) Handle(ctx context.Context, c Command, r Request) (shown Reply) {
	shown = Apology(r.ID)
	defer LogPanic(b.Log, string(r.ID))
	ctx = game.WithWaiting(ctx) // the command and the look share one wait for the store
	reply, fits := c.Check(r)
	if c.Run == nil {
		reply = outdated(b.Table.Show(r.Command))
	} else if fits {
		var err error
		if reply, err = c.Run(ctx, r); err != nil {
			reply = b.explain(c, r, err)
		} else if c.Audience == Asker {
			reply.Audience = Asker
		}
	}
	if r.Args[ArgOpen] != "" {
		reply, _ = reply.spoilers(func(text string) Span { return Span{Text: text} })
	} else if !r.Surface.HasButtons() {
		reply.Reveal = nil
	}
	if reply.Audience != Asker || b.Look == nil {
		return reply
	}
	look, err := b.Look(ctx, r.Player)
	if err != nil && ctx.Err() == nil {
		b.Log.Warn("could not read a player's look; the standard one is used", "request", r, "error", err)
	}
	return reply.In(look)
}

// Check reports whether the request's arguments fit the command's options, which some fronts leave unchecked. If they
// don't fit, the reply says why.
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
			can := List(Text("The option ", Bold(o.Name), " can be "), choices, "or")
			return Ephemeral(can.With(", not ", Quote(value), ".")), false
		}
	}
	return Reply{}, true
}

// Complete proposes values for the option that a player is typing. The request has the other options typed so far.
func (c Command) Complete(ctx context.Context, r Request, option, typed string) []Choice {
	for _, o := range c.Options {
		if o.Name == option && o.Complete != nil {
			choices := o.Complete(ctx, r, typed)
			return choices[:min(len(choices), MaxChoices)]
		}
	}
	return nil
}
