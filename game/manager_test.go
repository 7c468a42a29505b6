package game_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/bot/kinds"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/toy"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/marks"
	"fivefold/game/matches"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/multi"
	"fivefold/solver/optimal"
	"fivefold/solver/poker"
)

// machine is a manager as on a machine of its own, with what the operations of the tests need.
type machine struct {
	*matches.Manager
	past  *finished.Matches
	lists *wordle.Lists
	kind  game.Kind // of the operations that name none
}

// newManager returns a manager that draws by quickPick: the first answer that it may, in alphabetical order. Operations are of
// the word game unless they name another.
func newManager(store Store, lists *wordle.Lists) machine {
	words := optimal.New(lists)
	words.SuggestTime, words.ReviewTime = time.Minute, time.Minute // the same on a slow machine
	rules := append(kinds.All(kinds.Parts{Lists: lists, Words: words, Boards: multi.New(lists), Cards: cards}).Rules(), toy.Game{})
	for i, r := range rules {
		rules[i] = verbs{r, lists}
	}
	games := &matches.Manager{
		Store: store, Rules: rules,
		Pick: quickPick,
		Now:  func() time.Time { return time.Date(2026, 11, 1, 12, 0, 0, 123_456_789, time.Local) },
	}
	return machine{games, &finished.Matches{Games: games, Store: store}, lists, wordgame.Kind}
}

// verbs are rules by which "to win" and "to miss" are guesses too, and "to again" is one that was made before.
type verbs struct {
	game.Rules
	lists *wordle.Lists
}

// otherGuesses are guesses in the toy and the poker game.
var otherGuesses = func() []string {
	all := strings.Split("abcdefghijklmnopqrstuvwxyz", "")
	deck := pokle.Cards(1<<pokle.Deck - 1).List()
	for i := range pokle.Deck - pokle.BoardCards {
		all = append(all, pokle.Board(deck[i:i+pokle.BoardCards]).Plain())
	}
	return all
}()

func (v verbs) Guess(s game.State, typed string) (game.State, error) {
	verb, ok := strings.CutPrefix(typed, "to ")
	switch {
	case !ok:
		return v.Rules.Guess(s, typed)
	case verb == "win":
		return v.Rules.Guess(s, s.Answer())
	}
	var err error
	for _, guess := range append(game.Each(v.lists.Guesses(), wordle.Word.String), otherGuesses...) {
		var next game.State
		next, err = v.Rules.Guess(s, guess)
		_, repeated := errors.AsType[*marks.RepeatedError](err)
		if verb == "again" && repeated || verb == "miss" && err == nil && next.Status() != game.Won || errors.Is(err, marks.ErrEnded) {
			return next, err
		}
	}
	return s, err
}

// cards is shared by all machines, so that it keeps the list of quickDeal.
var cards = &poker.Solver{SuggestTime: time.Minute}

// quickDeal is the number of a deal that is made and listed in some milliseconds.
const quickDeal = 51

// quickPick picks the first answer, and quickDeal for boards.
func quickPick(n int) int {
	if n == math.MaxInt {
		return quickDeal
	}
	return 0
}

// kinds are all kinds of game, and a toy that package game knows nothing of.
var everyKind = []game.Kind{wordgame.Kind, pokergame.Kind, toy.Kind}

// forEachKind runs a test for every kind of game. The machines that it makes with newManager must get the kind.
func forEachKind(t *testing.T, test func(t *testing.T, k game.Kind)) {
	for _, k := range everyKind {
		t.Run(string(k), func(t *testing.T) { test(t, k) })
	}
}

// op is one thing that a player does: see parse.
type op struct {
	origin game.Origin
	verb   string
	target matches.Target // without a kind, that of the machine
	hard   marks.Hardness
	word   string // of a guess
}

// parse reads a player and a verb, and then in any order a kind, a mode, "hard" or "ultra", and a word: "ana guess slate", "ben start solo
// hard", "cleo miss pokle". Without a mode it is the match that the player is playing or, for a start, one for everyone. Other
// verbs are guesses: see verbs.
func parse(place game.Location, request, text string) op {
	f := strings.Fields(text)
	o := op{
		origin: game.Origin{Request: game.RequestID(request), Location: place, Player: game.PlayerID(f[0])},
		verb:   f[1], target: matches.Target{Mode: game.Current},
	}
	if o.verb == "start" {
		o.target.Mode = game.Together
	}
	for _, word := range f[2:] {
		switch word {
		case "together":
			o.target.Mode = game.Together
		case "solo", "daily", "turns", "vote":
			o.target.Mode = game.Mode(word)
		case "wordle", "pokle", "toy":
			o.target.Kind = game.Kind(word)
		case "hard", "ultra":
			o.hard = marks.ReadHardness(word)
		default:
			o.word = word
		}
	}
	return o
}

