package game_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
)

// poker is what one player does in the poker game: "ana start solo", "ben guess
// together", "ana win daily". Without a mode it is start together, or whatever the
// player plays here.
type poker struct {
	origin     game.Origin
	verb, mode string
}

func parsePoker(p game.Location, request, text string) poker {
	f := append(strings.Fields(text), "", "")
	return poker{game.Origin{Request: game.RequestID(request), Location: p, Player: game.PlayerID(f[0])}, f[1], f[2]}
}

func (o poker) run(ctx context.Context, m *game.Manager) (game.Match, error) {
	mode := game.Mode(strings.TrimPrefix(o.mode, "together"))
	if o.verb == "start" {
		return m.StartPokle(ctx, o.origin, mode)
	}
	named := &mode
	if o.mode == "" {
		named = nil
	}
	table, err := m.PokleTable(ctx, o.origin, named)
	if err != nil {
		return game.Match{}, err
	}
	now, err := m.Board(ctx, table)
	if err != nil && !errors.Is(err, game.ErrNoMatch) {
		return now, err
	}
	switch o.verb {
	case "stop":
		return m.Stop(ctx, o.origin, table, false)
	case "manage-stop":
		return m.Stop(ctx, o.origin, table, true)
	case "hint":
		return m.HintPokle(ctx, o.origin, table)
	case "board":
		return now, err
	case "win":
		return m.GuessPokle(ctx, o.origin, table, now.Pokle.Hidden())
	case "again":
		return m.GuessPokle(ctx, o.origin, table, now.Pokle.Guesses()[0].Board)
	case "held":
		b := wrong(now.Pokle)
		b[4] = now.Pokle.Deal().Holes[1][0]
		return m.GuessPokle(ctx, o.origin, table, b)
	}
	return m.GuessPokle(ctx, o.origin, table, wrong(now.Pokle))
}

// wrong returns a board that was not guessed yet and is not the hidden one.
func wrong(s pokle.State) pokle.Board {
	free := pokle.Cards(1<<pokle.Deck - 1)
	for _, c := range s.Hidden() {
		free &^= pokle.SetOf(c)
	}
	for _, h := range s.Deal().Holes {
		free &^= h.Cards()
	}
	return pokle.Board(free.List()[s.Used() : s.Used()+pokle.BoardCards])
}

// pokerRequests numbers the requests of scripts, so that none is a repeated one.
var pokerRequests atomic.Int64

// mustPlayPoker plays a script in one place, as mustPlay does.
func mustPlayPoker(tb testing.TB, m *game.Manager, p game.Location, script string) game.Match {
	tb.Helper()
	var match game.Match
	for text := range strings.SplitSeq(script, ";") {
		var err error
		if match, err = parsePoker(p, fmt.Sprintf("script-%06d", pokerRequests.Add(1)), text).run(context.Background(), m); err != nil {
			tb.Fatalf("%s: %v", text, err)
		}
	}
	return match
}

