package storagetest

import (
	"fmt"
	"testing"
	"time"

	"fivefold/game"
)

// Fill stores some of everything: n finished matches of all games, one player made anonymous in them,
// matches being played, and what else there is. If forget is set, the oldest third is removed again.
func Fill(t *testing.T, s Store, n int, forget bool) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	games := Games()
	marked := Personal(games[0].Match("marked", game.Location{Guild: "g", Channel: "c7"}, "p3", games[0].hidden()), 9)
	mustCommitAll(t, s, stop(marked, "p3"))
	m := newModel(s, games)
	for range n {
		m.play(t)
	}
	must(s.CommitRace(ctx, aRace("race-1", "c1", Epoch)))
	for i, g := range games {
		m := g.Match("running "+string(g.Kind()), game.Location{Guild: "g", Channel: "c9"}, "p0", g.hidden())
		mustCommitAll(t, s, g.Guess(t, m, "p0", g.wrong(0)))
		must(s.SaveBoardMessage(ctx, m.Slot(), game.BoardMessage{Match: m.ID, Message: "message"}))
		m = g.Match("finished "+string(g.Kind()), game.Location{Guild: "g", Channel: "c8"}, "p1", g.hidden())
		m = later(g.Guess(t, m, "p1", g.hidden()), time.Duration(n+i)*time.Hour)
		for version := uint64(1); version <= m.Version; version++ {
			c := Change(m.Rewind(version))
			c.Request = game.RequestID(snowflake(Epoch.Add(time.Duration(10*i+int(version)) * time.Minute))) // an id of Discord's, which has a time
			if version == 1 {
				c.Recent = game.RecentList{Name: fmt.Sprint("list ", g.Kind()), Keep: 3}
			}
			must(s.Commit(ctx, c))
		}
	}
	for i := range 60 * len(games) { // daily puzzles: of two months, of players enough for places
		g, player := games[i%len(games)], game.PlayerID(fmt.Sprint("p", i/len(games)%5))
		m := g.daily(t, game.Location{Guild: "g", Channel: "c7"}, player, 330+i/len(games)/5, i%7-1)
		mustCommitAll(t, s, later(m, time.Duration(n+10+i)*time.Hour))
		if i%4 == 0 {
			must(s.ShareIn(ctx, m.ID, "h"))
		}
	}
	_, err := s.Secret(ctx)
	must(err)
	must(s.CommitSession(ctx, Session("p0", 1)))
	must(s.CommitSession(ctx, Session("p1", 1)))
	must(s.SetPlayerLook(ctx, "p0", []byte("look")))
	must(s.SetServerChoice(ctx, "g", []byte("choice")))
	must(s.SetCommandGuilds(ctx, []game.GuildID{"g", "h"}))
	must(s.Clear(ctx, game.ClearRequest{Player: "p3", Request: "clear", At: Epoch, Mark: []game.Slot{marked.Slot()}}))
	m.leave("p3")
	for range 10 { // so that the latest match of each community is in its history
		m.play(t)
	}
	if forget {
		_, err = s.Forget(ctx, m.all[n/3].match.Ended())
		must(err)
	}
}
