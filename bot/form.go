package bot

// Form is a page of questions that a front shows, where it can, instead of the reply it comes with. What is entered
// makes a request for its command: its arguments are those of the form and those entered, by option. A field that is
// left empty is an empty argument.
type Form struct {
	Title   string            // 1 to 45 characters
	Command string            // as in the [Table]
	Args    map[string]string // like those of a [Button]: nothing secret, and short: see [MaxButton]
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
