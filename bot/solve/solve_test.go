package solve

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/game"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/multi"
	"fivefold/solver/poker"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
)

var (
	server = game.Location{Guild: "g", Channel: "c"}
	dm     = game.Location{Channel: "dm"}
)

// testBot asks a bot with the commands of this package, and has what they work with.
type testBot struct {
	bottest.Asker
	*Handlers
	log bytes.Buffer // must be empty at the end of a test
}

// newBot returns a bot on a new store.
func newBot(tb testing.TB) *testBot {
	tb.Helper()
	lists := wordletest.Embedded(tb)
	store := storage.New(&orderedtest.Memory{}, nil, storage.Options{})
	b := &testBot{}
	tb.Cleanup(func() {
		if err := store.Close(); err != nil || b.log.Len() > 0 {
			tb.Errorf("closing the store: %v; the log has %s", err, &b.log)
		}
	})
	words := weighted.New(lists)
	words.SuggestTime = 0 // the same suggestions on a slow machine
	b.Handlers = &Handlers{
		Words: &solve.Words{Store: store, Solver: words, Boards: multi.New(lists)},
		Cards: &solve.Cards{Store: store, Solver: &poker.Solver{SuggestTime: time.Minute}},
		Lists: lists,
		Log:   slog.New(slog.NewTextHandler(&b.log, nil)),
	}
	b.Bot = &bot.Bot{Table: bot.Table{Commands: append(b.WordCommands(), b.CardCommand())}, Log: b.Log}
	return b
}

// damagedSessions is a store whose sessions cannot be read until they are replaced.
type damagedSessions struct {
	solve.Store
	replaced bool
}

func (s *damagedSessions) Session(ctx context.Context, player game.PlayerID) (solve.Session, error) {
	if !s.replaced {
		return solve.Session{}, solve.ErrUnreadable
	}
	return s.Store.Session(ctx, player)
}

func (s *damagedSessions) CommitSession(ctx context.Context, session solve.Session) error {
	err := s.Store.CommitSession(ctx, session)
	s.replaced = err == nil
	return err
}

// TestDamagedSession: a player whose puzzles cannot be read is told so once, whatever the
// command, and can start again.
func TestDamagedSession(t *testing.T) {
	const want = "I can't read your puzzles and your record any more: their data is damaged. I've put it aside; " +
		"start again with /solve new or /pokle solve.\n"
	for _, command := range []string{"solve next", "solve record", "solve boards", "pokle solve"} {
		b := newBot(t)
		store := &damagedSessions{Store: b.Words.Store}
		b.Words.Store, b.Cards.Store = store, store
		if reply := b.Ask(server, "ana", command); reply.String() != want || reply.Audience != bot.Asker {
			t.Errorf("/%s: got\n%s", command, reply)
		}
		if reply := b.Ask(server, "ana", "solve next"); !strings.HasPrefix(reply.String(), "Guess 1 of 6: try ") {
			t.Errorf("after /%s, /solve next: got\n%s", command, reply)
		}
	}
}

// mustRefuse checks that a request is refused with these words and changes nothing.
func mustRefuse(t *testing.T, step, want string, ask, show func() bot.Reply) {
	t.Helper()
	before := show().String()
	if reply := ask(); !strings.Contains(reply.String(), want) || reply.Audience != bot.Asker || reply.InPlace {
		t.Errorf("%s is answered by %q, want %q", step, reply, want)
	}
	if after := show().String(); after != before {
		t.Errorf("%s is refused, and changes\n%s to\n%s", step, before, after)
	}
}

// TestOldButtons: buttons of earlier messages change nothing, and the replies show where the player is.
func TestOldButtons(t *testing.T) {
	for _, c := range []struct {
		command, now string
		begin, enter []string
	}{
		{"solve next", "CRANE\n372 words fit.", []string{"guess", "crane"}, []string{"guess", "crane", "feedback", "bbbbg"}},
		{"solve boards", "1 CRANE bbbbg: 372 left.\n2 CRANE bbbbb: 1368 left.", []string{"guess", "crane", "new", "2"}, []string{"guess", "crane", "feedback", "bbbbg bbbbb"}},
		{"pokle solve", "10♠\n3 possible boards", []string{"deal", ExampleDeal}, []string{"guess", "10C 10D JC QH 10S", "feedback", "ygygy"}},
	} {
		b := newBot(t)
		first := b.Ask(dm, "ana", c.command, c.begin...)
		now := b.Ask(dm, "ana", c.command, c.enter...)
		pressed := 0
		for _, old := range first.Buttons() {
			if old.Args[argAt] == "" {
				continue
			}
			pressed++
			got := b.Press(dm, "ana", old)
			if !strings.Contains(got.String(), "You've moved on since that button.") || !strings.Contains(got.String(), c.now) || !got.InPlace {
				t.Errorf("the old button %s %v is answered by\n%s", old.Label, old.Args, got)
			}
		}
		if again := b.Ask(dm, "ana", c.command); again.String() != now.String() || pressed < 7 {
			t.Errorf("after %d old buttons, it is\n%s\nnot\n%s", pressed, again, now)
		}
	}
}

