package bot

// Audience is who sees a reply.
type Audience uint8

// The audiences. A reply is for everyone or for the asker; a command may leave that
// undecided.
const (
	Everyone  Audience = iota // in the channel
	Asker                     // the player who asked, alone: ephemeral, on Discord
	Undecided                 // known only once the reply is there
)
