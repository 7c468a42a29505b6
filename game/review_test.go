package game_test

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/solver/optimal"
)

// reviewed returns a match in which these players guessed, and a review with these grades.
func reviewed(players []game.PlayerID, grades ...game.Grade) (game.Match, game.Review) {
	m := game.Match{}
	for _, p := range players {
		m.Moves = append(m.Moves, game.Move{Player: p})
	}
	return m, graded(grades)
}

// graded is a review of nothing but grades.
type graded []game.Grade

func (g graded) Grades() []game.Grade { return g }
func (g graded) Skill() float64       { return g.mean(func(g game.Grade) float64 { return g.Skill }) }
func (g graded) Luck() float64        { return g.mean(func(g game.Grade) float64 { return g.Luck }) }

func (g graded) mean(of func(game.Grade) float64) float64 {
	sum := 0.0
	for _, grade := range g {
		sum += of(grade)
	}
	return sum / float64(len(g))
}

func proven(skill, luck, cut float64) game.Grade {
	return game.Grade{Skill: skill, Luck: luck, Cut: cut, Proven: true}
}

func TestContributions(t *testing.T) {
	unproven := proven(50, 60, 1)
	unproven.Proven = false
	for _, c := range []struct {
		name    string
		players []game.PlayerID
		grades  []game.Grade
		want    []game.Contribution
	}{
		{"equals in the order of their guesses", []game.PlayerID{"zoe", "ana"}, []game.Grade{proven(90, 40, 2), proven(80, 70, 2)},
			[]game.Contribution{
				{Player: "zoe", Guesses: 1, Skill: 90, Luck: 40, Cut: 0.5, Proven: true},
				{Player: "ana", Guesses: 1, Skill: 80, Luck: 70, Cut: 0.5, Proven: true},
			}},
		{"those who are anonymous are one", []game.PlayerID{"", "ben", ""}, []game.Grade{proven(90, 40, 3), proven(80, 70, 4), unproven},
			[]game.Contribution{
				{Player: "", Guesses: 2, Skill: 70, Luck: 50, Cut: 0.5},
				{Player: "ben", Guesses: 1, Skill: 80, Luck: 70, Cut: 0.5, Proven: true},
			}},
	} {
		m, r := reviewed(c.players, c.grades...)
		if got := game.Contributions(m, r); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// judging notes which reviews are saved.
type judging struct {
	Store
	saved []game.MatchID
	fail  error // of saving
}

func (s *judging) SaveReview(ctx context.Context, match game.Match, r game.Review) error {
	s.saved = append(s.saved, match.ID)
	if s.fail != nil {
		return s.fail
	}
	err := s.Store.SaveReview(ctx, match, r)
	for saved := false; !saved && err == nil; runtime.Gosched() { // it does not wait, but these tests do
		var all []finished.Reviewed
		all, err = s.Store.Reviews(ctx, match.ID)
		saved = len(all) > 0 && all[0].Review != nil
	}
	return err
}

// newJudging returns a manager that has time for reviews, and its store.
func newJudging(t *testing.T) (machine, *judging) {
	s := &judging{Store: newMemory()}
	m := newManager(s, mustLists(t, "crane slate", "brick mound fuzzy grape"))
	m.past.PerformanceTime = time.Minute
	return m, s
}

// TestReviewIsKept: a match is judged once.
func TestReviewIsKept(t *testing.T) {
	m, s := newJudging(t)
	match := mustPlay(t, m, place, "ana start; ana guess mound; ben guess crane")
	first, err := m.past.Review(t.Context(), game.Viewer{Location: place}, finished.Past{})
	if err != nil {
		t.Fatal(err)
	}
	judged := first.Review.(optimal.Review).Guesses
	if len(judged) != 2 || judged[0].Turn != wordOf(match).Turns()[0] || first.LogPosition == 0 || !reflect.DeepEqual(first.Match, match) {
		t.Errorf("the review is %+v of %v", first.Review, first.Finished)
	}
	if want := game.Contributions(match, first.Review); len(want) != 2 || !slices.Equal(first.Contributions, want) {
		t.Errorf("the shares are %+v, want %+v", first.Contributions, want)
	}
	again, err := m.past.Review(t.Context(), game.Viewer{Location: place}, finished.Past{Number: 1})
	if err != nil || !reflect.DeepEqual(again, first) {
		t.Errorf("again it is %+v, %v, and was %+v", again, err, first)
	}
	if !slices.Equal(s.saved, []game.MatchID{match.ID}) {
		t.Errorf("saved were the reviews of %q", s.saved)
	}
}

func TestReviewErrors(t *testing.T) {
	m, s := newJudging(t)
	broken := errors.New("broken")
	s.fail = broken
	mustPlay(t, m, place, "ana start; ana guess crane")
	mustPlay(t, m, game.Location{Guild: "g", Channel: "c2"}, "ana start")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		channel game.ChannelID
		number  uint64
		want    error
	}{
		{"saving fails", t.Context(), "c", 1, broken},
		{"a match that is played", t.Context(), "c2", 0, game.ErrNotFinished},
		{"none", t.Context(), "c3", 0, game.ErrNoMatch},
		{"no such number", t.Context(), "c", 2, game.ErrNotInHistory},
		{"the context has ended", cancelled, "c", 1, context.Canceled},
	} {
		if _, err := m.past.Review(c.ctx, game.Viewer{Location: game.Location{Guild: "g", Channel: c.channel}}, finished.Past{Number: c.number}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}
