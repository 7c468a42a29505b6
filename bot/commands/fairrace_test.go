package commands_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
)

// TestCheatsInRaces: a second account that has lost or given up learns neither the word nor its meaning from any
// command while others may still play the race or challenge. Afterwards it does.
func TestCheatsInRaces(t *testing.T) {
	const word, meaning = "PIZZA", "Italian"
	for name, c := range map[string]struct {
		mode game.Mode
		out  func(b *testBot, own game.Match)
		time time.Duration // of the race
	}{
		"six misses in a race":   {game.Racing, missesAll, 10*time.Minute + game.Countdown},
		"giving up in a race":    {game.Racing, givesUp, 10*time.Minute + game.Countdown},
		"six misses alone":       {game.Challenged, missesAll, 24 * time.Hour},
		"giving up alone":        {game.Challenged, givesUp, 24 * time.Hour},
		"giving up before begin": {game.Racing, func(*testBot, game.Match) {}, 0},
	} {
		b := newBot(t, nil)
		var shown bot.Reply
		if c.mode == game.Racing {
			b = newBot(t, []string{strings.ToLower(word)})
			shown = b.Ask(server, "ana", wordgame.Commands.Race)
		} else {
			shown = b.Ask(server, "ana", wordgame.Commands.Challenge, "word", strings.ToLower(word), "clue", "food", "mode", "solo")
		}
		b.Press(server, "zoe", shown.Buttons()[0])
		own := b.match(t, server, "zoe", wordgame.Kind, c.mode)
		if c.time > 0 {
			b.now = b.now.Add(game.Countdown)
			c.out(b, own)
			if m := b.match(t, server, "zoe", wordgame.Kind, c.mode); m.Status() == game.Playing {
				t.Fatalf("%s: zoe is still playing %v", name, m)
			}
		}
		number := map[string]string{"number": "1", "step": "6", "everyone": "true"}
		match := map[string]string{face.ArgMatch: string(own.ID), "step": "6", face.ArgLost: string(own.ID), "mode": string(c.mode), "word": "civic"}
		asked := 0
		tell := func() (said []string) {
			for _, command := range b.Bot.Table.Commands {
				for _, all := range []map[string]string{{}, number, match, {"word": "civic", "mode": string(c.mode)}} {
					for _, pressed := range []bool{false, true} {
						args := maps.Clone(all)
						maps.DeleteFunc(args, func(name, _ string) bool {
							return !slices.ContainsFunc(command.Options, func(o bot.Option) bool { return o.Name == name }) && !(pressed && slices.Contains(command.HiddenArgs, name))
						})
						asked++
						reply := b.Bot.Handle(t.Context(), command, bot.Request{
							ID: game.RequestID(fmt.Sprint("asked", asked)), Location: server, Player: "zoe", Command: command.Name, Args: args, FromComponent: pressed,
						})
						if text := reply.String(); strings.Contains(text, word) || strings.Contains(text, meaning) || strings.Contains(text, "Words left") {
							said = append(said, command.Name+": "+text)
						}
					}
				}
			}
			return said
		}
		if said := tell(); len(said) > 0 {
			t.Errorf("%s: zoe is told\n%s", name, strings.Join(said, "\n"))
		}
		if c.time > 0 {
			b.now = b.now.Add(c.time)
			if said := tell(); len(said) < 3 {
				t.Errorf("%s: after its end, zoe is told\n%s", name, strings.Join(said, "\n"))
			}
		}
	}
}

func missesAll(b *testBot, own game.Match) {
	for _, word := range missing(own.State.Answer(), 6) {
		b.Ask(server, "zoe", wordgame.Commands.Guess, "word", word, "mode", string(own.Mode))
	}
}

func givesUp(b *testBot, own game.Match) {
	b.Ask(server, "zoe", wordgame.Commands.Guess, "word", "slate", "mode", string(own.Mode))
	b.Ask(server, "zoe", wordgame.Commands.Stop, "mode", string(own.Mode))
}
