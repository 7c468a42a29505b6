package commands_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	botleague "fivefold/bot/league"
	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/statistics"
)

// brought has a player use the command on a message, by the same request for the same message.
func (b *testBot) brought(t *testing.T, l game.Location, player, author game.PlayerID, text string) bot.Reply {
	t.Helper()
	r := bot.Request{
		ID: game.RequestID(fmt.Sprintf("%.60q", text)), Location: l, Player: player, Name: string(player), Global: string(player), Command: bot.NameImport,
		Message: &bot.Message{Author: author, Text: text, Written: time.Date(2025, 12, 1, 9, 0, 0, 0, time.UTC)}, Made: time.Date(2025, 12, 1, 9, 0, 0, 0, time.UTC),
	}
	reply := b.Bot.Handle(t.Context(), b.Find(bot.NameImport), r)
	if n := bottest.Size(reply); n > 4000 || bottest.Length(reply.Heading) > 40 {
		t.Errorf("%d characters in\n%s", n, reply)
	}
	return reply
}

func (b *testBot) leagueTotals(t *testing.T, k game.Kind, player game.PlayerID) statistics.Counts {
	t.Helper()
	totals, err := b.parts.Statistics.Totals(t.Context(), statistics.Scope{Kind: k, Guild: server.Guild}, player)
	if err != nil {
		t.Fatal(err)
	}
	return totals.Daily
}

// TestImportRefused: what cannot be imported is refused in one sentence or two, for the asker alone, and changes nothing.
func TestImportRefused(t *testing.T) {
	b := newBot(t, nil)
	const noResult = "I can't find a result there. I look for lines like “Wordle 1,234 4/6”.\n"
	const head = "**Your group is on a 12 day streak!** 🔥 Here are yesterday's results:\n"
	for text, want := range map[string]string{
		"":      noResult,
		"hello": noResult,
		strings.Repeat("Wordle 🟩 4/6 @ ", 250): noResult,
		strings.Repeat("noise ", 666):          noResult,
		"Daily Quordle 1024\n6️⃣5️⃣":           "That's from Quordle; I only read Wordle results.\n",
		"Fivefold 331 · 3/6":                   "My own games count already. There's nothing to import.\n",
		"Wordle 1,627 3/6":                     "That puzzle isn't out yet, so I took nothing.\n",
		"Wordle 1,600 3/6\nWordle 1,627 3/6":   "That puzzle isn't out yet, so I took nothing.\n",
		"Wordle 1,600 3/6\n🟩🟩🟩🟩🟩":              "The squares there don't match the score. Paste the whole result again.\n",
		"Wordle 1,600 3/6\nWordle 1,600 4/6":   "There are two different results of one player there, so I took none.\n",
		head + "3/6: <@ana>":                   "I can't read all of that summary, so I took none of it.\n",
		head + "3/6: <@1>\nX/6: <@":            "I can't read all of that summary, so I took none of it.\n",
		head + "3/6: <@1>":                     "That's a copy of the summary. Use Import results on the app's own message.\n",
	} {
		if reply := b.brought(t, server, "ana", "ana", text); reply.String() != want || reply.Audience != bot.Asker || reply.Buttons() != nil {
			t.Errorf("%.50q: for %d\n%s", text, reply.Audience, reply)
		}
	}
	for author, text := range map[game.PlayerID]string{"ben": "Wordle 1,600 3/6", botleague.Newspaper: "Wordle 1,600 3/6"} {
		if reply := b.brought(t, server, "ana", author, text); reply.String() != "That's somebody else's result. Only they can import it.\n" || reply.Audience != bot.Asker {
			t.Errorf("of %s:\n%s", author, reply)
		}
	}
	if reply := b.Ask(server, "ana", bot.NameImport); reply.String() != "Use Import results on a message with a Wordle result.\n" {
		t.Errorf("typed:\n%s", reply)
	}
	for _, player := range []game.PlayerID{"ana", "ben", "1"} {
		for _, k := range []game.Kind{league.Official, league.Claimed} {
			if got := b.leagueTotals(t, k, player); got.Played > 0 {
				t.Errorf("%s has %s results: %+v", player, k, got)
			}
		}
	}
}

