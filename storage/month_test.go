package storage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/statistics"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
)

// mustEnd has a player solve a daily puzzle in a server.
func mustEnd(t *testing.T, s *storage.Store, guild game.GuildID, player game.PlayerID, number int) game.Match {
	t.Helper()
	m := alone(wordGame.match(fmt.Sprint("daily ", player, number), game.Location{Guild: guild, Channel: game.ChannelID("c" + guild)}, player), number)
	mustCommit(t, s, m)
	m = wordGame.win(t, m, player)
	mustCommit(t, s, m)
	return m
}

// rows returns who is in the table of a month in a server, and with how many puzzles.
func rows(t *testing.T, s *storage.Store, guild game.GuildID, month string) string {
	t.Helper()
	board, err := s.Leaderboard(t.Context(), statistics.Scope{Kind: wordGame.kind, Guild: guild, Month: month}, "", statistics.Rows{RankedFrom: 1, Limit: 9})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, row := range board.Rows {
		all = append(all, fmt.Sprintf("%s %d", row.Player, row.Daily.Played))
	}
	return strings.Join(all, ", ")
}

// TestTwentyServers: a player's month counts in the first twenty servers, and the end of a puzzle writes to no others.
func TestTwentyServers(t *testing.T) {
	s, m := onMap(t, &meeting{Map: &orderedtest.Memory{}})
	month := game.DailyMonth(1)
	for n := range 25 {
		if n%2 == 0 {
			mustEnd(t, s, game.GuildID(fmt.Sprint("g", n)), "ana", n+1)
		} else {
			last := mustEnd(t, s, "", "ana", n+1)
			if err := s.ShareIn(t.Context(), last.ID, game.GuildID(fmt.Sprint("g", n)), epoch.AddDate(-1, 0, 0)); err != nil {
				t.Fatal(err)
			}
		}
	}
	places := 0
	m.seen = func(c ordered.Change) {
		for _, p := range c.Set {
			if strings.HasPrefix(p.Key, "rank\x00") && p.Value != nil {
				places++
			}
		}
	}
	mustEnd(t, s, "g24", "ana", 26)
	if places != 2*statistics.MostGuilds {
		t.Errorf("an end stores %d places, want one of the month and one of all time in each server", places)
	}
	for n := range 25 {
		want := ""
		if n < statistics.MostGuilds {
			want = "ana 26"
		}
		if got := rows(t, s, game.GuildID(fmt.Sprint("g", n)), month); got != want {
			t.Errorf("server %d: %q, want %q", n, got, want)
		}
	}
	if found := mustCheck(t, s, false); found != nil {
		t.Errorf("a check finds %v", found)
	}
}

// TestMonthOutlivesForget: puzzles that were removed count in a server that their player's month enters later.
func TestMonthOutlivesForget(t *testing.T) {
	s := inMemory(t)
	for n := range 3 {
		mustEnd(t, s, "g", "ana", 1+n)
	}
	if n, err := s.Forget(t.Context(), epoch.AddDate(1, 0, 0)); n != 3 || err != nil {
		t.Fatalf("%d were removed, %v", n, err)
	}
	last := mustEnd(t, s, "", "ana", 4)
	if err := s.ShareIn(t.Context(), last.ID, "h", game.DailyDate(4)); err != nil {
		t.Fatal(err)
	}
	for _, month := range []string{game.DailyMonth(1), ""} {
		for _, guild := range []game.GuildID{"g", "h"} {
			if got := rows(t, s, guild, month); got != "ana 4" {
				t.Errorf("the table of %q in %s is %q", month, guild, got)
			}
		}
	}
}

// TestClearedMonth: on the first day of a month, who deletes their data has no place in this month and the last one until
// they are closed. In a closed month, the place stays and has no name.
func TestClearedMonth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(game.DailyDate(60).Add(time.Hour))) // 1 March
		s, m := onMap(t, &orderedtest.Memory{})
		for _, number := range []int{30, 31, 58, 59} { // two of January, two of February
			mustEnd(t, s, "g", "ana", number)
			mustEnd(t, s, "g", "ben", number)
		}
		if err := s.Delete(t.Context(), finished.Deletion{Player: "ana", Request: "clear", At: time.Now()}); err != nil {
			t.Fatal(err)
		}
		want := func(table string, number int) {
			t.Helper()
			if got := rows(t, s, "g", game.DailyMonth(number)); got != table {
				t.Errorf("the table of %s is %q, want %q", game.DailyMonth(number), got, table)
			}
		}
		mustEnd(t, s, "g", "ana", 60)
		shared := mustEnd(t, s, "", "ana", 61)
		if err := s.ShareIn(t.Context(), shared.ID, "g", game.DailyDate(61)); err != nil {
			t.Fatal(err)
		}
		want(" 2, ben 2", 31)
		want("ben 2", 59)
		want("", 60)
		if day, err := s.Daily(t.Context(), wordGame.kind, "g", 61, 9); err != nil || day.Players != 1 {
			t.Errorf("the day's results are %+v, %v", day, err)
		}
		for key, v := range all(t, m) {
			if strings.HasPrefix(key, "deleted\x00") && strings.Contains(key+v, "ana") {
				t.Errorf("%q names the player", key)
			}
		}
		if found := mustCheck(t, s, false); found != nil {
			t.Errorf("a check finds %v", found)
		}
		marks := func() (months []string) {
			for key := range all(t, m) {
				if strings.HasPrefix(key, "deleted\x00") {
					months = append(months, strings.Split(key, "\x00")[1])
				}
			}
			slices.Sort(months)
			return months
		}
		for _, step := range []struct {
			at   time.Time
			want int
		}{{game.DailyDate(60).Add(2 * time.Hour), 2}, {game.MonthCloses("2026-02"), 1}, {game.MonthCloses("2026-03").Add(-time.Minute), 1}, {game.MonthCloses("2026-03"), 0}} {
			time.Sleep(time.Until(step.at))
			last := alone(wordGame.match(fmt.Sprint("last", step.at.Unix()), game.Location{Channel: "dm"}, "zoe"), 0)
			mustCommitAll(t, s, later(wordGame.win(t, last, "zoe"), time.Since(epoch))) // so that the log is as late as the clock
			end := run(t, s)
			synctest.Wait()
			end()
			if got := marks(); len(got) != step.want {
				t.Errorf("at %v the cleared months are %v, want %d", step.at, got, step.want)
			}
		}
	})
}