// walk presses random buttons and sometimes enters a guess; the asker checks that Discord would accept
// each reply. Each of the labels or commands must have been pressed.
func (b *testBot) walk(t *testing.T, steps int, random *rand.Rand, command string, enter func() bot.Reply, want ...string) {
	t.Helper()
	reply := b.Ask(dm, "ana", command)
	pressed := map[string]int{}
	for range steps {
		switch all := reply.Buttons(); {
		case len(all) == 0:
			reply = b.Ask(dm, "ana", command) // after a refusal
		case random.IntN(3) == 0:
			reply = enter()
		default:
			button := all[random.IntN(len(all))]
			if i := slices.IndexFunc(all, func(b bot.Button) bool { return pressed[b.Command] == 0 }); i >= 0 {
				button = all[i] // so that each is pressed, however far the solver gets
			}
			pressed[button.Command]++
			pressed[button.Label]++
			if reply = b.Press(dm, "ana", button); reply.Form != nil {
				places := []string{"213 132 213", "213 132", "111 111 111"}
				reply = b.submit(t, "ana", reply, "QD QC", "10H 2H", "9H KH", places[random.IntN(len(places))])
			}
		}
	}
	for _, name := range want {
		if pressed[name] == 0 {
			t.Errorf("no button %s was pressed: %v", name, pressed)
		}
	}
}

// meeting is a store whose second commits wait for each other.
type meeting struct {
	solve.Store
	met sync.WaitGroup
}

func (s *meeting) CommitSession(ctx context.Context, n solve.Session) error {
	if n.Version == 2 {
		s.met.Done()
		s.met.Wait()
	}
	return s.Store.CommitSession(ctx, n)
}

// TestFeedbackIsForTheGuessShown enters the same feedback twice at the same time: the second one is
// not for what is proposed after the first.
func TestFeedbackIsForTheGuessShown(t *testing.T) {
	b := newBot(t)
	store := &meeting{Store: b.Words.Store}
	b.Words.Store = store
	b.Ask(dm, "ana", "solve next")
	store.met.Add(2)
	var both sync.WaitGroup
	replies := make([]string, 2)
	for i := range replies {
		both.Go(func() {
			replies[i] = b.Bot.Handle(t.Context(), b.Find("solve next"), bot.Request{
				ID: game.RequestID(fmt.Sprint("at-once-", i)), Location: dm, Player: "ana", Command: "solve next", Args: map[string]string{"feedback": "bbbbb"},
			}).In(bot.Look{Text: true}).String()
		})
	}
	both.Wait()
	slices.SortFunc(replies, func(a, b string) int { return len(b) - len(a) })
	if !strings.Contains(replies[0], "S grey, L grey, A grey, T grey, E grey\n") || !strings.HasPrefix(replies[1], "You already have that word in line 1.") {
		t.Errorf("the answers are\n%s\n%s", replies[0], replies[1])
	}
}

// FuzzSolve: whatever is typed or pressed, for a word or a board, is answered in bounds, and nothing goes
// wrong on our side.
func FuzzSolve(f *testing.F) {
	b := newBot(f)
	for _, seed := range [][5]string{
		{"crane", "bbygb", "", "", ""}, {"", "⬛⬜🟨 🟩0", "", "", ""}, {"bbygb", "", "", "", ""}, {"cr4ne", "bbq", "", "", ""}, {"", "", "bbygb", "", "1"},
		{"\xff", "\x00", "crane", "ßßß", "-1"}, {"ßßßßß", "b b", "", "", "99999999999999999999"},
		{"", "", "", ExampleDeal, ""}, {"4C 4H QH AC JC", "", "🟩🟨⬜ 🟨2", "", "1"}, {"", "4C 4H QH AC JC gyeyg", "", "", ""}, {"", "bbygb, bbbbb", "", "2", ""}, {"crane", "bbygb bbbbb", "", "8", ""},
		{"", "", "", "QD QC 10H 2H 9H KH 213 133 213", ""}, {"", "", "", strings.Repeat("ß", 300), ""}, {"", "", "", "10♥/Q♦️\xff/2X/213 9", ""},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3], seed[4])
	}
	f.Fuzz(func(t *testing.T, guess, feedback, marks, deal, at string) {
		args := map[string]string{"guess": guess, "feedback": feedback, "marks": marks, "deal": deal}
		boards := map[string]string{"guess": guess, "feedback": feedback, "marks": marks, "new": deal, "at": at}
		if reply := b.Press(dm, "ana", bot.Button{Command: "solve boards", Args: boards}); reply.String() == "" || reply.Audience != bot.Asker {
			t.Errorf("/solve boards %q is answered by\n%s", boards, reply)
		}
		if at != "" {
			args["at"] = at
		}
		for _, command := range []string{"solve next", "pokle solve"} {
			reply := b.Press(dm, "ana", bot.Button{Command: command, Args: args})
			if reply.String() == "" || reply.Audience != bot.Asker {
				t.Errorf("/%s %q is answered by\n%s", command, args, reply)
			}
			if command == "solve next" && strings.Contains(reply.String(), "puzzle is over") {
				b.Ask(dm, "ana", "solve new")
			}
		}
		for _, c := range b.Find("solve next").Complete(t.Context(), bot.Request{Player: "ana"}, "guess", guess) {
			// Discord's limits for both.
			if n, m := utf8.RuneCountInString(c.Name), utf8.RuneCountInString(c.Value); n < 1 || n > 100 || m < 1 || m > 100 {
				t.Errorf("%q is completed by %+v", guess, c)
			}
		}
		if b.log.Len() > 0 {
			t.Errorf("%q: the log has %s", args, &b.log)
		}
	})
}
