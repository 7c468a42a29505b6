package face

import (
	"fmt"
	"slices"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/solver/grade"
)

// Display makes of games what players see. Each kind has one, with pure methods that are safe for concurrent use. States,
// matches, hints and reviews must be of the kind. The type Game of bot/kinds/wordgame and that of bot/kinds/pokergame implement it.
type Display interface {
	// Read reads a guess as it is typed. It reports whether a list of the kind has the guess; one in no list counts
	// only where the answer is in none either. The error is a refusal of what is no guess.
	Read(typed string) (listed bool, err error)
	// Attempt returns which guess of a game, from 1, is the one that was typed; 0 for none.
	Attempt(s game.State, typed string) int
	// Tiles divides what was typed so far, without spaces, into the texts of tiles.
	Tiles(typed string) TypedTiles
	// Complete proposes guesses that continue what was typed so far. Current returns the game that is being played,
	// nil for none.
	Complete(current func() game.State, typed string) []bot.Choice
	// Example returns a guess, as it is typed, that the rules allow first in a game; nil stands for any game.
	Example(game.State) string
	// Guesses returns the guesses of a game, oldest first.
	Guesses(game.State) []Guess
	// Draw draws a match, without its title.
	Draw(View) Drawing
	// SidePanel returns the panel beside the tiles.
	SidePanel(game.State) SidePanel
	// HintLine shows a hint.
	HintLine(game.Hint) bot.Line
	// Judge puts a review into words. The state is nil for a game that was played elsewhere.
	Judge(game.State, game.Review) Judgements
	// PlayOn makes guesses of a player's own in a lost game, outside the count. It returns what they show, and whether
	// they are over, with the answer. The error is one of the rules; a kind with [Phrases].PlaysOn needs the method.
	PlayOn(lost game.State, typed []string) (lines []bot.Line, over bool, err error)
	// ExplainRules puts an error of the kind's rules into words, as a refusal. It returns other errors as they are.
	ExplainRules(error) error
}

// Plain has the methods of a [Display] that a kind can do without.
type Plain struct{}

func (Plain) Complete(func() game.State, string) []bot.Choice { return nil }
func (Plain) SidePanel(game.State) SidePanel                  { return SidePanel{} }
func (Plain) PlayOn(game.State, []string) ([]bot.Line, bool, error) {
	return nil, false, game.ErrEnded
}

// TypedTiles is a guess that is being typed.
type TypedTiles struct {
	Texts []string
	Whole bool // the last tile lacks nothing
	Fits  bool // it can become a guess
}

// Guess is a guess that was made, for players.
type Guess struct {
	Text  string
	Tiles bot.Line // with their marks
}

// Guesses returns the guesses of some turns.
func Guesses[G any](turns []marks.Turn[G], write func(G) string, tiles func(marks.Turn[G]) bot.Line) []Guess {
	return bot.Each(turns, func(t marks.Turn[G]) Guess { return Guess{write(t.Guess), tiles(t)} })
}

// Drawing is what a kind shows of a match.
type Drawing struct {
	Board []bot.Line
	// Below follows the board: in a match that is being played what there is to say of it, and in one that has ended
	// what follows its outcome.
	Below   []bot.Line
	Picture *bot.Picture // instead of those lines of the board that are [bot.Line].Pictured; nil for none
}

// SidePanel is what a drawn board shows beside its tiles.
type SidePanel struct {
	Rows [][]SidePart
	// First reports whether the panel comes before the tiles. At the end, the player's statistics
	// follow it then, and otherwise take its place.
	First bool
}

// SidePart is a part of a row of a [SidePanel]: text, perhaps in an ink of its own, or a tile with a mark.
type SidePart struct {
	Text   string
	Ink    bot.Ink
	Marked bool
	Mark   marks.Mark
}

// Judgements are a review in words.
type Judgements struct {
	About   []bot.Line // the finished game
	Guesses []Judgement
	Solver  []string // what the solver would have played; nil if that is unknown
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

// Judge puts a review into words: how many answers each guess left, how good and lucky it was, and what was better.
func Judge[G comparable](r grade.Review[G], write func(G) string, tiles func(marks.Turn[G]) bot.Line) (all Judgements) {
	for _, g := range r.Guesses {
		expected := "%.0f"
		if g.Expected < 10 {
			expected = "%.1f"
		}
		left := fmt.Sprintf("%d left ("+expected+" expected)", g.After, g.Expected)
		if g.Feedback == marks.AllGreen {
			left = "found"
		}
		j := Judgement{Tiles: tiles(g.Turn), Text: left + " · " + SkillAndLuck(g.Skill, g.Luck, g.Proven)}
		switch {
		case g.Best == g.Guess && g.Proven:
			j.Text += " · the best"
		case g.Best != g.Guess && g.Feedback != marks.AllGreen:
			j.Better = write(g.Best)
		}
		all.Guesses = append(all.Guesses, j)
	}
	for _, t := range r.Line {
		all.Solver = append(all.Solver, write(t.Guess))
	}
	return all
}

// Rows returns the tiles of each guess of a game.
func (f Face) Rows(s game.State) []bot.Line {
	return bot.Each(f.Guesses(s), func(g Guess) bot.Line { return g.Tiles })
}

// Guessed writes one guess of a game, from 1.
func (f Face) Guessed(s game.State, attempt int) string { return f.Guesses(s)[attempt-1].Text }

// IsGuess reports whether a text is a guess as one is typed.
func (f Face) IsGuess(typed string) bool {
	_, err := f.Read(typed)
	return err == nil
}

// Unlisted reports whether a text is a guess that is in no list of the kind.
func (f Face) Unlisted(typed string) bool {
	listed, err := f.Read(typed)
	return err == nil && !listed
}

// Step shows the board after the first guesses of a finished match.
func (f Face) Step(v View, step int) []bot.Line {
	end := "."
	if !f.LeftWhilePlaying {
		end = fmt.Sprintf("; %s left.", bot.Plural(v.LeftAfter(step), f.Noun))
	}
	said := bot.Text("The board is empty" + end)
	if step > 0 {
		said = bot.Text(v.Moves[step-1].Player, " guessed ", bot.Bold(f.Guessed(v.State, step)), end)
	}
	if step == v.Used() {
		return append(f.Draw(v).Board, said, f.Outcome(v.Match))
	}
	version := uint64(1)
	if step > 0 {
		version = v.Moves[step-1].Version
	}
	v.Match = v.Match.Rewind(version)
	then := f.Draw(v)
	return slices.Concat(then.Board, []bot.Line{said}, then.Below)
}
