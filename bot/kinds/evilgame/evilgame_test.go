package evilgame_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/evilgame"
	"fivefold/game"
	"fivefold/game/evil"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/dodge"
)

func newGame(tb testing.TB, lists *wordle.Lists) *evilgame.Game {
	tb.Helper()
	solver := dodge.New(lists)
	solver.EndTime = time.Minute // more than a slow machine needs
	return evilgame.New(lists, solver)
}

func start(tb testing.TB, g *evilgame.Game, n game.NewGame) evil.State {
	tb.Helper()
	s, err := g.New(tb.Context(), n)
	if err != nil {
		tb.Fatal(err)
	}
	return s.(evil.State)
}

func guess(tb testing.TB, g *evilgame.Game, s game.State, words ...string) game.State {
	tb.Helper()
	for _, w := range words {
		var err error
		if s, err = g.Guess(s, w); err != nil {
			tb.Fatalf("%s: %v", w, err)
		}
	}
	return s
}

func said(l bot.Line) string { return strings.TrimSpace(bot.Ephemeral(l).String()) }

// TestStarts: a daily game has a start that leaves many words, but not most; others have none. A list too short for that has none.
func TestStarts(t *testing.T) {
	g := newGame(t, wordletest.Embedded(t))
	counts := map[int]bool{}
	for i := range 6 {
		starts := 0
		daily := game.NewGame{Daily: true, Pick: func(n int) int { starts = n; return i * n / 6 }}
		s := start(t, g, daily)
		left, err := g.Remaining(t.Context(), s)
		if err != nil || len(left) != 1 || left[0].Total() < 20 || left[0].Total() > 400 || starts < 700 || s.Used() != 0 || s.Status() != game.Playing {
			t.Errorf("of %d starts: %v, which leaves %v, %v", starts, s.Start(), left, err)
		}
		if start(t, g, daily) != s || s.Fresh(marks.Hard) != s {
			t.Errorf("%v is another start for another player", s.Start())
		}
		counts[left[0].Total()] = true
	}
	if len(counts) < 4 {
		t.Errorf("all starts are alike: %v", counts)
	}
	if s := start(t, g, game.NewGame{}); s.Start() != (wordle.Turn{}) || s.Answer() == "" {
		t.Errorf("a game that is not daily has the start %v and the answer %q", s.Start(), s.Answer())
	}
	short := newGame(t, wordletest.Lists(t, "crane", "crane"))
	if s := start(t, short, game.NewGame{Daily: true}); guess(t, short, s, "crane").Status() != game.Won {
		t.Error("the only word doesn't win")
	}
}

