package interaction

import (
	"testing"

	"fivefold/bot"
	"fivefold/game"
)

// TestComponentRequest reads the requests of buttons, and none where no command
// of the table fits.
func TestComponentRequest(t *testing.T) {
	for name, test := range map[string]struct {
		i    Interaction
		want string // the command, and the word if any; empty for nothing
	}{
		"a command":           {component("wordle board", false), "wordle board"},
		"an argument":         {component("guess?word=a+b%26c", true), "guess a b&c"},
		"an empty argument":   {component("guess?word=", true), "guess "},
		"no such command":     {component("wordle", false), ""},
		"no such option":      {component("guess?letters=slate", false), ""},
		"unreadable":          {component("guess:7", false), ""},
		"empty":               {component("", false), ""},
		"disabled":            {component("#1.1", false), ""},
		"from a menu":         {func() Interaction { i := component("wordle board", false); i.Data.ComponentType = 3; return i }(), ""},
		"of no type, as none": {func() Interaction { i := component("wordle board", false); i.Data.ComponentType = 0; return i }(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			i := test.i
			i.GuildID, i.ChannelID = "5", "6"
			r, ok := i.component(table().Find)
			got := r.Command
			if word, given := r.Args["word"]; given {
				got += " " + word
			}
			if got != test.want || ok != (test.want != "") {
				t.Fatalf("got %q, %t, want %q", got, ok, test.want)
			}
			if !ok {
				return
			}
			if r.ID != "7" || r.Player != "1200000000000000001" || (r.Location != game.Location{Guild: "5", Channel: "6"}) || !r.FromComponent || r.MayManage {
				t.Errorf("got %+v", r)
			}
		})
	}
	if r := asked.Typed(); r.FromComponent {
		t.Errorf("a typed command is pressed: %+v", r)
	}
}

// TestComponentArguments: a button may have arguments that the command knows, and
// no others.
func TestComponentArguments(t *testing.T) {
	command := bot.Command{Name: "demo", Options: []bot.Option{{Name: "word"}}, HiddenArgs: []string{"step"}}
	find := func(string) (bot.Command, bool) { return command, true }
	for _, test := range []struct {
		name, id string
		want     bool
	}{
		{"an option", "demo?word=other", true},
		{"an argument that only buttons have", "demo?step=2&word=other", true},
		{"neither", "demo?speed=2", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var i Interaction
			i.Data.ComponentType, i.Data.CustomID = componentButton, test.id
			if _, got := i.component(find); got != test.want {
				t.Errorf("%s: got %t, want %t", test.id, got, test.want)
			}
		})
	}
}
