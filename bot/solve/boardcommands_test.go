package solve

import (
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/bottest"
)

func TestBoardsRefuse(t *testing.T) {
	b := newBot(t)
	b.Ask(dm, "ana", "solve boards", "new", "4", "guess", "crane", "feedback", "bbygb bbbbb ggggg bbbbb")
	b.Ask(dm, "ana", "solve boards", "guess", "toils", "feedback", "bbbbb bbbbb bbbbb")
	b.Ask(dm, "done", "solve boards", "new", "2", "guess", "crane", "feedback", "ggggg ggggg")
	for _, c := range []struct {
		player, command string
		args            []string
		want            string
	}{
		{"ana", "boards", []string{"feedback", "bbbbb bbbbb bbbbb bbbbb"}, "Enter five marks for each open board: 1, 2 and 4."},
		{"ana", "boards", []string{"feedback", "ggggg"}, "Enter five marks for each open board: 1, 2 and 4."},
		{"ana", "boards", []string{"feedback", "bbbbb bbb bbbbb"}, "“bbb” has 3 marks. It takes five"},
		{"ana", "boards", []string{"feedback", "bbbbb bbbbb bbbbz"}, "“bbbbz” has something I can't read at position 5."},
		{"ana", "boards", []string{"guess", "crane"}, "You already have that word in line 1. Wrong colours? Take back the lines from there: /solve boards undo."},
		{"ana", "boards", []string{"guess", "cr4ne"}, "A guess is one word of five letters, A to Z."},
		{"ana", "boards", []string{"new", "3"}, "new can be no, 2, 4 or 8, not “3”."},
		{"ana", "change", []string{"board", "3", "line", "2", "feedback", "bbbbb"}, "The last line is line 2. See them all: /solve boards."},
		{"ana", "change", []string{"board", "9", "line", "1", "feedback", "bbbbb"}, "The last line is line 2."},
		{"ana", "change", []string{"board", "3", "line", "1", "feedback", "bbbbb"}, "All green means found, but more lines follow. Take them back first: /solve boards undo."},
		{"done", "boards", []string{"guess", "slate"}, "This puzzle is over. Begin the next one: /solve boards 4, or take back the last line: /solve boards undo."},
		{"nobody", "boards", []string{"feedback", "bbbbb"}, "How many boards does your puzzle have?"},
	} {
		mustRefuse(t, strings.Join(append(c.args, c.command), " "), c.want, func() bot.Reply { return b.Ask(dm, c.player, "solve "+c.command, c.args...) },
			func() bot.Reply { return b.Ask(dm, c.player, "solve boards") })
	}
}

// TestBoardButtons enters the feedback of eight boards by buttons, of which some are found.
func TestBoardButtons(t *testing.T) {
	b := newBot(t)
	reply := b.Ask(dm, "ana", "solve boards", "new", "8", "guess", "crane", "feedback", "bbygb bbbbb ggggg bbbbb bbbgg ybbbb bbbbb bybbb")
	old := bottest.MustFind(t, reply, "Next board")
	reply = b.Ask(dm, "ana", "solve boards", "guess", "toils")
	if again := b.Press(dm, "ana", old); !strings.Contains(again.String(), "What colours did it get on board 1?") {
		t.Errorf("a button of another guess leads to\n%s", again)
	}
	for i, number := range []string{"1", "2", "4", "5", "6", "7", "8"} {
		if !strings.Contains(reply.String(), "What colours did it get on board "+number+"?") {
			t.Fatalf("after %d boards, it asks\n%s", i, reply)
		}
		reply = b.Press(dm, "ana", bottest.MustFind(t, reply, "T"))
		reply = b.Press(dm, "ana", bottest.MustFind(t, reply, []string{"Next board", "Enter"}[i/6]))
	}
	if text := reply.String(); !strings.Contains(text, "8 CRANE bybbb TOILS ybbbb: ") || !strings.Contains(text, "3 CRANE ggggg: found.") || !strings.HasPrefix(text, "Guess 3 of 13: ") {
		t.Errorf("the line entered leads to\n%s", text)
	}
}

// TestBoardContradiction: the reply says on which board which line may be wrong, and a button corrects it.
func TestBoardContradiction(t *testing.T) {
	b := newBot(t)
	b.Ask(dm, "ana", "solve boards", "new", "2", "guess", "sloth", "feedback", "bbbbb bbbbb")
	reply := b.Ask(dm, "ana", "solve boards", "guess", "abbey", "feedback", "bbbbb ggggy")
	if text := reply.String(); !strings.Contains(text, "2 SLOTH bbbbb ABBEY ggggy: No word I know fits. No word fits line 2, even on its own.") || !strings.Contains(text, "try ") {
		t.Errorf("the contradiction is answered by\n%s", text)
	}
	reply = b.Press(dm, "ana", bottest.MustFind(t, reply, "Board 2, line 2: ggggg"))
	if text := reply.String(); !strings.Contains(text, "2 SLOTH bbbbb ABBEY ggggg: found.") || strings.Contains(text, "No word I know fits") {
		t.Errorf("corrected, it is\n%s", text)
	}
}
