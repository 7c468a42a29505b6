package terminal

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/terminal/tty"
	"fivefold/game"
	"fivefold/game/pokle"
)

// Location is the local channel. It counts as a server, so it has a leaderboard.
var Location = game.Location{Guild: "local", Channel: "local"}

// Terminal plays in the local channel. Bot, In, Out and Player must be set.
type Terminal struct {
	Bot *bot.Bot
	In  io.Reader
	Out io.Writer
	// Player owns the terminal: this player may manage the channel, and is the one
	// typing until "as NAME" changes that.
	Player game.PlayerID
	// Colour means that Out shows colours, and control sequences if it is a terminal.
	Colour bool
	// Notice is shown before anything else, to programs too.
	Notice string
	// Welcome is shown at the start to a person typing, not to a program that sends
	// lines.
	Welcome string
	// First is answered as if it were the first line, unless it is empty.
	First string
	// Solve is set if the player is here for help with a word puzzle: see [helper].
	Solve bool
	// PokleSolve is the same for a puzzle of the poker game.
	PokleSolve bool
	// CanGuess reports whether a word is in the list, to tell an unusual guess from a command,
	// or from a mistyped one; nil if it makes no difference.
	CanGuess func(word string) bool

	// Games and Faces are set if the player is here to play: a person then sees the board
	// of the game, and a word or board alone is a guess in it.
	Games *game.Manager
	Faces face.Faces
	// HistoryFile keeps the lines that a person has typed; empty to forget them.
	HistoryFile string
	// Environ describes the terminal to what draws on it: NAME=value, as os.Environ
	// returns it.
	Environ []string
}

// Run reads lines and answers them until the input or ctx ends, or the player
// leaves. If In and Out are both a terminal, a person is typing: lines can be edited and
// completed, and the board is drawn in place if there are colours; otherwise only the
// replies are printed.
func (t *Terminal) Run(ctx context.Context) error {
	if tty.IsTerminal(t.In) && tty.IsTerminal(t.Out) {
		return t.interact(ctx)
	}
	return t.stream(ctx)
}

// maxLine is how many bytes of a line of a stream are read, and how many characters of one that
// is typed; the rest is ignored.
const maxLine = 1 << 12

// stream answers lines that do not come from a terminal.
func (t *Terminal) stream(ctx context.Context) error {
	lines := bufio.NewReaderSize(t.In, maxLine)
	s := session{t, t.Player}
	answer := func(line string) (bool, error) {
		reply, more := s.answer(ctx, line)
		text := Draw(reply, t.Colour)
		if text != "" {
			text += "\n" // as there is no prompt, an empty line separates replies
		}
		_, err := io.WriteString(t.Out, text)
		return more, err
	}
	if _, err := io.WriteString(t.Out, t.Notice); err != nil {
		return err
	}
	if more, err := answer(t.First); err != nil || !more {
		return err
	}
	return serve(ctx, func() (string, error) {
		begin, more, err := lines.ReadLine()
		line := string(begin)
		for more && err == nil {
			_, more, err = lines.ReadLine()
		}
		return line, err
	}, answer)
}

