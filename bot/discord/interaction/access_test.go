package interaction

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/game"
)

// reading is a server of the fake with channels of all sorts, and what the bot knows.
func reading(t *testing.T, more ...discordtest.Channel) (*discordtest.Server, *Access) {
	s := discordtest.New(t, inTwoServers)
	s.SetGuild(discordtest.Guild{ID: server, Roles: []discordtest.Role{{ID: "21", Name: "moderators"}}, Bot: []string{"22"}})
	hidden := discordtest.Overwrite{ID: server, Deny: discordtest.ViewChannel}
	moderators := discordtest.Overwrite{ID: "21", Allow: discordtest.ViewChannel}
	bot := discordtest.Overwrite{ID: "22", Allow: discordtest.ViewChannel}
	for _, ch := range append([]discordtest.Channel{
		{ID: "101", Guild: server},
		{ID: "102", Guild: server, Overwrites: []discordtest.Overwrite{hidden, moderators, bot}},
		{ID: "103", Guild: server, Overwrites: []discordtest.Overwrite{hidden}}, // from the bot too
		{ID: "104", Guild: server, Type: discordtest.ChannelPublicThread, Parent: "102"},
		{ID: "105", Guild: server, Type: discordtest.ChannelPrivateThread, Parent: "101"},
		{ID: "106", Guild: server, Type: discordtest.ChannelPublicThread, Parent: "101"},
		{ID: "107", Guild: server, Overwrites: []discordtest.Overwrite{{ID: server, Deny: discordtest.ReadMessageHistory}}},
		{ID: "108", Guild: "1600000000000000077"},
	}, more...) {
		s.SetChannel(ch)
	}
	return s, NewAccess(mustCall(t, s), time.Hour, slog.New(slog.DiscardHandler))
}

// member is an interaction of a member with some roles.
func member(permissions int64, roles ...string) Interaction {
	var i Interaction
	if err := json.Unmarshal(fmt.Appendf(nil, `{"id":"900","token":"t","guild_id":%q,"member":{"user":{"id":"7"},"permissions":"%d","roles":["%s"]}}`,
		server, permissions, strings.Join(roles, `","`)), &i); err != nil {
		panic(err)
	}
	return i
}

// TestReadableBy: who may read which channel, as Discord says.
func TestReadableBy(t *testing.T) {
	t.Parallel()
	s, c := reading(t)
	for _, who := range []struct {
		name string
		i    Interaction
		may  string // channels
	}{
		{"anybody", member(0), "101 106"},
		{"a moderator", member(0, "21"), "101 102 104 106"},
		{"an administrator", member(discordtest.Administrator), "101 102 103 104 105 106 107 108 109 x"},
	} {
		may := c.readableBy(who.i)
		var got []string
		for _, id := range []game.ChannelID{"101", "102", "103", "104", "105", "106", "107", "108", "109", "x"} {
			if may(t.Context(), id) {
				got = append(got, string(id))
			}
		}
		if strings.Join(got, " ") != who.may {
			t.Errorf("%s may read %q, want %q", who.name, got, who.may)
		}
	}
	if c.readableBy(Interaction{}) != nil {
		t.Error("in direct messages there are other channels")
	}
	for _, v := range s.Violations() {
		if !strings.Contains(v, "Missing Access") && !strings.Contains(v, "Unknown Channel") {
			t.Error(v)
		}
	}
	// Each address was asked for once, even those that the bot cannot see.
	asked := map[string]int{}
	for _, r := range s.Requests() {
		if asked[r.Path]++; asked[r.Path] > 1 {
			t.Errorf("%s was asked for again", r.Path)
		}
	}
	if len(asked) < 9 {
		t.Errorf("asked was only for %v", asked)
	}
}

// answers is a Discord that answers a call to an address with a body.
type answers func(address string) (body string, err error)

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := a(r.URL.Path)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, err
}

// TestReadableByIsBounded: the answers kept are limited in number and age, and so are the lookups of one
// request.
func TestReadableByIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testReadableByIsBounded) // lookups wait for each other
}

