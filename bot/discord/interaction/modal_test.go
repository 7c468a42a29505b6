package interaction

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
)

func TestRenderModal(t *testing.T) {
	form := bot.Form{Title: "A puzzle", Command: "solve next", Args: map[string]string{"at": "7"}, Fields: []bot.Field{
		{Name: "guess", Label: "Guess", Value: "too long", Max: 5},
		{Name: "tiles", Label: "Tiles", Help: "bbygb", Value: "bb", Required: true, Max: 4000},
	}}
	m, err := renderModal(form, writer{})
	must(t, err)
	m.CustomID, _, _ = strings.Cut(m.CustomID, "#")
	got, err := json.Marshal(m)
	must(t, err)
	if want := `{"custom_id":"solve next?at=7","title":"A puzzle","components":[` +
		`{"type":18,"label":"Guess","component":{"type":4,"custom_id":"guess","style":1,"value":"too …","required":false,"max_length":5}},` +
		`{"type":18,"label":"Tiles","component":{"type":4,"custom_id":"tiles","style":1,"placeholder":"bbygb","value":"bb","required":true,"max_length":4000}}]}`; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	form.Args["at"] = strings.Repeat("secret", 20)
	if _, err := renderModal(form, writer{}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("too long a custom_id: %v", err)
	}
}

// TestModalIDs: a phone shows a form as it first saw one with its id, so forms that look different have different ids, and
// a form that looks the same has the same one. An id is not too long, can be read, and tells nothing of what is filled in.
func TestModalIDs(t *testing.T) {
	const secret = "crane"
	form := func(change func(*bot.Form, *bot.Field)) bot.Form {
		f := bot.Form{Title: "Guess the word", Command: "guess", Args: map[string]string{"b": "1"}, Fields: []bot.Field{{Name: "a", Label: "Five letters", Help: "slate", Max: 30}}}
		change(&f, &f.Fields[0])
		return f
	}
	guess := bot.Table{Commands: []bot.Command{{Name: "guess", Options: []bot.Option{{Name: "a"}, {Name: "b"}, {Name: "c"}}}}}
	seen := map[string]string{}
	for name, f := range map[string]bot.Form{
		"as it is":   form(func(*bot.Form, *bot.Field) {}),
		"filled":     form(func(_ *bot.Form, a *bot.Field) { a.Value = secret }),
		"a title":    form(func(f *bot.Form, _ *bot.Field) { f.Title = "Guess" }),
		"a label":    form(func(_ *bot.Form, a *bot.Field) { a.Label = "Letters" }),
		"required":   form(func(_ *bot.Form, a *bot.Field) { a.Required = true }),
		"two fields": form(func(f *bot.Form, a *bot.Field) { f.Fields = append(f.Fields, bot.Field{Name: "c", Label: "C", Max: 5}) }),
		"a version":  form(func(f *bot.Form, _ *bot.Field) { f.Args["b"] = "2" }),
	} {
		m, err := renderModal(f, writer{})
		must(t, err)
		if again, err := renderModal(f, writer{}); err != nil || again.CustomID != m.CustomID {
			t.Errorf("%s: once %s, once %s, %v", name, m.CustomID, again.CustomID, err)
		}
		if other := seen[m.CustomID]; other != "" {
			t.Errorf("%s and %s share the id %s", name, other, m.CustomID)
		}
		seen[m.CustomID] = name
		if len(m.CustomID) > bot.MaxButton || strings.Contains(m.CustomID, secret) {
			t.Errorf("%s: the id %s", name, m.CustomID)
		}
		c, r := modalSubmit(m.CustomID, `[{"type":18,"component":{"type":4,"custom_id":"a","value":"x"}}]`, "public").Request(guess, nil)
		if c.Name != "guess" || r.Args["b"] != f.Args["b"] || r.Args["a"] != "x" || len(r.Args) != 2 {
			t.Errorf("%s: it is read as %q %v", name, c.Name, r.Args)
		}
	}
}

