package bot

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"fivefold/game"
)

// Bot answers requests. Its fields must be set and not changed afterwards; it is
// safe for concurrent use.
type Bot struct {
	Games  *game.Manager
	Helper *game.Helper
	Log    *slog.Logger
}

// Handle does what the request asks for and returns what to tell the player. It
// waits no longer than ctx. A refusal is a reply too; what goes wrong on our
// side is logged and told without its details.
func (b *Bot) Handle(ctx context.Context, r Request) Reply {
	c, ok := Find(r.Command)
	if !ok {
		return private(say("I do not know that command. ", mention(nameHelp), " lists those I know."))
	}
	if reply, ok := c.refuse(r.Args); !ok {
		return reply
	}
	reply, err := c.Run(ctx, b, r)
	if err != nil {
		return b.explain(r, err)
	}
	reply.Private = reply.Private || c.Private
	return reply
}

// refuse checks arguments against the command's options: fronts differ in what
// they let through.
func (c Command) refuse(args map[string]string) (Reply, bool) {
	for _, o := range c.Options {
		value := args[o.Name]
		given := value != ""
		switch {
		case !given && o.Required:
			return private(say("Please add the ", bold(o.Name), ": ", mention(c.Name+" "+o.Name), ".")), false
		case given && o.Kind == Flag && value != "true" && value != "false",
			given && o.Choices != nil && !slices.Contains(o.Choices, value):
			return private(say(bold(o.Name), " can be "+o.allowed()+"; ", Quote(value), " is none of them.")), false
		}
	}
	return Reply{}, true
}

// allowed lists what the option can be: "true or false".
func (o Option) allowed() string {
	if o.Choices == nil {
		return "true or false"
	}
	last := len(o.Choices) - 1
	return strings.Join(o.Choices[:last], ", ") + " or " + o.Choices[last]
}

// Complete proposes values for the option that a player is typing. The request is
// as far as the player has come.
func (b *Bot) Complete(ctx context.Context, r Request, option, typed string) []Choice {
	c, _ := Find(r.Command)
	for _, o := range c.Options {
		if o.Name == option && o.Complete != nil {
			choices := o.Complete(ctx, b, r, typed)
			return choices[:min(len(choices), MaxChoices)]
		}
	}
	return nil
}

// Outdated is the reply to a button or form that no release still uses.
func Outdated() Reply {
	return private(say("That does not work any more. See the board with ", mention(nameBoard), "."))
}

// Moved is what becomes of a reply that was begun for the asker alone, when it is
// shown to everybody after all.
func Moved() Reply {
	return private(say("Everybody may see this answer, so it is a message of its own, below."))
}

// Apology is the reply when answering itself went wrong; the details were
// logged with the request.
func Apology(r game.RequestID) Reply {
	return private(say("Something went wrong on our side; nothing that was accepted is lost. Please try again. If it stays, tell whoever runs this bot: request ",
		string(r), "."))
}