func (o op) run(ctx context.Context, m machine) (game.Match, error) {
	target := o.target
	if target.Kind == "" {
		target.Kind = m.kind
	}
	switch o.verb {
	case "start":
		return m.Start(ctx, o.origin, matches.StartOptions{Kind: target.Kind, Mode: target.Mode, Hard: o.hard})
	case "stop":
		return m.Stop(ctx, o.origin, target, false, true)
	case "unsure-stop":
		return m.Stop(ctx, o.origin, target, false, false)
	case "manage-stop":
		return m.Stop(ctx, o.origin, target, true, true)
	case "join":
		return m.Join(ctx, o.origin, target)
	case "board":
		return m.Latest(ctx, o.origin, target)
	case "letter", "position", "suggestion":
		return m.Hint(ctx, o.origin, target, game.HintKind(o.verb))
	case "guess":
		return m.Move(ctx, o.origin, target, o.word)
	}
	return m.Move(ctx, o.origin, target, "to "+o.verb)
}

// wordOf returns the game of a match of the word game.
func wordOf(m game.Match) wordle.State { return m.State.(wordle.State) }

// hiddenIn returns the hidden word of a match.
func hiddenIn(m game.Match) wordle.Word { return wordOf(m).Hidden() }

var place = game.Location{Guild: "g", Channel: "c"}

// scriptRequests numbers the requests of scripts, so that none is a repeated one and later ones are greater.
var scriptRequests atomic.Int64

// mustPlay runs operations, separated by semicolons, all of which must count. It returns the last match.
func mustPlay(tb testing.TB, m machine, place game.Location, script string) game.Match {
	tb.Helper()
	var match game.Match
	for text := range strings.SplitSeq(script, ";") {
		var err error
		if match, err = parse(place, fmt.Sprintf("script-%06d", scriptRequests.Add(1)), text).run(context.Background(), m); err != nil {
			tb.Fatalf("%s: %v", text, err)
		}
	}
	return match
}

// request is a line of the tables of what requests lead to.
type request struct {
	name, before, last string
	want               error
	status             game.Status // of the match returned, "" for none
	mode               game.Mode   // of the match returned
}

// check makes the request. A refused one returns the match as it is stored and commits nothing.
func (c request) check(t *testing.T, k game.Kind) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane shave slate", "brick mound grape fuzzy"))
	m.kind = k
	clock := m.Now()
	m.Now = func() time.Time { clock = clock.Add(time.Second); return clock }
	if c.before != "" {
		mustPlay(t, m, place, c.before)
	}
	was := s.state()
	got, err := parse(place, "last", c.last).run(t.Context(), m)
	if !errors.Is(err, c.want) && !reflect.DeepEqual(err, c.want) {
		t.Fatalf("after %q, %q returned %v, want %v", c.before, c.last, err, c.want)
	}
	if changed := !reflect.DeepEqual(s.state(), was); changed != (err == nil && !strings.Contains(c.last, "board")) {
		t.Errorf("it changed something: %t (%v)", changed, err)
	}
	if c.status == "" {
		if !reflect.DeepEqual(got, game.Match{}) {
			t.Errorf("got %v, want no match", got)
		}
		return
	}
	if got.Status() != c.status || got.Mode != c.mode || got.Kind != k {
		t.Errorf("got %v, %q, want it %s and %q", got, got.Mode, c.status, c.mode)
	}
	if stored, err := s.Load(t.Context(), got.Slot()); err != nil || !reflect.DeepEqual(got, stored) {
		t.Errorf("got %v, but %v is stored, %v", got, stored, err)
	}
}

const lost = "ana start; ana miss; ana miss; ana miss; ana miss; ana miss; ana miss"

