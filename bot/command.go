package bot

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Command is one row of the table of commands.
type Command struct {
	// Name is what players type after the slash: one word, or two where
	// commands share the first. Each is 1 to 32 of a–z and hyphens.
	Name    string
	Help    string // one sentence, at most 100 characters
	Options []Option
	// Carried are the arguments that only buttons and forms have, and nobody can
	// type as options.
	Carried []string
	// Private says that the answer is for the asker alone even when all is well.
	// Refusals are always private.
	Private bool
	// MayBePrivate says that whether the answer is for the asker alone is known
	// only when it is there.
	MayBePrivate bool
	Run          func(context.Context, *Bot, Request) (Reply, error)
}

// Usage is how the command is written, without the slash: "wordle start [hard]".
func (c Command) Usage() string {
	usage := c.Name
	for _, o := range c.Options {
		if o.Required {
			usage += " " + o.Name
		} else {
			usage += " [" + o.Name + "]"
		}
	}
	return usage
}

// Option is something a command can be told.
type Option struct {
	Name     string // like a command's
	Help     string // at most 100 characters
	Kind     OptionKind
	Required bool
	// Words says that a Text is several words, such as cards: a typed line gives it
	// all that follow, not one.
	Words bool
	// Choices are all that a Text may be, the first one being meant when the
	// option is left out; nil for any text.
	Choices []string
	// Complete proposes values for what was typed so far, in a request with the
	// other options as they are; nil for none.
	Complete func(ctx context.Context, b *Bot, r Request, typed string) []Choice
}

// OptionKind says what an option's value is.
type OptionKind uint8

// The kinds of options.
const (
	Text   OptionKind = iota
	Flag              // "true" or "false"
	Person            // a game.PlayerID
)

// Choice is a value proposed for an option.
type Choice struct {
	Name  string // what the player reads, 1 to 100 characters
	Value string // what is sent, 1 to 100 characters
}

// MaxChoices is how many choices a front can show: Discord's limit, see
// discord.com/developers/docs/interactions/application-commands.
const MaxChoices = 25

// The commands' names, for texts that mention them.
const (
	nameStart  = "wordle start"
	nameBoard  = "wordle board"
	nameStop   = "wordle stop"
	nameHelp   = "wordle help"
	nameGuess  = "guess"
	nameHint   = "hint"
	nameStats  = "stats"
	nameReview = "review game"
	nameList   = "review list"
	nameReplay = "review replay"
	nameClear  = "review clear"

	namePokleStart = "pokle start"
	namePokleGuess = "pokle guess"
	namePokleHint  = "pokle hint"
	namePokleBoard = "pokle board"
	namePokleStop  = "pokle stop"
	namePokleStats = "pokle stats"
	namePokleSolve = "pokle solve"
	namePokleRules = "pokle rules"

	nameNext     = "solve next"
	nameUndo     = "solve undo"
	nameChange   = "solve change"
	nameTop      = "solve top"
	nameWords    = "solve words"
	nameHard     = "solve hard"
	nameStrategy = "solve strategy"
	nameNew      = "solve new"
	nameRecord   = "solve record"
	nameSolving  = "solve help"
)

// commands is the table; its order is the order of the help. It is filled by
// init because the help, a row of it, lists it.
var commands []Command

func init() {
	commands = []Command{
		wordleStart, guess, hint, wordleBoard, wordleStop, stats, reviewGame, reviewList, reviewReplay, reviewClear, wordleHelp,
		pokleStart, pokleGuess, pokleHint, pokleBoard, pokleStop, pokleStats, pokleSolve, pokleRules,
		solveNext, solveUndo, solveChange, solveTop, solveWords, solveHard, solveStrategy, solveNew, solveRecord, solveHelp,
	}
	if err := checkTable(commands); err != nil {
		panic(err)
	}
}

// Commands returns the table of commands. The caller must not change it.
func Commands() []Command { return commands }

var namePattern = regexp.MustCompile(`^[a-z-]{1,32}$`)

// checkTable finds what a front could not register.
func checkTable(commands []Command) error {
	seen := map[string]bool{}
	for _, c := range commands {
		words := strings.Split(c.Name, " ")
		if len(words) > 2 || seen[c.Name] || len(words) == 2 && seen[words[0]] {
			return fmt.Errorf("bot: command %q is there twice, or is too long", c.Name)
		}
		if len(words) == 2 && groups[words[0]] == "" {
			return fmt.Errorf("bot: the group of command %q has no help", c.Name)
		}
		seen[c.Name] = true
		named := words
		for i, o := range c.Options {
			if i > 0 && o.Required && !c.Options[i-1].Required {
				return fmt.Errorf("bot: command %q: required option %q after one that is not", c.Name, o.Name)
			}
			if slices.ContainsFunc(c.Options[:i], func(p Option) bool { return p.Name == o.Name }) {
				return fmt.Errorf("bot: command %q has option %q twice", c.Name, o.Name)
			}
			if o.Help == "" || len(o.Help) > 100 || len(o.Choices) > MaxChoices {
				return fmt.Errorf("bot: command %q: option %q is out of bounds", c.Name, o.Name)
			}
			named = append(named, o.Name)
		}
		named = append(named, c.Carried...)
		for _, n := range named {
			if !namePattern.MatchString(n) {
				return fmt.Errorf("bot: command %q: %q is not a name", c.Name, n)
			}
		}
		if c.Help == "" || len(c.Help) > 100 || c.Run == nil {
			return fmt.Errorf("bot: command %q is incomplete", c.Name)
		}
	}
	return nil
}

// groups says what the commands that share a first word are about.
var groups = map[string]string{
	"wordle": "The five-letter word game of this channel",
	"pokle":  "The poker game: find the five cards on the table",
	"solve":  "Help with a word puzzle that you play elsewhere; only you see it",
	"review": "Finished games: how good each guess was, a list of them, each step again",
}

// GroupHelp returns what the two-word commands with a first word are about, in
// at most 100 characters.
func GroupHelp(first string) string { return groups[first] }

// Find returns the command with the name.
func Find(name string) (Command, bool) {
	i := slices.IndexFunc(commands, func(c Command) bool { return c.Name == name })
	if i < 0 {
		return Command{}, false
	}
	return commands[i], true
}
