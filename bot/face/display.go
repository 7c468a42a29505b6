package face

import (
	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
)

// Display shows games to players. Each kind has one, with pure methods that are safe for concurrent use. States,
// matches, hints and reviews must be of the kind. The type Game of bot/kinds/wordgame and that of bot/kinds/pokergame
// implement it.
type Display interface {
	// Attempts is the number of guesses that a game has.
	Attempts() int
	// Read reads a guess as it is typed. It reports whether a list of the kind has the guess; an unlisted one counts
	// only where the answer is unlisted too. The error is a refusal of an invalid guess.
	Read(typed string) (listed bool, err error)
	// Attempt returns the number of a typed guess in a game, from 1; 0 for a new guess.
	Attempt(s game.State, typed string) int
	// Tiles divides typed text without spaces into the texts of tiles.
	Tiles(typed string) TypedTiles
	// Complete proposes guesses that continue the typed text. Current returns the current game, or nil.
	Complete(current func() game.State, typed string) []bot.Choice
	// Example returns a guess, as players type it, that a game allows as its first. A nil State stands for any game.
	Example(game.State) string
	// Guesses returns the guesses of a game, oldest first.
	Guesses(game.State) []Guess
	// Boards returns the boards of a game of several, or one that began with a row. A nil State stands for a game that has
	// not begun. Nil means one board with the rows of Guesses.
	Boards(game.State) []Board
	// Draw draws a match.
	Draw(View) Drawing
	// Aside returns what a front shows beside the tiles all through a game: a [*bot.Keyboard], or lines. A nil State stands
	// for a game that has not begun.
	Aside(game.State) []bot.Block
	// Found returns for each board of a game of several the number of the guess that found it, or 0; nil for a kind with one
	// board. Others see it while they can still play.
	Found(game.State) []int
	// HintLine shows a hint.
	HintLine(game.Hint) bot.Line
	// Judge puts a review into words. The state is nil for a game from elsewhere.
	Judge(game.State, game.Review) Judgements
	// PlayOn makes a player's own guesses in a lost game, outside the count. It returns the lines to show and whether
	// the guesses are over; the last lines have the answer. The error is one of the rules. Only kinds with
	// [Phrases].PlaysOn need the method.
	PlayOn(lost game.State, typed []string) (lines []bot.Line, over bool, err error)
	// ExplainRules makes a refusal of an error of the kind's rules. It returns other errors unchanged.
	ExplainRules(error) error
}

// Plain has the optional methods of a [Display].
type Plain struct{}

func (Plain) Complete(func() game.State, string) []bot.Choice { return nil }
func (Plain) Aside(game.State) []bot.Block                    { return nil }
func (Plain) Boards(game.State) []Board                       { return nil }
func (Plain) Found(game.State) []int                          { return nil }
func (Plain) PlayOn(game.State, []string) ([]bot.Line, bool, error) {
	return nil, false, game.ErrEnded
}

// TypedTiles is a guess while it is typed.
type TypedTiles struct {
	Texts []string
	Whole bool // the last tile is complete
	Fits  bool // it can become a guess
}

// Guess is a guess as players see it.
type Guess struct {
	Text  string
	Tiles bot.Line // with their marks
}

// Guesses returns the guesses of the turns.
func Guesses[G any](turns []marks.Turn[G], write func(G) string, tiles func(marks.Turn[G]) bot.Line) []Guess {
	return bot.Each(turns, func(t marks.Turn[G]) Guess { return Guess{write(t.Guess), tiles(t)} })
}

// Drawing is a match as its kind draws it.
type Drawing struct {
	Board   []bot.Block // the guesses, and what they were made from
	Rest    []bot.Block // follows the guesses of an open match: the outlines of those to come, a keyboard
	Meaning string      // of the answer; empty without one
}

// Rows returns the tiles of each guess of a game.
func (f Face) Rows(s game.State) []bot.Line {
	return bot.Each(f.Guesses(s), func(g Guess) bot.Line { return g.Tiles })
}

// Board is a board for a screen that draws tiles.
type Board struct {
	Head  string     // above it: of one of several, its number and what is known, in 15 columns: "3 _R__E +A"
	Rows  []bot.Line // oldest first, up to the guess that found it; a text is on the right of its tiles
	Found bool       // of several boards: takes no more guesses, and the last row is enough
}

// Boards returns the boards of a game, as [Display.Boards] says.
func (f Face) Boards(s game.State) []Board {
	if all := f.Display.Boards(s); all != nil {
		return all
	}
	b := Board{Head: f.Headings}
	if s != nil {
		b.Rows = f.Rows(s)
	}
	return []Board{b}
}

// Guessed returns the text of a guess; attempts count from 1.
func (f Face) Guessed(s game.State, attempt int) string { return f.Guesses(s)[attempt-1].Text }

// IsGuess reports whether the text is a valid guess, listed or not.
func (f Face) IsGuess(typed string) bool {
	_, err := f.Read(typed)
	return err == nil
}

// Unlisted reports whether the text is a valid guess that the kind's lists don't have.
func (f Face) Unlisted(typed string) bool {
	listed, err := f.Read(typed)
	return err == nil && !listed
}

// Step shows the board of a finished match as it was after a number of guesses.
func (f Face) Step(v View, step int) []bot.Block {
	var said bot.Line
	version := uint64(1)
	if step > 0 {
		version = v.Moves[step-1].Version
		said = bot.Text(v.Moves[step-1].Player, " guessed ", bot.Bold(f.Guessed(v.State, step)), ". ")
	}
	if left := v.LeftAfter(step); !f.LeftWhilePlaying && left >= 0 {
		said = said.With(bot.Plural(left, f.Noun) + " left.")
	}
	if step == v.Used() {
		return append(f.Draw(v).Board, said, f.Outcome(v))
	}
	v.Match = v.Match.Rewind(version)
	return append(f.Draw(v).Board, said)
}
