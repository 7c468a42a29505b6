package terminal

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"

	"fivefold/bot/solve"

	"golang.org/x/term"

	"fivefold/bot"
	"fivefold/game"
)

// Place is the local channel. It counts as a server, so it has a leaderboard.
var Place = game.Place{Guild: "local", Channel: "local"}

// Terminal plays in the local channel. All fields but Welcome must be set.
type Terminal struct {
	Bot *bot.Bot
	In  io.Reader
	Out io.Writer
	// Player is who types until "as NAME" says otherwise, and whose terminal it
	// is: that player may manage the channel.
	Player game.PlayerID
	// Colour says that Out shows colours.
	Colour bool
	// Welcome is shown at the start where somebody types, not where a program
	// sends the lines.
	Welcome string
	// First is answered as if it were the first line; empty for nothing.
	First string
	// Solve is set if the player is here to solve a word puzzle: see [shorthand].
	Solve bool
	// PokleSolve is the same for a puzzle of the poker game: see [pokleShorthand].
	PokleSolve bool
}

// Run reads lines and answers them until the input or ctx ends, or the player
// leaves. Where both ends are a terminal it edits lines and keeps a history;
// otherwise it reads them as they come and prints nothing but the replies.
func (t *Terminal) Run(ctx context.Context) error {
	in, inIsFile := t.In.(*os.File)
	out, outIsFile := t.Out.(*os.File)
	if inIsFile && outIsFile && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd())) {
		return t.edit(ctx, in, out)
	}
	return t.stream(ctx)
}

// maxLine bounds a line of a stream, in bytes; what is beyond is passed over.
const maxLine = 1 << 12

// stream answers lines that a program, a file or a person without a terminal
// sends.
func (t *Terminal) stream(ctx context.Context) error {
	lines := bufio.NewReaderSize(t.In, maxLine)
	s := session{t, t.Player}
	answer := func(line string) (bool, error) {
		reply, more := s.answer(ctx, line)
		if reply != "" {
			reply += "\n" // an empty line tells replies apart, where no prompt does
		}
		_, err := io.WriteString(t.Out, reply)
		return more, err
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

// edit answers lines that a person types.
func (t *Terminal) edit(ctx context.Context, in, out *os.File) error {
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return fmt.Errorf("preparing the terminal: %w", err)
	}
	defer term.Restore(int(in.Fd()), before)
	s := session{t, t.Player}
	editor := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{in, out}, "")
	editor.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		return s.complete(ctx, line, pos, key)
	}
	width := 80
	resize := func() {
		if w, h, err := term.GetSize(int(out.Fd())); err == nil && w > 0 {
			// An unusable size (an error here) leaves the one before, which only
			// wraps long lines badly.
			_ = editor.SetSize(w, h)
			width = w
		}
	}
	resize()
	if _, err := io.WriteString(editor, wrap(t.Welcome, width)+"\n"); err != nil {
		return err
	}
	answer := func(line string) (bool, error) {
		reply, more := s.answer(ctx, line)
		_, err := io.WriteString(editor, wrap(reply, width))
		return more, err
	}
	if more, err := answer(t.First); err != nil || !more {
		return err
	}
	err = serve(ctx, func() (string, error) {
		resize()
		editor.SetPrompt(printable(string(s.player)) + "> ")
		line, err := editor.ReadLine()
		if errors.Is(err, term.ErrPasteIndicator) {
			err = nil
		}
		return line, err
	}, answer)
	// Whatever comes next in this terminal begins on a line of its own.
	_, newline := io.WriteString(out, "\r\n")
	return errors.Join(err, newline)
}

// serve hands each line to answer until there are no more, answer says so, or
// ctx ends. A read in progress is then left behind: there is no way to end one.
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

// session is who types at the moment.
type session struct {
	*Terminal
	player game.PlayerID
}