// TestRequests is the table of what each request leads to, in the same way for all kinds of game.
func TestRequests(t *testing.T) {
	fiveMisses := lost[:strings.LastIndexByte(lost, ';')]
	for _, c := range []request{
		{"start", "", "ana start", nil, game.Playing, game.Together},
		{"start alone", "ana start", "ana start solo", nil, game.Playing, game.Solo},
		{"start the daily one", "ana start; ana start solo", "ana start daily", nil, game.Playing, game.Daily},
		{"start after a stop", "ana start; ana stop", "ben start", nil, game.Playing, game.Together},
		{"start while one is played", "ana start", "ben start", game.ErrAlreadyPlaying, game.Playing, game.Together},
		{"start alone twice", "ana start solo", "ana start solo", game.ErrAlreadyPlaying, game.Playing, game.Solo},
		{"start the daily one twice", "ana start daily", "ana start daily", game.ErrAlreadyPlaying, game.Playing, game.Daily},
		{"start the daily one after it", "ana start daily; ana win", "ana start daily", game.ErrAlreadyPlayed, game.Won, game.Daily},
		{"start the daily one after stopping it", "ana start daily; ana stop", "ana start daily", game.ErrAlreadyPlayed, game.Stopped, game.Daily},
		{"guess", "ana start", "ben miss", nil, game.Playing, game.Together},
		{"guess the answer", "ana start", "ben win", nil, game.Won, game.Together},
		{"guess the answer of the day", "ana start daily; ana miss", "ana win", nil, game.Won, game.Daily},
		{"the sixth guess", fiveMisses, "ben miss", nil, game.Lost, game.Together},
		{"join", "ana start turns", "ben join", nil, game.Playing, game.Turns},
		{"join with a guess", "ana start turns", "ben win", nil, game.Playing, game.Turns},
		{"guess out of turn", "ana start turns; ben join", "ben win", game.ErrNotTurn, game.Playing, game.Turns},
		{"guess in turn", "ana start turns; ben join; ana miss", "ben win", nil, game.Won, game.Turns},
		{"propose", "ana start vote; ben join", "ana win", nil, game.Playing, game.Vote},
		{"propose as the last", "ana start vote; ben win", "ana win", nil, game.Won, game.Vote},
		{"propose what was guessed", "ana start vote; ana miss", "ana again", &marks.RepeatedError{Attempt: 1}, game.Playing, game.Vote},
		{"stop by one who has joined", "ana start vote; ben join", "ben stop", game.ErrNotAllowed, game.Playing, game.Vote},
		{"start while one in turns is played", "ana start turns", "ben start", game.ErrAlreadyPlaying, game.Playing, game.Turns},
		{"guess without a match", "", "ana miss", game.ErrNoMatch, "", ""},
		{"guess together without a match", "", "ana miss together", game.ErrNoMatch, "", ""},
		{"guess alone without a match", "ana start; ben start solo", "ana miss solo", game.ErrNoMatch, "", ""},
		{"guess after a win", "ana start; ana win", "ana miss", game.ErrEnded, game.Won, game.Together},
		{"guess after a loss", lost, "ana win", game.ErrEnded, game.Lost, game.Together},
		{"guess after a stop", "ana start; ana stop", "ana miss", game.ErrEnded, game.Stopped, game.Together},
		{"stop", "ana start; ben miss", "ana stop", nil, game.Stopped, game.Together},
		{"stop one of two", "ana start; ana start daily", "ana stop", &game.AmbiguousError{Modes: []game.Mode{game.Together, game.Daily}}, "", ""},
		{"stop, not sure", "ana start; ana miss", "ana unsure-stop", nil, game.Stopped, game.Together},
		{"stop what another guessed in, not sure", "ana start; ben miss", "ana unsure-stop", game.ErrUnsure, game.Playing, game.Together},
		{"stop a daily one, not sure", "ana start daily", "ana unsure-stop", game.ErrUnsure, game.Playing, game.Daily},
		{"stop alone, not sure", "ana start solo; ana miss", "ana unsure-stop", nil, game.Stopped, game.Solo},
		{"stop by another player, not sure", "ana start; ana miss", "ben unsure-stop", game.ErrNotAllowed, game.Playing, game.Together},
		{"stop by another player", "ana start; ben miss", "ben stop", game.ErrNotAllowed, game.Playing, game.Together},
		{"stop by a player who may manage the channel", "ana start", "ben manage-stop", nil, game.Stopped, game.Together},
		{"stop after a win", "ana start; ana win", "ana stop", game.ErrEnded, game.Won, game.Together},
		{"stop twice", "ana start; ana stop", "ana stop", game.ErrEnded, game.Stopped, game.Together},
		{"suggestion", "ana start", "cleo suggestion", nil, game.Playing, game.Together},
		{"suggestion after a win", "ana start; ana win", "cleo suggestion", game.ErrEnded, game.Won, game.Together},
		{"suggestion after a stop", "ana start; ana stop", "cleo suggestion", game.ErrEnded, game.Stopped, game.Together},
		{"board", "ana start; ben miss", "cleo board", nil, game.Playing, game.Together},
		{"board without a match", "", "cleo board", game.ErrNoMatch, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) { forEachKind(t, c.check) })
	}
}

