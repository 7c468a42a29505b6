package bot

import (
	"strings"
	"sync"
	"unicode"

	"fivefold/game"
)

// Names remembers what players are called, for pictures, which cannot mention them. Only the players who asked for
// something lately are known, and nothing is stored. A nil *Names knows nobody. It is safe for concurrent use.
type Names struct {
	mu          sync.Mutex // protects the maps
	now, before map[game.PlayerID]string
}

// mostNames is how many names now may have. It then becomes before, and older names are forgotten.
const mostNames = 10_000

// Learn notes a player's name; an empty one changes nothing.
func (n *Names) Learn(player game.PlayerID, name string) {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }), " ")
	if n == nil || name == "" || player == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.now == nil || len(n.now) >= mostNames {
		n.now, n.before = map[game.PlayerID]string{}, n.now
	}
	n.now[player] = name
}

// Of returns a player's name, empty if it is not known.
func (n *Names) Of(player game.PlayerID) string {
	if n == nil {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if name := n.now[player]; name != "" {
		return name
	}
	return n.before[player]
}
