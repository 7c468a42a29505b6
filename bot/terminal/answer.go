package terminal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/matches"
)

// person is who types. Slips are asked about, and so is what costs something.
type person struct {
	*Terminal
	player game.PlayerID
	others bool                          // somebody else has typed too
	yes    func(context.Context) outcome // what "yes" would do; nil for nothing
	match  *game.Match                   // whose board is shown; nil for none
}

// outcome is what a line led to.
type outcome struct {
	reply bot.Reply
	// brief is the reply without what the board shows.
	brief   []bot.Line
	ended   []bot.Line // the player's statistics, if the line ended a match
	guessed bool       // it was a guess that counts
	secret  bool       // the line had what others must not see
	leave   bool
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
		o := p.carryOut(ctx, player, c)
		_, o.secret = p.public(line)
		return o
	}
	if f, guess, ok := p.bareGuess(line); ok && p.Games != nil {
		return p.guessBare(ctx, player, f, guess)
	}
	if meant := p.similar(line); meant != "" {
		shown, secret := p.public(meant)
		o := p.ask(func(ctx context.Context) outcome { return p.act(ctx, player, meant) },
			bot.Text("Do you mean ", bot.Bold(shown), "? Type yes, or something else."))
		o.secret = secret
		return o
	}
	if guess, ok := p.wrongGuess(line); ok {
		return p.carryOut(ctx, player, guess)
	}
	return says(bot.Text(err.Error()))
}

// public returns what of a command others may see, and reports whether that is not all of it.
func (p *person) public(line string) (shown string, secret bool) {
	c, rest, _ := find(strings.Fields(strings.TrimPrefix(line, "/")), p.Bot.Table.Commands)
	if len(rest) > 0 && slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Secret }) {
		return "/" + c.Name, true
	}
	return line, false
}

// face is that of the match that is shown, or else of the one that a guess would start.
func (p *person) face() face.Face {
	if p.match == nil {
		return p.Faces[0]
	}
	return p.Faces.Of(p.match.Kind)
}

// whole returns a line with the first word of a command, which may be left out for the game that is shown. A command
// that another game has without such a word goes to the game that is shown too, unless it names a mode.
func (p *person) whole(line string) string {
	typed, f := strings.TrimPrefix(line, "/"), p.face()
	group, _, _ := strings.Cut(f.Commands.Start, " ")
	c, _, known := find(strings.Fields(typed), p.Bot.Table.Commands)
	_, _, short := find(strings.Fields(group+" "+typed), p.Bot.Table.Commands)
	asWritten, _ := parse(typed, p.Bot.Table.Commands)
	word, rest, _ := strings.Cut(typed, " ")
	usual := map[string]string{"solve": bot.NameSolveNext, "review": bot.NameReview}[strings.ToLower(word)]
	switch {
	case strings.Contains(c.Name, " "), asWritten.args["mode"] != "":
	case short:
		return "/" + group + " " + typed
	case usual != "" && !known && (p.similar(line) == "" || isFeedback(rest[strings.LastIndex(rest, " ")+1:])):
		return "/" + usual + " " + rest
	}
	return line
}

// says is an outcome that changes nothing.
func says(lines ...bot.Line) outcome { return outcome{reply: bot.Ephemeral(lines...), brief: lines} }

// after returns an outcome below what an earlier one said.
func (o outcome) after(first outcome) outcome {
	o.brief, o.reply.Lines = slices.Concat(first.brief, o.brief), slices.Concat(first.reply.Lines, o.reply.Lines)
	return o
}

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

func origin(player game.PlayerID) game.Origin {
	return game.Origin{Request: newRequestID(), Location: location, Player: player}
}

// over reports whether the board is that of a match which has ended.
func (p *person) over() bool { return p.match != nil && p.match.Status() != game.Playing }

// next starts a match like the one that is shown, if that is of the kind and has ended, with what its button on
// Discord keeps. After a daily puzzle or a race, that is one for all.
func (p *person) next(f face.Face) parsed {
	c := parsed{command: f.Commands.Start, args: map[string]string{}}
	if p.over() && p.match.Kind == f.Kind {
		maps.Copy(c.args, f.AgainButton(*p.match).Args)
		if p.match.Mode != game.Solo {
			delete(c.args, "mode")
		}
	}
	return c
}

