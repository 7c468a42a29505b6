package daypost_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot"
	"fivefold/bot/daypost"
	"fivefold/bot/face"
	"fivefold/bot/kinds"
	"fivefold/game"
	"fivefold/game/statistics"
	"fivefold/game/wordle"
	"fivefold/game/work"
)

// solvers is a store in which every player has solved every daily up to yesterday's, but for those whose ids begin with "done",
// who have finished today's, and "lost", who have lost yesterday's.
type solvers struct {
	statistics.Store
	clock func() time.Time
}

func (s solvers) Totals(_ context.Context, _ statistics.Scope, p game.PlayerID) (t statistics.Totals, _ error) {
	t.LastDay, t.Days.Now = game.DailyNumber(s.clock())-1, 12
	switch {
	case strings.HasPrefix(string(p), "done"):
		t.LastDay, t.Days.Now = t.LastDay+1, 13
	case strings.HasPrefix(string(p), "lost"):
		t.Days.Now = 0
	}
	return t, nil
}

// wordFace is how the word game looks.
var wordFace = sync.OnceValue(func() face.Faces {
	lists, err := wordle.Embedded()
	if err != nil {
		panic(err)
	}
	return kinds.All(kinds.Parts{Lists: lists}).Faces()[:1]
})

// reminding returns a process whose players are solvers.
func (w *world) reminding() *daypost.Handlers {
	h := w.process()
	h.Faces, h.Statistics = wordFace(), solvers{w.store, w.clock}
	return h
}

func (w *world) wish(player string, wish game.Reminder) {
	w.t.Helper()
	if _, err := w.store.ChangeReminder(w.t.Context(), game.PlayerID(player), func(r *game.Reminder) error { *r = wish; return nil }); err != nil {
		w.t.Fatal(err)
	}
}

// TestRemindersTogether: of processes that share a store, one sends each reminder, once a day, to those who want one and have a
// streak to keep, spread over an hour; and if all send at once, each still comes once.
func TestRemindersTogether(t *testing.T) {
	for _, shared := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, "2026-11-01 07:30")
			w.clock = time.Now
			time.Sleep(time.Until(time.Date(2026, 11, 1, 7, 30, 0, 0, time.UTC)))
			const players, days = 120, 3
			for n := range players {
				w.wish(fmt.Sprint("three", n), game.Reminder{Hours: 3})
				w.wish(fmt.Sprint("twelve", n), game.Reminder{Hours: 12})
				w.wish(fmt.Sprint("off", n), game.Reminder{Refused: true})
				w.wish(fmt.Sprint("done", n), game.Reminder{Hours: 3})
				w.wish(fmt.Sprint("lost", n), game.Reminder{Hours: 3})
			}
			ctx, stop := context.WithCancel(t.Context())
			var all sync.WaitGroup
			for range 3 {
				work := work.Store(w.store)
				if !shared {
					work = always{}
				}
				h := w.reminding()
				all.Go(func() { h.Keep(ctx, work, &w.place) })
			}
			time.Sleep(days * 24 * time.Hour)
			stop()
			all.Wait()
			count, minutes := map[string]int{}, map[int]int{}
			for _, p := range w.posts {
				day := p.at.UTC().Format(time.DateOnly)
				count[string(p.in)+" "+day]++
				minutes[p.at.UTC().Hour()*60+p.at.Minute()]++
				hours := map[bool]int{true: 3, false: 12}[strings.Contains(string(p.in), "three")]
				middle := p.at.UTC().Truncate(24 * time.Hour).Add(time.Duration(24-hours) * time.Hour)
				if off := p.at.Sub(middle); off < -30*time.Minute || off > 32*time.Minute {
					t.Errorf("%s is reminded %v from %v", p.in, off, middle)
				}
				if text := p.reply.String(); !strings.Contains(text, "Your streak of 12 ends at midnight UTC.") {
					t.Errorf("the reminder says %s", text)
				}
			}
			if len(count) != 2*players*days || len(w.posts) != len(count) {
				t.Errorf("shared %v: %d reminders of %d, want %d", shared, len(w.posts), len(count), 2*players*days)
			}
			for minute, n := range minutes {
				if n > players*days/6 {
					t.Errorf("%d reminders in minute %d", n, minute)
				}
			}
			if w.log.Len() > 0 {
				t.Errorf("the log has %s", &w.log)
			}
		})
	}
}

// doomed is the store of reminders of a mortal process.
type doomed struct {
	game.ReminderStore
	*mortal
}

func (d doomed) ChangeReminder(ctx context.Context, p game.PlayerID, change func(*game.Reminder) error) (r game.Reminder, err error) {
	err = d.do(func() error { r, err = d.ReminderStore.ChangeReminder(ctx, p, change); return err })
	return r, err
}

func (m *mortal) Direct(ctx context.Context, to game.PlayerID, r bot.Reply, nonce string) error {
	return m.do(func() error { return m.place.Direct(ctx, to, r, nonce) })
}

