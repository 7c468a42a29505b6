package storage_test

import (
	"fmt"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/league"
	"fivefold/game/matches"
	"fivefold/storage"
)

// fill stores some of everything: n finished matches of all games, one player made anonymous in them,
// matches being played, and what else there is. If forget is set, the oldest third is removed again.
func fill(t *testing.T, s *storage.Store, n int, forget bool) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	marked := alone(wordGame.match("marked", game.Location{Guild: "g", Channel: "c7"}, "p3"), 9)
	mustCommitAll(t, s, stop(marked, "p3"))
	m := newModel(s)
	for range n {
		m.play(t)
	}
	must(s.CommitRace(ctx, aRace("race-1", "c1", epoch)))
	for i, g := range games {
		m := g.match("running "+string(g.kind), game.Location{Guild: "g", Channel: "c9"}, "p0")
		mustCommitAll(t, s, g.guess(t, m, "p0", g.answers[0]))
		must(s.SaveBoardMessage(ctx, m.Slot(), game.BoardMessage{Match: m.ID, Message: "message"}))
		m = g.match("in turns "+string(g.kind), game.Location{Guild: "g", Channel: "c10"}, "p0")
		m.Mode = []game.Mode{game.Turns, game.Vote}[i%2]
		m = called(m.WithCall(game.Call{Player: "p1", At: epoch, Proposed: g.answers[0]}), "p1")
		m.Version++
		mustCommitAll(t, s, m)
		m = g.match("finished "+string(g.kind), game.Location{Guild: "g", Channel: "c8"}, "p1")
		m = later(g.win(t, m, "p1"), time.Duration(n+i)*time.Hour)
		for version := uint64(1); version <= m.Version; version++ {
			c := change(m.Rewind(version))
			if version == 1 {
				c.Recent = matches.RecentList{Name: fmt.Sprint("list ", g.kind), Keep: 3}
			}
			must(s.Commit(ctx, c))
		}
	}
	for i := range 60 * len(games) { // daily puzzles: of two months, of players enough for places
		g, player := games[i%len(games)], game.PlayerID(fmt.Sprint("p", i/len(games)%5))
		day, wrong := 330+i/len(games)/5, i%7-1
		m := alone(g.match(fmt.Sprint("daily ", g.kind, player, day), game.Location{Guild: "g", Channel: "c7"}, player), day)
		if wrong < 0 {
			m = stop(m, player)
		} else {
			for _, answer := range g.answers[:wrong] {
				m = g.guess(t, m, player, answer)
			}
			m = g.win(t, m, player)
		}
		mustCommitAll(t, s, later(m, time.Duration(n+10+i)*time.Hour))
		if i%4 == 0 {
			must(s.ShareIn(ctx, m.ID, "gg", game.DailyDate(day)))
		}
	}
	for i := range 40 { // results of the newspaper's puzzle: claimed, official, of names, replaced
		by := game.Origin{Player: game.PlayerID(fmt.Sprint("p", i%5)), Location: game.Location{Guild: []game.GuildID{"g", "gg", ""}[i%3]}, Made: epoch.AddDate(1, 0, 0)}
		r := league.Result{Player: by.Player, Name: globalName(by.Player), Number: 1990 + i/4, Won: i%7 > 0, Guesses: 1 + i%6, Official: i%4 == 0}
		switch {
		case i%10 == 9 && by.Location.Guild == "g":
			r.Player, r.Name, r.Official = "", nickname(by.Player), true
		case i%10 == 9 && by.Location.Guild == "gg":
			r.Player, r.Name, r.Official = "", "nobody's", true
		}
		_, err := s.Import(ctx, by, []league.Result{r})
		must(err)
	}
	for _, p := range []game.PlayerID{"p4", "p3"} {
		by := game.Origin{Player: p, Global: globalName(p), Location: game.Location{Guild: "g"}}
		_, err := s.Claim(ctx, by, nickname(p))
		must(err)
		_, err = s.Confirm(ctx, by, nickname(p), p)
		must(err)
	}
	_, err := s.Secret(ctx)
	must(err)
	must(s.CommitSession(ctx, session("p0", 1)))
	must(s.CommitSession(ctx, session("p1", 1)))
	must(s.SetPlayerLook(ctx, "p0", []byte("look")))
	for i, wish := range []game.Reminder{{Hours: 3}, {Guild: "g"}, {Refused: true}, {Hours: 1}} {
		_, err = s.ChangeReminder(ctx, game.PlayerID(fmt.Sprint("p", i)), func(r *game.Reminder) error { *r = wish; return nil })
		must(err)
	}
	must(s.ChangeServer(ctx, "g", "p0", func(_, _ []byte) ([]byte, []byte, error) { return []byte("choice"), []byte("changes"), nil }))
	must(s.SetCommandGuilds(ctx, []game.GuildID{"g", "gg"}))
	must(s.Delete(ctx, finished.Deletion{Player: "p3", Request: "clear", At: epoch, Mark: []game.Slot{marked.Slot()}}))
	m.leave("p3")
	for range 10 { // so that the latest match of each community is in its history
		m.play(t)
	}
	if forget {
		_, err = s.Forget(ctx, m.all[n/3].match.Ended())
		must(err)
	}
}
