package terminal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/typed"
	"fivefold/game"
	"fivefold/game/matches"
)

// person is the player at the terminal.
type person struct {
	*Terminal
	player game.PlayerID
	others bool           // another player has typed too
	yes    *typed.Command // waits for a "yes" to the open question; nil for none
	asked  game.PlayerID  // the player of that command
	match  *game.Match    // the match on the board; may be nil
	title  bot.Line       // of the board
	look   bot.Look       // that of the player who was answered last
}

// outcome is the result of a line.
type outcome struct {
	reply   bot.Reply
	board   bool // the reply shows the match on the board
	guessed bool // the line was a valid guess
	secret  bool // the line has something to hide from others
	leave   bool
}

// says returns an outcome that changes nothing.
func says(lines ...bot.Line) outcome { return outcome{reply: bot.Ephemeral(lines...)} }

// respond carries out a typed line.
func (p *person) respond(ctx context.Context, line string) outcome {
	line = strings.TrimPrefix(line, "\ufeff")                     // pipes of PowerShell may begin with it
	line = strings.TrimSpace(strings.ToValidUTF8(line, "\ufffd")) // stores keep only valid text
	yes := p.yes
	p.yes = nil
	switch answer := strings.ToLower(line); {
	case yes != nil && (answer == "yes" || answer == "y"):
		return p.carryOut(ctx, p.asked, *yes)
	case yes != nil && (answer == "no" || answer == "n"):
		return says(bot.Text("Nothing was changed."))
	case line == "", slices.Contains([]string{"quit", "exit"}, strings.TrimPrefix(answer, "/")):
		return outcome{leave: line != ""}
	}
	before := p.player
	player, line, said := p.speaker(line)
	if line == "" {
		if p.player != before {
			p.match = nil
			p.open(ctx) // puts this player's match on the board
		}
		return says(said)
	}
	switch topic := strings.ToLower(strings.TrimPrefix(line, "/")); {
	case p.Help != nil && (topic == "help" || topic == "?"):
		return says(p.Help.Lines(p.Bot.Table.Commands)...)
	case p.Help == nil && strings.HasPrefix(topic, "help "), topic == "", topic == "help", topic == "?":
		f := p.face()
		for _, other := range p.Faces {
			if strings.HasPrefix(other.Commands.Rules, strings.TrimPrefix(topic, "help ")+" ") { // as in "help duo"
				f = other
			}
		}
		line = "/" + f.Commands.Rules
	case p.Help != nil:
		line = p.Help.Expand(line, p.Bot.Table.Commands)
	case p.Games != nil:
		line = p.expand(line)
	}
	c, mistake := typed.Read(line, p.Bot.Table.Commands)
	if mistake == "" {
		return p.carryOut(ctx, player, c)
	}
	if f, ok := p.guessed(line); ok && p.Games != nil {
		return p.enterGuess(ctx, player, f, line)
	}
	return says(bot.Text(mistake))
}

// face returns the face of the match on the board, or of the game that a guess would start.
func (p *person) face() face.Face {
	if p.match == nil {
		return p.Faces[0]
	}
	return p.Faces.Of(p.match.Kind)
}

// expand adds the first word of a command, which players may leave out for the game on the board. So a short command of
// another game goes to the game on the board too, unless it names a mode.
func (p *person) expand(line string) string {
	text := strings.TrimPrefix(line, "/")
	group, _, _ := strings.Cut(p.face().Commands.Start, " ")
	_, _, short := typed.Find(strings.Fields(group+" "+text), p.Bot.Table.Commands)
	if c, _ := typed.Read(text, p.Bot.Table.Commands); short && !strings.Contains(c.Name, " ") && c.Args["mode"] == "" {
		return "/" + group + " " + text
	}
	return line
}

// guessed returns the face of the game in which a line without a command is a guess, or the beginning of one. The first
// word of a command, such as "pokle", is neither.
func (p *person) guessed(line string) (f face.Face, ok bool) {
	all := append([]face.Face{p.face()}, p.Faces...)
	i := slices.IndexFunc(all, func(f face.Face) bool { return f.IsGuess(line) })
	if i < 0 {
		i = slices.IndexFunc(all, func(f face.Face) bool { return f.Tiles(strings.ReplaceAll(line, " ", "")).Fits })
	}
	if i < 0 || strings.HasPrefix(line, "/") || typed.Begins(line, p.Bot.Table.Commands) {
		return f, false
	}
	return all[i], true
}

// origin returns a new request of a player. Its identifier sorts after earlier ones.
func origin(player game.PlayerID) game.Origin {
	id := fmt.Sprintf("local-%019d-%s", time.Now().UnixNano(), rand.Text()[:8])
	return game.Origin{Request: game.RequestID(id), Location: location, Player: player}
}

// over reports whether the match on the board has ended.
func (p *person) over() bool { return p.match != nil && p.match.Status() != game.Playing }

// next returns the line that starts the next match. It repeats the options of the match on the board if that has ended and
// is of this kind. After a daily puzzle or a race, the next match is for everyone.
func (p *person) next(f face.Face) string {
	if p.over() && p.match.Kind == f.Kind && (p.match.Mode == game.Together || p.match.Mode == game.Solo) {
		return p.spell(f.AgainButton(*p.match))
	}
	return "/" + f.Commands.Start
}

