package interaction

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/game"
)

// TestMenus shows menus of each kind, and reads what is chosen in them.
func TestMenus(t *testing.T) {
	choices := []bot.MenuChoice{{Label: "One", Value: "1"}, {Label: "Two", Value: "2"}}
	for _, test := range []struct {
		menu bot.Menu
		want string
	}{
		{bot.Menu{Choices: choices}, `{"type":3,"custom_id":"stats#player","placeholder":"Pick","options":[{"label":"One","value":"1"},{"label":"Two","value":"2"}]}`},
		{bot.Menu{Choices: choices, Chosen: []string{"2"}, Most: 2},
			`{"type":3,"custom_id":"stats#player","placeholder":"Pick","options":[{"label":"One","value":"1"},{"label":"Two","value":"2","default":true}],"min_values":0,"max_values":2}`},
		{bot.Menu{Of: bot.ChannelMenu, Most: 25, Chosen: []string{"11", "12"}},
			`{"type":8,"custom_id":"stats#player","placeholder":"Pick","min_values":0,"max_values":25,"default_values":[{"id":"11","type":"channel"},{"id":"12","type":"channel"}],"channel_types":[0,5,2,15,10,11,12]}`},
		{bot.Menu{Of: bot.RoleMenu, Chosen: []string{"13"}, Least: 1, Most: 1},
			`{"type":6,"custom_id":"stats#player","placeholder":"Pick","min_values":1,"max_values":1,"default_values":[{"id":"13","type":"role"}]}`},
	} {
		test.menu.Label, test.menu.Command, test.menu.Option = "Pick", "stats", "player"
		m := render(t, Result{Reply: public("hi").Add(&test.menu)})
		if got, _ := json.Marshal(m.Components[1]); string(got) != `{"type":1,"components":[`+test.want+`]}` {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	for _, test := range []struct {
		kind   int
		values []string
		want   string // "-" for one that no menu of ours sends
	}{
		{3, []string{"a"}, "a"}, {3, []string{"a", "b"}, "a,b"}, {3, nil, ""}, {8, []string{"11", "12"}, "11,12"}, {6, nil, ""}, {6, []string{"13"}, "13"},
		{6, []string{"moderators"}, "-"}, {8, []string{"11", ""}, "-"}, {5, []string{"13"}, "-"}, {7, []string{"13"}, "-"},
		{8, slices.Repeat([]string{"11"}, 26), "-"}, {3, []string{strings.Repeat("a", 101)}, "-"},
	} {
		values, _ := json.Marshal(test.values)
		raw := fmt.Appendf(nil, `{"id":"7","type":3,"member":{"roles":["13","14"],"user":{"id":"1"}},"data":{"custom_id":"stats#player","component_type":%d,"values":%s}}`, test.kind, values)
		var i Interaction
		must(t, Decode(raw, &i))
		c, r := i.Request(table(), nil)
		got, given := r.Args["player"]
		if !given {
			got = "-"
		}
		if got != test.want || (c.Name == "stats") != given || !slices.Equal(r.Roles, []game.RoleID{"13", "14"}) {
			t.Errorf("%d %q: got %q of %q, with the roles %v", test.kind, test.values, got, c.Name, r.Roles)
		}
	}
}
