package discordtest

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The types of interactions.
const (
	TypeCommand      = 2
	TypeComponent    = 3
	TypeAutocomplete = 4
	TypeModal        = 5
)

// UserOption is the value of an option that names a user, by id.
type UserOption string

// Interaction is what a player does. The zero value is a command without a name in a direct message.
type Interaction struct {
	ID      string // by default a new id; a used id delivers that interaction again
	Type    int    // by default TypeCommand
	Guild   string // the server; empty is a direct message with the bot
	Channel string // by default a channel that [Server.SetChannel] need not describe
	GroupDM bool   // a direct message between users, without the bot as a member

	// UserInstalled means that only the user has installed the application, and the bot is not in the server. Answers
	// in a server are private then without [UseExternalApps].
	UserInstalled bool

	User, UserName string            // the player's id and name, by default made up
	UserNames      map[string]string // the names of the users that options name, by id, by default made up
	Permissions    int64             // of the member in the channel
	Roles          []string          // of the member, without the role of everyone

	Command  string         // with its subcommand, if any, such as "wordle start" or "guess"
	Target   string         // the message that a command is used on: what [Server.Chat] returns
	Options  map[string]any // by name: string, bool or UserOption; for a form, the texts by custom_id
	Focused  string         // the option being typed, for TypeAutocomplete
	CustomID string         // of a component or a form
	Values   []string       // what is chosen, for a menu

	form []Component // what [Server.Submit] fills in

	// Message is the message with the component, or with the button that opened the form: an [Answer]'s MessageID. By
	// default, a component is on an unknown message, and a form comes from a command.
	Message string

	Raw json.RawMessage // sent instead of all of the above; its id and token count
	Cut <-chan struct{} // closing it cuts the line of an interaction by HTTP; the bot may still answer by a callback

	token string
}

const tokenPrefix = "interaction-token-"

// completeLocked fills in the defaults, or the fields of a raw interaction.
func (x *exchange) completeLocked(i Interaction) Interaction {
	if i.Raw != nil {
		type withID struct {
			ID string `json:"id"`
		}
		var raw struct {
			withID
			Token   string `json:"token"`
			Type    int    `json:"type"`
			Guild   string `json:"guild_id"`
			Channel string `json:"channel_id"`
			Message withID `json:"message"`
			In      withID `json:"channel"`
		}
		_ = json.Unmarshal(i.Raw, &raw) // a text that cannot be read is sent all the same, and has no answer
		i.ID, i.token, i.Type, i.Guild, i.Message = raw.ID, raw.Token, raw.Type, raw.Guild, raw.Message.ID
		i.Channel = cmp.Or(raw.Channel, raw.In.ID) // a test may have removed one of the two
		return i
	}
	if i.ID == "" {
		i.ID = x.newIDLocked()
	}
	i.token = tokenPrefix + i.ID
	i.Type = cmp.Or(i.Type, TypeCommand)
	i.Channel = cmp.Or(i.Channel, "1300000000000000001")
	i.User, i.UserName = cmp.Or(i.User, "1200000000000000001"), cmp.Or(i.UserName, "player")
	if i.Type == TypeComponent && i.Message == "" {
		i.Message = x.newIDLocked()
	}
	return i
}

// onMessage reports whether the interaction comes from a message's component, or from a form that a component has opened.
func (i Interaction) onMessage() bool { return i.Message != "" }

// Event returns the interaction that [Server.Invoke] would send. It can be changed and sent as [Interaction].Raw.
func (x *exchange) Event(i Interaction) json.RawMessage {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.encodeLocked(x.completeLocked(i))
}

// encodeLocked is the interaction as Discord sends it. With `member` there is no `user`.
func (x *exchange) encodeLocked(i Interaction) json.RawMessage {
	ch, may := x.placeLocked(i.Channel, i.Guild, i.GroupDM, !i.UserInstalled)
	name, _, _ := strings.Cut(i.Command, " ")
	if i.Target != "" {
		name = i.Command
	}
	owners, context := object{"0": cmp.Or(i.Guild, "0")}, 1
	switch {
	case i.Guild != "":
		context = 0
	case i.GroupDM:
		context = 2
	}
	if i.UserInstalled || i.GroupDM {
		owners = object{"1": i.User}
	}
	o := object{
		"id": i.ID, "application_id": appID, "type": i.Type, "token": i.token, "version": 1, "locale": "en-US",
		"channel_id": i.Channel, "channel": ch, "app_permissions": strconv.FormatInt(may, 10),
		"authorizing_integration_owners": owners, "context": context, "data": i.data(x.commandIDLocked(i.Guild, name), x.messages[i.Message]),
	}
	if i.Target != "" {
		o["data"] = i.onTarget(x.commandIDLocked(i.Guild, name), *x.messages[i.Target])
	}
	if user := userObject(i.User, i.UserName); i.Guild != "" {
		o["guild_id"] = i.Guild
		o["member"] = object{"user": user, "roles": append([]string{}, i.Roles...), "permissions": strconv.FormatInt(i.Permissions, 10)}
	} else {
		o["user"] = user
	}
	if i.onMessage() {
		o["message"] = *x.messageLocked(i)
	}
	return mustJSON(o)
}

