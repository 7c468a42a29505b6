package discordtest

import (
	"cmp"
	"encoding/json"
	"maps"
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

// UserOption is the value of a command's option that names a user, by id.
type UserOption string

// Interaction describes what a player does. The zero value is a command with
// no name in a direct message.
type Interaction struct {
	// ID is the interaction's id, by default a new one. Given again, the same
	// interaction is delivered again, whatever the other fields say.
	ID string

	// Type is one of the Type constants, by default TypeCommand.
	Type int

	// Guild is where it happens; "" is a direct message with the bot. In a
	// guild Discord sends `member` and no `user`, otherwise the other way round.
	Guild string

	// Channel has a default. [Server.SetChannel] says what it is like; without that, one in a
	// guild is a text channel where the bot may do what everyone may do by default.
	Channel string

	// GroupDM makes a direct message one between users, in which the bot is no
	// member (context 2).
	GroupDM bool

	// UserInstalled says that only the user has installed the application, not
	// the guild; then Discord takes at most five follow-ups, the bot is not in the
	// guild, and its answers there are private without [UseExternalApps] among
	// Permissions.
	UserInstalled bool

	// User is the player's id, UserName what the player is called. Both have
	// defaults.
	User, UserName string

	// Permissions are those of the member in the channel; only in guilds.
	Permissions int64

	// Roles are the ids of the member's roles, besides that of everyone; only in guilds.
	Roles []string

	// Command is the command with its subcommand group and subcommand, if any:
	// "wordle start", "guess". For TypeCommand and TypeAutocomplete.
	Command string

	// Options are the command's options by name: string, bool or
	// UserOption. For TypeModal they are the texts by custom_id.
	Options map[string]any

	// Focused is the option being typed, for TypeAutocomplete.
	Focused string

	// CustomID is the component's or the modal's, for types 3 and 5.
	CustomID string

	// Values are what was chosen in a select menu; nil makes the component a
	// button.
	Values []string

	// Message is the id of the message that carries the component, or the one
	// whose button opened the modal: an [Answer]'s MessageID. By default a
	// component is on a message that nobody knows and a modal comes from a
	// command.
	Message string

	boxes []object // of a modal, around its inputs; nil makes rows of Options

	// Raw is sent as the event's data as it is, instead of all of the above.
	// Answers are recognised by its `id` and `token`.
	Raw json.RawMessage

	// Cut, by HTTP, cuts the line of the first delivery when it is closed. The fake then does not know whether the
	// interaction was answered, and still takes a callback.
	Cut <-chan struct{}

	token string
}

const (
	defaultUser     = "1200000000000000001"
	defaultUserName = "player"
	defaultChannel  = "1300000000000000001"
	tokenPrefix     = "interaction-token-"
)

// completeLocked fills in what has a default, or what a raw interaction says.
func (s *Server) completeLocked(i Interaction) Interaction {
	if i.Raw != nil {
		var raw struct {
			ID      string `json:"id"`
			Token   string `json:"token"`
			Type    int    `json:"type"`
			Guild   string `json:"guild_id"`
			Channel string `json:"channel_id"`
			Message struct {
				ID string `json:"id"`
			} `json:"message"`
			In struct {
				ID string `json:"id"`
			} `json:"channel"`
		}
		// What cannot be read is only sent: then there is nothing to answer to.
		_ = json.Unmarshal(i.Raw, &raw)
		i.ID, i.token, i.Type, i.Guild, i.Message = raw.ID, raw.Token, raw.Type, raw.Guild, raw.Message.ID
		i.Channel = cmp.Or(raw.Channel, raw.In.ID) // Discord knows where it is, whatever a mutation took away
		return i
	}
	if i.ID == "" {
		i.ID = s.ids.next()
	}
	i.token = tokenPrefix + i.ID
	i.Type = cmp.Or(i.Type, TypeCommand)
	i.Channel = cmp.Or(i.Channel, defaultChannel)
	i.User, i.UserName = cmp.Or(i.User, defaultUser), cmp.Or(i.UserName, defaultUserName)
	if i.Type == TypeComponent && i.Message == "" {
		i.Message = s.ids.next()
	}
	return i
}

// onMessage reports whether it comes from a message's component, or a modal opened by one.
func (i Interaction) onMessage() bool { return i.Message != "" }

// Event returns an interaction as [Server.Invoke] would send it, without sending it. Once it
// has been changed, it can be sent as [Interaction].Raw.
func (s *Server) Event(i Interaction) json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.encodeLocked(s.completeLocked(i))
}