// TestRemindersDeaths: for a month in which each process dies, nobody is reminded twice on a day, by the post or by a message, and
// few are forgotten.
func TestRemindersDeaths(t *testing.T) {
	w := newWorld(t, "2026-11-01 12:00")
	w.set("g", "c", "20", "UTC")
	const players, days = 12, 30
	random := rand.New(rand.NewPCG(37, 2))
	count, deaths := map[string]int{}, 0
	var h *daypost.Handlers
	m := &mortal{}
	for day := range days {
		for n := range players { // they change their minds
			wish := []game.Reminder{{Hours: 3}, {Guild: "g"}}[random.IntN(2)]
			if _, err := w.store.ChangeReminder(t.Context(), game.PlayerID(fmt.Sprint("p", n)), func(r *game.Reminder) error {
				r.Hours, r.Guild = wish.Hours, wish.Guild
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		before := len(w.posts)
		for end := w.now.AddDate(0, 0, 1); w.now.Before(end); w.now = w.now.Add(time.Duration(1+random.IntN(10)) * time.Minute) {
			if m.calls <= 0 {
				m = &mortal{Records: w.store, place: &w.place, calls: 1 + random.IntN(20), after: random.IntN(2) == 0}
				h = w.reminding()
				h.Records, h.Reminders = m, doomed{w.store, m}
				deaths++
			}
			if err := errors.Join(h.PostDue(t.Context(), m), h.RemindDue(t.Context(), m)); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range w.posts[before:] {
			who := p.reply.Pings.Players
			if direct, ok := strings.CutPrefix(string(p.in), "direct "); ok {
				who = []game.PlayerID{game.PlayerID(direct)}
			}
			for _, player := range who {
				if when := fmt.Sprint(player, " ", day); count[when] > 0 {
					t.Errorf("%s is reminded twice on day %d", player, day)
				} else {
					count[when]++
				}
			}
		}
	}
	if all := players * days; len(count) < all/2 || deaths < 30 {
		t.Errorf("%d of %d reminders, %d deaths", len(count), all, deaths)
	}
}

// closed is a place where some players take no direct messages.
type closed struct {
	*place
	takes func(game.PlayerID) bool
}

func (c closed) Direct(ctx context.Context, to game.PlayerID, r bot.Reply, nonce string) error {
	if !c.takes(to) {
		return bot.Refused("Cannot send messages to this user")
	}
	return c.place.Direct(ctx, to, r, nonce)
}

// TestRemindersRefused: a refused message switches a player's reminder off. Where one in ten is refused, the rest of the hour's are
// left out, with one line in the log that names nobody, and those of the next hour come.
func TestRemindersRefused(t *testing.T) {
	for every, stops := range map[int]bool{2: true, 9: true, 30: false} {
		w := newWorld(t, "2026-11-01 20:29")
		const players = 600
		for n := range players {
			w.wish(fmt.Sprint("many", n), game.Reminder{Hours: 3})
		}
		for _, p := range []string{"one", "two", "three"} {
			w.wish(p, game.Reminder{Hours: 1})
		}
		h, refused := w.reminding(), 0
		to := closed{&w.place, func(p game.PlayerID) bool {
			n, err := strconv.Atoi(strings.TrimPrefix(string(p), "many"))
			return err != nil || n%every > 0
		}}
		for ; w.now.Hour() < 23 || w.now.Minute() < 35; w.now = w.now.Add(time.Minute) {
			if err := h.RemindDue(t.Context(), to); err != nil {
				t.Fatal(err)
			}
		}
		for n := range players {
			p := game.PlayerID(fmt.Sprint("many", n))
			wish, err := w.store.Reminder(t.Context(), p)
			if wish.Refused {
				refused++
			}
			if err != nil || wish.Refused && (to.takes(p) || wish.Hours > 0) || !to.takes(p) && wish.Sent > 0 && !wish.Refused {
				t.Errorf("%s has %+v, %v", p, wish, err)
			}
		}
		sent := len(w.posts) - 3
		if all := sent+refused == players; all == stops || stops && refused > 60 || refused < 5 {
			t.Errorf("every %dth: %d are sent and %d refused; the log has %s", every, sent, refused, &w.log)
		}
		if got := w.log.String(); strings.Contains(got, "many") || strings.Contains(got, "one in ten") != stops || strings.Count(got, "\n") > 2 {
			t.Errorf("every %dth: the log has %s", every, got)
		}
		for _, last := range w.posts[len(w.posts)-3:] {
			if !strings.Contains("direct one two three", strings.TrimPrefix(string(last.in), "direct ")) {
				t.Errorf("the last reminders go to %s", last.in)
			}
		}
	}
}

// TestRemindersByPost: a post names those who asked for that and have a streak to keep, once a day, and only a post that was made
// counts.
func TestRemindersByPost(t *testing.T) {
	w := newWorld(t, "2026-11-01 09:00")
	w.set("g", "c", "9", "UTC")
	for _, p := range []string{"ana", "ben", "done", "lost"} {
		w.wish(p, game.Reminder{Guild: "g"})
	}
	w.wish("far", game.Reminder{Guild: "gg"})
	w.wish("direct", game.Reminder{Hours: 3})
	w.wish("told", game.Reminder{Guild: "g", Sent: 305})
	w.err = bot.Refused("Missing Permissions")
	w.post(w.reminding())
	if wish, err := w.store.Reminder(t.Context(), "ana"); wish.Sent != 0 || err != nil {
		t.Errorf("after a refused post: %+v, %v", wish, err)
	}
	w.err, w.now = nil, w.now.Add(time.Minute)
	w.post(w.reminding())
	if got := w.posts[0].reply; fmt.Sprint(got.Pings.Players) != "[ana ben]" || !strings.Contains(got.String(), "Streaks to keep today: ana (12) and ben (12)") {
		t.Errorf("the post notifies %v:\n%s", got.Pings.Players, got)
	}
	if wish, err := w.store.Reminder(t.Context(), "ana"); wish.Sent != 305 || err != nil {
		t.Errorf("after the post: %+v, %v", wish, err)
	}
	for range 100 {
		w.wish(fmt.Sprint("crowd", len(w.posts)), game.Reminder{Guild: "g"})
		w.posts = append(w.posts, posted{})
	}
	w.at("2026-11-02 09:00")
	w.post(w.reminding())
	if n := len(w.posts[len(w.posts)-1].reply.Pings.Players); n != 40 {
		t.Errorf("a post notifies %d players", n)
	}
}
