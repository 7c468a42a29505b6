package interaction

import (
	"encoding/json"
	"strings"
	"sync/atomic"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
)

// CommandIDs are the ids of the registered commands, with which a text can name a command
// so that a click enters it. None is known before commands are registered. It is safe for
// concurrent use.
type CommandIDs struct {
	byName atomic.Pointer[map[string]string]
}

// Learn reads the ids from the commands as Discord returns them. What it cannot read it
// leaves out: commands are named in bold then.
func (c *CommandIDs) Learn(commands []byte) {
	var all []struct{ ID, Name string }
	if json.Unmarshal(commands, &all) != nil {
		return
	}
	byName := map[string]string{}
	for _, command := range all {
		if calls.IsSnowflake(command.ID) {
			byName[command.Name] = command.ID
		}
	}
	c.byName.Store(&byName)
}

// mention names a command as Discord does: "</wordle start:ID> **mode:solo**", see
// discord.com/developers/docs/reference#message-formatting. Options without a value are left
// out: Discord shows them when the command is clicked.
func (c *CommandIDs) mention(s bot.Span) string {
	if s.Label != "" {
		return "**" + escape.Replace(s.Label) + "**"
	}
	name, options := "/"+s.Command, ""
	for _, a := range s.Args {
		switch a.Value {
		case "":
		case "true":
			options += " " + a.Option + ":True"
		default:
			options += " " + a.Option + ":" + a.Value
		}
	}
	id := ""
	if ids := c.byName.Load(); ids != nil {
		first, _, _ := strings.Cut(s.Command, " ")
		id = (*ids)[first]
	}
	switch {
	case id == "":
		return "**" + escape.Replace(name+options) + "**"
	case options == "":
		return "<" + name + ":" + id + ">"
	}
	return "<" + name + ":" + id + "> **" + escape.Replace(options[1:]) + "**"
}
