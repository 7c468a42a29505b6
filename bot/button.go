package bot

// Button asks for a command when it is pressed, as if it had been typed.
type Button struct {
	Label   string // 1 to 80 characters
	Style   ButtonStyle
	Command string            // as in [Commands]
	Args    map[string]string // by option, as in a [Request]; nothing secret, and short: see [MaxButton]
	// Disabled buttons are shown but cannot be pressed.
	Disabled bool
}

// ButtonStyle is what a button looks like; fronts decide how.
type ButtonStyle uint8

// The looks of a button.
const (
	ButtonSecondary ButtonStyle = iota
	ButtonPrimary               // what most players will want next
	ButtonSuccess               // agrees to something
	ButtonDanger                // does what cannot be undone
	ButtonBlack                 // a tile of a board, like the two below
	ButtonYellow
	ButtonGreen
)

// MaxButton is how long a button's command and arguments may be together, as
// they are written in the query of an address: "solve next?guess=crane". There
// ASCII letters and digits, spaces, and - _ . ~ take one character each, every
// byte of all else three. It is Discord's limit, see
// discord.com/developers/docs/components/reference. A button that asks for more
// is not shown.
const MaxButton = 100
