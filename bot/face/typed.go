package face

import (
	"fmt"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/solver/grade"
)

// Typed is a face in the types of its kind: S are its states, and G its guesses.
// All functions are pure and safe for concurrent use.
type Typed[S game.State, G any] struct {
	Words
	// Read reads a guess as it is typed, or returns a refusal.
	Read func(typed string) (G, error)
	// Move makes a guess. Its error may be a refusal.
	Move func(S, G) (S, error)
	// Complete proposes guesses that continue what was typed so far. Current returns the game
	// that is being played, if there is one.
	Complete func(current func() (S, bool), typed string) []bot.Choice
	// Turns are the guesses of a game with their feedback, and Tiles is the row of one.
	Turns func(S) []marks.Turn[G]
	Tiles func(marks.Turn[G]) bot.Line
	// Same reports whether two guesses mean the same.
	Same func(a, b G) bool
	// Write writes a guess for players.
	Write func(G) string
	// ExampleFor returns an example of a guess, as it is typed, which the rules allow first in
	// a game. It is nil where [Words.Example] is one in every game.
	ExampleFor func(S) string

	// Board shows a match without its title. Playing is what follows in a game that is being
	// played, and Ended what follows the outcome of one that has ended.
	Board, Playing, Ended func(v View, s S) []bot.Line
	// Aside is what there is to see of a game beside its tiles.
	Aside func(S) Aside
	// InReview is what a review says of a finished game beside its guesses; nil for nothing.
	InReview func(S) []bot.Line
	// Picture draws the match; it is nil for a kind without pictures.
	Picture func(v View, title string, s S) *bot.Picture
	// Step shows a finished match as it was, given its state then.
	Step func(v View, then S) []bot.Line
	// Further makes guesses of a player's own in a game that was lost, outside the count: it returns
	// what they show, and whether they are over, with the answer. Its error may be a refusal. It is nil for
	// a kind whose lost games cannot be played on.
	Further func(s S, guesses []G) (lines []bot.Line, over bool, err error)
	// Note says what else there is to know about how a game was won, in a sentence that begins
	// with a space; it may be empty. It is nil for a kind without such notes.
	Note func(S) string
}

// Judgement is a guess and what a review says about it.
type Judgement struct {
	Tiles bot.Line
	Text  string // "150 left (91 expected) · skill 89 · luck 21 · better: SLATE"
}

// ofKind is what [Typed] makes of a kind's functions, for callers who know no kind.
type ofKind interface {
	// ReadGuess reads a guess as it is typed as a move, or returns a refusal.
	ReadGuess(typed string) (func(game.State) (game.State, error), error)
	// CompleteGuess is [Typed.Complete].
	CompleteGuess(current func() (game.State, bool), typed string) []bot.Choice
	// Tried looks for a guess among those of a game: it returns which attempt it was, from 1,
	// the guess as players read it, and its tiles.
	Tried(s game.State, typed string) (attempt int, written string, tiles bot.Line, ok bool)
	// Rows are the tiles of each guess of a game, and Feedback is their feedback.
	Rows(game.State) []bot.Line
	Feedback(game.State) []marks.Feedback
	// Guessed writes the latest guess of a state that has one, for players.
	Guessed(game.State) string
	// ExampleIn returns an example of a guess, as it is typed, which the rules allow first in
	// the match.
	ExampleIn(game.Match) string
	// SampleRow is a row of tiles with every mark.
	SampleRow() bot.Line
	// Beside is [Typed.Aside].
	Beside(game.State) Aside
	// HasPicture reports whether boards of the kind are pictures, which can be asked for as text.
	HasPicture() bool
	// PlaysOn reports whether lost games of the kind can be played on.
	PlaysOn() bool
	// PlayOn is [Typed.Further], given guesses as they are typed.
	PlayOn(s game.State, typed []string) (lines []bot.Line, over bool, err error)
	// Judgements returns a judgement of each guess of a review, in their order.
	Judgements(game.Review) []Judgement
	// Reviewed is [Typed.InReview].
	Reviewed(game.State) []bot.Line
	// SolverGuesses returns what the solver would have played, nil if that is unknown.
	SolverGuesses(game.Review) []string

	board(View) []bot.Line
	playing(View) []bot.Line
	ended(View) []bot.Line
	picture(View) *bot.Picture
	step(v View, step int) []bot.Line
	note(game.State) string
}

// Face returns the face for values of any kind.
func (t Typed[S, G]) Face() Face { return Face{t.Words, t} }

// own returns a state in its own type: whoever has the face of a match's kind has its states too.
func (t Typed[S, G]) own(s game.State) S { return s.(S) }

func (t Typed[S, G]) turns(s game.State) []marks.Turn[G] { return t.Turns(t.own(s)) }

// ReadGuess implements [ofKind].
func (t Typed[S, G]) ReadGuess(typed string) (func(game.State) (game.State, error), error) {
	guess, err := t.Read(typed)
	if err != nil {
		return nil, err
	}
	return func(s game.State) (game.State, error) { return t.Move(t.own(s), guess) }, nil
}

