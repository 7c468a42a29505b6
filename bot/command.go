package bot

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Command is one row of the table of commands.
type Command struct {
	// Name is what players type after the slash: one word, or two where
	// commands share the first. Each has 1 to 32 characters, a–z and hyphens.
	Name       string
	Help       string // one sentence, at most 100 characters
	Options    []Option
	HiddenArgs []string // the arguments that only buttons and forms have: nobody can type them as options
	// Pressed commands are on buttons alone where a front has buttons: it neither registers nor lists them. Elsewhere they
	// are typed.
	Pressed bool
	// FormFor is a required option that a button may leave out: the command then asks for it by a form. It is empty for none.
	FormFor string
	// Audience is who sees the reply; Undecided leaves that to the reply. A refusal is for the asker alone. A late refusal
	// of a command for Everyone is for everyone: Discord has been told by then who sees it.
	Audience   Audience
	NewMessage bool // the reply to a button is usually a new message, not an update of the one with the button
	// Run does what the request asks for. Its error is put into words by Explain, or else by [Bot.Handle].
	Run func(context.Context, Request) (Reply, error)
	// Explain makes a refusal of an error of Run, or returns it as it is. It may be nil.
	Explain func(Request, error) error
	// Behind returns the present board, as everyone sees it, for a request by a button of a board, and false for a button
	// elsewhere. A front whose message is out of date shows it instead of running the command. It may be nil.
	Behind func(context.Context, Request) (Reply, bool)
	// NotSaved is the consequence if the change can't be saved, such as "your guess was not counted"; empty for "nothing
	// was changed".
	NotSaved    string
	ShowCommand string // the command that shows the current state, for a player whose request took too long
}

// Usage is how the command is written, without the slash: "wordle start [hard]".
func (c Command) Usage() string {
	usage := c.Name
	for _, o := range c.Options {
		if o.Secret {
			continue
		}
		if o.Required {
			usage += " " + o.Name
		} else {
			usage += " [" + o.Name + "]"
		}
	}
	return usage
}

// HelpLine is the command in a list of commands: how it is written, and what it does.
func (c Command) HelpLine() Line {
	return Text(Span{Style: StyleCommand, Text: "/" + c.Usage(), Command: c.Name}, " — "+c.Help+".")
}

// Option is an argument of a command.
type Option struct {
	Name     string // like a command's
	Help     string // at most 100 characters
	Kind     OptionKind
	Required bool
	// MultiWord texts may have several words, such as cards: in a typed line, they are everything that follows.
	MultiWord bool
	Choices   []string // the only values of a text, the first one by default; nil for any text
	Named     bool     // the choices mean little without the option's name: a typed line then shows "hints:off", not "off"
	Secret    bool     // others must not see what is typed: a front where they would asks for it by a form
	// Complete proposes values that continue what was typed so far, given the other
	// options of the request; nil for none.
	Complete func(ctx context.Context, r Request, typed string) []Choice
	// Prompt says what to type, in at most 100 characters, while there is nothing to propose. It is for options with
	// Complete.
	Prompt string
}

// OptionKind says what an option's value is.
type OptionKind uint8

const (
	TextOption   OptionKind = iota
	FlagOption              // "true" or "false"
	PlayerOption            // a game.PlayerID
)

// Choice is a value proposed for an option.
type Choice struct {
	Name  string // what the player reads, 1 to 100 characters
	Value string // what is sent, 1 to 100 characters
}

// MaxChoices is how many choices a front can show: Discord's limit, see
// discord.com/developers/docs/interactions/application-commands.
const MaxChoices = 25

// The names of commands that all kinds of games share, for texts that mention them. Names of a kind's commands are in
// its room; [NameHelp] is one of the first kind's.
const (
	NameHelp   = "wordle help"
	NameReview = "review game"
	NameList   = "review list"
	NameReplay = "review replay"
	NameShare  = "review share"
	NameClear  = "review clear"

	NameSolveNext     = "solve next"
	NameSolveShow     = "solve show"
	NameSolveUndo     = "solve undo"
	NameSolveChange   = "solve change"
	NameSolveTop      = "solve top"
	NameSolveWords    = "solve words"
	NameSolveHard     = "solve hard"
	NameSolveStrategy = "solve strategy"
	NameSolveNew      = "solve new"
	NameSolveRecord   = "solve record"

	NameDaily = "daily"

	NamePreferences       = "preferences player"
	NameServerPreferences = "preferences server"
	NameDayPost           = "preferences post"
)

// Table has every command of the program, in the order of the help. It must not change once in use.
type Table struct {
	Commands []Command
	Groups   map[string]string // what the commands that share a first word are about, each in at most 100 characters
}

// Show returns the command that shows what a request for the named one was about. The named one need not exist any more.
// It returns "" if nothing is known about the name.
func (t Table) Show(name string) string {
	c, ok := t.Find(name)
	if !ok {
		first, _, _ := strings.Cut(name, " ")
		i := slices.IndexFunc(t.Commands, func(c Command) bool { return c.Name == first || strings.HasPrefix(c.Name, first+" ") })
		if i < 0 {
			return ""
		}
		c = t.Commands[i]
	}
	return cmp.Or(c.ShowCommand, c.Name)
}

// Find returns the command with the name, and whether there is one.
func (t Table) Find(name string) (Command, bool) {
	i := slices.IndexFunc(t.Commands, func(c Command) bool { return c.Name == name })
	if i < 0 {
		return Command{}, false
	}
	return t.Commands[i], true
}
