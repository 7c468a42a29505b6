package terminal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
)

// person is who types. Slips are asked about, and so is what costs something.
type person struct {
	*Terminal
	player game.PlayerID
	yes    func(context.Context) outcome // what "yes" would do; nil for nothing
	match  *game.Match                   // whose board is shown; nil for none
}

// outcome is what a line led to.
type outcome struct {
	reply bot.Reply
	// brief is the reply without what the board shows.
	brief []bot.Line
	ended []bot.Line // the player's statistics, if the line ended a match
	leave bool
}

// guess takes what was typed into the tiles of the board that is shown.
func (p *person) guess(ctx context.Context, text string) outcome {
	p.yes = nil
	f := p.face()
	c := guessOf(f, text)
	if f.Unreadable(text) != nil {
		return p.carryOut(ctx, p.player, c) // says what is wrong, and starts nothing
	}
	return p.guessBare(ctx, p.player, f, c)
}

// respond carries out a line that was typed.
func (p *person) respond(ctx context.Context, line string) outcome {
	line = strings.TrimPrefix(line, "\ufeff")                     // what PowerShell pipes may begin with it
	line = strings.TrimSpace(strings.ToValidUTF8(line, "\ufffd")) // which stores can keep
	yes := p.yes
	p.yes = nil
	switch answer := strings.ToLower(line); {
	case yes != nil && (answer == "yes" || answer == "y"):
		return yes(ctx)
	case yes != nil && (answer == "no" || answer == "n"):
		return says(bot.Text("Nothing was changed."))
	case line == "" || leaves(line):
		return outcome{leave: line != ""}
	}
	before := p.player
	player, line, said := p.speaker(line)
	if line == "" {
		if p.player != before && p.Games != nil {
			p.match = p.latestOpen(ctx)
		}
		return says(said)
	}
	topic, wanted := helpTopic(line)
	switch {
	case wanted && p.Help != nil:
		return says(p.Help.lines(p.Bot.Table.Commands)...)
	case wanted:
		return says(p.helpOn(topic)...)
	case p.Help != nil:
		line = p.Help.whole(line, p.Bot.Table.Commands)
	case p.Games != nil:
		line = p.whole(line)
	}
	return p.act(ctx, player, line)
}

// act carries out a command or a guess.
func (p *person) act(ctx context.Context, player game.PlayerID, line string) outcome {
	c, err := parse(line, p.Bot.Table.Commands)
	if err == nil {
		return p.carryOut(ctx, player, c)
	}
	if f, guess, ok := p.bareGuess(line); ok && p.Games != nil {
		return p.guessBare(ctx, player, f, guess)
	}
	if meant := p.similar(line); meant != "" {
		return p.ask(func(ctx context.Context) outcome { return p.act(ctx, player, meant) },
			bot.Text("Do you mean ", bot.Bold(meant), "? Type yes, or something else."))
	}
	if guess, ok := p.wrongGuess(line); ok {
		return p.carryOut(ctx, player, guess)
	}
	return says(bot.Text(err.Error()))
}

// face is that of the match that is shown, or else of the one that a guess would start.
func (p *person) face() face.Face {
	if p.match == nil {
		return p.Faces[0]
	}
	return p.Faces.Of(p.match.Kind)
}

// whole returns a line with the first word of a command, which may be left out for the game that is shown.
func (p *person) whole(line string) string {
	typed, slash := strings.CutPrefix(line, "/")
	group, _, _ := strings.Cut(p.face().Commands.Start, " ")
	_, _, known := find(strings.Fields(typed), p.Bot.Table.Commands)
	if _, _, short := find(strings.Fields(group+" "+typed), p.Bot.Table.Commands); short && !(slash && known) {
		return "/" + group + " " + typed
	}
	return line
}

// says is an outcome that changes nothing.
func says(lines ...bot.Line) outcome { return outcome{reply: bot.Ephemeral(lines...), brief: lines} }

// ask is an outcome that waits for a yes.
func (p *person) ask(yes func(context.Context) outcome, question bot.Line) outcome {
	p.yes = yes
	return says(question)
}

// guessOf is a guess in a game, as it was typed.
func guessOf(f face.Face, typed string) parsed {
	return parsed{command: f.Commands.Guess, args: map[string]string{f.Guess.Name: typed}}
}

// bareGuess returns the guess that a line is without its command, a word or a board alone, and its game.
// What begins the names of commands, such as "pokle", is none.
func (p *person) bareGuess(line string) (f face.Face, guess parsed, ok bool) {
	for _, f := range p.Faces {
		if f.Unreadable(line) == nil && !strings.HasPrefix(line, "/") && beginningWith(line, p.Bot.Table.Commands) == "" {
			return f, guessOf(f, line), true
		}
	}
	return f, guess, false
}

// wrongGuess returns a guess that lacks something, whose refusal says what is wrong with it.
func (p *person) wrongGuess(line string) (guess parsed, ok bool) {
	for _, f := range p.Faces {
		if f.Unreadable(line) != nil && f.Typing.Fits(strings.ReplaceAll(line, " ", "")) {
			return guessOf(f, line), true
		}
	}
	return guess, false
}

// playing reports whether a guess would go to a game that is on. Whatever makes that unknown is
// what the guess will be refused for.
func (p *person) playing(ctx context.Context, player game.PlayerID, f face.Face) bool {
	m, err := p.Games.Latest(ctx, origin(player), game.Target{Kind: f.Kind, Mode: p.mode(f.Kind, player)})
	return err != nil && !errors.Is(err, game.ErrNoMatch) || err == nil && m.Status() == game.Playing
}

