package game_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// hintWords have many letters twice and thrice.
const hintWords = "eerie geese melee llama mamma radar crane slate sheer civic kayak poppy"

// TestHintsGiveAwayWhatIsNew plays random games with hints between the guesses
// and compares each hint with what the players can already see.
func TestHintsGiveAwayWhatIsNew(t *testing.T) {
	lists := mustLists(t, hintWords, "")
	random := rand.New(rand.NewPCG(3, 4))
	given := map[game.HintKind]int{}
	for round := range 400 {
		m := newManager(newMemory(), lists)
		m.Pick = random.IntN
		match := mustPlay(t, m, place, "ana start")
		for step := 0; match.Status() == game.Playing; step++ {
			request := fmt.Sprint(round, "-", step)
			if random.IntN(3) == 0 {
				w := lists.Guesses()[random.IntN(len(lists.Guesses()))]
				next, err := m.Guess(t.Context(), parse(place, request, "ana guess").origin, w)
				if err == nil {
					match = next
				}
				continue
			}
			kind := []game.HintKind{game.HintLetter, game.HintPosition}[random.IntN(2)]
			next, err := parse(place, request, "cleo "+string(kind)).run(t.Context(), m)
			want := newHints(match, kind)
			if len(want) == 0 {
				if !errors.Is(err, game.ErrAllKnown) || !reflect.DeepEqual(next, match) {
					t.Fatalf("all is known of %v, but a %s gave %+v, %v", match.Wordle.Hidden(), kind, next.Hints, err)
				}
				if kind == game.HintPosition && len(newHints(match, game.HintLetter)) == 0 {
					break
				}
				continue
			}
			if err != nil || len(next.Hints) != len(match.Hints)+1 || next.Wordle != match.Wordle {
				t.Fatalf("a %s: %v, %+v", kind, err, next.Hints)
			}
			h := next.Hints[len(next.Hints)-1]
			if h.Kind != kind || h.Player != "cleo" || h.Version != next.Version || h.After != match.Wordle.Used() {
				t.Fatalf("the %s was recorded as %+v", kind, h)
			}
			if text := describe(h); !slices.Contains(want, text) {
				t.Fatalf("the %s for %v after %v and %+v is %q, want one of %q",
					kind, match.Wordle.Hidden(), match.Wordle.Turns(), match.Hints, text, want)
			}
			given[kind]++
			match = next
		}
	}
	if given[game.HintLetter] < 300 || given[game.HintPosition] < 300 {
		t.Errorf("too few hints to mean anything: %v", given)
	}
}

func describe(h game.Hint) string {
	if h.Kind == game.HintPosition {
		return fmt.Sprintf("%c at %d", h.Letter, h.Position)
	}
	return fmt.Sprintf("%d× %c", h.Times, h.Letter)
}

// newHints lists every hint that tells something new, as plainly as can be.
func newHints(m game.Match, kind game.HintKind) []string {
	hidden := m.Wordle.Hidden().String()
	seen := []byte(".....") // places that are green or told
	for _, turn := range m.Wordle.Turns() {
		for i, mark := range turn.Feedback.String() {
			if mark == 'G' {
				seen[i] = hidden[i]
			}
		}
	}
	for _, h := range m.Hints {
		if h.Kind == game.HintPosition {
			seen[h.Position-1] = hidden[h.Position-1]
		}
	}
	var hints []string
	if kind == game.HintPosition {
		for i := range hidden {
			if seen[i] == '.' {
				hints = append(hints, fmt.Sprintf("%c at %d", hidden[i], i+1))
			}
		}
		return hints
	}
	for letter := 'A'; letter <= 'Z'; letter++ {
		known := strings.Count(string(seen), string(letter))
		for _, turn := range m.Wordle.Turns() {
			coloured := 0
			for i, mark := range turn.Feedback.String() {
				if mark != 'B' && rune(turn.Guess.String()[i]) == letter {
					coloured++
				}
			}
			known = max(known, coloured)
		}
		for _, h := range m.Hints {
			if h.Kind == game.HintLetter && rune(h.Letter) == letter {
				known = max(known, h.Times)
			}
		}
		if strings.Count(hidden, string(letter)) > known {
			hints = append(hints, fmt.Sprintf("%d× %c", known+1, letter))
		}
	}
	return hints
}

