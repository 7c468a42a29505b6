package storage_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/league"
	"fivefold/game/statistics"
	"fivefold/storage"
	"fivefold/storage/check"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
)

// importing is a player who imports results in a server, at a time when all that tests have are out.
func importing(player game.PlayerID, guild game.GuildID) game.Origin {
	return game.Origin{Player: player, Global: globalName(player), Location: game.Location{Guild: guild}, Made: epoch.AddDate(1, 0, 0)}
}

// leagueTable writes a table of the newspaper's puzzle: "ana 2 of 3 8" for two solved puzzles of three, with a score of 8.
func leagueTable(t *testing.T, s *storage.Store, k game.Kind, guild game.GuildID, month string) string {
	t.Helper()
	board, err := s.Leaderboard(t.Context(), statistics.Scope{Kind: k, Guild: guild, Month: month}, "", statistics.Rows{RankedFrom: 1, Limit: 9})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(game.Each(board.Rows, func(row statistics.Row) string {
		return fmt.Sprintf("%s %d of %d %d", row.Player, row.Daily.Won, row.Daily.Played, row.Daily.Score())
	}), ", ")
}

// TestLeague follows results of one puzzle from their import to their end: what each step answers, and the tables after it.
func TestLeague(t *testing.T) {
	s, m := onMap(t, &meeting{Map: &orderedtest.Memory{}})
	ctx, number := t.Context(), game.NewspaperNumber(epoch)
	month := epoch.Format("2006-01")
	official := func(player game.PlayerID, name string, guesses int) league.Result {
		return league.Result{Player: player, Name: name, Number: number, Won: guesses < 7, Guesses: guesses, Official: true}
	}
	imports := func(by game.Origin, results ...league.Result) func() (any, error) {
		return func() (any, error) { return s.Import(ctx, by, results) }
	}
	claim := func(guesses int) league.Result {
		return league.Result{Player: "ana", Number: number, Won: true, Guesses: guesses}
	}
	ana, ben, mod := importing("ana", "g"), importing("ben", "g"), importing("mod", "g")
	tables := func() (all string) {
		for _, k := range []game.Kind{league.Official, league.Claimed} {
			for _, guild := range []game.GuildID{"g", "h"} {
				now, always := leagueTable(t, s, k, guild, month), leagueTable(t, s, k, guild, "")
				if now != always {
					t.Errorf("the month in %s is %q, all time %q", guild, now, always)
				}
				day, err := s.Daily(ctx, k, guild, number, 9)
				if err != nil || day.Players != strings.Count(now, " of ") {
					t.Errorf("the day in %s has %d players, %v; the table is %s", guild, day.Players, err, now)
				}
				if now != "" {
					all += fmt.Sprintf("%s %s: %s; ", k, guild, now)
				}
			}
		}
		return strings.TrimSuffix(all, "; ")
	}
	for i, step := range []struct {
		do   func() (any, error)
		said string // in the answer, or the error
		want string
	}{
		{imports(ana, claim(3)), "{New:[{ana 3}]}", "claimed g: ana 1 of 1 3"},
		{imports(ana, claim(2)), "{Known:[{ana 3}]}", "claimed g: ana 1 of 1 3"},
		{imports(importing("ana", "h"), claim(2)), "{New:[{ana 3}]}", "claimed g: ana 1 of 1 3; claimed h: ana 1 of 1 3"},
		{imports(ben, claim(2)), game.ErrNotOwn.Error(), "claimed g: ana 1 of 1 3; claimed h: ana 1 of 1 3"},
		{imports(ben, official("ana", "", 4), official("", "Cleo", 7), official("ben", "", 5)), "{New:[{ben 5}] Replaced:[{ana 4}] Waiting:[{Cleo 7}]}",
			"newspaper g: ana 1 of 1 4, ben 1 of 1 5; newspaper h: ana 1 of 1 4"},
		{imports(ben, official("ana", "", 4), official("", "Cleo", 7), official("ben", "", 5)), "{Known:[{ana 4} {ben 5}] Waiting:[{Cleo 7}]}",
			"newspaper g: ana 1 of 1 4, ben 1 of 1 5; newspaper h: ana 1 of 1 4"},
		{imports(ana, league.Result{Player: "ana", Number: league.Latest(ana.Made) + 1, Won: true, Guesses: 3}, claim(3)), league.ErrFuture.Error(), ""},
		{func() (any, error) { return nil, s.TakeBack(ctx, mod, "Cleo", "cleo") }, league.ErrNoClaim.Error(), ""},
		{func() (any, error) { return s.Confirm(ctx, mod, "Cleo", "cleo") }, league.ErrNoClaim.Error(), ""},
		{func() (any, error) { return s.Claim(ctx, importing("cleo", "g"), "Cleo") }, "{Cleo cleo Name of cleo. false}", ""},
		{func() (any, error) { return s.Claim(ctx, importing("cleo", "g"), "Cleo") }, "{Cleo cleo Name of cleo. false}", ""},
		{func() (any, error) { return s.Claim(ctx, ben, "Cleo") }, "{Cleo cleo Name of cleo. false}", ""},
		{func() (any, error) { return s.Claim(ctx, importing("cleo", ""), "Cleo") }, league.ErrInvalid.Error(), ""},
		{func() (any, error) { return s.Confirm(ctx, mod, "Cleo", "ben") }, league.ErrNoClaim.Error(), "newspaper g: ana 1 of 1 4, ben 1 of 1 5; newspaper h: ana 1 of 1 4"},
		{func() (any, error) { return s.Confirm(ctx, mod, "Cleo", "cleo") }, "{New:[{cleo 7}]}", "newspaper g: ana 1 of 1 4, ben 1 of 1 5, cleo 0 of 1 7; newspaper h: ana 1 of 1 4"},
		{func() (any, error) { return s.Confirm(ctx, mod, "Cleo", "cleo") }, "{}", ""},
		{imports(ben, official("", "Cleo", 7)), "{Known:[{cleo 7}]}", ""},
		{func() (any, error) { return s.Aliases(ctx, "g") }, "[{Cleo cleo Name of cleo. true}]", ""},
		{func() (any, error) { return nil, s.TakeBack(ctx, mod, "Cleo", "cleo") }, "", "newspaper g: ana 1 of 1 4, ben 1 of 1 5; newspaper h: ana 1 of 1 4"},
		{func() (any, error) { return s.Aliases(ctx, "g") }, "[]", ""},
		{func() (any, error) { return s.Claim(ctx, ben, "Cleo") }, "{Cleo ben Name of ben. false}", ""},
		{func() (any, error) { return s.Confirm(ctx, mod, "Cleo", "ben") }, "{Known:[{ben 5}]}", "newspaper g: ana 1 of 1 4, ben 1 of 1 5; newspaper h: ana 1 of 1 4"},
		{func() (any, error) { return nil, s.TakeBack(ctx, mod, "Cleo", "ben") }, "", "newspaper g: ana 1 of 1 4, ben 1 of 1 5; newspaper h: ana 1 of 1 4"},
		{func() (any, error) {
			return nil, s.Delete(ctx, finished.Deletion{Player: "ana", Request: "clear", At: epoch.AddDate(1, 0, 0)})
		}, "", "newspaper g: ben 1 of 1 5"},
		{imports(ana, claim(2)), "{New:[{ana 2}]}", "newspaper g: ben 1 of 1 5; claimed g: ana 1 of 1 2"},
	} {
		before := all(t, m)
		got, err := step.do()
		said := answer(got)
		if err != nil {
			said = err.Error()
		}
		if said != step.said {
			t.Errorf("step %d answers %s, want %s", i, said, step.said)
		}
		if err != nil && fmt.Sprint(all(t, m)) != fmt.Sprint(before) {
			t.Errorf("step %d changes something, though it fails", i)
		}
		if got := tables(); step.want != "" && got != step.want {
			t.Errorf("after step %d: %s, want %s", i, got, step.want)
		}
		if found := mustCheck(t, s, false); found != nil {
			t.Fatalf("after step %d a check finds %v", i, found)
		}
	}
}

