package bot

// Surface is where a player reads a reply: what there is, and what sentences call it.
type Surface uint8

const (
	InChat     Surface = iota // Discord, with buttons, servers and people who look after their channels
	InTerminal                // where everything is typed, and somebody owns the terminal
)

// HasButtons reports whether a reply's buttons are shown.
func (s Surface) HasButtons() bool { return s == InChat }

// Manager is who may stop anybody's game, besides its starter.
func (s Surface) Manager() string {
	if s == InTerminal {
		return "the owner of this terminal"
	}
	return "someone who can manage messages here"
}

// Lists reports whether help lists a command. The preferences of a server are those of one person in a
// terminal, who has their own, and nothing is posted there.
func (s Surface) Lists(c Command) bool {
	if s.HasButtons() {
		return !c.Pressed
	}
	return c.Name != NameDayPost && c.Name != NameServerPreferences
}
