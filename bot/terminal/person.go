package terminal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/pokergame"
	"fivefold/game"
	"fivefold/game/pokle"
)

// person is a session with somebody who sits at the terminal. Somebody who plays gets more
// than a program that sends lines: guesses need no command, slips are asked about, and so
// is giving up a daily puzzle.
type person struct {
	session
	question *question
	// meant is what "yes" types in a helper, or "".
	meant string
	match *game.Match // whose board is shown; nil for none
}

// question is what "yes" would do.
type question struct {
	player  game.PlayerID
	command parsed
	sure    bool // whether it was asked because nothing can undo the command
}

// outcome is what a line led to.
type outcome struct {
	reply bot.Reply
	// brief is the reply without what the board shows.
	brief  []bot.Line
	leave  bool
	player game.PlayerID // who types the next line
	match  *game.Match   // whose board to show; nil for none
	look   bot.Look      // of the player who types the next line
	asks   bool          // whether "yes" would do something
	ended  []bot.Line    // the player's statistics, if the line ended a match
}

// open welcomes the person.
func (p *person) open(ctx context.Context) outcome {
	ctx = game.WithWaiting(ctx)
	lines := textLines(p.Notice + p.Welcome)
	if p.Games != nil {
		lines = append(p.welcome(ctx), lines...)
	}
	if p.First != "" {
		first, _ := p.answer(ctx, p.First)
		lines = append(append(lines, bot.Line{}), first.Lines...)
	}
	o := p.says(lines...)
	o.look = p.look(ctx, p.player)
	if p.match != nil {
		o.reply.Lines = append(slices.Clip(o.reply.Lines), p.board(ctx).Lines...)
	}
	return o
}

// respond carries out a line that the person has typed.
func (p *person) respond(ctx context.Context, line string) outcome {
	ctx = game.WithWaiting(ctx)
	o := p.outcome(ctx, line)
	o.look, o.asks = p.look(ctx, o.player), p.question != nil || p.meant != ""
	return o
}

// guess takes what was typed into the tiles of the board that is shown.
func (p *person) guess(ctx context.Context, text string) outcome {
	ctx = game.WithWaiting(ctx)
	p.question = nil
	f := p.Faces[0]
	if p.match != nil {
		f = p.Faces.Of(p.match.Kind)
	}
	c := parsed{command: f.Commands.Guess, args: map[string]string{f.Guess.Name: text}}
	carryOut := p.guessBare
	if _, wrong := f.ReadGuess(text); wrong != nil {
		carryOut = p.carryOut // which says what is wrong, and starts nothing
	}
	o := carryOut(ctx, p.player, c)
	o.look = p.look(ctx, o.player)
	return o
}

func (p *person) outcome(ctx context.Context, line string) outcome {
	line = strings.TrimSpace(line)
	if p.meant != "" && strings.EqualFold(line, "yes") {
		line = p.meant
	}
	p.meant = ""
	if leaves(line) {
		return outcome{leave: true, player: p.player, match: p.match}
	}
	if p.Games == nil {
		if h := p.helper(); h != nil {
			p.meant = h.meant(line, p.Terminal)
		}
		if p.meant != "" {
			ask := bot.Text(fmt.Sprintf("Do you mean %q? Type yes, or something else.", p.meant))
			if word := strings.Fields(line)[0]; p.helper().isEntry(word) { // it can be guessed all the same
				ask = ask.With(fmt.Sprintf(" To guess that word, type %q.", "next "+word))
			}
			return p.says(ask)
		}
		reply, _ := p.answer(ctx, line)
		return p.says(reply.Lines...)
	}
	asked := p.question
	p.question = nil
	if asked != nil {
		switch strings.ToLower(line) {
		case "yes", "y":
			if asked.sure {
				return p.carryOut(ctx, asked.player, asked.command)
			}
			return p.askFirst(ctx, asked.player, asked.command)
		case "no", "n":
			return p.says(bot.Text("Nothing was changed."))
		}
	}
	before := p.player
	player, line, said := p.speaker(line)
	if line == "" {
		if p.player != before {
			p.match = p.latestOpen(ctx)
		}
		return p.says(said.Lines...)
	}
	if topic, ok := helpTopic(line); ok {
		return p.says(p.helpOn(topic)...)
	}
	c, err := parse(line, p.Bot.Table.Commands)
	if guess, ok := p.bareGuess(line, c, err); ok {
		return p.guessBare(ctx, player, guess)
	}
	if ask, ok := p.wordOrCommand(ctx, player, line, c, err); ok {
		return ask
	}
	if guess, ok := p.wrongCards(line); ok && err != nil {
		return p.carryOut(ctx, player, guess)
	}
	if err != nil {
		if like, ok := p.similar(line); ok {
			p.question = &question{player: player, command: like}
			return p.says(bot.Text("Do you mean ", bot.Bold("/"+like.line()), "? Type yes, or something else."))
		}
		return p.says(bot.Text(strings.ReplaceAll(err.Error(), "/"+bot.NameHelp, "help")))
	}
	return p.askFirst(ctx, player, c)
}