// encodeLocked is the interaction as Discord sends it.
func (s *Server) encodeLocked(i Interaction) json.RawMessage {
	ch, may := s.placeLocked(i)
	owners, context := object{"0": "0"}, 1
	if i.Guild != "" {
		owners, context = object{"0": i.Guild}, 0
	} else if i.GroupDM {
		context = 2
	}
	if i.UserInstalled || i.GroupDM {
		owners = object{"1": i.User}
	}
	o := object{
		"id": i.ID, "application_id": appID, "type": i.Type, "token": i.token, "version": 1,
		"channel_id": i.Channel, "channel": ch,
		"locale": "en-US", "app_permissions": strconv.FormatInt(may, 10), "entitlements": []object{}, "entitlement_sku_ids": []object{},
		"authorizing_integration_owners": owners, "context": context, "attachment_size_limit": 10 << 20,
		"data": i.data(s.commandIDLocked(i)),
	}
	if i.Guild != "" {
		o["guild_id"] = i.Guild
		o["guild"] = object{"id": i.Guild, "locale": "en-US", "features": []string{}}
		o["guild_locale"] = "en-US"
		m := memberObject(i.Permissions)
		if i.Roles != nil {
			m["roles"] = i.Roles
		}
		m["user"] = userObject(i.User, i.UserName)
		o["member"] = m
	} else {
		o["user"] = userObject(i.User, i.UserName)
	}
	if i.onMessage() {
		o["message"] = s.messageLocked(i).seen()
	}
	return mustJSON(o)
}

// messageLocked returns the message that an interaction is about or, if it is unknown, one from before.
func (s *Server) messageLocked(i Interaction) *message {
	if m := s.messages[i.Message]; m != nil {
		return m
	}
	m := s.newMessageLocked(typeAnswer, i.Channel, appID)
	m.ID, m.Content = i.Message, "a message from before"
	return m
}

func (i Interaction) data(commandID string) object {
	switch i.Type {
	case TypeComponent:
		d := object{"custom_id": i.CustomID, "component_type": 2, "id": 2}
		if i.Values != nil {
			d["component_type"], d["values"] = 3, i.Values
		}
		return d
	case TypeModal:
		if i.boxes != nil {
			return object{"custom_id": i.CustomID, "components": i.boxes, "resolved": object{}}
		}
		rows := []object{}
		for n, name := range slices.Sorted(maps.Keys(i.Options)) {
			rows = append(rows, object{"type": 1, "id": 2*n + 1, "components": []object{
				{"type": 4, "id": 2*n + 2, "custom_id": name, "value": i.Options[name]},
			}})
		}
		return object{"custom_id": i.CustomID, "components": rows, "resolved": object{}}
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
		members, all := object{}, object{}
		for _, u := range users {
			all[u] = userObject(u, "user-"+u)
			members[u] = memberObject(0)
		}
		resolved := object{"users": all}
		if i.Guild != "" {
			resolved["members"] = members
		}
		d["resolved"] = resolved
	}
	return d
}

// options are the command's options in the order of their names, and the users
// they name.
func (i Interaction) options() (options []object, users []string) {
	options = []object{}
	given := i.Options
	if _, ok := given[i.Focused]; !ok && i.Focused != "" {
		given = map[string]any{i.Focused: ""}
		maps.Copy(given, i.Options)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		o := object{"name": name, "value": given[name]}
		switch v := given[name].(type) {
		case bool:
			o["type"] = 5
		case UserOption:
			o["type"] = 6
			users = append(users, string(v))
		default:
			o["type"] = 3
		}
		if name == i.Focused {
			o["focused"] = true
		}
		options = append(options, o)
	}
	return options, users
}

func userObject(id, name string) object {
	return object{"id": id, "username": strings.ToLower(name), "global_name": name, "discriminator": "0", "avatar": nil, "bot": false}
}

func memberObject(permissions int64) object {
	return object{
		"nick": nil, "roles": []string{}, "joined_at": "2024-01-01T00:00:00.000000+00:00", "permissions": strconv.FormatInt(permissions, 10),
	}
}
