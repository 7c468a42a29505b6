package face_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/toy"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/solver/grade"
)

var (
	toyFace = toy.Game{}.Face()
	start   = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
)

// match returns a match of the toy that hides m. Ana and ben have guessed in turn, a minute apart.
func match(mode game.Mode, guesses ...string) game.Match {
	m := game.Match{ID: "1", Version: 1, Kind: toy.Kind, Mode: mode, Starter: "ana", Started: start, State: toy.New("m"), Location: game.Location{Channel: "c"}}
	for i, letter := range guesses {
		m.State, _ = toy.Game{}.Guess(m.State, letter)
		m.Version++
		m.Moves = append(m.Moves, game.Move{Player: []game.PlayerID{"ana", "ben"}[i%2], At: start.Add(time.Duration(i+1) * time.Minute), Version: m.Version})
	}
	return m
}

func with(m game.Match, change func(*game.Match)) game.Match {
	m.Version++
	change(&m)
	return m
}

func stop(s game.Stop) func(*game.Match) {
	return func(m *game.Match) { s.Version = m.Version; m.Stop = &s }
}

func hint(by game.PlayerID) func(*game.Match) {
	return func(m *game.Match) {
		m.Hints = append(m.Hints, game.Hint{Kind: game.HintSuggestion, Player: by, Version: m.Version, After: m.Used(), Content: toy.Hint{Letter: "k"}})
	}
}

func text(lines ...bot.Line) string {
	return strings.TrimSuffix(bot.Ephemeral(lines...).String(), "\n")
}

// TestOutcomeAndEvent checks the lines for the end and the latest move of a match.
func TestOutcomeAndEvent(t *testing.T) {
	daily := func(m *game.Match) { m.Puzzle = game.DailyPuzzle(7) }
	for _, c := range []struct {
		m              game.Match
		outcome, event string
	}{
		{match("", "a"), "", "ana guessed a."},
		{with(match("", "a"), hint("cleo")), "", "cleo took a hint."},
		{with(with(match("", "a"), hint("cleo")), stop(game.Stop{Player: "ben"})), "Stopped by ben · The letter was m", "ben stopped the game."},
		{match("", "a", "m"), "m in 2, found by ben", "ben found it: m!"},
		{with(match("", "a", "m"), hint("cleo")), "m in 2, found by ben", "ben found it: m!"},
		{match("", "a", "b", "c", "d", "e", "f"), "So close! · The letter was m", "ben guessed f."},
		{with(with(match(game.Daily, "a"), daily), stop(game.Stop{Player: "ana"})), "Given up · The letter was m · Counts as lost", "ana stopped the game."},
		{with(match("", "a"), stop(game.Stop{Idle: true, At: start.Add(73 * time.Hour)})), "Given up · The letter was m · No moves for 3 days · Counts as lost", "somebody stopped the game."},
		{with(match(game.Racing, "a"), stop(game.Stop{Idle: true, At: start.Add(time.Hour)})), "Time's up · The letter was m", "somebody stopped the game."},
	} {
		if got := text(toyFace.Event(c.m)); got != c.event {
			t.Errorf("%v: the event is %q, want %q", c.m, got, c.event)
		}
		if c.m.Status() == game.Playing {
			continue
		}
		if got := text(toyFace.Outcome(face.View{Match: c.m})); got != c.outcome {
			t.Errorf("%v: the outcome is %q, want %q", c.m, got, c.outcome)
		}
	}
}

// TestConcealed: a racer's board keeps the answer secret while others can still play the puzzle.
func TestConcealed(t *testing.T) {
	lost := match(game.Racing, "a", "b", "c", "d", "e", "f")
	for _, c := range []struct {
		v    face.View
		want string
	}{
		{face.View{Match: lost, Concealed: true}, "Not this time · You'll see the answer when the race is over"},
		{face.View{Match: with(match(game.Racing), stop(game.Stop{Player: "ana"})), Concealed: true}, "You gave up · You'll see the answer when the race is over"},
		{face.View{Match: lost}, "So close! · The letter was m"},
	} {
		if got := text(toyFace.Outcome(c.v)); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		shown := toyFace.Show(c.v)
		if (shown.Tone == bot.Sad) != (c.v.Status() == game.Lost) {
			t.Errorf("%v: the tone is %d", c.v.Match, shown.Tone)
		}
		if strings.Contains(shown.String(), "was m") == c.v.Concealed || (shown.Buttons() == nil) != c.v.Concealed {
			t.Errorf("concealed %t: shown with buttons %v as\n%s", c.v.Concealed, shown.Buttons(), shown)
		}
	}
}

