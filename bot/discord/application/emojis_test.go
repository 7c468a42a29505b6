package application

import (
	"context"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
	pictures "fivefold/bot/picture"
	"fivefold/game/marks"
)

const allTiles = 443

func mustListTiles(t *testing.T, s *discordtest.Server) interaction.Emojis {
	t.Helper()
	have, err := Tiles{mustCall(t, s), s.AppID(), discordtest.NewLog(t).Logger}.List(t.Context())
	must(t, err)
	return have
}

// TestNoRoomForTiles: once Discord refuses an upload, as it does where an application owns 2000 emojis, no other is tried.
func TestNoRoomForTiles(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	log := discordtest.NewLog(t)
	s.FailNext("POST", "/emojis", 400, 1)
	Tiles{mustCall(t, s), s.AppID(), log.Logger}.Keep(t.Context(), new(interaction.Names), true)
	log.MustSay(t, "squares are shown instead")
	if n := len(mustListTiles(t, s)); n != 0 {
		t.Errorf("%d were uploaded", n)
	}
}

// TestOtherProcessWaits: a process without shard 0 uploads nothing, and uses the tiles when
// they are there.
func TestOtherProcessWaits(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	log := discordtest.NewLog(t)
	api := mustCall(t, s)
	var names interaction.Names
	done := make(chan struct{})
	go func() {
		defer close(done)
		Tiles{api, s.AppID(), log.Logger}.Keep(t.Context(), &names, false)
	}()
	mustSee(t, s, func(r discordtest.Request) bool { return strings.HasSuffix(r.Path, "/emojis") }, 1)
	if n := len(mustListTiles(t, s)); n != 0 {
		t.Errorf("%d were uploaded", n)
	}
	_, _, err := Tiles{api, s.AppID(), log.Logger}.Sync(t.Context(), func(int, int) {})
	must(t, err)
	<-done
	if names.Tiles().Count() != allTiles {
		t.Errorf("%d tiles are known", names.Tiles().Count())
	}
}

// TestSyncEmojis: the command uploads what is missing, and goes on where it was stopped. Other emojis stay.
func TestSyncEmojis(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	u := Tiles{mustCall(t, s), s.AppID(), discordtest.NewLog(t).Logger}
	png := pictures.Emoji{Text: "A", Mark: marks.Green}.Draw()
	for _, name := range []string{"Ag1", "smile"} {
		_, err := u.call(t.Context(), "POST", discordgo.EndpointApplicationEmojis(s.AppID()), discordgo.EmojiParams{Name: name, Image: dataURI(png)})
		must(t, err)
	}
	for _, c := range []struct{ stop, missing, uploaded int }{{100, 442, 100}, {-1, 342, 342}, {-1, 0, 0}} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		next := 0
		all, uploaded, err := u.Sync(ctx, func(done, of int) {
			if done != next || of != c.missing {
				t.Errorf("the progress is %d of %d, want %d of %d", done, of, next, c.missing)
			}
			if next++; done == c.stop {
				cancel()
			}
		})
		if stopped := c.stop > 0; uploaded != c.uploaded || (err != nil) != stopped || !stopped && all != allTiles {
			t.Errorf("%d tiles, %d uploaded, %v; want %d uploaded", all, uploaded, err, c.uploaded)
		}
	}
	if have := mustListTiles(t, s); have["smile"] == "" || len(have) != allTiles+1 {
		t.Errorf("%d emojis are left", len(have))
	}
}