// TestForm: a game is read as it was written, without a list, and goes on with other lists.
func TestForm(t *testing.T) {
	lists := wordletest.Embedded(t)
	g, none := newGame(t, lists), evilgame.New(nil, nil)
	random := rand.New(rand.NewPCG(38, 3))
	read := func(data string) (game.State, error) {
		form := none.Form(nil)
		if err := json.Unmarshal([]byte(data), form); err != nil {
			return nil, err
		}
		return form.State()
	}
	write := func(s game.State) string {
		data, err := json.Marshal(none.Form(s))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for i := range 20 {
		s := game.State(start(t, g, game.NewGame{Daily: i%2 == 0, Pick: random.IntN}))
		for s.Status() == game.Playing {
			if got, err := read(write(s)); err != nil || got != s {
				t.Fatalf("%s is read as %v, %v", write(s), got, err)
			}
			if next, err := g.Guess(s, lists.Guesses()[random.IntN(len(lists.Guesses()))].String()); err == nil {
				s = next
			}
		}
	}
	s := guess(t, g, start(t, g, game.NewGame{Daily: true, Pick: func(int) int { return 0 }}), "sidle", "teeny")
	data := write(s)
	if !strings.Contains(data, `"hidden":`) {
		t.Errorf("an export looks for the field hidden in %s", data)
	}
	for _, c := range [][2]string{
		{`"Guess":"sidle"`, `"Guess":"abhor"`}, {`"Guess":"teeny"`, `"Guess":"sidle"`}, {`"Guess":"sidle"`, `"Guess":""`}, {`"BBBBY"`, `"BBBBG"`},
		{`"hidden":`, `"hide":`}, {`"Guess":"abhor"`, `"Guess":"crane"`},
	} {
		if got, err := read(strings.Replace(data, c[0], c[1], 1)); !strings.Contains(data, c[0]) || !errors.Is(err, game.ErrDamaged) {
			t.Errorf("with %s for %s, %s is read as %v, %v", c[1], c[0], data, got, err)
		}
	}
	noGuess := `"guesses":[{"Guess":"","Feedback":"BBBBB","Left":"civic"}]}`
	for _, damaged := range []string{`{"guesses":[]}`, `{"start":{"Guess":"abhor","Feedback":"BBBBB"},"hidden":"civic",` + noGuess} {
		if got, err := read(damaged); !errors.Is(err, game.ErrDamaged) {
			t.Errorf("%s is read as %v, %v", damaged, got, err)
		}
	}
	other := newGame(t, wordletest.Lists(t, "mound fully", "mound fully"))
	could := s.Answer()
	if left, err := other.Remaining(t.Context(), s); err != nil || left[2].Total() != 1 {
		t.Errorf("of other words %v are left, %v", left, err)
	}
	if won := guess(t, other, guess(t, other, s, "mound"), could); won.Status() != game.Won {
		t.Errorf("%s doesn't win with other words", could)
	}
}

// TestRefused: what is no guess is refused with a sentence, and changes nothing.
func TestRefused(t *testing.T) {
	g := newGame(t, wordletest.Embedded(t))
	s := guess(t, g, start(t, g, game.NewGame{Daily: true, Pick: func(int) int { return 0 }}), "sidle")
	for typed, want := range map[string]string{
		"abhor":  "That's the word of the start: its marks are on the board. No guess was used.",
		"zzzzz":  "ZZZZZ isn't in my word list. No guess was used.",
		"sidles": "“sidles” has 6 letters. A guess has five.",
		"s1dle":  "A guess is one word of five letters, A to Z.",
	} {
		_, err := g.Read(typed)
		if err == nil {
			_, err = g.Guess(s, typed)
		}
		if refusal, ok := errors.AsType[bot.Refusal](g.ExplainRules(err)); !ok || strings.TrimSpace(refusal.Reply.String()) != want {
			t.Errorf("%s: %v, %q, want %q", typed, err, refusal.Reply, want)
		}
	}
	if _, err := g.Guess(s, "sidle"); g.Attempt(s, "sidle") != 1 || err == nil {
		t.Errorf("a word guessed before: %v", err)
	}
	if _, err := g.Guess(s, "smile"); err != nil {
		t.Errorf("a word that can't be the answer is refused: %v", err)
	}
	won := guess(t, g, s, "teeny", "jetty", "petty")
	if _, err := g.Guess(won, "crane"); won.Status() != game.Won || !errors.Is(err, marks.ErrEnded) {
		t.Errorf("after the end (%s): %v", won.Status(), err)
	}
}

// TestHints: a hint proposes no word that a server never uses, and says how few guesses suffice.
func TestHints(t *testing.T) {
	g := newGame(t, wordletest.Embedded(t))
	m := game.Match{Kind: evilgame.Kind, State: guess(t, g, start(t, g, game.NewGame{}), "slate", "crony")}
	content, err := g.Hint(t.Context(), m, game.HintSuggestion, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := content.(dodge.Suggestion)
	if got, want := said(g.HintLine(game.Hint{Content: first})), "Try "+first.Word.String()+". That's 3 guesses from here, and nobody can do it in fewer."; got != want {
		t.Errorf("the hint is %q, want %q", got, want)
	}
	content, err = g.Hint(t.Context(), m, game.HintSuggestion, nil, []string{first.Word.String()})
	if err != nil || content.(dodge.Suggestion).Word == first.Word {
		t.Errorf("without %v the hint is %v, %v", first.Word, content, err)
	}
	if _, err := g.Hint(t.Context(), m, game.HintLetter, nil, nil); !errors.Is(err, game.ErrHint) {
		t.Errorf("a letter of no word: %v", err)
	}
	last := game.Match{Kind: evilgame.Kind, State: guess(t, g, m.State, "bumpy", "dizzy")}
	content, err = g.Hint(t.Context(), last, game.HintSuggestion, nil, nil)
	if err != nil || said(g.HintLine(game.Hint{Content: content})) != "Try JIFFY. It's the only word left." {
		t.Errorf("at the end the hint is %v, %v", content, err)
	}
	if _, err = g.Hint(t.Context(), last, game.HintSuggestion, nil, []string{"jiffy"}); !errors.Is(err, game.ErrNothingFits) {
		t.Errorf("without the only word left: %v", err)
	}
}

// TestReview: nothing is luck, and a guess that costs none is the best.
func TestReview(t *testing.T) {
	g := newGame(t, wordletest.Embedded(t))
	s := guess(t, g, start(t, g, game.NewGame{}), "slate", "crony", "bumpy", "dizzy", "jiffy")
	r, err := g.Review(t.Context(), game.Match{Kind: evilgame.Kind, State: s})
	if err != nil {
		t.Fatal(err)
	}
	j := g.Judge(s, r)
	var all []string
	for _, line := range j.About {
		all = append(all, said(line))
	}
	for _, guess := range j.Guesses {
		all = append(all, said(guess.Line(false)))
	}
	text := strings.Join(all, "\n")
	if r.Luck() != game.NoLuck || strings.Contains(text, "uck") || !strings.HasPrefix(text, "4 guesses would have sufficed.\n") || !strings.HasSuffix(text, "\nFound it!") {
		t.Errorf("luck %v:\n%s", r.Luck(), text)
	}
}

// TestBoard: the board has what each guess leaves, the start is no guess, and the keyboard knows it.
func TestBoard(t *testing.T) {
	g := newGame(t, wordletest.Embedded(t))
	s := guess(t, g, start(t, g, game.NewGame{Daily: true, Pick: func(int) int { return 0 }}), "sidle")
	draw := func(s game.State, moves int) string {
		v := face.View{Match: game.Match{Kind: evilgame.Kind, State: s, Moves: make([]game.Move, moves)}}
		drawn := g.Draw(v)
		return bot.Reply{Blocks: append(drawn.Board, drawn.Rest...)}.String() + drawn.Meaning
	}
	got := draw(s, 1)
	for _, want := range []string{"ABHOR · 381 left · start\n", "SIDLE · 18 left\n", "Not tried: C F G J K M N P Q T U V W X Y Z"} {
		if !strings.Contains(got, want) {
			t.Errorf("the board has no %q:\n%s", want, got)
		}
	}
	if won := draw(guess(t, g, s, "teeny", "jetty", "petty"), 4); !strings.HasSuffix(won, "Nobody can do it in fewer") {
		t.Errorf("the end is\n%s", won)
	}
	if len(g.Guesses(s)) != 1 || len(g.Boards(s)[0].Rows) != 2 || g.Boards(nil) != nil {
		t.Errorf("guesses %v, boards %v", g.Guesses(s), g.Boards(s))
	}
}