// TestPokerRequests is the table of what each request leads to. Refused ones commit
// nothing.
func TestPokerRequests(t *testing.T) {
	lost := "ana start" + strings.Repeat("; ana guess", pokle.Attempts)
	for _, c := range []struct {
		name, before, last string
		want               error
		status             game.Status // of the match returned, "" for none
		mode               game.Mode   // of the match returned
	}{
		{"start", "", "ana start", nil, game.Playing, game.Together},
		{"start alone", "ana start", "ana start solo", nil, game.Playing, game.Solo},
		{"start the daily one", "ana start; ana start solo", "ana start daily", nil, game.Playing, game.Daily},
		{"start after a win", "ana start; ana win", "ben start", nil, game.Playing, game.Together},
		{"start after a loss", lost, "ben start", nil, game.Playing, game.Together},
		{"start alone after a win", "ana start solo; ana win", "ana start solo", nil, game.Playing, game.Solo},
		{"start while one is played", "ana start", "ben start", game.ErrRunning, game.Playing, game.Together},
		{"start alone twice", "ana start solo", "ana start solo", game.ErrRunning, game.Playing, game.Solo},
		{"start alone as another does", "ana start solo", "ben start solo", nil, game.Playing, game.Solo},
		{"start the daily one twice", "ana start daily", "ana start daily", game.ErrRunning, game.Playing, game.Daily},
		{"start the daily one after it", "ana start daily; ana win", "ana start daily", game.ErrPlayed, game.Won, game.Daily},
		{"start the daily one after stopping it", "ana start daily; ana stop", "ana start daily", game.ErrPlayed, game.Stopped, game.Daily},
		{"start the daily one as another has", "ana start daily; ana win", "ben start daily", nil, game.Playing, game.Daily},
		{"guess", "ana start", "ben guess", nil, game.Playing, game.Together},
		{"guess the board", "ana start", "ben win", nil, game.Won, game.Together},
		{"the sixth guess", lost[:strings.LastIndexByte(lost, ';')], "ben guess", nil, game.Lost, game.Together},
		{"guess without a match", "", "ana guess together", game.ErrNoMatch, "", game.Together},
		{"guess alone without a match", "ana start; ben start solo", "ana guess solo", game.ErrNoMatch, "", game.Together},
		{"guess after a win", "ana start; ana win", "ana guess", game.ErrEnded, game.Won, game.Together},
		{"guess after a loss", lost, "ana win", game.ErrEnded, game.Lost, game.Together},
		{"guess a board again", "ana start; ana guess; ana guess", "ben again", &pokle.RepeatedError{Attempt: 1}, game.Playing, game.Together},
		{"guess with a card that is held", "ana start", "ben held", &pokle.HeldError{}, game.Playing, game.Together},
		{"guess in the only one", "ana start solo", "ana guess", nil, game.Playing, game.Solo},
		{"guess in the one that is played", "ana start; ana win; ana start daily", "ana guess", nil, game.Playing, game.Daily},
		{"guess in one of two", "ana start; ana start solo", "ana guess", game.ErrWhich, "", game.Together},
		{"guess in the named one of two", "ana start; ana start solo", "ana guess together", nil, game.Playing, game.Together},
		{"guess where another has one alone", "ana start; ana start solo", "ben guess", nil, game.Playing, game.Together},
		{"stop", "ana start; ben guess", "ana stop", nil, game.Stopped, game.Together},
		{"stop by another player", "ana start; ben guess", "ben stop", game.ErrNotAllowed, game.Playing, game.Together},
		{"stop by who manages the channel", "ana start", "ben manage-stop", nil, game.Stopped, game.Together},
		{"stop twice", "ana start; ana stop", "ana stop", game.ErrEnded, game.Stopped, game.Together},
		{"hint", "ana start", "cleo hint", nil, game.Playing, game.Together},
		{"hint after a win", "ana start; ana win", "cleo hint", game.ErrEnded, game.Won, game.Together},
		{"hint without a match", "", "cleo hint", game.ErrNoMatch, "", game.Together},
		{"board", "ana start; ben guess", "cleo board", nil, game.Playing, game.Together},
		{"board of what ended last", "ana start; ana win; ana start solo; ana stop", "ana board", nil, game.Stopped, game.Solo},
		{"board without a match", "", "cleo board", game.ErrNoMatch, "", game.Together},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newMemory()
			m := newManager(s, mustLists(t, "crane", "slate"))
			clock := m.Now()
			m.Now = func() time.Time { clock = clock.Add(time.Second); return clock }
			if c.before != "" {
				mustPlayPoker(t, m, place, c.before)
			}
			was := s.state()
			got, err := parsePoker(place, "last", c.last).run(t.Context(), m)
			switch want := c.want.(type) {
			case *pokle.RepeatedError:
				var fault *pokle.RepeatedError
				if !errors.As(err, &fault) || *fault != *want {
					t.Errorf("got %v, want %v", err, want)
				}
			case *pokle.HeldError:
				var fault *pokle.HeldError
				if !errors.As(err, &fault) || fault.Player != 2 {
					t.Errorf("got %v, want a card of player 2", err)
				}
			default:
				if !errors.Is(err, c.want) {
					t.Errorf("got %v, want %v", err, c.want)
				}
			}
			if got.ID != "" != (c.status != "") || c.status != "" && (got.Status() != c.status || got.Mode != c.mode) {
				t.Errorf("got %v, %q, want it %s and %q", got, got.Mode, c.status, c.mode)
			}
			if changed := !reflect.DeepEqual(s.state(), was); changed != (err == nil && !strings.HasSuffix(c.last, "board")) {
				t.Errorf("it changed something: %t (%v)", changed, err)
			}
		})
	}
}

