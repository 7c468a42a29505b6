package interaction

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

// A component interaction has only the custom_id of its button, and a modal submission the custom_id of the modal and its
// inputs. So a custom_id is a command and, after a question mark, its arguments in the order of their names, like the query of
// a URL:
//
//	solve next?feedback=bbygb&guess=crane
//
// An input of a modal has the name of an argument as its custom_id. The part after a # in the custom_id of a modal depends only
// on what the modal shows.
//
// Players can read custom_ids, so they must contain no secret. Buttons live as long as their messages: a later release must
// understand them, or notice that it does not.

// CustomID returns the custom_id for a command with arguments. It returns an error for one that is too long, or that
// readCustomID could not read. The error does not quote the arguments.
func CustomID(command string, args map[string]string) (string, error) {
	id := bot.Button{Command: command, Args: args}.Query()
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

// readCustomID reads a custom_id up to a #, and reports false if CustomID did not write it. It does not check whether there is
// such a command.
func readCustomID(id string) (command string, args map[string]string, ok bool) {
	if len(id) > bot.MaxButton {
		return "", nil, false
	}
	id, _, _ = strings.Cut(id, "#")
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
	if (bot.Button{Command: command, Args: args}).Query() != id {
		return "", nil, false // an argument is out of order, comes twice, or is escaped in another way
	}
	return command, args, true
}
