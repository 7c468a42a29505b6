package daypost_test

import (
	"fmt"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/game/league"
)

// TestNewspaper: the post has yesterday's results of the newspaper's puzzle, official before claimed and the best first, of this server.
func TestNewspaper(t *testing.T) {
	w := newWorld(t, "2026-11-02 08:00")
	w.set("g", "c", "9", "UTC")
	number := game.NewspaperNumber(w.now) - 1
	bring := func(guild game.GuildID, number, guesses int, player game.PlayerID, official bool) {
		t.Helper()
		by := game.Origin{Player: player, Location: game.Location{Guild: guild}, Made: w.now}
		r := league.Result{Player: player, Name: strings.ToUpper(string(player)), Number: number, Won: guesses < 7, Guesses: guesses, Official: official}
		if _, err := w.store.Import(t.Context(), by, []league.Result{r}); err != nil {
			t.Fatal(err)
		}
	}
	bring("g", number, 7, "ana", true)
	bring("g", number, 3, "ben", true)
	bring("g", number, 2, "cleo", false)
	bring("g", number, 2, "ben", false) // the official one stays
	bring("g", number-1, 1, "zoe", true)
	bring("g", number+1, 1, "zoe", true)
	bring("h", number, 1, "zoe", true)
	w.at("2026-11-02 09:00")
	w.post(w.process())
	text, names := w.posts[0].reply.String(), w.posts[0].reply.Names
	want := fmt.Sprintf("Newspaper %d · 3/6 ben · X/6 ana\nNewspaper %d, claimed · 2/6 cleo\n", number, number)
	if !strings.Contains(text, want) || strings.Contains(text, "zoe") || fmt.Sprint(names) != "map[ana:ANA ben:BEN cleo:CLEO]" {
		t.Errorf("the post says\n%s, and names %v, want\n%s", text, names, want)
	}
	for i := range 25 {
		bring("g", number+1, 4, game.PlayerID(fmt.Sprint("p", i)), false)
	}
	w.at("2026-11-03 09:00")
	w.post(w.process())
	if text := w.posts[1].reply.String(); strings.Count(text, " · 4/6 p") != 10 || !strings.Contains(text, " · and 15 more\n") {
		t.Errorf("the next post says\n%s", text)
	}
}
