package game_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
)

// newManager returns a manager that draws the first word that it may, in
// alphabetical order.
//
// Deals of the poker game are made from quickDeal.
func newManager(store game.Store, lists *wordle.Lists) *game.Manager {
	s := solver.New(lists)
	s.SuggestTime, s.ReviewTime = time.Minute, time.Minute // the same on a slow machine
	return &game.Manager{
		Store: store, Lists: lists, Solver: s, Boards: &boards.Solver{Time: time.Minute},
		Pick: func(n int) int {
			if n == math.MaxInt {
				return quickDeal
			}
			return 0
		},
		Now: func() time.Time { return time.Date(2026, 11, 1, 12, 0, 0, 123_456_789, time.Local) },
	}
}

// quickDeal is the number of a deal that is made and listed in some milliseconds.
const quickDeal = 51

// op is one thing that a player does.
type op struct {
	origin game.Origin
	verb   string
	word   string // of a guess
}

// parse reads a player, a verb and, for guesses, a word: "ana guess slate".
func parse(place game.Location, request, text string) op {
	f := append(strings.Fields(text), "")
	return op{game.Origin{Request: game.RequestID(request), Location: place, Player: game.PlayerID(f[0])}, f[1], f[2]}
}

func (o op) run(ctx context.Context, m *game.Manager) (game.Match, error) {
	switch o.verb {
	case "start":
		return m.Start(ctx, o.origin, game.StartOptions{})
	case "start-hard":
		return m.Start(ctx, o.origin, game.StartOptions{Hard: true})
	case "guess":
		return m.Guess(ctx, o.origin, wordle.MustParse(o.word))
	case "stop":
		return m.Stop(ctx, o.origin, tableOf(o.origin), false)
	case "manage-stop":
		return m.Stop(ctx, o.origin, tableOf(o.origin), true)
	case "board":
		return m.Board(ctx, tableOf(o.origin))
	}
	return m.Hint(ctx, o.origin, game.HintKind(o.verb))
}

var place = game.Location{Guild: "g", Channel: "c"}

// mustPlay runs operations, separated by semicolons, all of which must count.
// It returns the last match.
func mustPlay(tb testing.TB, m *game.Manager, place game.Location, script string) game.Match {
	tb.Helper()
	var match game.Match
	for i, text := range strings.Split(script, ";") {
		request := fmt.Sprintf("%s-%s-%d", place.Channel, strings.ReplaceAll(script, " ", ""), i)
		var err error
		if match, err = parse(place, request[:min(len(request), 90)]+fmt.Sprint(i), text).run(context.Background(), m); err != nil {
			tb.Fatalf("%s: %v", text, err)
		}
	}
	return match
}

