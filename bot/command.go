package bot

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Command is a row of the [Table].
type Command struct {
	// Name is typed after the slash: one word, or two where commands share the first. Each has 1 to 32 characters, a–z
	// and hyphens.
	Name       string
	Help       string // one sentence, at most 100 characters
	Options    []Option
	HiddenArgs []string // arguments of buttons and forms that can't be typed as options
	// Pressed commands exist only as buttons in a front with buttons, which neither registers nor lists them. Elsewhere
	// they are typed.
	Pressed bool
	// OnMessage commands are used on a message, from its menu, where they are called by the name with a capital. They can't be
	// typed, and a front without messages of players has none.
	OnMessage bool
	// FormFor is a required option that a button may leave out: the command then asks for it by a form. It may be
	// empty.
	FormFor string
	// Audience says who sees the reply; Undecided leaves it to the reply. A refusal is for the asker alone. The late
	// refusal of a command for Everyone is for everyone, since Discord knows the audience by then.
	Audience   Audience
	NewMessage bool // a button is usually answered by a new message, not by an update of its own
	// Run does what the request asks for. Explain, or else [Bot.Handle], puts its error into words.
	Run func(context.Context, Request) (Reply, error)
	// Explain makes a refusal of an error of Run, or returns the error unchanged. It may be nil.
	Explain func(Request, error) error
	// Behind returns the present board, as everyone sees it, if a button of a board made the request, and false
	// otherwise. A front shows it instead of running the command if the button's message is out of date. It may be nil.
	Behind func(context.Context, Request) (Reply, bool)
	// NotSaved names the consequence of a failed save, such as "your guess was not counted". Empty stands for "nothing
	// was changed".
	NotSaved    string
	ShowCommand string // the command that shows the current state, for a player whose request took too long
}

// Usage is the command as a help text writes it, without the slash: "wordle start [hard]".
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

// Option is an argument of a command.
type Option struct {
	Name     string // like a command's name
	Help     string // at most 100 characters
	Kind     OptionKind
	Required bool
	// MultiWord texts may have several words, such as cards. In a typed line, they take all words that follow.
	MultiWord bool
	Choices   []string // the only values of a text, the first by default; nil for any text
	Named     bool     // the choices need the option's name: a typed line shows "hints:off", not "off"
	Secret    bool     // a value to hide from others: a front where they would see it asks for it by a form
	// Complete proposes values that continue the typed text, given the other options of the request. It may be nil.
	Complete func(ctx context.Context, r Request, typed string) []Choice
	// Prompt says what to type, in at most 100 characters, while Complete proposes nothing.
	Prompt string
}

// OptionKind is the type of an option's value.
type OptionKind uint8

const (
	TextOption   OptionKind = iota
	FlagOption              // "true" or "false"
	PlayerOption            // a game.PlayerID
)

// Choice is a value proposed for an option.
type Choice struct {
	Name  string // shown to the player, 1 to 100 characters
	Value string // sent, 1 to 100 characters
}

// MaxChoices is the most choices that a front can show. It is Discord's limit, see
// discord.com/developers/docs/interactions/application-commands.
const MaxChoices = 25

// The names of the commands that all kinds of games share, for texts that mention them. [NameHelp] is the first kind's.
// The names of a kind's other commands are in its own package.
const (
	NameHelp   = "wordle help"
	NameReview = "review game"
	NameList   = "review list"
	NameReplay = "review replay"
	NameShare  = "review share"

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
	NameSolveBoards   = "solve boards"

	NameDaily   = "daily"
	NamePrivacy = "privacy"

	NameImport = "import results"

	NamePreferences = "preferences player"
	NameSettings    = "settings"
)

// Table has every command of the program, in the order of the help. It must not change once in use.
type Table struct {
	Commands []Command
	Groups   map[string]string // by the first word that commands share: what they are about, in at most 100 characters
}

// Show returns the ShowCommand of the named command, or else its name. The first command of the group stands in for one
// that no longer exists. Without a group, Show returns "".
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

// Find returns the command with the name, and reports whether it exists.
func (t Table) Find(name string) (Command, bool) {
	i := slices.IndexFunc(t.Commands, func(c Command) bool { return c.Name == name })
	if i < 0 {
		return Command{}, false
	}
	return t.Commands[i], true
}
