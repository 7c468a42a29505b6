package storage_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
)

// TestMarksAreSwept: the mark that a daily puzzle was played stays until its month is closed, and never names the player.
func TestMarksAreSwept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(game.DailyDate(1)))
		s, m := onMap(t, &orderedtest.Memory{})
		defer run(t, s)()
		g, commits := wordGame, 0
		end := func(match game.Match) {
			t.Helper()
			match = g.win(t, match, match.Starter)
			for version := range match.Version {
				commits++
				if err := s.Commit(t.Context(), matches.Change{Match: match.Rewind(version + 1), Request: game.RequestID(fmt.Sprint("r", commits)), At: time.Now()}); err != nil {
					t.Fatal(err)
				}
			}
		}
		slots := make([]game.Slot, 3)
		clear := func(day int) {
			t.Helper()
			match := alone(g.match(fmt.Sprint("daily", day), game.Location{Channel: "c"}, "ana"), day)
			slots[day] = match.Slot()
			end(match)
			if err := s.Delete(t.Context(), finished.Deletion{Player: "ana", Request: game.RequestID(fmt.Sprint("clear", day)), At: time.Now(), Mark: slots[day : day+1]}); err != nil {
				t.Fatal(err)
			}
		}
		marks := func(after string, want ...int) {
			t.Helper()
			time.Sleep(2 * time.Minute)
			end(g.match(fmt.Sprint("m", commits), game.Location{Channel: game.ChannelID(after)}, "ben")) // by whose time marks are swept
			time.Sleep(time.Minute)
			synctest.Wait()
			var got []int
			for day, slot := range slots[1:] {
				if _, err := s.Load(t.Context(), slot); errors.Is(err, game.ErrDeleted) {
					got = append(got, day+1)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s there are marks of days %v, want %v", after, got, want)
			}
		}
		clear(1)
		marks("after deleting", 1)
		time.Sleep(23 * time.Hour)
		clear(2)
		marks("after deleting again", 1, 2)
		time.Sleep(40 * 24 * time.Hour)
		marks("after the month")
		if left, err := m.Read(t.Context(), ordered.Prefix("slot\x00\x00ana")); err != nil || len(left[0]) > 0 {
			t.Errorf("of the player there is still %v, %v", left, err)
		}
	})
}

// TestReceiptsAreSwept: receipts go a day after their requests, however many there are and whatever their ids, and a result
// from the future removes none.
func TestReceiptsAreSwept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := onMap(t, &orderedtest.Memory{})
		defer run(t, s)()
		games := 0
		// play plays a game of one guess, two hours after its start, under two ids: numbers like Discord's, or those of another front.
		play := func(ahead time.Duration, discord bool) {
			t.Helper()
			games++
			g := wordGame
			match := g.match(fmt.Sprint("m", games), game.Location{Channel: game.ChannelID(fmt.Sprint("c", games))}, "ana")
			match = later(g.win(t, match, "ana"), time.Since(epoch)+ahead)
			match.Started = match.Started.Add(-2 * time.Hour)
			for version := range match.Version {
				request := game.RequestID(fmt.Sprint("local-", time.Now().UnixNano(), version))
				if discord {
					request = game.RequestID(fmt.Sprint(match.Started.UnixMilli()<<22 + int64(version)))
				}
				if err := s.Commit(t.Context(), matches.Change{Match: match.Rewind(version + 1), Request: request, At: time.Now()}); err != nil {
					t.Fatal(err)
				}
			}
		}
		check := func(when string, want int) {
			t.Helper()
			time.Sleep(time.Minute)
			synctest.Wait()
			if n, err := ordered.Count(t.Context(), m, ordered.Prefix("receipt\x00")); n != want || err != nil {
				t.Errorf("%s there are %d receipts, %v, want %d", when, n, err, want)
			}
		}
		play(0, true)
		play(0, false)
		time.Sleep(23 * time.Hour)
		play(365*24*time.Hour, true)
		check("a day after two starts, and after a result from the future", 4)
		time.Sleep(2 * time.Hour)
		play(0, true)
		check("after a day", 4)
		for range 300 {
			time.Sleep(time.Millisecond)
			play(0, true)
		}
		time.Sleep(25 * time.Hour)
		play(0, true)
		check("a day after many games", 4)
	})
}
