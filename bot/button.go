package bot

import (
	"net/url"
)

// Button asks for a command when it is pressed, as if it had been typed.
type Button struct {
	Label   string // 1 to 80 characters
	Style   ButtonStyle
	Command string            // as in the [Table]
	Args    map[string]string // by option, as in a [Request]; nothing secret, and short: see [MaxButton]
	// Disabled buttons are shown but cannot be pressed.
	Disabled bool
}

// Size is the length that [MaxButton] limits.
func (b Button) Size() int {
	values := url.Values{}
	for name, value := range b.Args {
		values.Set(name, value)
	}
	return len(b.Command + "?" + values.Encode())
}

// ButtonStyle is how a button looks, in Discord's terms; fronts decide the colours.
type ButtonStyle uint8

const (
	ButtonSecondary ButtonStyle = iota
	ButtonPrimary               // what most players will want next
	ButtonSuccess               // agrees to something
	ButtonDanger                // does what cannot be undone
	ButtonBlack                 // a tile of a board, like the two below
	ButtonYellow
	ButtonGreen
)

// MaxButton is how long a button's command and arguments may be together, as they are written in the query of a URL:
// "solve next?guess=crane". ASCII letters and digits, spaces, and - _ . ~ take one character each there, and every
// other byte takes three. It is Discord's limit, see discord.com/developers/docs/components/reference. A longer one
// is not shown.
const MaxButton = 100

// Form is a page of questions that a front shows, where it can, instead of the reply it comes with. What is entered
// makes a request for its command: its arguments are those of the form and those entered, by option. A field that is
// left empty is an empty argument.
type Form struct {
	Title   string            // 1 to 45 characters
	Command string            // as in the [Table]
	Args    map[string]string // like those of a [Button]: nothing secret, and 7 characters less of them than [MaxButton]
	Fields  []Field           // 1 to 5
}

// Field is one question of a form. The limits are Discord's, see discord.com/developers/docs/components/reference.
type Field struct {
	Name     string // an option of the command, or one of its HiddenArgs; unique, and none of the form's Args
	Label    string // 1 to 45 characters
	Help     string // an example, shown while the field is empty; at most 100 characters, may be empty
	Value    string // what is filled in already, at most Max characters; may be empty
	Required bool
	Max      int // how many characters can be entered, 1 to 4000
}
