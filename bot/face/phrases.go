package face

import (
	"fivefold/bot"
	"fivefold/game"
)

// Phrases are the words of a kind of game that don't depend on the state of a game.
type Phrases struct {
	Kind  game.Kind
	Title string // such as "Pokle"; empty for the word game, which needs no title
	Noun  string // for the answer, such as "board"
	About string // describes the group of its commands, in at most 100 characters

	Commands Commands
	// The help texts of the commands, each at most 100 characters.
	StartHelp, GuessHelp, HintHelp, BoardHelp, StopHelp, StatsHelp, RulesHelp string
	// StartOptions are the kind's own options of a start.
	StartOptions []bot.Option
	// Guess is the option for a guess. A form asks for it under the title and the label, in at most MostTyped
	// characters.
	Guess                bot.Option
	FormTitle, FormLabel string
	MostTyped            int
	Sample               bot.Line // a row of tiles with every mark
	Dealt                bool     // a game begins with clues, to be seen before the first guess
	Headings             string   // above the tiles of large typed boards, aligned with tiles of five columns; may be empty
	// HintKinds are the kinds of hints, the default first. HintKindsHelp explains them in at most 100 characters if
	// there are several.
	HintKinds     []game.HintKind
	HintKindsHelp string

	Task string // of a new match, as a sentence without its full stop
	// Search is the option that limits a list to one answer; nil for no search.
	Search           *bot.Option
	LeftWhilePlaying bool   // the board shows the number of possible answers during a match, not at its end
	NotFound         string // before the answer of a game that did not find it; "The word was " if empty, with the noun
	ShowsAnswer      bool   // the board of an ended match shows the answer
	PlaysOn          bool   // a lost game can be played on
	// HowToPlay explains the kind, with sample tiles.
	HowToPlay []bot.Line
}

// Commands are the names of a kind's commands.
type Commands struct {
	Start, Guess, Hint, Board, Stop, Stats, Rules string
	Race, Challenge                               string // empty for a kind without races or challenges
}