// answer writes what a change of the league answers, results as "{player guesses}", without what is empty.
func answer(of any) string {
	if done, ok := of.(league.Imported); ok {
		var parts []string
		for i, list := range [][]league.Result{done.New, done.Known, done.Replaced, done.Waiting} {
			if len(list) > 0 {
				parts = append(parts, []string{"New", "Known", "Replaced", "Waiting"}[i]+":"+fmt.Sprint(game.Each(list, func(r league.Result) string {
					return fmt.Sprintf("{%s %d}", max(string(r.Player), map[bool]string{true: r.Name}[r.Player == ""]), r.Guesses)
				})))
			}
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	if of == nil {
		return ""
	}
	return fmt.Sprint(of)
}

// TestLeagueRepeats: an import that is made once more, or by a name's player instead of the name, writes nothing.
func TestLeagueRepeats(t *testing.T) {
	s, m := onMap(t, &orderedtest.Memory{})
	by := importing("ana", "g")
	results := []league.Result{{Player: "ana", Number: 9, Won: true, Guesses: 4}, {Player: "ben", Number: 9, Official: true}, {Name: "Cleo", Number: 9, Official: true}}
	for range 2 {
		before := all(t, m)
		if _, err := s.Import(t.Context(), by, results); err != nil {
			t.Fatal(err)
		}
		if after := all(t, m); len(before) > 0 && fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("once more:\n%v, was\n%v", after, before)
		}
	}
	by.Expires = time.Unix(1, 0)
	if _, err := s.Import(t.Context(), by, []league.Result{{Player: "ana", Number: 10}}); !errors.Is(err, game.ErrExpired) {
		t.Errorf("after it has expired: %v", err)
	}
}

// TestLeagueMeets: whatever two changes of one player's results meet, both count, and a clearing leaves nothing of what came before it.
func TestLeagueMeets(t *testing.T) {
	claim := func(number int) league.Result {
		return league.Result{Player: "ana", Number: number, Won: true, Guesses: 3}
	}
	official := claim(2)
	official.Player, official.Name, official.Official = "", "Ana", true
	for _, first := range []bool{true, false} {
		changes := map[string]func(*storage.Store) error{
			"another puzzle": func(s *storage.Store) error {
				_, err := s.Import(t.Context(), importing("ana", "g"), []league.Result{claim(1)})
				return err
			},
			"a third puzzle": func(s *storage.Store) error {
				_, err := s.Import(t.Context(), importing("ana", "g"), []league.Result{claim(3)})
				return err
			},
			"another server": func(s *storage.Store) error {
				_, err := s.Import(t.Context(), importing("ana", "h"), []league.Result{claim(2)})
				return err
			},
			"a name": func(s *storage.Store) error {
				_, err := s.Confirm(t.Context(), importing("mod", "g"), "Ana", "ana")
				return err
			},
			"taking back": func(s *storage.Store) error { return s.TakeBack(t.Context(), importing("ana", "h"), "Ana", "ana") },
			"clearing": func(s *storage.Store) error {
				return s.Delete(t.Context(), finished.Deletion{Player: "ana", Request: "clear", At: epoch})
			},
		}
		for one, a := range changes {
			for other, b := range changes {
				if one == other || other == "clearing" && one == "a name" || one == "clearing" && (other == "a name" || other == "taking back") {
					continue // what is cleared first can't be confirmed
				}
				ran := func(meet bool) (map[string]string, bool) {
					s, m := onMap(t, &meeting{Map: &orderedtest.Memory{}})
					must := func(err error) {
						t.Helper()
						if err != nil && !(one == "clearing" || other == "clearing") {
							t.Fatalf("%s meets %s: %v", one, other, err)
						}
					}
					for _, guild := range []game.GuildID{"g", "h"} {
						_, err := s.Claim(t.Context(), importing("ana", guild), "Ana")
						must(err)
						_, err = s.Import(t.Context(), importing("ben", guild), []league.Result{official})
						must(err)
					}
					_, err := s.Confirm(t.Context(), importing("mod", "h"), "Ana", "ana")
					must(err)
					if !first {
						_, err := s.Import(t.Context(), importing("ana", ""), []league.Result{claim(7)})
						must(err)
					}
					met := false
					if meet {
						m.before = func() { met = true; must(b(s)) }
						must(a(s))
					} else {
						must(b(s))
						must(a(s))
					}
					if found := mustCheck(t, s, false); found != nil {
						t.Errorf("%s meets %s: a check finds %v", one, other, found)
					}
					left := all(t, m)
					maps.DeleteFunc(left, func(key, _ string) bool { // they are drawn
						return strings.HasPrefix(key, "secret\x00") || strings.HasPrefix(key, "deleted\x00")
					})
					return left, met
				}
				want, _ := ran(false)
				got, met := ran(true)
				if fmt.Sprint(got) != fmt.Sprint(want) || !met {
					t.Errorf("%s meets %s (%v):\n%v, want\n%v", one, other, met, got, want)
				}
			}
		}
	}
}

// TestLeagueWaits: results wait under a name for a year.
func TestLeagueWaits(t *testing.T) {
	s := inMemory(t)
	for number := range 400 {
		if _, err := s.Import(t.Context(), importing("ana", "g"), []league.Result{{Name: "Ana", Number: number, Won: true, Guesses: 2, Official: true}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Claim(t.Context(), importing("ana", "g"), "Ana"); err != nil {
		t.Fatal(err)
	}
	done, err := s.Confirm(t.Context(), importing("mod", "g"), "Ana", "ana")
	if err != nil || len(done.New) != 366 || done.New[0].Number != 34 {
		t.Errorf("%d results have waited, %v", len(done.New), err)
	}
	totals, err := s.Totals(t.Context(), statistics.Scope{Kind: league.Official}, "ana")
	if err != nil || totals.Days != (statistics.Streak{Now: 366, Best: 366}) || totals.LastDay != 399 || totals.Name != globalName("ana") {
		t.Errorf("the totals are %+v, %v", totals, err)
	}
}

// TestLeagueOutlivesForget: results of the newspaper's puzzle count when old games were removed, and are checked.
func TestLeagueOutlivesForget(t *testing.T) {
	s, m := onMap(t, &orderedtest.Memory{})
	mustEnd(t, s, "g", "ana", 1)
	if _, err := s.Import(t.Context(), importing("ana", "g"), []league.Result{{Player: "ana", Number: 9, Won: true, Guesses: 4}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(t.Context(), epoch.AddDate(1, 0, 0)); err != nil {
		t.Fatal(err)
	}
	if found := mustCheck(t, s, false); found != nil {
		t.Errorf("a check finds %v", found)
	}
	want := all(t, m)
	for key, value := range want {
		if !strings.HasPrefix(key, "total\x00ana\x00claimed") {
			continue
		}
		if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{{Key: key, Value: []byte(strings.ReplaceAll(value, `"Played":1`, `"Played":2`))}}}); err != nil {
			t.Fatal(err)
		}
		if found := mustCheck(t, s, true); !slices.ContainsFunc(found, func(f check.Finding) bool { return f.Key == key }) {
			t.Errorf("of wrong totals a check finds %v", found)
		}
		if got := all(t, m); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("mended:\n%v, want\n%v", got, want)
		}
	}
	if kinds := slices.Sorted(slices.Values([]string{leagueTable(t, s, league.Claimed, "g", ""), rows(t, s, "g", "")})); fmt.Sprint(kinds) != "[ana 1 ana 1 of 1 4]" {
		t.Errorf("the tables are %v", kinds)
	}
}

// TestLeagueManyServers: a month counts in the first twenty servers, and a check wants no more.
func TestLeagueManyServers(t *testing.T) {
	s := inMemory(t)
	for n := range 25 {
		_, err := s.Import(t.Context(), importing("ana", game.GuildID(fmt.Sprint("g", n))), []league.Result{{Player: "ana", Number: n / 2, Won: true, Guesses: 4}})
		if err != nil {
			t.Fatal(err)
		}
	}
	for n := range 25 {
		want := ""
		if n < statistics.MostGuilds {
			want = "ana 12 of 12 48" // 12 days of June
		}
		if got := leagueTable(t, s, league.Claimed, game.GuildID(fmt.Sprint("g", n)), "2021-06"); got != want {
			t.Errorf("the table of server %d is %q, want %q", n, got, want)
		}
	}
	if found := mustCheck(t, s, false); found != nil {
		t.Errorf("a check finds %v", found)
	}
}
