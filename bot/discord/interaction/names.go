package interaction

import (
	"encoding/json"
	"strings"
	"sync/atomic"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
)

// Names holds the usable emojis, and the ids of the application's commands, by which a text can link to a command. They
// become known while the bot is serving; the zero value knows none. It is safe for concurrent use.
type Names struct {
	commands atomic.Value // a map[string]string, by name
	tiles    atomic.Value // Tiles
}

// LearnEmojis sets the usable emojis, those of complete sets.
func (n *Names) LearnEmojis(have Emojis) { n.tiles.Store(have.Complete()) }

// Tiles returns the usable emojis. They must not be changed.
func (n *Names) Tiles() Tiles {
	usable, _ := n.tiles.Load().(Tiles)
	return usable
}

// LearnCommands reads the ids from the commands as Discord returns them. Texts name commands without an id in bold.
func (n *Names) LearnCommands(commands []byte) {
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
	n.commands.Store(byName)
}

// mention names a command as Discord does: "</wordle start:ID> **mode:solo**", see
// discord.com/developers/docs/reference#message-formatting. Options without a value are left
// out: Discord shows them when the command is clicked.
func (n *Names) mention(s bot.Span) string {
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
	ids, _ := n.commands.Load().(map[string]string)
	first, _, _ := strings.Cut(s.Command, " ")
	switch id := ids[first]; {
	case id == "":
		return "**" + escape.Replace(name+options) + "**"
	case options == "":
		return "<" + name + ":" + id + ">"
	default:
		return "<" + name + ":" + id + "> **" + escape.Replace(options[1:]) + "**"
	}
}