// modalSubmit is the interaction of a submitted modal that was opened by a typed
// command, or by a button on a public or private message.
func modalSubmit(customID, components, from string) Interaction {
	i := asked
	i.Type = discordgo.InteractionModalSubmit
	i.User = &user{ID: "1200000000000000001"}
	i.Data.CustomID = customID
	if err := json.Unmarshal([]byte(components), &i.Data.Components); err != nil {
		panic(err)
	}
	switch from {
	case "typed":
	case "public":
		i.Message.ID = "1400000000000000001"
	case "private":
		i.Message.ID = "1400000000000000001"
		i.Message.Flags = FlagEphemeral
	default:
		panic(from)
	}
	return i
}

func TestModalRequest(t *testing.T) {
	labelled := func(name, value string) string {
		return `{"type":18,"id":1,"component":{"type":4,"id":2,"custom_id":"` + name + `","value":` + value + `}}`
	}
	demo := bot.Table{Commands: []bot.Command{{Name: "demo", Options: []bot.Option{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}}, HiddenArgs: []string{"step"}}}}
	for name, test := range map[string]struct {
		id, components string
		want           string // the arguments; empty if there is no request
	}{
		"one":                   {"demo", "[" + labelled("a", `"x y"`) + "]", "map[a:x y]"},
		"with arguments":        {"demo?b=1&step=2", "[" + labelled("a", `"x"`) + "]", "map[a:x b:1 step:2]"},
		"empty":                 {"demo", "[" + labelled("a", `""`) + "]", "map[a:]"},
		"a hidden argument":     {"demo", "[" + labelled("step", `"x"`) + "]", "map[step:x]"},
		"a row":                 {"demo", `[{"type":1,"components":[{"type":4,"custom_id":"a","value":"x"}]}]`, "map[a:x]"},
		"a text display":        {"demo", `[{"type":10,"id":1},` + labelled("a", `"x"`) + "]", "map[a:x]"},
		"no value":              {"demo", `[{"type":18,"component":{"type":4,"custom_id":"a"}}]`, "map[a:]"},
		"as long as can be":     {"demo", "[" + labelled("a", `"`+strings.Repeat("é", 4000)+`"`) + "]", "map[a:" + strings.Repeat("é", 4000) + "]"},
		"too long":              {"demo", "[" + labelled("a", `"`+strings.Repeat("é", 4001)+`"`) + "]", ""},
		"six fields":            {"demo", "[" + strings.Join([]string{labelled("a", `""`), labelled("b", `""`), labelled("c", `""`), labelled("d", `""`), labelled("e", `""`), labelled("step", `""`)}, ",") + "]", ""},
		"no fields":             {"demo?a=x", "[]", ""},
		"a field twice":         {"demo", "[" + labelled("a", `"x"`) + "," + labelled("a", `"y"`) + "]", ""},
		"an argument again":     {"demo?a=x", "[" + labelled("a", `"y"`) + "]", ""},
		"no such option":        {"demo", "[" + labelled("z", `"x"`) + "]", ""},
		"no text":               {"demo", "[" + labelled("a", `5`) + "]", ""},
		"another argument":      {"demo?z=1", "[" + labelled("a", `"x"`) + "]", ""},
		"deeper than it can be": {"demo", `[{"type":17,"components":[` + labelled("a", `"x"`) + `]}]`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, r := modalSubmit(test.id, test.components, "typed").Request(demo, nil)
			ok := c.Name != ""
			got := ""
			if ok {
				got = fmt.Sprint(r.Args)
			}
			if got != test.want {
				t.Fatalf("got %.100q, want %.100q", got, test.want)
			}
			if ok && (r.Command != "demo" || !r.FromComponent || r.ID != "7" || r.Player != "1200000000000000001") {
				t.Errorf("got %+v", r)
			}
		})
	}
}
