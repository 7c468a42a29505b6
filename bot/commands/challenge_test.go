package commands_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/bottest"
	"fivefold/bot/kinds/wordgame"
)

// TestCorrectedChallenge: the form of a refused challenge keeps the giver's text for a quarter of an hour. It is in no
// other player's form and in no button.
func TestCorrectedChallenge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t, nil)
		refused := b.Ask(server, "ana", wordgame.Commands.Challenge, "word", "zonky", "clue", "you wetbacks")
		again := bottest.MustFind(t, refused, "Correct it")
		for name, value := range again.Args {
			if strings.Contains(value, "zonky") || strings.Contains(value, "wetbacks") {
				t.Errorf("the button has %s %q", name, value)
			}
		}
		check := func(when, player, word, clue string) {
			t.Helper()
			form := b.Press(server, player, again).Form
			if got := form.Fields[0].Value + ", " + form.Fields[1].Value; got != word+", "+clue {
				t.Errorf("%s the form of %s has %q", when, player, got)
			}
		}
		check("at once", "ana", "zonky", "you wetbacks")
		check("at once", "ben", "", "")
		time.Sleep(10 * time.Minute)
		b.Ask(server, "ana", wordgame.Commands.Challenge, "word", "slate", "clue", "not slate")
		time.Sleep(10 * time.Minute)
		check("after the first one's time", "ana", "slate", "not slate")
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		check("after its time", "ana", "", "")
	})
}