// serve passes each line to answer until there are no more, answer says to stop, or
// ctx ends. A read in progress is then abandoned: it cannot be interrupted.
func serve(ctx context.Context, read func() (string, error), answer func(string) (more bool, err error)) error {
	type input struct {
		line string
		err  error
	}
	inputs := make(chan input)
	next := make(chan struct{}, 1)
	defer close(next)
	go func() {
		for range next {
			line, err := read()
			select {
			case inputs <- input{line, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		next <- struct{}{}
		select {
		case <-ctx.Done():
			return nil
		case i := <-inputs:
			if errors.Is(i.err, io.EOF) {
				return nil
			}
			if i.err != nil {
				return fmt.Errorf("reading commands: %w", i.err)
			}
			more, err := answer(i.line)
			if err != nil || !more {
				return err
			}
		}
	}
}

// session is a terminal with the player who is typing.
type session struct {
	*Terminal
	player game.PlayerID
}

// answer returns the reply to a line, and whether to go on.
func (s *session) answer(ctx context.Context, line string) (reply bot.Reply, more bool) {
	ctx = game.WithWaiting(ctx)
	line = strings.TrimSpace(line)
	if line == "" || leaves(line) {
		return bot.Reply{}, line == ""
	}
	player, line, said := s.speaker(line)
	if line == "" {
		return said, true
	}
	h := s.helper()
	if h != nil {
		if line, said = h.read(line, s.Terminal); line == "" {
			return said, true
		}
	}
	p, err := parse(line, s.Bot.Table.Commands)
	if guess, ok := s.bareGuess(line, p, err); ok && s.Games != nil {
		return s.guessBare(ctx, player, guess), true
	}
	if err != nil {
		return bot.Ephemeral(bot.Text(err.Error())), true
	}
	reply = s.handle(ctx, player, p)
	if h != nil {
		reply = h.inShorthand(reply)
	}
	return reply, true
}

// bareGuess returns the command that a line means if it is a guess without its command: a word
// or a board alone.
func (s *session) bareGuess(line string, c parsed, err error) (parsed, bool) {
	if strings.HasPrefix(line, "/") {
		return parsed{}, false
	}
	for _, f := range s.Faces {
		args := map[string]string{f.Guess.Name: line}
		if _, wrong := f.ReadGuess(line); wrong != nil {
			continue
		}
		if err == nil && (c.command != f.Commands.Guess || len(c.args) == 0) {
			return parsed{}, false // "stats" and "guess" are commands, and words too
		}
		if all := s.Bot.Table.Commands; err != nil && (beginningWith(line, all) != "" || endingIn(line, all) != "") {
			return parsed{}, false // "pokle" and "board" more likely mean a command
		}
		return parsed{command: f.Commands.Guess, args: args}, true
	}
	return parsed{}, false
}

// guessBare carries out a guess without its command. It starts a game if there is none.
func (s *session) guessBare(ctx context.Context, player game.PlayerID, guess parsed) bot.Reply {
	f, _ := s.faceOf(guess.command)
	if s.playing(ctx, player, f, game.Current) {
		return s.handle(ctx, player, guess)
	}
	start := s.handle(ctx, player, parsed{command: f.Commands.Start})
	if !s.playing(ctx, player, f, game.Current) {
		return start
	}
	reply := s.handle(ctx, player, guess)
	m, err := s.Games.Latest(ctx, s.origin(player), game.Target{Kind: f.Kind})
	if err == nil && m.Used() > 0 {
		start.Lines = start.Lines[:1] // the reply shows the board
	}
	return withLines(start, reply.Lines...)
}

// playing reports whether a guess would go to a game that is on. Whatever makes that unknown is
// what the guess will be refused for.
func (s *session) playing(ctx context.Context, player game.PlayerID, f face.Face, mode game.Mode) bool {
	m, err := s.Games.Latest(ctx, s.origin(player), game.Target{Kind: f.Kind, Mode: mode})
	return err != nil && !isNoMatch(err) || err == nil && m.Status() == game.Playing
}

// faceOf returns the game that a command is about.
func (s *session) faceOf(command string) (face.Face, bool) {
	for _, f := range s.Faces {
		c := f.Commands
		if slices.Contains([]string{c.Start, c.Guess, c.Hint, c.Board, c.Stop}, command) {
			return f, true
		}
	}
	return face.Face{}, false
}

func (s *session) origin(player game.PlayerID) game.Origin {
	return game.Origin{Request: NewRequestID(), Location: Location, Player: player}
}

// leaves reports whether a line ends the program.
func leaves(line string) bool {
	line = strings.ToLower(strings.TrimPrefix(line, "/"))
	return line == "quit" || line == "exit"
}

// speaker returns the player who types a line, and the rest of the line. For "as NAME" alone
// there is no rest, and the reply says who types from now on, or what is wrong.
func (s *session) speaker(line string) (player game.PlayerID, rest string, said bot.Reply) {
	words := strings.Fields(line)
	switch {
	case !strings.EqualFold(strings.TrimPrefix(words[0], "/"), "as"), areCards(words):
		return s.player, line, bot.Reply{}
	case len(words) < 2:
		return s.player, "", bot.Ephemeral(bot.Text("Say who types from now on: as NAME."))
	case !IsName(words[1]):
		return s.player, "", bot.Ephemeral(bot.Text("A name has no spaces and at most 32 bytes; most letters are one byte."))
	}
	player = game.PlayerID(words[1])
	if len(words) == 2 {
		s.player = player
		return player, "", bot.Ephemeral(bot.Text(fmt.Sprintf("You are %s now.", player)))
	}
	return player, strings.Join(words[2:], " "), bot.Reply{}
}

// areCards reports whether words of which the first is "as" begin with a board or a deal, or most
// of one, and the ace of spades is its first card: "as" is not in front of a name then. With a
// name in front of a board there are seven cards or more, if the name could be a card.
func areCards(words []string) bool {
	n := 0
	for _, word := range words {
		cards, err := pokle.ParseCards(word)
		if err != nil || len(cards) == 0 {
			break
		}
		n += len(cards)
	}
	return n > 2 && n <= pokle.Players*pokle.HoleCards
}

// handle carries out a command. Nobody else sees the reply, so it is in the player's look.
func (s *session) handle(ctx context.Context, player game.PlayerID, p parsed) bot.Reply {
	reply := s.Bot.Handle(ctx, bot.Request{
		ID:        NewRequestID(),
		Location:  Location,
		Surface:   bot.InTerminal,
		Player:    player,
		Name:      string(player),
		MayManage: player == s.Player,

		MayManageServer: player == s.Player,

		Command: p.command,
		Args:    p.args,
	})
	if p.command == bot.NameHelp || p.command == bot.NameSolveHelp {
		reply = withLines(reply, s.help()...)
	}
	return reply.In(s.look(ctx, player))
}

// look returns a player's look, the standard one if it cannot be read.
func (s *session) look(ctx context.Context, player game.PlayerID) bot.Look {
	if s.Bot.Look == nil {
		return bot.Look{}
	}
	own, err := s.Bot.Look(ctx, player)
	if err != nil && ctx.Err() == nil {
		s.Bot.Log.Warn("could not read a player's look; the standard one is used", "player", player, "error", err)
	}
	return own
}

func withLines(r bot.Reply, more ...bot.Line) bot.Reply {
	r.Lines = append(slices.Clip(r.Lines), more...)
	return r
}

// help describes what only a terminal has.
func (s *session) help() []bot.Line {
	lines := []bot.Line{bot.Text("In this terminal: as NAME changes who types, quit leaves, and the slash may be left out.")}
	if s.Colour {
		lines = append(lines, bot.Text("Tiles here: [A] is green, (A) is yellow, A alone is black."))
	}
	return lines
}

// NewRequestID returns an identifier that no other request has. It sorts after the
// earlier ones.
func NewRequestID() game.RequestID {
	return game.RequestID(fmt.Sprintf("local-%019d-%s", time.Now().UnixNano(), rand.Text()[:8]))
}

// IsName reports whether a player can have the name: 1 to 32 bytes of printable
// characters without spaces.
func IsName(name string) bool {
	for _, r := range name {
		if !unicode.IsPrint(r) || r == ' ' {
			return false
		}
	}
	return name != "" && len(name) <= 32
}
