package bot

import "net/url"

// Button makes the same request as a typed command.
type Button struct {
	Label   string // 1 to 80 characters
	Style   ButtonStyle
	Command string            // as in the [Table]
	Args    map[string]string // by option, as in a [Request]; never a secret; length: see [MaxButton]
	// Disabled buttons are shown but can't be pressed.
	Disabled bool
}

// Query is the command and its arguments, as [MaxButton] describes.
func (b Button) Query() string {
	if len(b.Args) == 0 {
		return b.Command
	}
	values := url.Values{}
	for name, value := range b.Args {
		values.Set(name, value)
	}
	return b.Command + "?" + values.Encode()
}

// ButtonStyle is how a button looks, in Discord's terms; fronts decide the colours.
type ButtonStyle uint8

const (
	ButtonSecondary ButtonStyle = iota
	ButtonPrimary               // what most players will want next
	ButtonSuccess               // agrees to something
	ButtonDanger                // can't be undone
	ButtonBlack                 // a tile of a board, like the two below
	ButtonYellow
	ButtonGreen
)

// MaxButton is the most characters of a button's command and arguments, written like a URL's query: "guess?word=crane".
// ASCII letters and digits, spaces, and - _ . ~ take one character each, every other byte takes three. The limit is
// Discord's, see discord.com/developers/docs/components/reference. Longer buttons are left out.
const MaxButton = 100

// ArgAt is the argument of a button for the version that it shows of what it changes. A typed line has none.
const ArgAt = "at"

// Form is a page of questions. A front with forms shows it instead of the reply that it comes with. Sending the form
// makes a request for Command. Its arguments are Args and the fields by name; an empty field is an empty argument.
type Form struct {
	Title   string            // 1 to 45 characters
	Command string            // as in the [Table]
	Args    map[string]string // as in a [Button], but 7 characters shorter than [MaxButton]
	About   []Block           // lines and a keyboard above the fields, where a front can show them; may be nil
	Fields  []Field           // 1 to 4
}

// Field is one question of a form. The limits are Discord's, see discord.com/developers/docs/components/reference.
type Field struct {
	Name     string // an option of the command, or one of its HiddenArgs; unique, and not in the form's Args
	Label    string // 1 to 45 characters
	Help     string // an example, shown while the field is empty; at most 100 characters, may be empty
	Value    string // filled in already, at most Max characters; may be empty
	Required bool
	Max      int // most characters that can be entered, 1 to 4000
}