// TestImportTooLate: a request that has expired changes nothing.
func TestImportTooLate(t *testing.T) {
	b := newBot(t, nil)
	r := bot.Request{
		ID: "late", Location: server, Player: "ana", MayManageServer: true, Expires: time.Now().Add(-time.Second), Command: bot.NameImport,
		Message: &bot.Message{Author: "ana", Text: "Wordle 1,600 3/6"},
	}
	if reply := b.Bot.Handle(t.Context(), b.Find(r.Command), r); reply.Problem != bot.TooLate {
		t.Errorf("got\n%s", reply)
	}
	r.Message, r.FromComponent, r.Args = nil, true, map[string]string{"name": "Ana"}
	if reply := b.Bot.Handle(t.Context(), b.Find(r.Command), r); reply.Problem != bot.TooLate {
		t.Errorf("got\n%s", reply)
	}
	if all, err := b.parts.League.Aliases(t.Context(), server.Guild); all != nil || err != nil || b.leagueTotals(t, league.Claimed, "ana").Played > 0 {
		t.Errorf("there is something: %v, %v", all, err)
	}
}

// TestImportLong: messages with as many results as fit are imported whole, and the reply fits too.
func TestImportLong(t *testing.T) {
	b := newBot(t, nil)
	var text strings.Builder
	for n := range 230 {
		fmt.Fprintf(&text, "Wordle %d 4/6*\n", 1200+n)
	}
	for range 2 {
		b.brought(t, server, "ana", "ana", text.String())
	}
	if got := b.leagueTotals(t, league.Claimed, "ana"); got.Played != 230 || got.Distribution[3] != 230 {
		t.Errorf("ana has %+v", got)
	}
	text.Reset()
	text.WriteString("Here are yesterday's results:\n4/6:")
	for n := range 40 {
		fmt.Fprintf(&text, " <@17000000000000000%02d> @%s%02d", n, strings.Repeat("🦊", 30), n)
	}
	reply := b.brought(t, server, "ana", botleague.Newspaper, text.String())
	menu, ok := reply.Blocks[len(reply.Blocks)-1].(*bot.Menu)
	if !ok || len(menu.Choices) != 40 || menu.Choices[39].Value != strings.Repeat("🦊", 30)+"39" {
		t.Errorf("got\n%s", reply)
	}
	claimed := b.Press(server, "ben", bot.Button{Command: bot.NameImport, Args: map[string]string{"name": menu.Choices[39].Value}})
	confirm := bottest.MustFind(t, claimed, "Confirm")
	b.Press(server, "ben", bot.Button{Command: bot.NameImport, Args: map[string]string{"name": "Ben"}}) // is before the foxes, and not confirmed
	r := bot.Request{ID: "confirm", Location: server, Player: "mia", MayManageServer: true, FromComponent: true, Command: confirm.Command, Args: confirm.Args}
	if reply := b.Bot.Handle(t.Context(), b.Find(confirm.Command), r); !reply.InPlace || reply.Audience != bot.Everyone {
		t.Errorf("got\n%s", reply)
	}
	all, err := b.parts.League.Aliases(t.Context(), server.Guild)
	if err != nil || len(all) != 2 || all[0].Name != "Ben" || all[0].Confirmed || !all[1].Confirmed {
		t.Errorf("the aliases are %+v, %v", all, err)
	}
	if got := b.leagueTotals(t, league.Official, "ben"); got.Played != 1 || got.Distribution[3] != 1 {
		t.Errorf("ben has %+v", got)
	}
}

// TestClaimOfTwoNames: a confirmation is of the name on its button, though the player has claimed one that looks alike to a checksum.
func TestClaimOfTwoNames(t *testing.T) {
	b := newBot(t, nil)
	var claimed bot.Reply
	for _, name := range []string{"buckeroo", "plumless"} { // their CRC-32 is the same
		claimed = b.Press(server, "ben", bot.Button{Command: bot.NameImport, Args: map[string]string{"name": name}})
	}
	confirm := bottest.MustFind(t, claimed, "Confirm")
	r := bot.Request{ID: "confirm", Location: server, Player: "mia", MayManageServer: true, FromComponent: true, Command: confirm.Command, Args: confirm.Args}
	b.Bot.Handle(t.Context(), b.Find(confirm.Command), r)
	all, err := b.parts.League.Aliases(t.Context(), server.Guild)
	if err != nil || len(all) != 2 || all[0].Confirmed || !all[1].Confirmed {
		t.Errorf("the aliases are %+v, %v", all, err)
	}
}