// TestShow: only live boards show the latest move and the hints that still help.
func TestShow(t *testing.T) {
	m := with(match("", "a", "z"), hint("cleo"))
	for live, want := range map[bool]string{
		true:  "cleo took a hint\nGuesses \"az\", -1 left.\nHint: Try k.",
		false: "Guesses \"az\", -1 left.",
	} {
		reply := toyFace.Show(face.View{Match: m, Live: live})
		if got := text(reply.Lines()[1:]...); got != want || len(reply.Buttons()) != 2 || reply.Audience != bot.Everyone {
			t.Errorf("live %t: got %s for %d with %v, want %s", live, got, reply.Audience, reply.Buttons(), want)
		}
	}
	m.HintLimit = game.HintLimit{Limited: true, Most: 1}
	if reply := toyFace.Show(face.View{Match: m}); len(reply.Buttons()) != 1 || strings.Contains(reply.String(), "hint") {
		t.Errorf("without a hint left: %v under\n%s", reply.Buttons(), reply)
	}
	m.HintLimit.Most = 3
	if reply := toyFace.Show(face.View{Match: m}); len(reply.Buttons()) != 2 || text(reply.Subtext) != "2 hints left" {
		t.Errorf("with two hints left: %v under\n%s", reply.Buttons(), reply)
	}
}

// TestStep: each step of a replay shows the board as it was then. Only the last step has the answer.
func TestStep(t *testing.T) {
	v := face.View{Match: match("", "a", "m"), Left: game.OnOneBoard([]int{26, 25, 1})}
	for step, want := range []string{
		"Guesses \"\", 26 left.\n",
		"Guesses \"a\", 25 left.\nana guessed a. ",
		"Guesses \"am\", 1 left.\nben guessed m. \nm in 2, found by ben",
	} {
		if got := text(bot.Reply{Blocks: toyFace.Step(v, step)}.Lines()...); got != want {
			t.Errorf("step %d is\n%s\nwant\n%s", step, got, want)
		}
	}
}

// TestShareLines: shared lines have no letters.
func TestShareLines(t *testing.T) {
	m := with(match(game.Daily, "a", "m"), hint("ana"))
	m.Puzzle = game.DailyPuzzle(7)
	if got, want := text(toyFace.ShareLines(m)...), "Fivefold Toy 7 · 2/6 · 1 hint\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	lost := match(game.Solo, "a", "b", "c", "d", "e", "f")
	if got := text(toyFace.ShareLines(lost)[0]); got != "Fivefold Toy · X/6" {
		t.Errorf("a lost game is %q", got)
	}
}

// several is the toy as a kind of four boards.
type several struct{ toy.Game }

func (several) Found(game.State) []int { return []int{5, 0, 10, 13} }

// TestSeveralBoards: of several boards, a number tells when each was found, in lines to share and beside other players' boards.
func TestSeveralBoards(t *testing.T) {
	f := face.Face{Phrases: toyFace.Phrases, Display: several{}}
	m := match(game.Solo, "a", "m")
	if got, want := text(f.ShareLines(m)[1:]...), "5️⃣🔳\n🔟🕐"; got != want {
		t.Errorf("lines to share are %q, want %q", got, want)
	}
	if b := f.Board("ana", m.State, "2/6"); !slices.Equal(b.Found, []int{5, 0, 10, 13}) || b.Attempts != 6 || b.Used != 2 {
		t.Errorf("got %+v", b)
	}
}

// ended is a game of the toy that was won with one of 13 attempts.
type ended struct {
	toy.State
	used int
}

