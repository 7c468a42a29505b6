package interaction

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
)

// interactions says what to read from each event in testdata/interactions: those
// that Discord sends, and some that it might.
var interactions = map[string]string{
	"server_command":                  "2 guess word=crate by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"server_moderator":                "2 wordle stop by 1200000000000000002, managing, in 1600000000000000001/1300000000000000011",
	"server_administrator":            "2 wordle stop by 1200000000000000003, managing, in 1600000000000000001/1300000000000000011",
	"dm_command":                      "2 guess word=crate by 1200000000000000001 in /1300000000000000012",
	"group_dm_command":                "2 hint by 1200000000000000001 in /1300000000000000012",
	"subcommand_with_options":         "2 wordle start hard=true by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"user_option":                     "2 stats player=1200000000000000009 by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"message_command":                 `2 import results on "👑 3/6: <@1200000000000000009>\nin a component" of 1211781489931452447, which names map[1200000000000000009:Ben], of 2025-12-15 05:42:19, by 1200000000000000001 in 1600000000000000001/1300000000000000011`,
	"message_command_without_message": `2 import results on "\n" of , which names map[], of 2015-01-01 00:00:00, by 1200000000000000001 in 1600000000000000001/1300000000000000011`,
	"autocomplete":                    "4 guess word=cra, typing word=cra, by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"autocomplete_in_subcommand":      "4 wordle start word=c, typing word=c, by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"button":                          "3 is unknown",
	"button_of_a_command":             "3 guess word=crate, pressed under a private message, by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"form_under_a_message":            "5 guess word=crate, pressed, by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"form_of_a_command":               "5 solve next at=7 feedback=bbygb guess=crate, pressed, by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"form_in_rows":                    "5 guess word=crate, pressed, by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"form_with_a_menu":                "5 is unknown",
	"form_without_fields":             "5 is unknown",
	"form_fields_not_a_list":          "5 is unknown",
	"form_value_not_a_text":           "5 is unknown",
	"modal_unknown_component":         "5 is unknown",
	"unknown_option_type":             `2 guess other=7.5 word={"letters":["c","r"]} by 1200000000000000001 in 1600000000000000001/1300000000000000011`,
	"unknown_interaction_type":        "77 is unknown",
	"channel_object_only":             "2 hint by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"member_and_user":                 "2 hint by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"permissions_not_a_number":        "2 wordle stop by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"permissions_as_a_number":         "2 wordle stop by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"options_not_a_list":              "2 guess by 1200000000000000001 in 1600000000000000001/1300000000000000011",
	"no_member_and_no_user":           "interaction 1450000000000000001: a field is missing",
	"member_without_user":             "interaction 1450000000000000001: a field is missing",
	"no_token":                        "interaction 1450000000000000001: a field is missing",
	"id_not_a_text":                   "interaction : a field is missing",
}

// mustEvents returns the events in testdata/interactions by name.
func mustEvents(tb testing.TB) map[string][]byte {
	tb.Helper()
	files, err := filepath.Glob("testdata/interactions/*.json")
	must(tb, err)
	all := map[string][]byte{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		must(tb, err)
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = raw
	}
	return all
}

