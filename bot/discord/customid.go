package discord

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"fivefold/bot"
)

// A button comes back with the custom_id that it was sent with, and with nothing
// else that says what it asks for; a form with that, and with what was entered.
// Here it is the command, and after a question mark its arguments as in the query
// of an address, in the order of their names:
//
//	solve next?guess=crane&tiles=bbygb
//
// A field of a form has the name of an argument for its custom_id.
//
// Players can read them, so no secret belongs there. Buttons live as long as their
// messages: a later release must read it, or see that it cannot.

// customID writes what a button asks for. It returns an error when that is too
// long, or could not be read again; the error does not quote the arguments.
func customID(command string, args map[string]string) (string, error) {
	id := joinCustomID(command, args)
	if len(id) > bot.MaxButton {
		return "", fmt.Errorf("%d characters, at most %d", len(id), bot.MaxButton)
	}
	if c, a, ok := readCustomID(id); !ok || c != command || !maps.Equal(a, args) {
		return "", errors.New("not a command with arguments")
	}
	return id, nil
}

var (
	commandPattern = regexp.MustCompile(`^[a-z-]+( [a-z-]+)?$`)
	fieldName      = regexp.MustCompile(`^[a-z-]{1,32}$`)
)

// readCustomID reads what customID wrote, and reports false for all else.
// Whether there is such a command it does not say.
func readCustomID(id string) (command string, args map[string]string, ok bool) {
	if len(id) > bot.MaxButton {
		return "", nil, false
	}
	command, query, _ := strings.Cut(id, "?")
	values, err := url.ParseQuery(query)
	if err != nil || !commandPattern.MatchString(command) {
		return "", nil, false
	}
	args = map[string]string{}
	for name, value := range values {
		if name == "" || !utf8.ValidString(name) || !utf8.ValidString(value[0]) {
			return "", nil, false
		}
		args[name] = value[0]
	}
	if joinCustomID(command, args) != id {
		return "", nil, false // in another order, twice, or escaped in another way
	}
	return command, args, true
}

func joinCustomID(command string, args map[string]string) string {
	if len(args) == 0 {
		return command
	}
	values := url.Values{}
	for name, value := range args {
		values.Set(name, value)
	}
	return command + "?" + values.Encode()
}
