package commands_test

import (
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
)

// TestPlayOn: only a lost game can be played on, by players who may see it. Its word and meaning are in spoilers, and
// nothing is counted.
func TestPlayOn(t *testing.T) {
	b := newBot(t, []string{"crane", "chess"})
	lose := func(mode string) bot.Reply {
		b.Ask(server, "ana", wordgame.Commands.Start, "mode", mode)
		var reply bot.Reply
		for _, guess := range strings.Fields("about light sound fully pitch mound") {
			reply = b.Ask(server, "ana", wordgame.Commands.Guess, "word", guess, "mode", mode)
		}
		return reply
	}
	together, solo := lose("together"), lose("solo")
	for _, line := range together.Lines() {
		for _, s := range line.Text {
			if secret := strings.Contains(s.Text, "CRANE") || strings.Contains(s.Text, "bird"); secret != (s.Style == bot.StyleSpoiler) {
				t.Errorf("%q has the style %d", s.Text, s.Style)
			}
		}
	}
	b.mustWin(t, server, "ana", 1)
	won := b.latest(t)
	b.Ask(server, "ana", pokergame.Commands.Start)
	b.Ask(server, "ana", pokergame.Commands.Stop)
	stopped := b.latest(t)
	stats := b.Ask(server, "ana", wordgame.Commands.Stats, "player", "ana").String()
	of := func(r bot.Reply) bot.Button { return bottest.MustFind(t, r, "Play on") }
	playOn := func(command, match string) bot.Button {
		return bot.Button{Command: command, Args: map[string]string{"lost": match}}
	}
	for _, c := range []struct {
		name   string
		player string
		from   game.Location
		button bot.Button
		want   string
	}{
		{"a game together", "ana", server, of(together), "Found it in 7"},
		{"by another player", "ben", server, of(together), "Found it in 7"},
		{"a solo game", "ana", server, of(solo), "Just for fun"},
		{"another's solo game", "ben", server, of(solo), "You can't play on"},
		{"where another channel's games are out of sight", "ben", game.Location{Guild: server.Guild, Channel: "elsewhere"}, of(together), "You can't play on"},
		{"in another server", "ana", game.Location{Guild: "other", Channel: "elsewhere"}, of(together), "You can't play on"},
		{"a game that was won", "ana", server, playOn(wordgame.Commands.Guess, won), "You can't play on"},
		{"a kind that cannot be played on", "ana", server, playOn(pokergame.Commands.Guess, stopped), "You can't play on"},
		{"another kind's game", "ana", server, playOn(wordgame.Commands.Guess, stopped), "You can't play on"},
		{"no game", "ana", server, playOn(wordgame.Commands.Guess, "0"), "You can't play on"},
	} {
		c.button.Args["word"] = "crane"
		reply := b.Press(c.from, c.player, c.button)
		if reply.Audience != bot.Asker || !strings.Contains(reply.String(), c.want) {
			t.Errorf("%s: got\n%swant %q", c.name, reply, c.want)
		}
		delete(c.button.Args, "word")
		if reply := b.Press(c.from, c.player, c.button); (reply.Form != nil) != !strings.HasPrefix(c.want, "You can't") {
			t.Errorf("%s: a form is there: %t", c.name, reply.Form != nil)
		}
	}
	if got := b.Ask(server, "ana", wordgame.Commands.Stats, "player", "ana").String(); got != stats {
		t.Errorf("afterwards the statistics are\n%swant\n%s", got, stats)
	}
}
