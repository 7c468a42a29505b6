package pokle

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
)

// newGame returns a game with the deal of the sample readme and one of its boards.
func newGame(tb testing.TB) State {
	tb.Helper()
	return NewState(mustSample(tb, "readme").deal(), mustBoard(tb, "2H 3H 4H JC 5H"))
}

// play returns the game after the guesses, each of which must count.
func play(tb testing.TB, s State, guesses ...string) State {
	tb.Helper()
	for _, g := range guesses {
		next, err := s.Guess(mustBoard(tb, g))
		if err != nil {
			tb.Fatalf("%s: %v", g, err)
		}
		s = next
	}
	return s
}

func TestStateEnds(t *testing.T) {
	wrong := []string{"2C 3C 4C 5C 6C", "2D 3D 4D 5D 6D", "2S 3S 4S 5S 6S", "2C 3D 4S 5S 6S", "2D 3D 4S 5S 6S", "2C 3C 4S 5S 6S"}
	for _, c := range []struct {
		name    string
		guesses []string
		want    Status
		left    int
	}{
		{"at first", nil, Playing, 6},
		{"after a wrong guess", wrong[:1], Playing, 5},
		{"found at once", []string{"2H 3H 4H JC 5H"}, Won, 5},
		{"found with the flop in another order", []string{"4H 2H 3H JC 5H"}, Won, 5},
		{"a board that is as good", []string{"2H 3H 4H JD 5H"}, Won, 5},
		{"right ranks that do not fit", []string{"2H 3H 4H JH 5H"}, Playing, 5},
		{"one attempt left", wrong[:5], Playing, 1},
		{"found at last", append(wrong[:5:5], "2H 3H 4H JC 5H"), Won, 0},
		{"not found", wrong, Lost, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := play(t, newGame(t), c.guesses...)
			if s.Status() != c.want || s.Left() != c.left || s.Used() != 6-c.left {
				t.Errorf("got %v, %d left; want %v, %d", s.Status(), s.Left(), c.want, c.left)
			}
			if next, err := s.Guess(mustBoard(t, "7C 8C 9C KC AC")); (c.want != Playing) != errors.Is(err, ErrEnded) || err != nil && next != s {
				t.Errorf("a further guess: %v, %v", next, err)
			}
		})
	}
}

func TestStateRefuses(t *testing.T) {
	s := play(t, newGame(t), "2C 3C 4C 5C 6C", "2D 3D 4D 5D 6D")
	for _, c := range []struct {
		name, guess string
		want        error
	}{
		{"repeated", "2D 3D 4D 5D 6D", &RepeatedError{2}},
		{"repeated in another order", "4C 2C 3C 5C 6C", &RepeatedError{1}},
		{"a card twice", "2C 3C 4C 5C 2C", &TwiceError{NewCard(Two, Clubs)}},
		{"a card that is held", "2C 3C 4C 5C QC", &HeldError{NewCard(Queen, Clubs), 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			next, err := s.Guess(mustBoardOf(t, c.guess))
			if !reflect.DeepEqual(err, c.want) || next != s {
				t.Errorf("got %v, %v, want %v", next, err, c.want)
			}
		})
	}
	// Turn and river do not change places.
	play(t, s, "2C 3C 4C 6C 5C")
}

func TestGuesses(t *testing.T) {
	s := play(t, newGame(t), "4H 9C JC QD 5C", "4H 3H 2H JD 5H")
	want := []Step{
		{Guess: mustBoard(t, "4H 9C JC QD 5C"), Feedback: mustFeedback(t, "geeey")},
		{Guess: mustBoard(t, "4H 3H 2H JD 5H"), Feedback: AllGreen},
	}
	if got := s.Guesses(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if s.Deal() != mustSample(t, "readme").deal() || s.Hidden() != mustBoard(t, "2H 3H 4H JC 5H") {
		t.Errorf("the game has %v and %v", s.Deal(), s.Hidden())
	}
}

func mustFeedback(tb testing.TB, text string) Feedback {
	tb.Helper()
	f, err := ParseFeedback(text)
	if err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	return f
}

// TestStateHiddenOrder: games are equal whatever the order of the hidden flop, so
// it gives nothing away.
func TestStateHiddenOrder(t *testing.T) {
	if s := NewState(newGame(t).Deal(), mustBoard(t, "4H 2H 3H JC 5H")); s != newGame(t) {
		t.Error("the order of the hidden flop makes another game")
	}
}

func TestRewind(t *testing.T) {
	start := newGame(t)
	one := play(t, start, "2C 3C 4C 5C 6C")
	two := play(t, one, "2H 3H 4H JD 5H")
	if two.Rewind(1) != one || two.Rewind(0) != start || two.Rewind(2) != two {
		t.Error("rewinding does not give the earlier game")
	}
}

func TestStatePrintsWithoutHiddenBoard(t *testing.T) {
	s := play(t, newGame(t), "7C 8C 9C KC AC")
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("text", "state", s)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("json", "state", s)
	texts := []string{log.String()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		texts = append(texts, fmt.Sprintf(verb, s))
	}
	for _, text := range texts {
		for _, c := range s.Hidden() {
			if strings.Contains(text, c.String()) || strings.Contains(text, c.Plain()) {
				t.Errorf("printed: %s", text)
			}
		}
		if strings.Contains(text, fmt.Sprintf("%d", s.hidden)) || strings.Contains(text, "hidden") {
			t.Errorf("printed: %s", text)
		}
	}
	if !strings.Contains(log.String(), "playing after 1 guesses") {
		t.Errorf("the log has %s", log.String())
	}
}

// FuzzState plays boards from the text: a refused one changes nothing, and a game
// is won exactly with all green.
func FuzzState(f *testing.F) {
	f.Add("2H 3H 4H JD 5H")
	f.Add("2C 3C 4C 5C 6C 2C 4C 3C 5C 6C 2H 3H 4H JH 5H QC 2C 3C 4C 5C 2H 3H 4H JC 5H 7C 8C 9C KC AC")
	f.Fuzz(func(t *testing.T, text string) {
		s := newGame(t)
		var b Board
		for n := 0; ; n++ {
			c, rest, err := cutCard(strings.TrimLeftFunc(text, separates))
			if err != nil {
				break
			}
			b[n%BoardCards] = c
			text = rest
			if n%BoardCards != BoardCards-1 {
				continue
			}
			next, err := s.Guess(b)
			switch {
			case err != nil && next != s:
				t.Fatalf("a refused guess changed the game: %v", err)
			case err == nil && next.Used() != s.Used()+1:
				t.Fatalf("%d guesses after %d", next.Used(), s.Used())
			case err == nil && next.Rewind(s.Used()) != s:
				t.Fatal("rewinding one guess is not the game before")
			}
			s = next
		}
		if s.Used() > Attempts || (s.Status() == Won) != (s.Used() > 0 && s.Guesses()[s.Used()-1].Feedback == AllGreen) {
			t.Fatalf("impossible game: %v", s)
		}
	})
}