// TestLetterCountsAllThatIsKnown takes hints for EERIE when copies of its E are
// known from one source or several together.
func TestLetterCountsAllThatIsKnown(t *testing.T) {
	for _, c := range []struct {
		name, script, want string
	}{
		{"nothing", "ana letter", "1× E"},
		{"a letter told", "ana letter; ana letter", "2× E"},
		{"a yellow one", "ana guess clued; ana letter", "2× E"},
		{"two yellow ones of a guess", "ana guess kneel; ana letter", "1× R"},
		{"green ones of two guesses", "ana guess eclat; ana guess seals; ana letter", "1× R"},
		{"a green one, and yellow elsewhere", "ana guess eclat; ana guess clued; ana letter", "2× E"},
		{"a place told", "ana position; ana letter", "2× E"},
		{"two places told", "ana position; ana position; ana letter", "1× R"},
		{"a place told and a green one elsewhere", "ana position; ana guess seals; ana letter", "1× R"},
		{"a place told and a yellow one", "ana position; ana guess clued; ana letter", "2× E"},
		{"a letter told and then its place", "ana letter; ana position; ana letter", "2× E"},
	} {
		m := newManager(newMemory(), mustLists(t, "eerie", "clued kneel eclat seals"))
		got := mustPlay(t, m, place, "ana start;"+c.script)
		if h := describe(got.Hints[len(got.Hints)-1]); h != c.want {
			t.Errorf("%s is known: the hint is %q, want %q", c.name, h, c.want)
		}
	}
}

// TestSuggestionIsGivenAgain: for the same board it is neither counted nor
// committed again.
func TestSuggestionIsGivenAgain(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane slate brick", "mound"))
	match := mustPlay(t, m, place, "ana start; ana guess mound; ana suggestion; ana letter")
	suggestion := match.Hints[0]
	want, err := m.Solver.Suggest(t.Context(), solver.Position{Turns: match.Wordle.Turns(), Limit: wordle.Attempts})
	if err != nil || suggestion.Kind != game.HintSuggestion || !reflect.DeepEqual(*suggestion.Suggestion, want) {
		t.Fatalf("the suggestion is %+v, %v; want %+v", suggestion, err, want)
	}
	was := s.state()
	got, err := parse(place, "again", "ben suggestion").run(t.Context(), m)
	if err != nil || len(got.Hints) != 2 || !reflect.DeepEqual(got.Hints[1], suggestion) {
		t.Errorf("asked again: %+v, %v; want %+v last", got.Hints, err, suggestion)
	}
	if !reflect.DeepEqual(s.state(), was) {
		t.Error("a suggestion that was there already was committed")
	}
	if match.Hints[0] != suggestion {
		t.Error("asking again changed a match that was handed out")
	}
	// Another board has another suggestion.
	match = mustPlay(t, m, place, "ana guess slate; ana suggestion")
	if n := len(match.Hints); n != 3 || match.Hints[2].After != 2 {
		t.Errorf("after one more guess: %+v", match.Hints)
	}
}

func TestSuggestionObeysContext(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane slate brick", "mound"))
	mustPlay(t, m, place, "ana start")
	was := s.state()
	ctx, cancel := context.WithCancel(t.Context())
	m.Store = &hooked{Store: s, afterLoad: cancel}
	if _, err := parse(place, "r", "ana suggestion").run(ctx, m); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if !reflect.DeepEqual(s.state(), was) {
		t.Error("something was committed")
	}
}

// hooked is a store that does something after its first load.
type hooked struct {
	game.Store
	afterLoad func()
}

func (s *hooked) Load(ctx context.Context, t game.Slot) (game.Match, error) {
	match, err := s.Store.Load(ctx, t)
	if f := s.afterLoad; f != nil {
		s.afterLoad = nil
		f()
	}
	return match, err
}