// answer returns the reply to a line and whether to go on.
func (s *session) answer(ctx context.Context, line string) (reply string, more bool) {
	line = strings.TrimSpace(line)
	switch strings.ToLower(strings.TrimPrefix(line, "/")) {
	case "":
		return "", true
	case "quit", "exit":
		return "", false
	}
	player := s.player
	if words := strings.Fields(line); strings.EqualFold(words[0], "as") {
		if len(words) < 2 {
			return "Say who types from now on: as NAME.\n", true
		}
		if !IsName(words[1]) {
			return "A name has no spaces and at most 32 bytes; most letters are one byte.\n", true
		}
		player = game.PlayerID(words[1])
		if len(words) == 2 {
			s.player = player
			return fmt.Sprintf("You are %s now.\n", player), true
		}
		line = strings.Join(words[2:], " ")
	}
	switch {
	case s.Solve:
		line = shorthand(line, s.Bot.Table)
	case s.PokleSolve && strings.EqualFold(line, "help"):
		return Draw(inShorthand(solve.BoardHelp(), pokleShorten), s.Colour) + s.help(), true
	case s.PokleSolve:
		line = pokleShorthand(line)
	}
	p, err := parse(line, s.Bot.Table.Commands)
	if err != nil {
		return printable(err.Error()) + "\n", true
	}
	told := s.Bot.Handle(ctx, bot.Request{
		ID:        NewRequestID(),
		Place:     Place,
		Player:    player,
		MayManage: player == s.Player,
		Command:   p.command,
		Args:      p.args,
	})
	switch {
	case s.Solve:
		told = inShorthand(told, shorten)
	case s.PokleSolve:
		told = inShorthand(told, pokleShorten)
	}
	reply = Draw(told, s.Colour)
	if p.command == "wordle help" || p.command == "solve help" {
		reply += s.help()
	}
	return reply, true
}

// help tells what only a terminal has.
func (s *session) help() string {
	text := "In this terminal: as NAME changes who types, quit leaves, and the slash may be left out.\n"
	if s.Colour {
		text += "Tiles here: [A] is green, (A) is yellow, A alone is black.\n"
	}
	return text
}

// NewRequestID returns an identifier that no other request has, greater than
// those before.
func NewRequestID() game.RequestID {
	return game.RequestID(fmt.Sprintf("local-%019d-%s", time.Now().UnixNano(), rand.Text()[:8]))
}

// IsName reports whether a player can go by the name: 1 to 32 bytes that print,
// none of them a space.
func IsName(name string) bool {
	for _, r := range name {
		if !unicode.IsPrint(r) || r == ' ' {
			return false
		}
	}
	return name != "" && len(name) <= 32
}

// complete finishes, at the tab key, a command's name or the value of its
// option as far as it is certain.
func (s *session) complete(ctx context.Context, line string, pos int, key rune) (newLine string, newPos int, ok bool) {
	if key != '\t' || pos != len(line) {
		return "", 0, false
	}
	var all []string
	for _, c := range s.Bot.Table.Commands {
		name := "/" + c.Name
		if len(c.Options) > 0 {
			name += " "
		}
		if strings.HasPrefix(name, line) {
			all = append(all, name)
		}
		typed, found := strings.CutPrefix(line, "/"+c.Name+" ")
		if !found || len(c.Options) == 0 {
			continue
		}
		for _, choice := range s.Bot.Complete(ctx, bot.Request{Place: Place, Player: s.player, Command: c.Name}, c.Options[0].Name, typed) {
			all = append(all, "/"+c.Name+" "+choice.Value)
		}
		for _, choice := range c.Options[0].Choices {
			if strings.HasPrefix(choice, typed) {
				all = append(all, "/"+c.Name+" "+choice)
			}
		}
	}
	if len(all) == 0 {
		return "", 0, false
	}
	common := all[0]
	for _, s := range all {
		for !strings.HasPrefix(s, common) {
			common = common[:len(common)-1]
		}
	}
	if !strings.HasPrefix(common, line) {
		return "", 0, false
	}
	return common, len(common), true
}