func origin(player game.PlayerID) game.Origin {
	return game.Origin{Request: newRequestID(), Location: location, Player: player}
}

// guessBare carries out a guess without its command. It starts a game if there is none.
func (p *person) guessBare(ctx context.Context, player game.PlayerID, f face.Face, guess parsed) outcome {
	if p.playing(ctx, player, f) {
		return p.carryOut(ctx, player, guess)
	}
	start := p.carryOut(ctx, player, parsed{command: f.Commands.Start, args: map[string]string{}})
	if !p.playing(ctx, player, f) {
		return start
	}
	before := p.match
	o := p.carryOut(ctx, player, guess)
	above := start.reply.Lines[:1]
	if p.match == before { // the guess was refused, and the refusal does not show the board
		above = start.reply.Lines
	}
	o.brief = append(slices.Clip(start.brief), o.brief...)
	o.reply.Lines = append(slices.Clip(above), o.reply.Lines...)
	return o
}

// carryOut carries out a command, and finds out which board to show then. A command that names
// no mode is about the match whose board is shown, if it is one of that game.
func (p *person) carryOut(ctx context.Context, player game.PlayerID, c parsed) outcome {
	f, ofGame := p.faceOf(c.command)
	if !ofGame || p.Games == nil {
		return p.outcome(player, p.handle(ctx, player, c))
	}
	target := game.Target{Kind: f.Kind, Mode: face.ReadMode(c.args["mode"], p.mode(f.Kind, player))}
	starts := c.command == f.Commands.Start
	if c.command == f.Commands.Race {
		starts, target.Mode = true, game.Racing
	} else if starts {
		target.Mode = face.ReadMode(c.args["mode"], game.Together)
	} else if target.Mode != game.Current {
		c.args = maps.Clone(c.args)
		c.args["mode"] = face.ModeName(target.Mode)
	}
	before, _ := p.Games.Latest(ctx, origin(player), target) // without one, what comes after is new
	reply := p.handle(ctx, player, c)
	o := p.outcome(player, reply)
	if p.yes != nil {
		return o
	}
	after, err := p.Games.Latest(ctx, origin(player), target)
	changed := after.ID != before.ID || after.Version != before.Version
	if err != nil || !changed && !starts && c.command != f.Commands.Board { // the reply is about the same error
		return o
	}
	p.match = &after
	if c.command == f.Commands.Hint {
		return o
	}
	if after.Status() != game.Playing {
		o.brief = withoutBoard(reply.Lines)
		if changed {
			card := p.handle(ctx, player, parsed{command: f.Commands.Stats, args: map[string]string{"player": string(player)}})
			o.ended = card.Lines[min(2, len(card.Lines)):] // without the number of games
		}
		return o
	}
	o.brief = stillPlaying(reply.Lines)
	if starts {
		first := reply.Lines[0] // it was begun before
		if changed {            // the game and its rating, and how to guess
			first = bot.Line{Text: first.Text[:min(1, len(first.Text))]}.With(" Type " + howToGuess(f, after) + ".")
		}
		o.brief = append([]bot.Line{first}, o.brief...)
	}
	return o
}

// outcome is that of a command, which waits for a yes if the reply asks for that by its first button.
func (p *person) outcome(player game.PlayerID, reply bot.Reply) outcome {
	if len(reply.Buttons) > 0 && reply.Buttons[0][0].Args[face.ArgSure] != "" {
		b := reply.Buttons[0][0]
		reply.Lines = slices.DeleteFunc(reply.Lines, func(l bot.Line) bool { return l.Typed })
		last := len(reply.Lines) - 1
		reply.Lines[last] = reply.Lines[last].With(" Type yes.")
		p.yes = func(ctx context.Context) outcome { return p.carryOut(ctx, player, parsed{b.Command, b.Args}) }
	}
	return outcome{reply: reply, brief: reply.Lines}
}

// withoutBoard leaves out the lines that a board shows.
func withoutBoard(lines []bot.Line) []bot.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l bot.Line) bool { return len(l.Tiles) > 0 || l.Pictured })
}

// stillPlaying are those lines of a reply about a match in progress that the drawn board does
// not show: how many answers are possible.
func stillPlaying(lines []bot.Line) []bot.Line {
	for _, l := range slices.Backward(lines) {
		if l.Pictured && len(l.Tiles) == 0 {
			return []bot.Line{l}
		}
	}
	return nil
}

// howToGuess says what to type as a guess in a match.
func howToGuess(f face.Face, m game.Match) string {
	return f.Typing.What + ", such as " + f.ExampleIn(m)
}

// mode is the mode that a player's commands about a kind of match mean: that of the match which
// is shown, if the player can play it, otherwise [game.Current].
func (p *person) mode(k game.Kind, player game.PlayerID) game.Mode {
	m := p.match
	if m == nil || m.Kind != k || m.Status() != game.Playing || m.Mode.Personal() && m.Starter != player {
		return game.Current
	}
	return m.Mode
}

// statusWords says how a match stands: "won in 3 of 6".
func statusWords(m game.Match) string {
	switch m.Status() {
	case game.Playing:
		return bot.Plural(m.State.Left(), "attempt") + " left"
	case game.Won:
		return fmt.Sprintf("won in %d of %d", m.Used(), m.Used()+m.State.Left())
	}
	return string(m.Status())
}

// matchName is the game and mode of a match: "Word game, daily 326".
func matchName(f face.Face, m game.Match) string {
	if number, daily := m.Puzzle.Daily(); daily {
		return fmt.Sprintf("%s, %s %d", f.Name(), face.ModeName(m.Mode), number)
	}
	return f.Name() + ", " + face.ModeName(m.Mode)
}
