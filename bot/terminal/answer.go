package terminal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/matches"
)

// person is the player at the terminal.
type person struct {
	*Terminal
	player game.PlayerID
	others bool        // another player has typed too
	yes    *pending    // nil if no question is open
	match  *game.Match // the match on the board; may be nil
}

// pending are commands that wait for a "yes". The second follows if the first ends the match on the board.
type pending struct {
	player   game.PlayerID
	commands []parsed
}

// outcome is the result of a line.
type outcome struct {
	reply   bot.Reply
	brief   []bot.Line // the reply without the board
	ended   []bot.Line // the player's statistics, if the line ended a match
	guessed bool       // the line was a valid guess
	secret  bool       // the line has something to hide from others
	leave   bool
}

// guess makes a guess typed into the tiles of the board.
func (p *person) guess(ctx context.Context, text string) outcome {
	p.yes = nil
	f := p.face()
	c := guessOf(f, text)
	if !f.IsGuess(text) {
		return p.carryOut(ctx, p.player, c) // explains the mistake, and starts no game
	}
	return p.enterGuess(ctx, p.player, f, c)
}

// respond carries out a typed line.
func (p *person) respond(ctx context.Context, line string) outcome {
	line = strings.TrimPrefix(line, "\ufeff")                     // pipes of PowerShell may begin with it
	line = strings.TrimSpace(strings.ToValidUTF8(line, "\ufffd")) // stores keep only valid text
	yes := p.yes
	p.yes = nil
	switch answer := strings.ToLower(line); {
	case yes != nil && (answer == "yes" || answer == "y"):
		return p.confirm(ctx, *yes)
	case yes != nil && (answer == "no" || answer == "n"):
		return says(bot.Text("Nothing was changed."))
	case line == "" || leaves(line):
		return outcome{leave: line != ""}
	}
	before := p.player
	player, line, said := p.speaker(line)
	if line == "" {
		if p.player != before && p.Games != nil {
			p.match = nil
			if open := p.openMatches(ctx); len(open) > 0 {
				p.match = &open[0]
			}
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
		line = p.Help.expand(line, p.Bot.Table.Commands)
	case p.Games != nil:
		line = p.expand(line)
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
		return p.enterGuess(ctx, player, f, guess)
	}
	if meant := p.similar(line); meant != "" {
		return p.propose(player, meant)
	}
	if guess, ok := p.wrongGuess(line); ok {
		return p.carryOut(ctx, player, guess)
	}
	return says(bot.Text(err.Error()))
}

// propose asks whether the player meant a similar line.
func (p *person) propose(player game.PlayerID, meant string) outcome {
	c, err := parse(meant, p.Bot.Table.Commands)
	if err != nil {
		return says(bot.Text(err.Error()))
	}
	p.yes = &pending{player, []parsed{c}}
	if c.secret {
		meant = "/" + c.command
	}
	o := says(bot.Text("Do you mean ", bot.Bold(meant), "? Type yes, or something else."))
	o.secret = c.secret
	return o
}

// confirm carries out the commands that waited for a yes.
func (p *person) confirm(ctx context.Context, yes pending) outcome {
	o := p.carryOut(ctx, yes.player, yes.commands[0])
	for _, c := range yes.commands[1:] {
		if !p.over() { // the stop was refused
			break
		}
		o = p.carryOut(ctx, yes.player, c).after(o)
	}
	return o
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

// says returns an outcome that changes nothing.
func says(lines ...bot.Line) outcome { return outcome{reply: bot.Ephemeral(lines...), brief: lines} }

// after returns the outcome with an earlier one above it.
func (o outcome) after(first outcome) outcome {
	o.brief, o.reply = slices.Concat(first.brief, o.brief), o.reply.Under(first.reply.Lines()...)
	return o
}

func guessOf(f face.Face, typed string) parsed {
	return parsed{command: f.Commands.Guess, args: map[string]string{f.Guess.Name: typed}}
}

// bareGuess reads a line as a guess without a command: a word or a board alone. The first word of a command, such as
// "pokle", is not a guess.
func (p *person) bareGuess(line string) (f face.Face, guess parsed, ok bool) {
	for _, f := range p.Faces {
		if f.IsGuess(line) && !strings.HasPrefix(line, "/") && beginningWith(line, p.Bot.Table.Commands) == "" {
			return f, guessOf(f, line), true
		}
	}
	return f, guess, false
}

// wrongGuess reads a line as an incomplete guess. The refusal of such a guess explains the mistake.
func (p *person) wrongGuess(line string) (guess parsed, ok bool) {
	for _, f := range p.Faces {
		if !f.IsGuess(line) && f.Tiles(strings.ReplaceAll(line, " ", "")).Fits {
			return guessOf(f, line), true
		}
	}
	return guess, false
}

// origin returns a new request of a player. Its identifier sorts after earlier ones.
func origin(player game.PlayerID) game.Origin {
	id := fmt.Sprintf("local-%019d-%s", time.Now().UnixNano(), rand.Text()[:8])
	return game.Origin{Request: game.RequestID(id), Location: location, Player: player}
}

// over reports whether the match on the board has ended.
func (p *person) over() bool { return p.match != nil && p.match.Status() != game.Playing }

// next returns the command for the next match. It repeats the options of the match on the board if that has ended and
// is of this kind. After a daily puzzle or a race, the next match is for everyone.
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

// enterGuess makes a guess typed without a command. Without an open game, it starts one like the last. A game that is
// not on the board yet, or has hands of cards, is shown first: the guess must be entered again.
func (p *person) enterGuess(ctx context.Context, player game.PlayerID, f face.Face, guess parsed) outcome {
	next, mode := p.next(f), p.mode(f.Kind, player)
	unseen := p.match != nil && (p.over() || p.match.Kind != f.Kind)
	if unseen && p.match.Kind == f.Kind {
		mode = face.ReadMode(next.args["mode"], game.Together)
	}
	m, err := p.Games.Latest(ctx, origin(player), matches.Target{Kind: f.Kind, Mode: mode})
	switch on := err == nil && m.Status() == game.Playing; {
	case on && unseen:
		board := p.carryOut(ctx, player, boardOf(f, m))
		return board.after(says(bot.Text(bot.Bold("This game is still open."), " Enter the guess again to make it here.")))
	case on, err != nil && !errors.Is(err, game.ErrNoMatch): // the guess fails with the same error
		return p.carryOut(ctx, player, guess)
	}
	before := p.match
	start := p.carryOut(ctx, player, next)
	if p.match == before || p.over() || f.SidePanel(p.match.State).First {
		return start
	}
	before = p.match
	o := p.carryOut(ctx, player, guess)
	if p.match != before { // a refusal shows no board
		start.reply.Blocks = bot.Lines(start.reply.Lines()[:1]...)
		start.reply.Heading, start.reply.Subtext = bot.Line{}, bot.Line{}
	}
	return o.after(start)
}

// carryOut carries out a command and shows its match.
func (p *person) carryOut(ctx context.Context, player game.PlayerID, c parsed) outcome {
	c, by := p.aboutBoard(player, c), origin(player)
	o := p.outcomeOf(player, p.handle(ctx, by, c))
	o.secret = c.secret
	if p.yes != nil || p.Games == nil || o.reply.Board == nil {
		return o
	}
	m, err := p.Games.Store.Load(ctx, o.reply.Board.Slot)
	if err != nil { // the board of a race, or the reply reports the same error
		return o
	}
	return p.show(ctx, by, c, m, o)
}

// aboutBoard completes a command with the mode of the match on the board, or with the player of the statistics.
func (p *person) aboutBoard(player game.PlayerID, c parsed) parsed {
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
	return c
}

// show puts the match of a reply on the board. The outcome's brief says what the board doesn't show.
func (p *person) show(ctx context.Context, by game.Origin, c parsed, m game.Match, o outcome) outcome {
	lines := withoutHeading(o.reply)
	begun := m.ID == game.MatchID(by.Request)
	changed, f := begun || o.reply.Board.Acted, p.Faces.Of(m.Kind)
	p.match, o.guessed = &m, changed && c.command == f.Commands.Guess
	switch {
	case c.command == f.Commands.Hint:
		return o
	case m.Status() != game.Playing:
		o.brief = withoutBoard(o.reply)
		if changed {
			card := p.handle(ctx, origin(by.Player), parsed{command: f.Commands.Stats, args: map[string]string{"player": string(by.Player)}})
			o.ended = card.Lines()[min(2, len(card.Lines())):] // without the number of games
		}
		return o
	}
	o.brief = stillPlaying(o.reply)
	first := lines[0]
	number, _ := bot.Number(c.args["number"], 1, math.MaxInt) // of a past puzzle
	switch starts := c.command == f.Commands.Start || c.command == bot.NameDaily; {
	case begun && starts: // the game and its rating, and how to guess
		first = bot.Line{Text: first.Text[:min(1, len(first.Text))]}.With(" Type " + howToGuess(f, m) + ".")
	case starts && m.Mode != game.Daily && m.Puzzle != game.DailyPuzzle(number) && (m.Starter == by.Player || p.Player == by.Player):
		first = bot.Text(bot.Bold("Still open: "+matchName(f, m)+"."), " Go on with it, or type yes to stop it and start another.")
		o.reply.Blocks = bot.Lines(append([]bot.Line{first}, lines[1:]...)...)
		stop := parsed{command: f.Commands.Stop, args: face.MatchArgs(m)}
		stop.args[face.ArgSure] = "true"
		p.yes = &pending{by.Player, []parsed{stop, c}}
	case begun && m.Mode == game.Challenged: // the clue comes second
		first = first.With(" ", lines[1])
	case changed && !begun, c.command == f.Commands.Board:
		return o
	}
	o.brief = append([]bot.Line{first}, o.brief...)
	return o
}

// outcomeOf returns the outcome of a reply. If the reply's first button confirms something, the line waits for a yes.
func (p *person) outcomeOf(player game.PlayerID, reply bot.Reply) outcome {
	if buttons := reply.Buttons(); len(buttons) > 0 && buttons[0].Args[face.ArgSure] != "" {
		b := buttons[0]
		lines := reply.Lines()
		last := len(lines) - 1
		lines[last] = lines[last].With(" Type yes.")
		reply.Blocks = bot.Lines(lines...)
		p.yes = &pending{player, []parsed{{command: b.Command, args: b.Args}}}
	}
	return outcome{reply: reply, brief: reply.Lines()}
}

// withoutHeading returns the lines below the heading.
func withoutHeading(r bot.Reply) []bot.Line {
	r.Heading, r.Subtext = bot.Line{}, bot.Line{}
	return r.Lines()
}

// withoutBoard leaves out the lines that the board shows.
func withoutBoard(r bot.Reply) (lines []bot.Line) {
	r.Heading, r.Subtext = bot.Line{}, bot.Line{}
	r.Blocks = slices.DeleteFunc(slices.Clone(r.Blocks), func(b bot.Block) bool { _, picture := b.(*bot.Picture); return picture })
	return slices.DeleteFunc(r.Lines(), func(l bot.Line) bool { return len(l.Tiles) > 0 })
}

// stillPlaying returns the line about the number of possible answers, which the board doesn't show.
func stillPlaying(r bot.Reply) []bot.Line {
	if p := r.Picture(); p != nil {
		for _, l := range slices.Backward(p.Instead) {
			if len(l.Tiles) == 0 {
				return []bot.Line{l}
			}
		}
	}
	return nil
}

func boardOf(f face.Face, m game.Match) parsed {
	return parsed{command: f.Commands.Board, args: map[string]string{"mode": face.ModeName(m.Mode)}}
}

// howToGuess describes a guess with an example.
func howToGuess(f face.Face, m game.Match) string {
	return f.Typing.What + ", such as " + f.Example(m.State)
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

// statusWords is the state of a match in words: "won in 3 of 6".
func statusWords(m game.Match) string {
	switch m.Status() {
	case game.Playing:
		return bot.Plural(m.State.AttemptsLeft(), "attempt") + " left"
	case game.Won:
		return fmt.Sprintf("won in %d of %d", m.Used(), m.Used()+m.State.AttemptsLeft())
	}
	return string(m.Status())
}

// matchName names the game and mode of a match: "Word game, daily 326".
func matchName(f face.Face, m game.Match) string {
	if number, daily := m.Puzzle.Daily(); daily {
		return fmt.Sprintf("%s, %s %d", f.Name(), face.ModeName(m.Mode), number)
	}
	return f.Name() + ", " + face.ModeName(m.Mode)
}
