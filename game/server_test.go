package game_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
)

// TestNeverUsed: a server's words are not hidden there and not proposed, but in dailies they are.
func TestNeverUsed(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane brick mound", ""))
	m.Pick = func(int) int { return 0 }
	m.Words = func(_ context.Context, g game.GuildID) ([]string, error) {
		return map[game.GuildID][]string{"g": {"BRICK", "CRANE"}}[g], nil
	}
	hidden := func(location game.Location, text string) string {
		return mustPlay(t, m, location, text).State.(wordle.State).Hidden().String()
	}
	for text, want := range map[string]string{"ana start": "MOUND", "ana start solo": "MOUND", "ana start daily": "BRICK"} {
		if got := hidden(place, text); got != want {
			t.Errorf("%s hides %s, want %s", text, got, want)
		}
	}
	if got := hidden(game.Location{Guild: "h", Channel: "d"}, "ana start"); got != "BRICK" {
		t.Errorf("another server hides %s", got)
	}
	race, match, err := m.StartRace(t.Context(), game.Origin{Request: "race", Player: "ben", Location: place}, matches.RaceOptions{Kind: wordgame.Kind, Time: time.Minute})
	if err != nil || match.State.(wordle.State).Hidden() != wordle.MustParse("mound") {
		t.Errorf("race %v: %v, %v", race.ID, match, err)
	}
	if got := mustPlay(t, m, place, "ana suggestion together"); got.Hints[0].Content.(optimal.Suggestion).Word != wordle.MustParse("mound") {
		t.Errorf("the hint is %+v", got.Hints[0].Content)
	}
}

// TestIdleHere: a server's own time counts for its games, shorter or longer than the standard, which may be never.
func TestIdleHere(t *testing.T) {
	for _, standard := range []time.Duration{0, day} {
		synctest.Test(t, func(t *testing.T) {
			s := newMemory()
			m := idleMachine(t, s)
			m.Idle = func(context.Context) (map[game.GuildID]time.Duration, error) {
				return map[game.GuildID]time.Duration{"short": time.Hour, "long": 3 * day}, nil
			}
			keepEnding(t, m, standard)
			guilds := []game.GuildID{"short", "long", "other"}
			for _, g := range guilds {
				mustPlay(t, m, game.Location{Guild: g, Channel: game.ChannelID(g)}, "ana start; ana miss")
			}
			ends := map[game.GuildID]time.Duration{"short": time.Hour, "long": 3 * day, "other": standard}
			for _, passed := range []time.Duration{time.Hour - time.Minute, time.Hour + 2*time.Minute, day - time.Minute, day + 2*time.Minute, 3*day - time.Minute, 3*day + 2*time.Minute} {
				time.Sleep(passed - time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)))
				for _, g := range guilds {
					want := map[bool]game.Status{true: game.Stopped, false: game.Playing}[ends[g] > 0 && passed > ends[g]]
					if got := statusIn(t, s, game.ChannelID(g)); got != want {
						t.Errorf("by %v, after %v: the game in %s is %s", standard, passed, g, got)
					}
				}
			}
		})
	}
}
