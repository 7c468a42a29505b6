// Package terminal is the front for a terminal: a local channel with lines for requests and text for replies.
//
// [Terminal.Run] reads a line, from a pipe or with an editor and a drawn board. The line goes through respond, parse
// and carryOut (answer.go, parse.go) to [bot.Bot.Handle].
package terminal

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/terminal/tty"
	"fivefold/bot/typed"
	"fivefold/game"
	"fivefold/game/matches"
)

// location is the local channel. It is in a server, so that it has a leaderboard.
var location = game.Location{Guild: "local", Channel: "local"}

// Terminal plays in the local channel. Bot, In, Out and Player must be set.
type Terminal struct {
	Bot *bot.Bot
	In  io.Reader
	Out io.Writer
	// Player owns the terminal: they may manage the channel, and they type until "as NAME" names another player.
	Player game.PlayerID
	Colour bool // Out shows colours
	// Screen reports whether Out is a terminal that takes control sequences. Console is set for the console of Linux, which has
	// eight grounds.
	Screen, Console bool
	Welcome         string // shown at the start to a person, not to a program that sends lines
	First           string // a line to carry out at the start; may be empty
	// Help is set if the player only wants help with a puzzle. The puzzle is shown first.
	Help *typed.Help

	// Games and Faces are set if the player wants to play. A person then sees the board of the game, and a word or
	// board alone is a guess.
	Games *matches.Manager
	Faces face.Faces
}

// Run reads lines and answers them until the input or ctx ends, or the player leaves. If In and Out are both a terminal
// for a screen, the board is drawn in place, and lines can be edited and completed. Otherwise the replies are printed.
func (t *Terminal) Run(ctx context.Context) error {
	if t.Screen && tty.IsTerminal(t.In) {
		return t.interact(ctx)
	}
	return t.stream(ctx, tty.IsTerminal(t.In) && tty.IsTerminal(t.Out))
}

// stream prints the answers to lines. A person gets a prompt, a program does not.
func (t *Terminal) stream(ctx context.Context, sees bool) error {
	lines := bufio.NewScanner(t.In)
	p := &person{Terminal: t, player: t.Player}
	var o outcome
	switch {
	case sees:
		o = p.open(game.WithWaiting(ctx))
	case t.Help != nil:
		o = p.respond(game.WithWaiting(ctx), "show")
	case t.First != "":
		o = p.respond(game.WithWaiting(ctx), t.First)
	}
	for {
		text := Draw(t.Out, o.reply, t.Colour)
		if sees {
			columns, rows := tty.Size(t.Out)
			text = tty.Wrap(text, columns)
			if o.secret { // the terminal has echoed the line
				text = strings.Repeat("\n", rows) + text
			}
			if !o.leave {
				text += printable(string(p.player)) + "> "
			}
		} else if text != "" {
			text += "\n" // an empty line separates replies
		}
		if _, err := io.WriteString(t.Out, text); err != nil || o.leave {
			return err
		}
		typed := make(chan bool, 1)
		go func() { typed <- lines.Scan() }() // a read can't be interrupted; at the end it is abandoned
		var more bool
		select {
		case <-ctx.Done():
		case more = <-typed:
		}
		if !more && sees {
			fmt.Fprintln(t.Out) // the prompt's line ends
		}
		if ctx.Err() != nil {
			return nil
		}
		if !more {
			return lines.Err()
		}
		o = p.respond(game.WithWaiting(ctx), lines.Text())
	}
}

// speaker returns the player who types a line, and the rest of the line after "as NAME". Without a rest, all later
// lines are that player's. Said is the answer to such a line; it may explain a mistake.
func (p *person) speaker(line string) (player game.PlayerID, rest string, said bot.Line) {
	words := strings.Fields(line)
	guess := slices.ContainsFunc(p.Faces, func(f face.Face) bool { return f.IsGuess(line) }) // "as" may be the ace of spades
	switch {
	case !strings.EqualFold(strings.TrimPrefix(words[0], "/"), "as"), p.Help != nil, guess:
		return p.player, line, said
	case len(words) < 2:
		return p.player, "", bot.Text("Add a name, and you're that player: as NAME.")
	case !IsName(words[1]):
		return p.player, "", bot.Text("A name has no spaces and at most 32 letters. Pick a shorter one, such as ana.")
	}
	player = game.PlayerID(words[1])
	p.others = p.others || player != p.Player
	if len(words) == 2 {
		p.player = player
		return player, "", bot.Text(fmt.Sprintf("You're %s now.", player))
	}
	return player, strings.Join(words[2:], " "), said
}

// handle passes a command to the bot. The reply is in the player's look, since only this player sees it.
func (p *person) handle(ctx context.Context, by game.Origin, c typed.Command) bot.Reply {
	owner := by.Player == p.Player
	command, _ := p.Bot.Table.Find(c.Name)
	reply := p.Bot.Handle(ctx, command, bot.Request{
		ID: by.Request, Location: by.Location, Surface: bot.InTerminal, Player: by.Player, Name: string(by.Player), Global: string(by.Player),
		MayManage: owner, MayManageServer: owner, Command: c.Name, Args: c.Args,
	})
	for _, line := range reply.Lines() {
		for i, s := range line.Text {
			if p.Help != nil && s.Style == bot.StyleCommand {
				line.Text[i].Text = p.Help.Short(s.Text)
			}
		}
	}
	var err error
	if p.Bot.Look != nil {
		p.look, err = p.Bot.Look(ctx, by.Player)
	}
	if err != nil && ctx.Err() == nil {
		p.Bot.Log.Warn("could not read a player's look; the standard one is used", "player", by.Player, "error", err)
	}
	return reply.In(p.look)
}

// IsName reports whether a name is possible for a player: 1 to 32 bytes of printable characters without spaces.
func IsName(name string) bool {
	for _, r := range name {
		if !unicode.IsPrint(r) || r == ' ' {
			return false
		}
	}
	return name != "" && len(name) <= 32
}