func (s ended) Used() int         { return s.used }
func (s ended) AttemptsLeft() int { return 13 - s.used }
func (ended) Status() game.Status { return game.Won }

// TestApplause: the words for a win go from the first guess to the last, however many there are.
func TestApplause(t *testing.T) {
	for used, want := range map[int]string{1: "Uncanny!", 7: "Sharp!", 12: "Got it!", 13: "Just in time!"} {
		m := match(game.Solo, "m")
		m.State = ended{m.State.(toy.State), used}
		if got := text(toyFace.Outcome(face.View{Match: m})); !strings.HasPrefix(got, want) {
			t.Errorf("in %d of 13: %q, want %q", used, got, want)
		}
	}
}

// TestAgainButton: the next game is like the one before.
func TestAgainButton(t *testing.T) {
	m := match(game.Solo)
	m.HintLimit = game.HintLimit{Limited: true}
	if b := toyFace.AgainButton(m); b.Command != "toy start" || b.Args["mode"] != "solo" || b.Args["hints"] != "off" || b.Args["hard"] != "" {
		t.Errorf("got %+v", b)
	}
	if b := toyFace.AgainButton(match(game.Practice)); b.Command != bot.NameDaily {
		t.Errorf("after practice: %+v", b)
	}
}

// TestCorrect: a button holds as much of a refused guess as it has room for.
func TestCorrect(t *testing.T) {
	for typed, want := range map[string]string{"  ab  c ": "ab c", strings.Repeat("é", 40): strings.Repeat("é", 10), "": ""} {
		b := toyFace.Correct(match(""), typed)
		if got := b.Args[face.ArgTyped]; got != want || len(b.Query()) > bot.MaxButton {
			t.Errorf("%q is corrected as %q in %d characters", typed, got, len(b.Query()))
		}
	}
}

// TestStopCost: a player is asked first if a stop costs others or the count something.
func TestStopCost(t *testing.T) {
	daily := match(game.Daily)
	daily.Puzzle = game.DailyPuzzle(7)
	for _, c := range []struct {
		m    game.Match
		want string
	}{
		{match(""), ""},
		{match("", "a"), ""},
		{match("", "a", "b"), "Stop this game? ben played in it too."},
		{daily, "Give up on puzzle 7? It will count as lost."},
	} {
		if got := text(face.StopCost(c.m, "ana")); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestStreak: a streak is told from its second day, and celebrated on some.
func TestStreak(t *testing.T) {
	for days, want := range map[int]string{
		0: "", 1: "", 2: "🔥 Streak 2", 7: "🔥 Streak 7: a whole week!", 30: "🔥 Streak 30: a month of dailies!", 100: "🔥 Streak 100: one hundred days!", 365: "🔥 Streak 365: a year!", 366: "🔥 Streak 366",
	} {
		if got := text(face.Streak(days)); got != want {
			t.Errorf("%d: got %q, want %q", days, got, want)
		}
	}
}

// TestNoLuck: a review of a game that leaves nothing to chance has no luck in words, and no other number for it.
func TestNoLuck(t *testing.T) {
	judged := func(guess, best string, f marks.Feedback, skill float64) grade.Judged[string] {
		return grade.Judged[string]{Turn: marks.Turn[string]{Guess: guess, Feedback: f}, After: 7, Best: best, Skill: skill, Luck: game.NoLuck, Proven: true}
	}
	r := grade.Review[string]{Guesses: []grade.Judged[string]{judged("a", "b", 0, 50), judged("b", "b", 0, 99), judged("c", "c", marks.AllGreen, 99)}}
	all := face.Judge(r, func(g string) string { return g }, func(marks.Turn[string]) bot.Line { return bot.Line{} })
	var got []string
	for _, j := range all.Guesses {
		got = append(got, j.Text)
	}
	if want := []string{"7 left · skill 50", "Best guess! 7 left", "Found it!"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := face.SkillAndLuck(r.Skill(), r.Luck(), game.Proven(r)), "skill 83"; got != want {
		t.Errorf("in all %q, want %q", got, want)
	}
}
