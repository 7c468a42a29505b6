package matches

import (
	"fivefold/game"
)

// Today returns the number of today's daily puzzle. By a wrong clock it can be below 1: there
// is no puzzle then.
func (m *Manager) Today() int { return game.DailyNumber(m.Clock()) }