// TestDaily: the puzzle is the same for everybody on a day, and another the next
// day; one that was begun can be finished the day after.
func TestDaily(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate"))
	now := time.Date(2026, 11, 21, 23, 59, 59, 0, time.UTC)
	m.Now = func() time.Time { return now }
	if got := m.Today(); got != 325 {
		t.Errorf("2026-11-21 has the number %d, want 325", got)
	}
	elsewhere := game.Location{Guild: "h", Channel: "d"}
	ana := mustPlayPoker(t, m, place, "ana start daily; ana guess")
	ben := mustPlayPoker(t, m, elsewhere, "ben start daily; ben win")
	if ana.Day != 325 || ana.Pokle.Hidden() != ben.Pokle.Hidden() || ana.Pokle.Deal() != ben.Pokle.Deal() {
		t.Errorf("the puzzles of one day differ: %v, %v", ana, ben)
	}
	now = now.Add(time.Second)
	match := mustPlayPoker(t, m, place, "ana guess daily")
	if match.Day != 325 || match.Used() != 2 {
		t.Errorf("after midnight the guess is the %d. of puzzle %d", match.Used(), match.Day)
	}
	next := mustPlayPoker(t, m, elsewhere, "ben start daily")
	if next.Day != 326 || next.Pokle.Deal() == ben.Pokle.Deal() {
		t.Errorf("the next day has puzzle %d", next.Day)
	}
	mustPlayPoker(t, m, place, "ana start daily")
	if match := mustPlayPoker(t, m, place, "ana board daily"); match.Day != 326 {
		t.Errorf("today's puzzle is hidden by number %d", match.Day)
	}
	now = now.Add(48 * time.Hour)
	if _, err := parsePoker(place, "late", "ana guess daily").run(t.Context(), m); !errors.Is(err, game.ErrNoMatch) {
		t.Errorf("a guess two days later: %v, want no match", err)
	}
}

// TestPokerElsewhere: a match of somebody's own that was begun in another channel
// is meant only where it is named.
func TestPokerElsewhere(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate"))
	mustPlayPoker(t, m, game.Location{Guild: "g", Channel: "other"}, "ana start solo")
	mustPlayPoker(t, m, place, "ben start")
	if match := mustPlayPoker(t, m, place, "ana guess"); match.Mode != game.Together {
		t.Errorf("the guess went to a %q match", match.Mode)
	}
	if match := mustPlayPoker(t, m, place, "ana guess solo"); match.Mode != game.Solo || match.Used() != 1 {
		t.Errorf("the guess went to a %q match, and is its %d.", match.Mode, match.Used())
	}
}