// TestRequests is the table of what each request leads to. Refused ones return
// the match as it stands and commit nothing.
func TestRequests(t *testing.T) {
	const lost = "ana start; ana guess slate; ana guess brick; ana guess mound; ana guess shave; ana guess grape; ana guess fuzzy"
	for _, c := range []struct {
		name, before, last string
		want               error
		status             game.Status // of the match returned, "" for none
	}{
		{"start", "", "ana start", nil, game.Playing},
		{"start after a win", "ana start; ana guess crane", "ben start", nil, game.Playing},
		{"start after a loss", lost, "ben start", nil, game.Playing},
		{"start after a stop", "ana start; ana stop", "ben start", nil, game.Playing},
		{"start while one is played", "ana start", "ben start", game.ErrRunning, game.Playing},
		{"guess", "ana start", "ben guess slate", nil, game.Playing},
		{"guess the word", "ana start", "ben guess crane", nil, game.Won},
		{"the sixth guess", lost[:strings.LastIndexByte(lost, ';')], "ben guess fuzzy", nil, game.Lost},
		{"guess without a match", "", "ana guess slate", game.ErrNoMatch, ""},
		{"guess after a win", "ana start; ana guess crane", "ana guess slate", game.ErrEnded, game.Won},
		{"guess after a loss", lost, "ana guess crane", game.ErrEnded, game.Lost},
		{"guess after a stop", "ana start; ana stop", "ana guess slate", game.ErrEnded, game.Stopped},
		{"guess an unknown word", "ana start", "ana guess zzzzz", game.ErrUnknownWord, game.Playing},
		{"guess a word again", "ana start; ana guess slate; ana guess brick", "ben guess slate", &wordle.RepeatedError{Attempt: 1}, game.Playing},
		{"guess against hard mode", "ana start-hard; ana guess slate", "ben guess brick",
			&wordle.HardModeError{Letter: 'A', Position: 3, Green: true, Times: 1}, game.Playing},
		{"the same in easy mode", "ana start; ana guess slate", "ben guess brick", nil, game.Playing},
		{"stop", "ana start; ben guess slate", "ana stop", nil, game.Stopped},
		{"stop by another player", "ana start; ben guess slate", "ben stop", game.ErrNotAllowed, game.Playing},
		{"stop by who manages the channel", "ana start", "ben manage-stop", nil, game.Stopped},
		{"stop without a match", "", "ana stop", game.ErrNoMatch, ""},
		{"stop after a win", "ana start; ana guess crane", "ana stop", game.ErrEnded, game.Won},
		{"stop after a loss", lost, "ana stop", game.ErrEnded, game.Lost},
		{"stop twice", "ana start; ana stop", "ana stop", game.ErrEnded, game.Stopped},
		{"board", "ana start; ben guess slate", "cleo board", nil, game.Playing},
		{"board after a win", "ana start; ana guess crane", "cleo board", nil, game.Won},
		{"board without a match", "", "cleo board", game.ErrNoMatch, ""},
		{"letter", "ana start", "cleo letter", nil, game.Playing},
		{"position", "ana start", "cleo position", nil, game.Playing},
		{"suggestion", "ana start", "cleo suggestion", nil, game.Playing},
		{"letter without a match", "", "cleo letter", game.ErrNoMatch, ""},
		{"position without a match", "", "cleo position", game.ErrNoMatch, ""},
		{"suggestion without a match", "", "cleo suggestion", game.ErrNoMatch, ""},
		{"letter after a win", "ana start; ana guess crane", "cleo letter", game.ErrEnded, game.Won},
		{"position after a loss", lost, "cleo position", game.ErrEnded, game.Lost},
		{"suggestion after a stop", "ana start; ana stop", "cleo suggestion", game.ErrEnded, game.Stopped},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newMemory()
			m := newManager(s, mustLists(t, "crane shave slate", "brick mound grape fuzzy"))
			var before game.Match
			if c.before != "" {
				before = mustPlay(t, m, place, c.before)
			}
			was := s.state()
			got, err := parse(place, "last", c.last).run(t.Context(), m)
			if !errors.Is(err, c.want) && !reflect.DeepEqual(err, c.want) {
				t.Fatalf("after %q, %q returned %v, want %v", c.before, c.last, err, c.want)
			}
			if c.status == "" {
				if !reflect.DeepEqual(got, game.Match{}) {
					t.Errorf("got %v, want no match", got)
				}
			} else if got.Status() != c.status {
				t.Errorf("got %v, want it %s", got, c.status)
			}
			if err != nil || strings.HasSuffix(c.last, "board") {
				if !reflect.DeepEqual(s.state(), was) {
					t.Error("something was committed")
				}
				if !reflect.DeepEqual(got, before) {
					t.Errorf("got %v, want %v as it stands", got, before)
				}
				return
			}
			if stored, err := s.Load(t.Context(), game.ChannelSlot(game.Wordle, place.Channel)); err != nil || !reflect.DeepEqual(got, stored) {
				t.Errorf("got %v, but %v is stored, %v", got, stored, err)
			}
		})
	}
}

// TestMatchIsRecorded follows who did what, and when.
func TestMatchIsRecorded(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate"))
	got := mustPlay(t, m, place, "ana start-hard; ben guess slate; cleo position; ana stop")
	at := time.Date(2026, 11, 1, 12, 0, 0, 123_000_000, time.Local).UTC()
	state, err := wordle.NewState(wordle.MustParse("crane"), true).Guess(wordle.MustParse("slate"))
	if err != nil {
		t.Fatal(err)
	}
	want := game.Match{
		ID: got.ID, Location: place, Version: 4, Starter: "ana", Started: at, Wordle: state,
		Moves: []game.Move{{Player: "ben", At: at, Version: 2}},
		Hints: []game.Hint{{Kind: game.HintPosition, Player: "cleo", At: at, Version: 3, After: 1, Letter: 'C', Position: 1}},
		Stop:  &game.Stop{Player: "ana", At: at, Version: 4},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v %+v %+v, want\n%+v %+v %+v", got, got.Moves, got.Hints, want, want.Moves, want.Hints)
	}
}

