package daypost_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/settings"
	"fivefold/game"
)

// choose changes a server's settings.
func (w *world) choose(change func(*settings.Settings)) {
	w.t.Helper()
	w.sets++
	r := bot.Request{ID: game.RequestID(fmt.Sprint("choose", w.sets)), Player: "mia", Location: game.Location{Guild: "g"}}
	_, err := w.process().Settings.Change(w.t.Context(), r, 0, func(_ settings.Settings, s *settings.Settings) error { change(s); return nil })
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestRoleOfPost: a post mentions the server's role, unless that is known to be gone.
func TestRoleOfPost(t *testing.T) {
	w := newWorld(t, "2026-11-01 09:00")
	w.set("g", "c", "9", "UTC")
	for role, want := range map[game.RoleID]string{"puzzlers": "[puzzlers]", "gone": "[]", "": "[]"} {
		w.choose(func(s *settings.Settings) { s.PostRole = role })
		w.post(w.process())
		if got := w.posts[len(w.posts)-1].reply; fmt.Sprint(got.Pings.Roles) != want || !strings.Contains(got.String(), "Today: daily ") {
			t.Errorf("with the role %q the post notifies %q:\n%s", role, got.Pings.Roles, got)
		}
		w.now = w.now.AddDate(0, 0, 1)
	}
	w.choose(func(s *settings.Settings) { s.PostRole = "gone" })
	w.noRoles = errors.New("cut")
	w.post(w.process())
	if got := w.posts[len(w.posts)-1].reply.Pings.Roles; len(w.posts) != 4 || fmt.Sprint(got) != "[gone]" {
		t.Errorf("while Discord tells no roles, %d posts, the last with %q", len(w.posts), got)
	}
}

// TestThreadOfPost: each post gets one thread, wherever a process dies, and a refused thread is said to those who manage the server.
func TestThreadOfPost(t *testing.T) {
	for calls := range 14 {
		for _, after := range []bool{false, true} {
			w := newWorld(t, "2026-10-31 09:00")
			w.set("g", "c", "9", "UTC")
			w.choose(func(s *settings.Settings) { s.PostThread = true })
			h, m := w.process(), &mortal{Records: w.store, place: &w.place, calls: calls, after: after}
			h.Records = m
			_ = h.PostDue(t.Context(), m)
			w.now = w.now.Add(time.Minute)
			w.post(w.process())
			w.post(w.process())
			if len(w.posts) != 1 || len(w.threads) != 1 || w.threads[w.posts[0].nonce] != "c: Daily 304 · 31 October" {
				t.Errorf("after %d calls, %v: %d posts with threads %v; the log has %s", calls, after, len(w.posts), w.threads, &w.log)
			}
		}
	}
	w := newWorld(t, "2026-10-31 09:00")
	w.set("g", "c", "9", "UTC")
	w.post(w.process())
	w.choose(func(s *settings.Settings) { s.PostThread = true })
	w.post(w.process())
	for day, c := range []struct {
		fails   error
		threads int
		says    string
	}{
		{bot.Refused("Missing Permissions"), 0, "The latest post has no thread: “Missing Permissions”. I need the permission Create Public Threads in c, and it can't be a thread itself."},
		{nil, 1, ""},
		{errors.New("cut"), 1, ""},
		{nil, 2, ""},
	} {
		w.at("2026-11-01 09:00")
		w.now = w.now.AddDate(0, 0, day)
		for w.noThread = c.fails; w.now.Hour() < 12; w.now = w.now.Add(10 * time.Minute) {
			w.post(w.process())
		}
		w.noThread = nil
		w.post(w.process())
		if got := strings.TrimSpace(w.refusal("g")); len(w.posts) != day+2 || len(w.threads) != c.threads || got != c.says {
			t.Errorf("on day %d: %d posts and %d threads, %q; the log has %s", day, len(w.posts), len(w.threads), got, &w.log)
		}
	}
}
