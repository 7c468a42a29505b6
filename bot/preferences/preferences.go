// Package preferences answers the commands with which players choose how replies look, and
// servers how games are played there.
package preferences

import (
	"fivefold/bot"
	"fivefold/bot/face"
)

// Handlers has what the commands work with. Its fields must be set and not changed
// afterwards.
type Handlers struct {
	Store Store
	Faces face.Faces // whose tiles show a look
}

// Commands returns the commands of /preferences.
func (h *Handlers) Commands() []bot.Command {
	return []bot.Command{h.player(), h.server()}
}
