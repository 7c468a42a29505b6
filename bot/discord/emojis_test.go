package discord

import (
	"fmt"
	"strings"
	"testing"

	"fivefold/bot/discord/application"
	"fivefold/bot/discord/discordtest"
)

// manyCalls has no limit that would make uploading all tiles take seconds; TestEmojis in
// cmd/fivefold keeps Discord's.
var manyCalls = discordtest.Options{Guilds: inTwoServers.Guilds, BotCalls: 10_000}

// withTiles uploads the tiles.
func withTiles(o *setup) { o.Tiles = true }

const allTiles = 390

// mustUpload waits until all tiles are uploaded: for so many, a slow machine takes long.
func mustUpload(t *testing.T, s *discordtest.Server, r *running) {
	t.Helper()
	for n := 30; n < allTiles; n += 30 {
		mustSee(t, s, isUpload, n)
	}
	r.log.MustSay(t, "found all tiles")
}

// TestTilesAreUploaded: a new bot shows squares, uploads the tiles meanwhile, and then shows
// them; one that starts again uploads nothing.
func TestTilesAreUploaded(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, manyCalls)
	release := s.Hold("POST", "/emojis") // the first upload takes a while
	r := mustReady(t, s, withTiles)
	must(t, mustPlay(t, s, "🔳🔳🟩🔳🟩 SLATE"))
	release()
	mustUpload(t, s, r)
	mustSee(t, s, isUpload, allTiles)
	r.cancel()
	must(t, r.mustEnd(t))
	before := len(s.Requests())

	r = mustRun(t, s, mustStore(t), withTiles)
	r.log.MustSay(t, "found all tiles")
	must(t, mustPlay(t, s, tilesOf(t, s, "S_black L_black A_green T_black E_green")))
	for _, request := range s.Requests()[before:] {
		if isUpload(request) {
			t.Fatalf("%s was called again", request.Path)
		}
	}
}

// mustPlay guesses SLATE in a new game and returns an error unless the row is as wanted.
func mustPlay(t *testing.T, s *discordtest.Server, want string) error {
	t.Helper()
	mustAnswer(t, s, discordtest.Interaction{Command: "wordle start"})
	a := mustAnswer(t, s, guessOf("slate"))
	if row, _, _ := strings.Cut(a.Content, "\n"); row != want {
		return fmt.Errorf("the guess is %q, want %q", row, want)
	}
	return nil
}

// tilesOf returns a row of emojis by their names without the version.
func tilesOf(t *testing.T, s *discordtest.Server, names string) string {
	t.Helper()
	api := mustCall(t, s)
	have, err := application.NewTiles(api, s.AppID(), 0, discordtest.NewLog(t).Logger).List(t.Context())
	must(t, err)
	row := ""
	for name := range strings.FieldsSeq(names) {
		name += "1"
		if have[name] == "" {
			t.Errorf("there is no %s", name)
		}
		row += "<:" + name + ":" + have[name] + ">"
	}
	return row
}

func isUpload(r discordtest.Request) bool {
	return r.Method == "POST" && strings.HasSuffix(r.Path, "/emojis") && r.Status == 201
}