// enterGuess makes a guess typed without a command. Without an open game, it starts one like the last. A game that is
// not on the board yet, or begins with clues, is shown first: the guess must be entered again.
func (p *person) enterGuess(ctx context.Context, player game.PlayerID, f face.Face, text string) outcome {
	guess := typed.Command{Name: f.Commands.Guess, Args: map[string]string{f.Guess.Name: text}}
	if !f.IsGuess(text) {
		return p.carryOut(ctx, player, guess) // explains the mistake, and starts no game
	}
	next, _ := typed.Read(p.next(f), p.Bot.Table.Commands)
	mode := p.mode(f.Kind, player)
	unseen := p.match != nil && (p.over() || p.match.Kind != f.Kind)
	if unseen && p.match.Kind == f.Kind {
		mode = face.ReadMode(next.Args["mode"], game.Together)
	}
	m, err := p.Games.Latest(ctx, origin(player), matches.Target{Kind: f.Kind, Mode: mode})
	switch on := err == nil && m.Status() == game.Playing; {
	case on && unseen:
		o := p.carryOut(ctx, player, boardOf(f, m))
		o.reply = o.reply.Under(bot.Text(bot.Bold("This game is still open."), " Enter the guess again to make it here."))
		return o
	case on, err != nil && !errors.Is(err, game.ErrNoMatch): // the guess fails with the same error
		return p.carryOut(ctx, player, guess)
	}
	before := p.match
	if start := p.carryOut(ctx, player, next); p.match == before || p.over() || f.Dealt {
		return start
	}
	return p.carryOut(ctx, player, guess)
}

// carryOut carries out a command and shows its match. If the reply's first button confirms something, a "yes" presses it.
func (p *person) carryOut(ctx context.Context, player game.PlayerID, c typed.Command) outcome {
	c, by := p.aboutBoard(player, c), origin(player)
	o := outcome{reply: p.handle(ctx, by, c), secret: c.Secret}
	if buttons := o.reply.Buttons(); len(buttons) > 0 && buttons[0].Args[face.ArgSure] != "" {
		b := buttons[0]
		o.reply = o.reply.Say(bot.Text("Type ", bot.Bold("yes"), " for “"+b.Label+"”."))
		p.yes, p.asked = &typed.Command{Name: b.Command, Args: b.Args}, player
		return o
	}
	if p.Games == nil || o.reply.Board == nil {
		o.reply = p.spelled(o.reply)
		return o
	}
	m, err := p.Games.Store.Load(ctx, o.reply.Board.Slot)
	if err != nil { // the board of a race, or the reply reports the same error
		return o
	}
	guess := p.Faces.Of(m.Kind).Commands.Guess
	if o.board = o.reply.Heading.Text != nil; o.board || p.match == nil || p.match.ID != m.ID { // else the heading still holds
		p.title = o.reply.Heading
	}
	p.match = &m
	o.guessed = c.Name == guess && (o.reply.Board.Acted || m.ID == game.MatchID(by.Request))
	if p.over() {
		o.reply = p.spelled(o.reply)
	}
	return o
}

// spell returns the line for what a button does, or "" if no line does that. A line is about what the screen shows now.
func (p *person) spell(b bot.Button) string {
	return p.Help.Short(typed.Of(b, p.Bot.Table.Commands, face.ArgMatch, face.ArgVersion, face.ArgRace, bot.ArgAt))
}

// spelled returns a reply with the lines to type for its buttons.
func (p *person) spelled(r bot.Reply) bot.Reply {
	var all bot.Line
	for _, b := range r.Buttons() {
		if line := p.spell(b); line != "" && !b.Disabled {
			all = all.With(" · "+b.Label+": ", bot.Bold(line))
		}
	}
	if all.Text == nil {
		return r
	}
	all.Text[0].Text = strings.TrimPrefix(all.Text[0].Text, " · ")
	return r.Say(all)
}

// aboutBoard completes a command with the mode of the match on the board, or with the player of the statistics.
func (p *person) aboutBoard(player game.PlayerID, c typed.Command) typed.Command {
	for _, f := range p.Faces {
		mode := p.mode(f.Kind, player)
		onMatch := slices.Contains([]string{f.Commands.Guess, f.Commands.Hint, f.Commands.Board, f.Commands.Stop}, c.Name)
		switch {
		case onMatch && c.Args["mode"] == "" && mode != game.Current:
			c.Args = maps.Clone(c.Args)
			c.Args["mode"] = face.ModeName(mode)
		case c.Name == f.Commands.Stats && len(c.Args) == 0:
			c.Args = map[string]string{"player": string(player)}
		}
	}
	return c
}

func boardOf(f face.Face, m game.Match) typed.Command {
	return typed.Command{Name: f.Commands.Board, Args: map[string]string{"mode": face.ModeName(m.Mode)}}
}

// mode returns the default mode for commands: that of the match on the board if the player can play it, otherwise
// [game.Current].
func (p *person) mode(k game.Kind, player game.PlayerID) game.Mode {
	m := p.match
	if m == nil || m.Kind != k || m.Status() != game.Playing || m.Mode.Personal() && m.Starter != player {
		return game.Current
	}
	return m.Mode
}
