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

	"golang.org/x/term"

	"fivefold/bot"
	"fivefold/game"
)

// Location is the local channel. It counts as a server, so it has a leaderboard.
var Location = game.Location{Guild: "local", Channel: "local"}

// Terminal plays in the local channel. All fields but Welcome must be set.
type Terminal struct {
	Bot *bot.Bot
	In  io.Reader
	Out io.Writer
	// Player owns the terminal: this player may manage the channel, and is the one
	// typing until "as NAME" changes that.
	Player game.PlayerID
	// Colour means that Out shows colours.
	Colour bool
	// Welcome is shown at the start to a person typing, not to a program that sends
	// lines.
	Welcome string
	// First is answered as if it were the first line, unless it is empty.
	First string
	// Solve is set if the player is here for help with a word puzzle: see [helper].
	Solve bool
	// PokleSolve is the same for a puzzle of the poker game.
	PokleSolve bool
	// CanGuess reports whether a word is in the list, to tell an unusual guess from a
	// mistyped command in Solve; nil if it makes no difference.
	CanGuess func(word string) bool
}

// Run reads lines and answers them until the input or ctx ends, or the player
// leaves. If In and Out are both a terminal, lines can be edited and have a history;
// otherwise only the replies are printed.
func (t *Terminal) Run(ctx context.Context) error {
	in, inIsFile := t.In.(*os.File)
	out, outIsFile := t.Out.(*os.File)
	if inIsFile && outIsFile && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd())) {
		return t.edit(ctx, in, out)
	}
	return t.stream(ctx)
}

// maxLine is how many bytes of a line of a stream are read; the rest is ignored.
const maxLine = 1 << 12

// stream answers lines that do not come from a terminal.
func (t *Terminal) stream(ctx context.Context) error {
	lines := bufio.NewReaderSize(t.In, maxLine)
	s := session{t, t.Player}
	answer := func(line string) (bool, error) {
		reply, more := s.answer(ctx, line)
		if reply != "" {
			reply += "\n" // as there is no prompt, an empty line separates replies
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

// edit answers lines typed at a terminal.
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
			// After an error the previous size stays: at worst, long lines wrap
			// badly.
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
	// Whatever comes next in this terminal starts on a new line.
	_, newline := io.WriteString(out, "\r\n")
	return errors.Join(err, newline)
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
	h := s.helper()
	if h != nil {
		var said bot.Reply
		if line, said = h.read(line, s.Terminal); line == "" {
			return Draw(said, s.Colour), true
		}
	}
	p, err := parse(line, s.Bot.Table.Commands)
	if err != nil {
		return printable(err.Error()) + "\n", true
	}
	shown := s.Bot.Handle(ctx, bot.Request{
		ID:        NewRequestID(),
		Location:  Location,
		Player:    player,
		MayManage: player == s.Player,
		Command:   p.command,
		Args:      p.args,
	})
	if h != nil {
		shown = h.inShorthand(shown)
	}
	reply = Draw(shown, s.Colour)
	if p.command == bot.NameHelp || p.command == bot.NameSolveHelp {
		reply += s.help()
	}
	return reply, true
}

// help describes what only a terminal has.
func (s *session) help() string {
	text := "In this terminal: as NAME changes who types, quit leaves, and the slash may be left out.\n"
	if s.Colour {
		text += "Tiles here: [A] is green, (A) is yellow, A alone is black.\n"
	}
	return text
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

// complete completes a command's name, or the value of its first option, when the
// player presses tab: as far as all candidates agree.
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
		for _, choice := range s.Bot.Complete(ctx, bot.Request{Location: Location, Player: s.player, Command: c.Name}, c.Options[0].Name, typed) {
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
