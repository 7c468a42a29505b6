package interaction

import (
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"fivefold/bot"
)

func TestCustomID(t *testing.T) {
	type args = map[string]string
	for name, test := range map[string]struct {
		command string
		args    args
		want    string // empty for an error
	}{
		"no arguments":        {"wordle board", nil, "wordle board"},
		"one":                 {"guess", args{"word": "crane"}, "guess?word=crane"},
		"in order":            {"solve next", args{"feedback": "bbygb", "guess": "crane"}, "solve next?feedback=bbygb&guess=crane"},
		"an empty value":      {"guess", args{"word": ""}, "guess?word="},
		"signs":               {"guess", args{"word": "a b&c=d?e%f+g#é"}, "guess?word=a+b%26c%3Dd%3Fe%25f%2Bg%23%C3%A9"},
		"just fits":           {"guess", args{"word": strings.Repeat("a", 89)}, "guess?word=" + strings.Repeat("a", 89)},
		"too long":            {"guess", args{"word": strings.Repeat("a", 90)}, ""},
		"too long as escaped": {"guess", args{"word": strings.Repeat("é", 15)}, ""},
		"no command":          {"", nil, ""},
		"a strange command":   {"guess?word", nil, ""},
		"three words":         {"a b c", nil, ""},
		"no name":             {"guess", args{"": "crane"}, ""},
		"not a text":          {"guess", args{"word": "\xff"}, ""},
		"a name not a text":   {"guess", args{"\xff": "crane"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := CustomID(test.command, test.args)
			if got != test.want || (err == nil) != (test.want != "") {
				t.Fatalf("got %q, %v, want %q", got, err, test.want)
			}
			if err != nil {
				return
			}
			if command, args, ok := readCustomID(got); !ok || command != test.command || !maps.Equal(args, test.args) {
				t.Errorf("read again: got %q %q %t", command, args, ok)
			}
		})
	}
}

// unreadable are custom_ids that this release never wrote.
var unreadable = []string{
	"", "?", "?a=b", "old:7", "Guess", "guess ", " guess", "a  b", "a b c", "#1.1", "guess\n", "guess?",
	"guess?word", "guess?=crane", "guess?word=a&word=b", "guess?word=a&guess=b", "guess?word=a;b", "guess?word=%",
	"guess?word=%2f", "guess?word=%61", "guess?word=a%20b", "guess?word=%FF", "guess?%FF=a", "guess?word=é", "guess?word=a&",
	"guess?word=" + strings.Repeat("a", 90),
}

func TestUnreadableCustomIDs(t *testing.T) {
	for _, id := range unreadable {
		if command, args, ok := readCustomID(id); ok {
			t.Errorf("%q: got %q %q, want nothing", id, command, args)
		}
	}
}

// FuzzReadCustomID wants a custom_id that can be read to be written the same way, but for what follows a #.
func FuzzReadCustomID(f *testing.F) {
	for _, id := range unreadable {
		f.Add(id)
	}
	f.Add("wordle board")
	f.Add("solve next?guess=crane&feedback=bbygb")
	f.Add("guess?word=a+b%26%C3%A9")
	f.Add("guess?word=crane#x1y2z3")
	f.Fuzz(func(t *testing.T, id string) {
		command, args, ok := readCustomID(id)
		if !ok {
			return
		}
		if len(id) > bot.MaxButton || command == "" {
			t.Errorf("%q can be read", id)
		}
		for name, value := range args {
			if name == "" || !utf8.ValidString(name) || !utf8.ValidString(value) || len(name)+len(value) > bot.MaxButton {
				t.Errorf("%q: %q is %q", id, name, value)
			}
		}
		want, _, _ := strings.Cut(id, "#")
		if again, err := CustomID(command, args); again != want || err != nil {
			t.Errorf("%q is written %q, %v", id, again, err)
		}
	})
}
