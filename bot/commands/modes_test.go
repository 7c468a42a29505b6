package commands_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
)

// TestDailySecret: players see today's answer nowhere before they have finished the puzzle, even if a game of it was
// shared. Players who have finished see it in ephemeral replies. The next day it is public.
func TestDailySecret(t *testing.T) {
	for _, f := range commands.New(newBot(t, nil).parts).Play.Faces {
		t.Run(string(f.Kind), func(t *testing.T) {
			b := newBot(t, nil)
			c, guess := f.Commands, f.Guess.Name
			b.Ask(server, "ana", c.Start, "mode", "daily")
			answer, used := "", 0
			for range f.Attempts() {
				m := b.match(t, server, "ana", f.Kind, game.Daily)
				if m.Status() != game.Playing {
					break
				}
				parts := guessesOf(f, m.State.Answer()) // of some kinds the answer changes with the guesses
				answer, used = parts[m.Used()%len(parts)], m.Used()+1
				if end := b.Ask(server, "ana", c.Guess, guess, answer); end.Audience != bot.Asker {
					t.Errorf("the end is shown to %v", end.Audience)
				}
			}
			shared := b.Ask(server, "ana", bot.NameShare, "number", "1")
			if shared.Audience != bot.Everyone || !strings.HasPrefix(shared.String(), "ana solved ") || strings.Contains(shared.String(), answer) {
				t.Errorf("shared is, to %v,\n%s", shared.Audience, shared)
			}
			looks := [][]string{{bot.NameReview, "number", "1"}, {bot.NameReplay, "number", "1", "step", fmt.Sprint(used)}, {bot.NameList}}
			if f.Kind == wordgame.Kind {
				looks = append(looks, []string{bot.NameList, "word", answer})
			}
			search := func(look []string) bool { return len(look) > 2 && look[1] == "word" }
			for _, who := range []struct {
				player   string
				begins   bool // today's puzzle
				finished bool
			}{{"ben", false, false}, {"cleo", true, false}, {"ana", false, true}} {
				if who.begins {
					b.Ask(server, who.player, c.Start, "mode", "daily")
				}
				for _, look := range looks {
					reply := b.Ask(server, who.player, look[0], look[1:]...)
					if shown := strings.Contains(reply.String(), answer); shown != who.finished || reply.Audience != bot.Asker {
						t.Errorf("%s %v: the answer is shown: %t, to %v:\n%s", who.player, look, shown, reply.Audience, reply)
					}
					if search(look) && (numbers(reply) == "") == who.finished {
						t.Errorf("%s finds the daily puzzle by its word, or does not:\n%s", who.player, reply)
					}
				}
			}
			b.now = b.now.Add(24 * time.Hour)
			for _, look := range looks {
				if reply := b.Ask(server, "ben", look[0], look[1:]...); !strings.Contains(reply.String(), answer) {
					t.Errorf("the day after %v shows\n%s", look, reply)
				}
			}
		})
	}
}

// TestHiddenStaysHidden searches every reply and the log for the answer before the end.
func TestHiddenStaysHidden(t *testing.T) {
	b := newBot(t, []string{"major"})
	for _, f := range b.parts.Kinds.Faces() {
		c, guess := f.Commands, f.Guess.Name
		b.Ask(server, "ana", c.Start)
		m := b.match(t, server, "ana", f.Kind, game.Together)
		wrong, hidden := wrongGuess(f, m), m.State.Answer()
		asks := [][]string{
			{c.Guess, guess, wrong}, {c.Guess, guess, wrong}, {c.Guess, guess, "qqqqq"}, {c.Guess, guess, "toolong"}, {c.Guess, guess, "2x"},
			{c.Board}, {c.Start}, {c.Stats}, {c.Rules},
			{bot.NameReview}, {bot.NameReview, "number", "1"}, {bot.NameReplay, "number", "1"}, {bot.NameList}, {bot.NameList, "word", "slate"},
		}
		if n := len(f.HintKinds); n > 1 { // a single kind of hint may tell the answer
			asks = append(asks, []string{c.Hint, "kind", string(f.HintKinds[n-1])})
		}
		for _, ask := range asks {
			reply := b.Ask(server, "ana", ask[0], ask[1:]...)
			texts := []string{reply.String(), fmt.Sprintf("%+v", reply.Buttons()), fmt.Sprintf("%#v", m), fmt.Sprintf("%+v", m), b.log.String()}
			if reply.Picture() != nil {
				texts = append(texts, reply.Picture().Alt)
			}
			for _, text := range texts {
				for _, part := range guessesOf(f, hidden) {
					if text = strings.ToUpper(text); strings.Contains(text, strings.ToUpper(part)) || strings.Contains(text, part) {
						t.Errorf("%v shows what is hidden:\n%s", ask, text)
					}
				}
			}
		}
	}
}

// TestStreakAtTheEnd: the end of a daily puzzle says the streak from its second day on.
func TestStreakAtTheEnd(t *testing.T) {
	b := newBot(t, nil)
	for day, want := range []string{"", "🔥 Streak 2", "🔥 Streak 3"} {
		b.Ask(server, "ana", wordgame.Commands.Start, "mode", "daily")
		won := b.Ask(server, "ana", wordgame.Commands.Guess, "word", b.answer(t, server, "ana", wordgame.Kind, game.Daily))
		if got := won.String(); strings.Contains(got, "Streak") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("day %d ends with\n%swant %q", day+1, got, want)
		}
		b.now = b.now.Add(24 * time.Hour)
	}
}