// askFirst carries out a command, or asks whether to if that would give up a daily puzzle.
func (p *person) askFirst(ctx context.Context, player game.PlayerID, c parsed) outcome {
	if ask, ok := p.givesUp(ctx, player, c); ok {
		p.question = &question{player: player, command: c, sure: true}
		return p.says(bot.Text(ask))
	}
	return p.carryOut(ctx, player, c)
}

// says is an outcome that changes nothing.
func (p *person) says(lines ...bot.Line) outcome {
	return outcome{reply: bot.Ephemeral(lines...), brief: lines, player: p.player, match: p.match}
}

// line writes a command as it can be typed.
func (p parsed) line() string {
	line := p.command
	if p.rest != "" {
		line += " " + p.rest
	}
	return line
}

// wordOrCommand asks about a word that can be guessed in a game which is on, if it is in a command's
// name too: neither the guess nor the command is carried out without that.
func (p *person) wordOrCommand(ctx context.Context, player game.PlayerID, line string, c parsed, err error) (outcome, bool) {
	i := slices.IndexFunc(p.Faces, func(f face.Face) bool {
		_, wrong := f.ReadGuess(line)
		return wrong == nil
	})
	if i < 0 || strings.HasPrefix(line, "/") || p.CanGuess == nil || !p.CanGuess(line) {
		return outcome{}, false
	}
	f := p.Faces[i]
	if !p.playing(ctx, player, f, p.mode(f.Kind, player)) {
		return outcome{}, false
	}
	command := bot.Text(bot.Bold("/" + c.command))
	if err != nil {
		like := beginningWith(line, p.Bot.Table.Commands)
		if like == "" {
			like = "/" + endingIn(line, p.preferred())
		}
		command = bot.Text(bot.Bold(like))
	}
	p.question = &question{player: player, command: parsed{command: f.Commands.Guess, args: map[string]string{f.Guess.Name: line}}}
	ask := bot.Text("Guess "+strings.ToUpper(line)+"? Type yes. The command is ").With(command.Text[0], ".")
	return p.says(ask), true
}

// wrongCards returns the command that a line means if it begins with a card but is no board: a
// guess, whose refusal says what is wrong with it.
func (p *person) wrongCards(line string) (parsed, bool) {
	first, _, _ := strings.Cut(line, " ")
	if cards, err := pokle.ParseCards(first); err != nil || len(cards) == 0 {
		return parsed{}, false
	}
	for _, f := range p.Faces {
		if f.HasPicture() { // cards
			return parsed{command: f.Commands.Guess, args: map[string]string{f.Guess.Name: line}}, true
		}
	}
	return parsed{}, false
}

// guessBare carries out a guess without its command. It starts a game if there is none.
func (p *person) guessBare(ctx context.Context, player game.PlayerID, guess parsed) outcome {
	f, _ := p.faceOf(guess.command)
	if p.playing(ctx, player, f, p.mode(f.Kind, player)) {
		return p.carryOut(ctx, player, guess)
	}
	started := p.carryOut(ctx, player, parsed{command: f.Commands.Start, args: map[string]string{}})
	if started.match == nil || started.match.Kind != f.Kind || started.match.Status() != game.Playing {
		return started
	}
	o := p.carryOut(ctx, player, guess)
	above := started.brief
	if o.match.ID == started.match.ID && o.match.Version == started.match.Version {
		above = started.reply.Lines // the guess was refused, and the refusal does not show the board
	}
	o.brief = append(slices.Clip(started.brief), o.brief...)
	o.reply.Lines = append(slices.Clip(above), o.reply.Lines...)
	return o
}