// TestWordRequests has the requests that only the word game knows.
func TestWordRequests(t *testing.T) {
	green := &wordle.HardModeError{Hard: marks.Hard, Letter: 'A', Position: 3, Mark: marks.Green, Times: 1}
	for _, c := range []request{
		{"guess an unknown word", "ana start", "ana guess zzzzz", &wordgame.UnlistedError{Word: wordle.MustParse("zzzzz")}, game.Playing, game.Together},
		{"guess a word again", "ana start; ana guess slate; ana guess brick", "ben guess slate", &marks.RepeatedError{Attempt: 1}, game.Playing, game.Together},
		{"guess against hard mode", "ana start hard; ana guess slate", "ben guess brick", green, game.Playing, game.Together},
		{"guess against hard mode in the daily one", "ana start daily hard; ana guess slate", "ana guess brick", green, game.Playing, game.Daily},
		{"the same in easy mode after another player's daily one", "ben start daily hard; ana start daily; ana guess slate", "ana guess brick", nil, game.Playing, game.Daily},
		{"letter", "ana start", "cleo letter", nil, game.Playing, game.Together},
		{"position", "ana start", "cleo position", nil, game.Playing, game.Together},
		{"letter after a win", "ana start; ana guess crane", "cleo letter", game.ErrEnded, game.Won, game.Together},
		{"position after a loss", lost, "cleo position", game.ErrEnded, game.Lost, game.Together},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t, wordgame.Kind) })
	}
}

// TestPokerRequests has the requests that only the poker game knows.
func TestPokerRequests(t *testing.T) {
	for _, c := range []request{
		{"guess a board again", "ana start; ana miss; ana miss", "ben again", &marks.RepeatedError{Attempt: 1}, game.Playing, game.Together},
		{"start in hard mode, which there is not", "", "ana start hard", nil, game.Playing, game.Together},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t, pokergame.Kind) })
	}
}

// TestMatchIsRecorded follows who did what, and when.
func TestMatchIsRecorded(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate"))
	got := mustPlay(t, m, place, "ana start hard; ben guess slate; cleo position; ana stop")
	at := time.Date(2026, 11, 1, 12, 0, 0, 123_000_000, time.Local).UTC()
	state, err := wordle.NewState(wordle.MustParse("crane"), marks.Hard).Guess(wordle.MustParse("slate"))
	if err != nil {
		t.Fatal(err)
	}
	want := game.Match{
		ID: got.ID, Location: place, Version: 4, Starter: "ana", Started: at,
		Kind: wordgame.Kind, State: state,
		Moves: []game.Move{{Player: "ben", At: at, Version: 2}},
		Hints: []game.Hint{{Kind: game.HintPosition, Player: "cleo", At: at, Version: 3, After: 1, Content: wordgame.PositionHint{Letter: "C", Position: 1}}},
		Stop:  &game.Stop{Player: "ana", At: at, Version: 4},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v %+v %+v, want\n%+v %+v %+v", got, got.Moves, got.Hints, want, want.Moves, want.Hints)
	}
}

// TestStoreErrorsPassThrough: whichever reading or commit of the engine fails, the caller is told and nothing is stored.
func TestStoreErrorsPassThrough(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"ana start", "ana start daily", "ana guess slate", "ana guess slate solo", "ana stop", "ana board", "ana letter", "ana suggestion"} {
		for after := 0; ; after++ {
			m, engine, s := newEngine(t)
			if !strings.Contains(text, "start") {
				mustPlay(t, m, place, "ana start")
			}
			m.Pick = nil
			if _, err := s.Secret(t.Context()); err != nil { // which makes it
				t.Fatal(err)
			}
			was := s.state()
			var calls atomic.Int32
			engine.fails = func() error {
				if int(calls.Add(1)) > after {
					return broken
				}
				return nil
			}
			_, err := parse(place, "last", text).run(t.Context(), m)
			if err == nil || strings.HasSuffix(text, "solo") && errors.Is(err, game.ErrNoMatch) {
				break
			}
			if !errors.Is(err, broken) || !reflect.DeepEqual(s.state(), was) {
				t.Errorf("%s when operation %d fails: %v", text, after, err)
			}
		}
	}
}