// CompleteGuess implements [ofKind].
func (t Typed[S, G]) CompleteGuess(current func() (game.State, bool), typed string) []bot.Choice {
	return t.Complete(func() (own S, ok bool) {
		s, ok := current()
		if ok {
			own = t.own(s)
		}
		return own, ok
	}, typed)
}

// Tried implements [ofKind].
func (t Typed[S, G]) Tried(s game.State, typed string) (int, string, bot.Line, bool) {
	guess, err := t.Read(typed)
	if err != nil {
		return 0, "", bot.Line{}, false
	}
	for i, turn := range t.turns(s) {
		if t.Same(turn.Guess, guess) {
			return i + 1, t.Write(turn.Guess), t.Tiles(turn), true
		}
	}
	return 0, "", bot.Line{}, false
}

// Rows implements [ofKind].
func (t Typed[S, G]) Rows(s game.State) []bot.Line {
	var rows []bot.Line
	for _, turn := range t.turns(s) {
		rows = append(rows, t.Tiles(turn))
	}
	return rows
}

// Feedback implements [ofKind].
func (t Typed[S, G]) Feedback(s game.State) []marks.Feedback {
	var all []marks.Feedback
	for _, turn := range t.turns(s) {
		all = append(all, turn.Feedback)
	}
	return all
}

// Guessed implements [ofKind].
func (t Typed[S, G]) Guessed(s game.State) string {
	turns := t.turns(s)
	return t.Write(turns[len(turns)-1].Guess)
}

// ExampleIn implements [ofKind].
func (t Typed[S, G]) ExampleIn(m game.Match) string {
	if t.ExampleFor == nil {
		return t.Example
	}
	return t.ExampleFor(t.own(m.State))
}

// SampleRow implements [ofKind].
func (t Typed[S, G]) SampleRow() bot.Line {
	var f marks.Feedback
	for i, mark := range []marks.Mark{marks.Green, marks.Yellow, marks.Black, marks.Black, marks.Green} {
		f = f.With(i, mark)
	}
	guess, _ := t.Read(t.Sample)
	return t.Tiles(marks.Turn[G]{Guess: guess, Feedback: f})
}

// Beside implements [ofKind].
func (t Typed[S, G]) Beside(s game.State) Aside { return t.Aside(t.own(s)) }

// HasPicture implements [ofKind].
func (t Typed[S, G]) HasPicture() bool { return t.Picture != nil }

// PlaysOn implements [ofKind].
func (t Typed[S, G]) PlaysOn() bool { return t.Further != nil }

// PlayOn implements [ofKind].
func (t Typed[S, G]) PlayOn(s game.State, typed []string) ([]bot.Line, bool, error) {
	var guesses []G
	for _, text := range typed {
		guess, err := t.Read(text)
		if err != nil {
			return nil, false, err
		}
		guesses = append(guesses, guess)
	}
	return t.Further(t.own(s), guesses)
}

func (t Typed[S, G]) board(v View) []bot.Line   { return t.Board(v, t.own(v.State)) }
func (t Typed[S, G]) playing(v View) []bot.Line { return t.Playing(v, t.own(v.State)) }
func (t Typed[S, G]) ended(v View) []bot.Line   { return t.Ended(v, t.own(v.State)) }

func (t Typed[S, G]) step(v View, step int) []bot.Line {
	return t.Step(v, t.own(v.State.Rewind(step)))
}

func (t Typed[S, G]) picture(v View) *bot.Picture {
	if t.Picture == nil {
		return nil
	}
	return t.Picture(v, ownTitle(v), t.own(v.State))
}

func (t Typed[S, G]) note(s game.State) string {
	if t.Note == nil {
		return ""
	}
	return t.Note(t.own(s))
}

// Reviewed implements [ofKind].
func (t Typed[S, G]) Reviewed(s game.State) []bot.Line {
	if t.InReview == nil {
		return nil
	}
	return t.InReview(t.own(s))
}

// SolverGuesses implements [ofKind].
func (t Typed[S, G]) SolverGuesses(r game.Review) []string {
	var all []string
	for _, turn := range r.(grade.Review[G]).Line {
		all = append(all, t.Write(turn.Guess))
	}
	return all
}

// Judgements implements [ofKind].
func (t Typed[S, G]) Judgements(r game.Review) []Judgement {
	var all []Judgement
	for _, j := range r.(grade.Review[G]).Guesses {
		all = append(all, Judgement{t.Tiles(j.Turn), t.judge(j)})
	}
	return all
}

// judge says how many answers a guess left, how good and lucky it was, and what was better.
func (t Typed[S, G]) judge(j grade.Judged[G]) string {
	expected := "%.0f"
	if j.Expected < 10 {
		expected = "%.1f"
	}
	left := fmt.Sprintf("%d left ("+expected+" expected)", j.After, j.Expected)
	if j.Feedback == marks.AllGreen {
		left = "found"
	}
	said := left + " · " + SkillAndLuck(j.Skill, j.Luck, j.Proven)
	switch {
	case !t.Same(j.Best, j.Guess):
		said += " · better: " + t.Write(j.Best)
	case j.Proven:
		said += " · the best"
	}
	return said
}