func TestDecode(t *testing.T) {
	for name, raw := range mustEvents(t) {
		t.Run(name, func(t *testing.T) {
			want, ok := interactions[name]
			if !ok {
				t.Fatal("the table does not say what to read from it")
			}
			i, err := arrived(raw)
			if got := summary(i, err); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// summary writes in one line what an interaction asks for.
func summary(i Interaction, err error) string {
	if err != nil {
		return err.Error()
	}
	c, r := i.Request(table(), nil)
	if c.Name == "" {
		return fmt.Sprintf("%d is unknown", i.Type)
	}
	s := fmt.Sprintf("%d %s", i.Type, r.Command)
	for _, name := range slices.Sorted(maps.Keys(r.Args)) {
		s += " " + name + "=" + strings.Join(strings.Fields(r.Args[name]), "")
	}
	if name, typed := i.Focused(); name != "" {
		s += ", typing " + name + "=" + typed + ","
	}
	switch {
	case r.FromComponent && i.Message.Flags&FlagEphemeral != 0:
		s += ", pressed under a private message,"
	case r.FromComponent:
		s += ", pressed,"
	}
	if m := r.Message; m != nil {
		s += fmt.Sprintf(" on %q of %s, which names %v, of %s,", m.Text, m.Author, m.Names, m.Written.Format(time.DateTime))
	}
	s += " by " + string(r.Player)
	if r.MayManage {
		s += ", managing,"
	}
	return s + " in " + string(r.Location.Guild) + "/" + string(r.Location.Channel)
}

// TestDecodePaths: what becomes part of a path cannot lead elsewhere.
func TestDecodePaths(t *testing.T) {
	long := strings.Repeat("1", 21)
	for _, c := range []struct {
		id, app, token string
		ok             bool
	}{
		{"1450000000000000001", "1500000000000000001", "aW50ZXJhY3Rpb24-_.~=", true},
		{"1450000000000000001", "", strings.Repeat("t", maxToken), true},
		{"14/../5", "1", "t", false}, {"1?", "1", "t", false}, {long, "1", "t", false}, {"-1", "1", "t", false},
		{"1", "..", "t", false}, {"1", "1/2", "t", false}, {"1", long, "t", false}, {"1", "%2e", "t", false},
		{"1", "1", "..", false}, {"1", "1", ".", false}, {"1", "1", "a/b", false}, {"1", "1", "a?b", false}, {"1", "1", "a#b", false}, {"1", "1", "a%2fb", false},
		{"1", "1", "a b", false}, {"1", "1", "é", false}, {"1", "1", strings.Repeat("t", maxToken+1), false},
	} {
		raw, err := json.Marshal(map[string]any{"id": c.id, "application_id": c.app, "token": c.token, "user": map[string]string{"id": "2"}})
		must(t, err)
		if _, err := arrived(raw); c.ok != (err == nil) || err != nil && !errors.Is(err, errID) {
			t.Errorf("id %q of %q with the token %q: %v", c.id, c.app, c.token, err)
		} else if err != nil && strings.Contains(err.Error(), c.token) && len(c.token) > 2 {
			t.Errorf("the error quotes the token: %v", err)
		}
	}
	for _, field := range []string{"channel_id", "guild_id", "message", "channel"} {
		for id, want := range map[string]error{"3": nil, "../3": errID, "3?": errID, long: errID} {
			fields := map[string]any{"id": "1", "token": "t", "user": map[string]string{"id": "2"}, field: id}
			if !strings.HasSuffix(field, "_id") {
				fields[field] = map[string]string{"id": id}
			}
			raw, err := json.Marshal(fields)
			must(t, err)
			if _, err := arrived(raw); !errors.Is(err, want) {
				t.Errorf("%s %q: %v, want %v", field, id, err, want)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, raw := range mustEvents(f) {
		f.Add(raw)
	}
	f.Add([]byte(`{"id":"1","token":"t","user":{"id":"2"},"data":[]}`))
	f.Add([]byte(`{"id":"1","token":"t","member":null,"data":{"options":[null,{"type":1,"options":null}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		i, err := arrived(raw)
		if err != nil {
			// An error may name the beginning of the id, which is no secret.
			if text := strings.ReplaceAll(err.Error(), fmt.Sprintf("%.20s", i.ID), ""); i.Token != "" && len(i.Token) > len("interaction") && strings.Contains(text, i.Token) {
				t.Errorf("the error quotes the token: %v", err)
			}
			if !errors.Is(err, errIncomplete) && !errors.Is(err, errID) && err.Error() != "not JSON" {
				t.Errorf("got %v", err)
			}
			return
		}
		if path := discordgo.EndpointInteractionResponse(i.ID, i.Token); strings.Count(path, "/") != strings.Count(discordgo.EndpointInteractionResponse("1", "t"), "/") {
			t.Errorf("the response goes to %s", path)
		}
		if i.ID == "" || i.Token == "" || i.Player() == "" {
			t.Errorf("read without an id, token or player from %s", raw)
		}
		i.Focused()
		if c, r := i.Request(table(), nil); c.Name != "" && (r.Player == "" || r.FromComponent && len(i.Data.CustomID) > bot.MaxButton) {
			t.Errorf("read %+v from the component in %s", r, raw)
		}
	})
}