func TestRefusesImpossibleIdentifiers(t *testing.T) {
	long := strings.Repeat("x", 101)
	for name, o := range map[string]game.Origin{
		"no request":         {Request: "", Location: place, Player: "ana"},
		"a long request":     {Request: game.RequestID(long), Location: place, Player: "ana"},
		"no channel":         {Request: "r", Location: game.Location{Guild: "g"}, Player: "ana"},
		"a long channel":     {Request: "r", Location: game.Location{Channel: game.ChannelID(long)}, Player: "ana"},
		"a long guild":       {Request: "r", Location: game.Location{Guild: game.GuildID(long), Channel: "c"}, Player: "ana"},
		"a guild with NUL":   {Request: "r", Location: game.Location{Guild: "g\x00", Channel: "c"}, Player: "ana"},
		"no player":          {Request: "r", Location: place},
		"a player with NUL":  {Request: "r", Location: place, Player: "a\x00na"},
		"a player not UTF-8": {Request: "r", Location: place, Player: "a\xffna"},
	} {
		for _, verb := range []string{"start", "guess", "stop", "letter", "position", "suggestion"} {
			// The suggestion is there already, so none of them has to be committed.
			s := newMemory()
			m := newManager(s, mustLists(t, "crane", "slate"))
			mustPlay(t, m, place, "ana start; ana suggestion")
			was := s.state()
			_, err := op{o, verb, "slate"}.run(t.Context(), m)
			if !errors.Is(err, game.ErrID) {
				t.Errorf("%s, %s: %v, want ErrID", name, verb, err)
			}
			if !reflect.DeepEqual(s.state(), was) {
				t.Errorf("%s, %s: something was committed", name, verb)
			}
		}
	}
	if _, err := newManager(newMemory(), mustLists(t, "crane", "")).Start(t.Context(),
		game.Origin{Request: game.RequestID(long[1:]), Location: game.Location{Channel: "c"}, Player: "Zoë"}, game.StartOptions{}); err != nil {
		t.Errorf("identifiers that can be ones: %v", err)
	}
}

// TestHiddenWordCountsWithoutTheList: an operator may replace the lists during
// a match.
func TestHiddenWordCountsWithoutTheList(t *testing.T) {
	s := newMemory()
	mustPlay(t, newManager(s, mustLists(t, "crane", "")), place, "ana start")
	m := newManager(s, mustLists(t, "slate", ""))
	if got := mustPlay(t, m, place, "ana guess slate;ana guess crane"); got.Status() != game.Won {
		t.Errorf("got %v", got)
	}
}

// TestStoreErrorsPassThrough: what the store says of itself reaches the caller,
// and no match with it.
func TestStoreErrorsPassThrough(t *testing.T) {
	for _, c := range []struct {
		method string
		verbs  string
	}{
		{"Load", "start guess stop board letter position suggestion"},
		{"Repeated", "start guess stop letter position suggestion"},
		{"Drawn", "start"},
		{"Commit", "guess stop letter position suggestion"},
	} {
		for verb := range strings.FieldsSeq(c.verbs) {
			s := newMemory()
			mustPlay(t, newManager(s, mustLists(t, "crane shave", "slate")), place, "ana start")
			// Whether a request is a repeated one is asked only when it is refused:
			// a start in a running match, all else in an ended one.
			if refused := c.method == "Repeated"; (verb == "start") != refused {
				mustPlay(t, newManager(s, mustLists(t, "crane shave", "slate")), place, "ana guess slate; ana stop")
			}
			m := newManager(failing{s, c.method}, mustLists(t, "crane shave", "slate"))
			got, err := parse(place, "last", "ana "+verb+" slate").run(t.Context(), m)
			if !errors.Is(err, game.ErrDamaged) || !reflect.DeepEqual(got, game.Match{}) {
				t.Errorf("%s when %s fails: %v, %v", verb, c.method, got, err)
			}
		}
	}
}

// failing is a store of which one method fails.
type failing struct {
	game.Store
	method string
}

func (s failing) fail(method string) error {
	if method == s.method {
		return fmt.Errorf("%s: %w", method, game.ErrDamaged)
	}
	return nil
}

// tableOf is where an origin's channel plays the word game.
func tableOf(o game.Origin) game.Slot { return game.ChannelSlot(game.Wordle, o.Location.Channel) }

func (s failing) Load(ctx context.Context, t game.Slot) (game.Match, error) {
	if err := s.fail("Load"); err != nil {
		return game.Match{}, err
	}
	return s.Store.Load(ctx, t)
}

func (s failing) Repeated(ctx context.Context, t game.Slot, r game.RequestID) (game.Match, uint64, error) {
	if err := s.fail("Repeated"); err != nil {
		return game.Match{}, 0, err
	}
	return s.Store.Repeated(ctx, t, r)
}

func (s failing) RecentAnswers(ctx context.Context, pool string) ([]wordle.Word, error) {
	if err := s.fail("Drawn"); err != nil {
		return nil, err
	}
	return s.Store.RecentAnswers(ctx, pool)
}

func (s failing) Commit(ctx context.Context, c game.Change) error {
	if err := s.fail("Commit"); err != nil {
		return err
	}
	return s.Store.Commit(ctx, c)
}