func testReadableByIsBounded(t *testing.T) {
	lookups, broken := 0, false
	log := slog.New(slog.DiscardHandler)
	c := NewAccess(calls.New(calls.Options{Log: log, Transport: answers(func(address string) (string, error) {
		if broken {
			return "", errors.New("broken")
		}
		lookups++
		if strings.Contains(address, "/roles") {
			return fmt.Sprintf(`[{"id":%q,"permissions":"%d"}]`, server, discordtest.ViewChannel|discordtest.ReadMessageHistory), nil
		}
		return fmt.Sprintf(`{"id":%q,"guild_id":%q}`, address[strings.LastIndex(address, "/")+1:], server), nil
	})}), time.Minute, log)
	may := c.readableBy(member(0))
	granted := 0
	for n := range 2 * channelLookups {
		if may(t.Context(), game.ChannelID(fmt.Sprint(1000+n))) {
			granted++
		}
	}
	if granted != channelLookups || lookups != channelLookups+1 {
		t.Errorf("%d channels were looked up with %d calls, want %d", granted, lookups, channelLookups)
	}
	time.Sleep(time.Minute)
	if may := c.readableBy(member(0)); !may(t.Context(), "1000") || lookups != channelLookups+3 {
		t.Errorf("after a minute, %d calls were made", lookups)
	}
	for n := range 3 * mostChannels {
		c.readableBy(member(0))(t.Context(), game.ChannelID(fmt.Sprint(100_000+n)))
		if len(c.kept) > mostChannels {
			t.Fatalf("%d answers are kept", len(c.kept))
		}
	}
	// What fails for a moment is not kept: it is unknown, and asked for again.
	broken = true
	clear(c.kept)
	if c.readableBy(member(0))(t.Context(), "5") {
		t.Error("a channel of which nothing is known can be read")
	}
	broken = false
	if !c.readableBy(member(0))(t.Context(), "5") {
		t.Error("after a failure a channel cannot be read")
	}
}

// TestLookup: which roles a server has, and where the bot may post.
func TestLookup(t *testing.T) {
	t.Parallel()
	deny := func(what int64) []discordtest.Overwrite { return []discordtest.Overwrite{{ID: "22", Deny: what}} }
	s, c := reading(t, discordtest.Channel{ID: "110", Guild: server, Overwrites: deny(discordtest.SendMessages)},
		discordtest.Channel{ID: "111", Guild: server, Type: discordtest.ChannelPublicThread, Parent: "110"},
		discordtest.Channel{ID: "112", Guild: server, Overwrites: deny(discordtest.SendMessagesInThread)},
		discordtest.Channel{ID: "113", Guild: server, Type: discordtest.ChannelPublicThread, Parent: "112"},
		discordtest.Channel{ID: "114", Guild: server, Type: 15}) // a forum
	i := member(0)
	i.AppID = s.AppID()
	l := lookup{c, i}
	for id, want := range map[game.ChannelID]bool{"101": true, "102": true, "103": false, "106": true, "108": false, "109": false, "110": false, "111": true, "112": true, "113": false, "114": false} {
		if may, err := l.MayPost(t.Context(), id); may != want || err != nil {
			t.Errorf("the bot may post in %s: %t, %v", id, may, err)
		}
	}
	for id, want := range map[game.RoleID]bool{"21": true, "22": false, "x": false} {
		if has, err := l.HasRole(t.Context(), id); has != want || err != nil {
			t.Errorf("there is the role %s: %t, %v", id, has, err)
		}
	}
	i.GuildID = "1600000000000000077" // where the bot is not a member
	l = lookup{c, i}
	has, failed := l.HasRole(t.Context(), "21")
	if may, err := l.MayPost(t.Context(), "108"); !may || err != nil || !has || failed != nil {
		t.Errorf("elsewhere: %t, %v, %t, %v", may, err, has, failed)
	}
	for _, v := range s.Violations() {
		if !strings.Contains(v, "Missing Access") && !strings.Contains(v, "Unknown") {
			t.Error(v)
		}
	}
}
