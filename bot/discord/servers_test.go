package discord

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"fivefold/bot/admission"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/game"
	"fivefold/storage"
)

// deleting is a store that only says which servers' data would be deleted.
type deleting struct {
	*storage.Store
	gone []game.GuildID
}

func (d *deleting) DeleteServer(_ context.Context, g game.GuildID) error {
	d.gone = append(d.gone, g)
	return nil
}

// TestServersAreLookedAt: without events, as by HTTP, the daily look at the pages of Discord's list finds the servers that the bot
// has joined, left and come back to. Data goes after 30 days, if Discord then says that the bot is not there: not while it can't say.
func TestServersAreLookedAt(t *testing.T) {
	var all []string
	for n := range 450 {
		all = append(all, fmt.Sprint(1600000000000000000+n))
	}
	d := discordtest.New(t, discordtest.Options{Guilds: all})
	log := discordtest.NewLog(t)
	store := &deleting{Store: mustStoreIn(t, t.TempDir())}
	t.Cleanup(func() { must(t, store.Close()) })
	s := servers{store, calls.New(calls.Options{Token: d.Token(), BaseURL: mustURL(t, d.URL()), Log: log.Logger}), new(admission.Clock), log.Logger}
	ctx := discordtest.Context(t)
	look := func(notThere int, deleted ...game.GuildID) {
		t.Helper()
		must(t, s.look(ctx))
		known, err := store.Servers(ctx)
		must(t, err)
		n := 0
		for _, gone := range known {
			if !gone.IsZero() {
				n++
			}
		}
		slices.Sort(store.gone)
		if len(known) != 450 || n != notThere || !slices.Equal(store.gone, deleted) {
			t.Errorf("%d servers, of which %d are gone, and the data of %v; want 450, %d and %v", len(known), n, store.gone, notThere, deleted)
		}
		store.gone = nil
	}
	longAgo := func(n int, days int) {
		t.Helper()
		must(t, store.SetServer(ctx, game.GuildID(all[n]), time.Time{}))
		must(t, store.SetServer(ctx, game.GuildID(all[n]), time.Now().AddDate(0, 0, -days)))
	}
	look(0)
	d.RemoveBot(all[7], false, false)
	d.RemoveBot(all[333], false, false)
	d.RemoveBot(all[449], false, true) // an outage
	look(2)
	look(2)
	longAgo(7, 29)
	longAgo(333, 31)
	longAgo(1, 31) // the bot is there again
	mend := d.Break("GET", "/guilds/"+all[333], discordtest.Breakage{Status: http.StatusBadRequest}, -1)
	if err := s.look(ctx); err == nil || store.gone != nil {
		t.Errorf("while Discord can't say: %v, %v", err, store.gone)
	}
	mend()
	look(2, game.GuildID(all[333]))
}