// TestBoardMovesDuringSuggestion forces something else to be committed between
// the look at the board and the suggestion for it.
func TestBoardMovesDuringSuggestion(t *testing.T) {
	lists := mustLists(t, "crane slate brick grape", "mound")
	for _, c := range []struct {
		name, meanwhile string
		want            error
		after, hints    int // of the suggestion and of the match
	}{
		{"a guess", "ben guess slate", nil, 1, 1},
		{"a hint", "ben letter", nil, 0, 2},
		{"the same suggestion", "ben suggestion", nil, 0, 1},
		{"the end", "ben guess brick", game.ErrEnded, 0, 0},
		{"a stop", "ana stop", game.ErrEnded, 0, 0},
		{"another match", "ana stop; ben start", nil, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newMemory()
			other := newManager(s, lists)
			mustPlay(t, other, place, "ana start")
			m := newManager(&hooked{s, func() { mustPlay(t, other, place, c.meanwhile) }}, lists)
			got, err := parse(place, "r", "cleo suggestion").run(t.Context(), m)
			stored, loadErr := s.Load(t.Context(), game.ChannelSlot(game.Wordle, place.Channel))
			if !errors.Is(err, c.want) || loadErr != nil || !reflect.DeepEqual(got, stored) {
				t.Fatalf("got %v, %v; %v is stored", got, err, stored)
			}
			if len(got.Hints) != c.hints {
				t.Fatalf("the match has the hints %+v, want %d", got.Hints, c.hints)
			}
			if c.want != nil {
				return
			}
			want, err := m.Solver.Suggest(t.Context(), solver.Position{Turns: got.Wordle.Turns(), Limit: wordle.Attempts})
			if h := got.Hints[len(got.Hints)-1]; err != nil || h.After != c.after || !reflect.DeepEqual(*h.Suggestion, want) {
				t.Errorf("the suggestion is %+v, %v; want %+v after %d guesses", h, err, want, c.after)
			}
		})
	}
}

// TestHintsCount: they are in the totals of who took them.
func TestHintsCount(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane", "slate"))
	mustPlay(t, m, place, "ana start; cleo letter; cleo position; ana suggestion; ben guess crane")
	for player, want := range map[game.PlayerID]game.Totals{
		"ana":  {Player: "ana", Hints: 1},
		"ben":  {Player: "ben", Played: 1, Won: 1, Attempts: 1, Streak: 1, BestStreak: 1, Distribution: [wordle.Attempts]int{1}},
		"cleo": {Player: "cleo", Hints: 2},
	} {
		if got, err := s.Totals(t.Context(), game.Scope{Kind: game.Wordle, Guild: "g"}, player); err != nil || got != want {
			t.Errorf("%s has %+v, %v; want %+v", player, got, err, want)
		}
	}
}

// BenchmarkGuessBesideHints reports how long a guess takes while suggestions are
// searched as fast as can be.
func BenchmarkGuessBesideHints(b *testing.B) {
	lists, err := wordle.Embedded()
	if err != nil {
		b.Fatal(err)
	}
	for _, searchers := range []int{0, 8} {
		b.Run(fmt.Sprintf("searchers=%d", searchers), func(b *testing.B) {
			m := newManager(newMemory(), lists)
			m.Solver = solver.New(lists)
			ctx, cancel := context.WithCancel(b.Context())
			var wait sync.WaitGroup
			for i := range searchers {
				wait.Go(func() {
					for n := i; ctx.Err() == nil; n += searchers {
						guess := lists.Guesses()[(n*7919)%len(lists.Guesses())]
						turn := wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, lists.Answers()[n%len(lists.Answers())])}
						if _, err := m.Solver.Suggest(ctx, solver.Position{Turns: []wordle.Turn{turn}, Limit: wordle.Attempts}); err != nil && ctx.Err() == nil {
							b.Error(err)
						}
					}
				})
			}
			var times []float64
			for n := 0; b.Loop(); n++ {
				place := game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", n))}
				mustPlay(b, m, place, "ana start")
				request := parse(place, fmt.Sprint("r", n), "ana guess slate")
				done := make(chan error)
				start := time.Now()
				go func() { _, err := request.run(b.Context(), m); done <- err }()
				if err := <-done; err != nil {
					b.Fatal(err)
				}
				times = append(times, float64(time.Since(start).Nanoseconds())/1e6)
			}
			cancel()
			wait.Wait()
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2], "median-ms")
			b.ReportMetric(times[len(times)*99/100], "p99-ms")
		})
	}
}
