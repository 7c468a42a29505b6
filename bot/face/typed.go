package face

import (
	"fmt"
	"slices"

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
	Read  func(typed string) (G, error)
	Turns func(S) []marks.Turn[G] // the guesses of a game with their feedback, and Tiles is the row of one
	Tiles func(marks.Turn[G]) bot.Line
	// Same reports whether two guesses mean the same.
	Same func(a, b G) bool
	// Write writes a guess for players.
	Write func(G) string

	// Board shows a match without its title. Below is what follows: in a game that is being played what there is
	// to say of it, and in one that has ended what follows its outcome.
	Board func(v View, s S) (board, below []bot.Line)
	// Step shows a finished match as it was, given its state then.
	Step func(v View, then S) []bot.Line
	// Picture draws the match, without its title; nil for a kind without pictures.
	Picture func(v View, s S) *bot.Picture
	Aside   func(S) Aside // what there is to see of a game beside its tiles

	// The rest may be nil.

	// ExampleFor returns an example of a guess, as it is typed, which the rules allow first in
	// a game; nil where [Words.Example] is one in every game.
	ExampleFor func(S) string
	InReview   func(S) []bot.Line // what a review says of a finished game beside its guesses
	// Note says what else there is to know about how a game was won, in a sentence that begins
	// with a space; it may be empty.
	Note func(S) string
}

// ofKind is what [Typed] makes of a kind's functions, for callers who know no kind.
type ofKind struct {
	// Unreadable returns a refusal of what is not a guess as one is typed; nil for a guess.
	Unreadable func(typed string) error
	// Tried looks for a guess among those of a game: it returns which attempt it was, from 1, or 0 for none.
	Tried func(s game.State, typed string) (attempt int)
	// Rows are the tiles of each guess of a game, and Guessed writes its latest one for players.
	Rows      func(game.State) []bot.Line
	Guessed   func(game.State) string
	SampleRow func() bot.Line // a row of tiles with every mark
	// Judgements returns a judgement of each guess of a review, in their order.
	Judgements func(game.Review) []Judgement
	// SolverGuesses returns what the solver would have played, nil if that is unknown.
	SolverGuesses func(game.Review) []string

	// These are like those of [Typed].

	Aside    func(game.State) Aside
	InReview func(game.State) []bot.Line
	board    func(View, game.State) (board, below []bot.Line)
	step     func(View, game.State) []bot.Line
	picture  func(View, game.State) *bot.Picture // may be nil
	example  func(game.State) string
	note     func(game.State) string
}

// Judgement is a guess and what a review says about it.
type Judgement struct {
	Tiles bot.Line
	Text  string // "150 left (91 expected) · skill 89 · luck 21"
	// Better is a better guess; empty if there was none, or the guess found the answer.
	Better string
}

// Line is the judgement in words, with what was better in a spoiler if it is to be hidden.
func (j Judgement) Line(hide bool) bot.Line {
	switch {
	case j.Better == "":
		return bot.Text(j.Text)
	case hide:
		return bot.Text(j.Text+" · better: ", bot.Spoiler(j.Better))
	}
	return bot.Text(j.Text + " · better: " + j.Better)
}

// Face returns the face as values of any kind have it. It must be given those of its own kind only.
func (t Typed[S, G]) Face() Face {
	if t.ExampleFor == nil {
		t.ExampleFor = func(S) string { return t.Example }
	}
	f := Face{t.Words, ofKind{
		Unreadable: func(typed string) error {
			_, err := t.Read(typed)
			return err
		},
		Tried: func(s game.State, typed string) int {
			guess, err := t.Read(typed)
			return 1 + slices.IndexFunc(t.Turns(s.(S)), func(turn marks.Turn[G]) bool { return err == nil && t.Same(turn.Guess, guess) })
		},
		Rows:    func(s game.State) []bot.Line { return bot.Each(t.Turns(s.(S)), t.Tiles) },
		Guessed: func(s game.State) string { return t.Write(t.Turns(s.(S))[s.Used()-1].Guess) },
		SampleRow: func() bot.Line {
			guess, _ := t.Read(t.Sample)
			f, _ := marks.Parse("gybbg")
			return t.Tiles(marks.Turn[G]{Guess: guess, Feedback: f})
		},
		Judgements: func(r game.Review) []Judgement {
			return bot.Each(r.(grade.Review[G]).Guesses, t.judge)
		},
		SolverGuesses: func(r game.Review) []string {
			return bot.Each(r.(grade.Review[G]).Line, func(turn marks.Turn[G]) string { return t.Write(turn.Guess) })
		},
		Aside:    ofAny(t.Aside),
		InReview: ofAny(t.InReview),
		board:    func(v View, s game.State) (board, below []bot.Line) { return t.Board(v, s.(S)) },
		step:     func(v View, then game.State) []bot.Line { return t.Step(v, then.(S)) },
		example:  ofAny(t.ExampleFor),
		note:     ofAny(t.Note),
	}}
	if t.Picture != nil {
		f.picture = func(v View, s game.State) *bot.Picture { return t.Picture(v, s.(S)) }
	}
	return f
}

// ofAny returns a function of a kind's states for those of any kind; nil stands for one that returns nothing.
func ofAny[S game.State, T any](f func(S) T) func(game.State) T {
	return func(s game.State) (none T) {
		if f == nil {
			return none
		}
		return f(s.(S))
	}
}

// judge says how many answers a guess left, how good and lucky it was, and what was better.
func (t Typed[S, G]) judge(j grade.Judged[G]) Judgement {
	expected := "%.0f"
	if j.Expected < 10 {
		expected = "%.1f"
	}
	left := fmt.Sprintf("%d left ("+expected+" expected)", j.After, j.Expected)
	if j.Feedback == marks.AllGreen {
		left = "found"
	}
	said := Judgement{Tiles: t.Tiles(j.Turn), Text: left + " · " + SkillAndLuck(j.Skill, j.Luck, j.Proven)}
	switch best := t.Same(j.Best, j.Guess); {
	case best && j.Proven:
		said.Text += " · the best"
	case !best && j.Feedback != marks.AllGreen:
		said.Better = t.Write(j.Best)
	}
	return said
}