// carryOut carries out a command, and finds out which board to show then. A command that names
// no mode is about the match whose board is shown, if it is one of that game.
func (p *person) carryOut(ctx context.Context, player game.PlayerID, c parsed) outcome {
	f, ofGame := p.faceOf(c.command)
	if !ofGame {
		reply := p.handle(ctx, player, c)
		return p.says(reply.Lines...)
	}
	target := game.Target{Kind: f.Kind, Mode: face.ReadMode(c.args["mode"], p.mode(f.Kind, player))}
	if c.command == f.Commands.Start {
		target.Mode = face.ReadMode(c.args["mode"], game.Together)
	} else if target.Mode != game.Current {
		args := map[string]string{"mode": face.ModeName(target.Mode)}
		for name, value := range c.args {
			args[name] = value
		}
		c.args = args
	}
	before, _ := p.Games.Latest(ctx, p.origin(player), target) // without one, what comes after is new
	reply := p.handle(ctx, player, c)
	o := p.says(reply.Lines...)
	after, err := p.Games.Latest(ctx, p.origin(player), target)
	if err != nil {
		return o // the reply is about the same error
	}
	showsBoard := c.command == f.Commands.Board || c.command == f.Commands.Start
	changed := after.ID != before.ID || after.Version != before.Version
	if !showsBoard && !changed {
		return o
	}
	p.match = &after
	o.match = &after
	if c.command == f.Commands.Hint {
		return o
	}
	o.brief = withoutBoard(reply.Lines)
	if changed && after.Status() != game.Playing {
		card := p.handle(ctx, player, parsed{command: f.Commands.Stats, args: map[string]string{"player": string(player)}})
		o.ended = card.Lines[min(2, len(card.Lines)):] // without the number of games
	}
	if after.Status() == game.Playing {
		o.brief = stillPlaying(reply.Lines)
		if c.command == f.Commands.Start && changed {
			o.brief = append([]bot.Line{started(reply.Lines[0], f, after)}, o.brief...)
			o.reply.Lines = append([]bot.Line{o.brief[0]}, reply.Lines[1:]...)
		}
		if c.command == f.Commands.Start && !changed { // it was begun before
			o.brief = append([]bot.Line{reply.Lines[0]}, o.brief...)
		}
	}
	return o
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

// started is the first line of a game that has just begun, given that of the reply: the game
// and its rating, and how to guess.
func started(first bot.Line, f face.Face, m game.Match) bot.Line {
	line := bot.Line{Text: first.Text[:min(1, len(first.Text))]}
	return line.With(" Type " + howToGuess(f, m) + ".")
}

// howToGuess says what to type as a guess in a match.
func howToGuess(f face.Face, m game.Match) string {
	if s, ok := m.State.(pokergame.State); ok {
		return "five cards, first the three of the flop, such as " + guessableBoard(s.Deal())
	}
	return "a " + f.Noun + ", such as " + f.Example
}

// givesUp asks before a daily puzzle is stopped, which cannot be played again, and before the
// first hint of a match that the player plays alone.
func (p *person) givesUp(ctx context.Context, player game.PlayerID, c parsed) (ask string, ok bool) {
	f, ofGame := p.faceOf(c.command)
	if !ofGame || c.command != f.Commands.Stop && c.command != f.Commands.Hint {
		return "", false
	}
	m, err := p.Games.Latest(ctx, p.origin(player), game.Target{Kind: f.Kind, Mode: face.ReadMode(c.args["mode"], p.mode(f.Kind, player))})
	if err != nil || m.Status() != game.Playing {
		return "", false // the command is refused for that too
	}
	number, daily := m.Puzzle.Daily()
	switch {
	case c.command == f.Commands.Hint:
		return "Take a hint? " + face.HintCost + " Type yes.", face.HintCosts(m)
	case !daily:
		return "", false
	case number == p.Games.Today():
		return "Give up today's daily? Type yes.", true
	}
	return fmt.Sprintf("Give up daily puzzle %d? Type yes.", number), true
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

// openMatches are the matches that the person is playing here, the latest first.
func (p *person) openMatches(ctx context.Context) []game.Match {
	var open []game.Match
	for _, f := range p.Faces {
		for _, mode := range []game.Mode{game.Together, game.Solo, game.Daily} {
			m, err := p.Games.Latest(ctx, p.origin(p.player), game.Target{Kind: f.Kind, Mode: mode})
			// A match that cannot be read is reported when it is asked for.
			if err == nil && m.Status() == game.Playing && m.Location == Location {
				open = append(open, m)
			}
		}
	}
	slices.SortStableFunc(open, func(a, b game.Match) int { return touched(b).Compare(touched(a)) })
	return open
}

func (p *person) latestOpen(ctx context.Context) *game.Match {
	if open := p.openMatches(ctx); len(open) > 0 {
		return &open[0]
	}
	return nil
}

// touched is when the last move of a match was made, or when it began if there is none.
func touched(m game.Match) time.Time {
	if len(m.Moves) > 0 {
		return m.Moves[len(m.Moves)-1].At
	}
	return m.Started
}

// board is the reply that shows the match.
func (p *person) board(ctx context.Context) bot.Reply {
	f := p.Faces.Of(p.match.Kind)
	return p.handle(ctx, p.player, parsed{command: f.Commands.Board, args: map[string]string{"mode": face.ModeName(p.match.Mode)}})
}

// welcome says what there is to play, and what is open.
func (p *person) welcome(ctx context.Context) []bot.Line {
	lines := []bot.Line{bot.Text(bot.Bold("Welcome to Fivefold: two puzzles, alone or together."))}
	for _, f := range p.Faces {
		lines = append(lines, bot.Text(bot.Bold(gameName(f)), ": find the "+answerOf(f)+". "+begin(f)))
	}
	if today := p.Games.Today(); today > 0 {
		line := bot.Text(fmt.Sprintf("Today's dailies, number %d: ", today))
		for i, f := range p.Faces {
			if i > 0 {
				line = line.With("; ")
			}
			line = line.With(bot.Slash(f.Commands.Start, "mode", "daily"), p.dailyStatus(ctx, f, today))
		}
		lines = append(lines, line.With("."))
	}
	open := p.openMatches(ctx)
	for i, m := range open {
		f := p.Faces.Of(m.Kind)
		name := matchName(f, m) + ", " + bot.Plural(m.State.Left(), "attempt") + " left"
		if i == 0 {
			p.match = &open[0]
			lines = append(lines, bot.Text(bot.Bold("Still open: "+name+"."), " Type "+howToGuess(f, m)+"."))
			continue
		}
		lines = append(lines, bot.Text("Also open: "+name+". See it with ", bot.Slash(f.Commands.Board, "mode", face.ModeName(m.Mode)), "."))
	}
	if p.Colour {
		return append(lines, bot.Text("A command begins with a slash: ", bot.Bold("/help"), " lists them, ", bot.Bold("/quit"), " leaves."))
	}
	return append(lines, bot.Text(bot.Bold("help"), " lists what you can type, Tab completes, ", bot.Bold("quit"), " leaves."))
}

// dailyStatus says how the player stands in today's puzzle of a game.
func (p *person) dailyStatus(ctx context.Context, f face.Face, today int) string {
	m, err := p.Games.Latest(ctx, p.origin(p.player), game.Target{Kind: f.Kind, Mode: game.Daily})
	if err != nil {
		return "" // not started; any other error is reported when the puzzle is asked for
	}
	if number, _ := m.Puzzle.Daily(); number != today {
		return fmt.Sprintf(" (number %d is still open)", number)
	}
	return " (" + statusWords(m) + ")"
}

// statusWords says how a match stands: "won in 3 of 6".
func statusWords(m game.Match) string {
	switch m.Status() {
	case game.Playing:
		return bot.Plural(m.State.Left(), "attempt") + " left"
	case game.Won:
		return fmt.Sprintf("won in %d of %d", m.Used(), m.Used()+m.State.Left())
	case game.Lost:
		return "lost"
	}
	return "stopped"
}

// gameName is a game's name in front of a text.
func gameName(f face.Face) string { return cmp.Or(f.Title, "Word game") }

// matchName is the game and mode of a match: "Word game, daily 326".
func matchName(f face.Face, m game.Match) string {
	if number, daily := m.Puzzle.Daily(); daily {
		return fmt.Sprintf("%s, daily %d", gameName(f), number)
	}
	return gameName(f) + ", " + face.ModeName(m.Mode)
}

func answerOf(f face.Face) string {
	if f.HasPicture() { // cards
		return "five cards on the table"
	}
	return "hidden five-letter word"
}

func begin(f face.Face) string {
	if f.HasPicture() {
		return "Type /" + f.Commands.Start + " to see the hands."
	}
	return "Type any such word to begin, such as " + f.Example + "."
}

// textLines makes lines of a text.
func textLines(text string) []bot.Line {
	var lines []bot.Line
	for line := range strings.Lines(text) {
		lines = append(lines, bot.Text(strings.TrimSuffix(line, "\n")))
	}
	return lines
}
