package face

import (
	"fivefold/bot"
	"fivefold/game"
)

// Phrases are what a kind of game says whatever the state of a game.
type Phrases struct {
	Kind  game.Kind
	Title string // such as "Pokle"; empty for the word game, which needs none
	Noun  string // what is guessed, such as "board"
	About string // describes the group of its commands, in at most 100 characters

	Commands Commands
	// What the commands are for, each in at most 100 characters.
	StartHelp, GuessHelp, HintHelp, BoardHelp, StopHelp, StatsHelp, RulesHelp string
	// StartOptions are options of a start that other kinds need not have.
	StartOptions []bot.Option
	// Guess is the option that a guess is typed in. A form asks for it under the title and the
	// label, in at most MostTyped characters.
	Guess                bot.Option
	FormTitle, FormLabel string
	MostTyped            int
	Sample               bot.Line // a row of tiles with every mark
	Typing               Typing
	// HintKinds are what a player can ask for, the first one by default. HintKindsHelp
	// explains them in at most 100 characters if there are several.
	HintKinds     []game.HintKind
	HintKindsHelp string

	Task   string // what to do in a match that has just begun, up to the command: "Find the five-letter word"
	Guided bool   // a match that has just begun shows an example of a guess, and where the rules are
	// Search is the option by which a list is limited to an answer; nil for a kind without one.
	Search           *bot.Option
	LeftWhilePlaying bool   // the board says how many answers are left while a match is played, not at its end
	Pictured         bool   // boards are pictures, with the players' names, which can be asked for as text
	PlaysOn          bool   // a lost game can be played on
	SkillMeans       string // what the skill in a review compares: "Skill: …"
	// HowToPlay says how the kind is played. A list of its commands follows.
	HowToPlay []bot.Line
}

// Commands are the names of a kind's commands.
type Commands struct {
	Start, Guess, Hint, Board, Stop, Stats, Rules string
	Race, Challenge                               string // empty for a kind without them
}

// Typing is what there is to say of a guess where it is typed without a command, into the tiles of a board.
type Typing struct {
	Goal     string   // what there is to find, such as "hidden five-letter word"
	Begin    string   // how to begin a game, in a sentence
	What     string   // what a guess is, such as "a word"
	Help     string   // how to write one, in a sentence
	Headings []string // above the tiles, each above those from one that is apart to the next; nil for none
}