// TestPokerRepeated delivers random requests again later: each leads to the same
// match and changes nothing.
func TestPokerRepeated(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane", "slate"))
	m.Boards = &boards.Solver{Time: time.Nanosecond} // whatever it proposes
	now := m.Now()
	m.Now = func() time.Time { return now }
	random := rand.New(rand.NewPCG(3, 4))
	places := []game.Location{{Guild: "g", Channel: "c1"}, {Guild: "g", Channel: "c2"}, {Channel: "c3"}}
	verbs := []string{"start", "guess", "guess", "guess", "guess", "win", "stop", "hint"}
	modes := []string{"together", "solo", "daily"}
	type accepted struct {
		poker
		led game.Match
	}
	var requests []accepted
	for i := range 400 {
		text := fmt.Sprintf("p%d %s %s", random.IntN(3), verbs[random.IntN(len(verbs))], modes[random.IntN(len(modes))])
		o := parsePoker(places[random.IntN(len(places))], fmt.Sprintf("r%04d", i), text)
		before := s.state()
		led, err := o.run(t.Context(), m)
		if err == nil && !reflect.DeepEqual(s.state(), before) {
			requests = append(requests, accepted{o, led})
		}
		if random.IntN(50) == 0 {
			now = now.Add(24 * time.Hour)
		}
		if len(requests) == 0 {
			continue
		}
		r := requests[random.IntN(len(requests))]
		if r.mode == "daily" && r.led.Day != m.Today() || r.verb == "win" {
			continue // it would go to another day's match, or be another guess
		}
		was := s.state()
		got, err := r.run(t.Context(), m)
		if r.verb == "start" || r.verb == "stop" || r.verb == "hint" {
			if err != nil || !reflect.DeepEqual(got, r.led) {
				t.Fatalf("%s %s again: %v, %v; it led to %v", r.verb, r.mode, got, err, r.led)
			}
		}
		if !reflect.DeepEqual(s.state(), was) {
			t.Fatalf("%s %s again changed something", r.verb, r.mode)
		}
	}
	if len(requests) < 100 {
		t.Errorf("only %d requests were accepted", len(requests))
	}
}

// TestOneState: a match is of exactly one of the games.
func TestOneState(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate"))
	word := mustPlay(t, m, place, "ana start; ana guess slate")
	poker := mustPlayPoker(t, m, place, "ana start; ana guess; ana hint; ana guess; ana win")
	for _, match := range []game.Match{word, poker, word.Rewind(1), poker.Rewind(1)} {
		if (match.Wordle == wordle.State{}) == (match.Pokle == pokle.State{}) {
			t.Errorf("%v has both states, or none", match)
		}
		record, err := game.EncodeMatch(match)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := game.DecodeMatch(record); err != nil || !reflect.DeepEqual(got, match) {
			t.Errorf("%v is stored as %s and read as %v, %v", match, record, got, err)
		}
	}
	record, err := game.EncodeMatch(poker)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"both":                     {`"pokle":`, `"hidden":"crane","pokle":`},
		"none":                     {`"pokle":`, `"other":`},
		"a board that is held":     {`"hidden":"`, `"hidden":"` + poker.Pokle.Deal().Holes[0][0].Plain() + " "},
		"a guess of the word game": {`"board":`, `"guess":"slate","other":`},
	} {
		if _, err := game.DecodeMatch([]byte(strings.Replace(string(record), change[0], change[1], 1))); !errors.Is(err, game.ErrDamaged) {
			t.Errorf("%s: %v, want it damaged", name, err)
		}
	}
}

// TestFinishedOfBoth: the last match of a channel is the one that ended last, of
// whichever game.
func TestFinishedOfBoth(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate"))
	now := m.Now()
	m.Now = func() time.Time { now = now.Add(time.Second); return now }
	look := func(want game.Match) {
		t.Helper()
		if got, err := m.Finished(t.Context(), place, 0); err != nil || got.Match.ID != want.ID {
			t.Errorf("the last one is %v, %v, want %v", got.Match, err, want)
		}
	}
	poker := mustPlayPoker(t, m, place, "ana start; ana win")
	look(poker)
	word := mustPlay(t, m, place, "ana start; ana guess crane")
	look(word)
	mustPlayPoker(t, m, place, "ana start; ana guess")
	look(word)
	look(mustPlayPoker(t, m, place, "ana win"))
}