var mentioned = regexp.MustCompile(`<@(\d+)>`)

// onTarget returns the data of a command that is used on a message: the message with its content, and the users it mentions.
func (i Interaction) onTarget(commandID string, m message) object {
	mentions := []object{}
	for _, id := range mentioned.FindAllStringSubmatch(m.Content, -1) {
		mentions = append(mentions, userObject(id[1], cmp.Or(i.UserNames[id[1]], "user-"+id[1])))
	}
	return object{"id": commandID, "name": i.Command, "type": commandOnMessage, "target_id": m.ID, "resolved": object{"messages": object{m.ID: object{
		"id": m.ID, "channel_id": m.Channel, "type": m.Type, "author": userObject(m.Author.ID, cmp.Or(i.UserNames[m.Author.ID], "user-"+m.Author.ID)),
		"content": m.Content, "components": m.Components, "embeds": []object{}, "mentions": mentions,
	}}}}
}

// messageLocked returns the message with an interaction's component. If the message is unknown, it makes one up.
func (x *exchange) messageLocked(i Interaction) *message {
	if m := x.messages[i.Message]; m != nil {
		return m
	}
	m := x.newMessageLocked(typeAnswer, i.Channel, appID)
	m.ID, m.Flags, m.Components = i.Message, flagComponentsV2, []Component{{Type: compText, ID: 1, Content: "a message from before"}}
	return m
}

// data returns the data of an interaction: the options, the form or the component, which is on a message, nil for an unknown one.
func (i Interaction) data(commandID string, on *message) object {
	switch i.Type {
	case TypeComponent:
		d := object{"custom_id": i.CustomID, "component_type": compButton, "id": 2}
		if i.Values != nil {
			d["component_type"], d["values"] = compMenu, i.Values
		}
		if on != nil {
			visit(on.Components, func(c *Component) {
				if c.CustomID == i.CustomID {
					d["component_type"], d["id"] = c.Type, c.ID
				}
			})
		}
		return d
	case TypeModal:
		form := i.form
		if form == nil {
			for _, name := range slices.Sorted(maps.Keys(i.Options)) {
				form = append(form, Component{Type: compLabel, Inner: &Component{CustomID: name}})
			}
		}
		filled, id := []object{}, 0
		for _, c := range form {
			id++
			o := object{"type": c.Type, "id": id}
			if c.Inner != nil {
				id++
				o["component"] = object{"type": compInput, "id": id, "custom_id": c.Inner.CustomID, "value": i.Options[c.Inner.CustomID]}
			}
			filled = append(filled, o)
		}
		return object{"custom_id": i.CustomID, "components": filled, "resolved": object{}}
	}
	name, sub, _ := strings.Cut(i.Command, " ")
	d := object{"id": commandID, "name": name, "type": 1}
	options, users := i.options()
	if sub != "" {
		options = []object{{"type": 1, "name": sub, "options": options}}
	}
	if len(options) > 0 {
		d["options"] = options
	}
	if len(users) > 0 {
		all := object{}
		for _, u := range users {
			all[u] = userObject(u, cmp.Or(i.UserNames[u], "user-"+u))
		}
		d["resolved"] = object{"users": all}
	}
	return d
}

// options returns the options of a command in the order of their names, and the ids of the users that they name.
func (i Interaction) options() (options []object, users []string) {
	options = []object{}
	given := i.Options
	if i.Focused != "" && given[i.Focused] == nil {
		given = map[string]any{i.Focused: ""}
		maps.Copy(given, i.Options)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		o := object{"name": name, "type": 3, "value": given[name]}
		switch v := given[name].(type) {
		case bool:
			o["type"] = 5
		case UserOption:
			o["type"] = 6
			users = append(users, string(v))
		}
		if name == i.Focused {
			o["focused"] = true
		}
		options = append(options, o)
	}
	return options, users
}

func userObject(id, name string) object {
	return object{"id": id, "username": strings.ToLower(name), "global_name": name, "bot": false}
}