// guessBare carries out a guess without its command. It starts a game if none is on; after one that is shown, the next
// like it. A game that is not shown yet is shown first, and so are hands of cards.
func (p *person) guessBare(ctx context.Context, player game.PlayerID, f face.Face, guess parsed) outcome {
	next, mode := p.next(f), p.mode(f.Kind, player)
	unseen := p.match != nil && (p.over() || p.match.Kind != f.Kind)
	if unseen && p.match.Kind == f.Kind {
		mode = face.ReadMode(next.args["mode"], game.Together)
	}
	m, err := p.Games.Latest(ctx, origin(player), matches.Target{Kind: f.Kind, Mode: mode})
	switch on := err == nil && m.Status() == game.Playing; {
	case on && unseen:
		board := p.carryOut(ctx, player, parsed{f.Commands.Board, map[string]string{"mode": face.ModeName(m.Mode)}})
		return board.after(says(bot.Text(bot.Bold("This game is still open."), " Enter the guess again to make it here.")))
	case on, err != nil && !errors.Is(err, game.ErrNoMatch): // the guess will be refused for the same error
		return p.carryOut(ctx, player, guess)
	}
	before := p.match
	start := p.carryOut(ctx, player, next)
	if p.match == before || p.over() || f.Aside(p.match.State).First {
		return start
	}
	before = p.match
	o := p.carryOut(ctx, player, guess)
	if p.match != before { // or the guess was refused, and the refusal does not show the board
		start.reply.Lines = start.reply.Lines[:1]
	}
	return o.after(start)
}

// carryOut carries out a command, and shows the board of the match that it was about. A command that names no mode is
// about the match whose board is shown, if it is one of that game.
func (p *person) carryOut(ctx context.Context, player game.PlayerID, c parsed) outcome {
	by := origin(player)
	for _, f := range p.Faces {
		switch mode := p.mode(f.Kind, player); c.command {
		case f.Commands.Guess, f.Commands.Hint, f.Commands.Board, f.Commands.Stop:
			if c.args["mode"] == "" && mode != game.Current {
				c.args = maps.Clone(c.args)
				c.args["mode"] = face.ModeName(mode)
			}
		case f.Commands.Stats:
			if len(c.args) == 0 {
				c.args = map[string]string{"player": string(player)}
			}
		}
	}
	reply := p.handle(ctx, by, c)
	o := p.outcome(player, reply)
	if p.yes != nil || p.Games == nil || reply.Board == nil {
		return o
	}
	m, err := p.Games.Store.Load(ctx, reply.Board.Slot)
	if err != nil { // it is the board of a race, or the reply is about the same error
		return o
	}
	begun := m.ID == game.MatchID(by.Request)
	changed, f := begun || reply.Board.Event.Text != nil, p.Faces.Of(m.Kind)
	p.match, o.guessed = &m, changed && c.command == f.Commands.Guess
	switch {
	case c.command == f.Commands.Hint:
		return o
	case m.Status() != game.Playing:
		o.brief = withoutBoard(reply.Lines)
		if changed {
			card := p.handle(ctx, origin(player), parsed{command: f.Commands.Stats, args: map[string]string{"player": string(player)}})
			o.ended = card.Lines[min(2, len(card.Lines)):] // without the number of games
		}
		return o
	}
	o.brief = stillPlaying(reply.Lines)
	first := reply.Lines[0]
	number, _ := bot.Number(c.args["number"], 1, math.MaxInt) // of a past puzzle
	switch starts := c.command == f.Commands.Start || c.command == bot.NameDaily; {
	case begun && starts: // the game and its rating, and how to guess
		first = bot.Line{Text: first.Text[:min(1, len(first.Text))]}.With(" Type " + howToGuess(f, m) + ".")
	case starts && m.Mode != game.Daily && m.Puzzle != game.DailyPuzzle(number) && (m.Starter == player || p.Player == player):
		first = bot.Text(bot.Bold("Still open: "+matchName(f, m)+"."), " Go on with it, or type yes to stop it and start another.")
		o.reply.Lines = append([]bot.Line{first}, reply.Lines[1:]...)
		p.yes = func(ctx context.Context) outcome { return p.replace(ctx, player, m, c) }
	case begun && m.Mode == game.Challenged: // the clue comes second
		first = first.With(" ", reply.Lines[1])
	case changed && !begun, c.command == f.Commands.Board:
		return o
	}
	o.brief = append([]bot.Line{first}, o.brief...)
	return o
}

// replace stops a match and carries out the command that starts another.
func (p *person) replace(ctx context.Context, player game.PlayerID, m game.Match, start parsed) outcome {
	stop := parsed{p.Faces.Of(m.Kind).Commands.Stop, face.MatchArgs(m)}
	stop.args[face.ArgSure] = "true"
	stopped := p.carryOut(ctx, player, stop)
	if !p.over() { // it was refused
		return stopped
	}
	return p.carryOut(ctx, player, start).after(stopped)
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
