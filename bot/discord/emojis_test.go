package discord

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	pictures "fivefold/bot/picture"
	"fivefold/game/marks"
)

// withTiles uploads the tiles.
func withTiles(o *setup) { o.Tiles = true }

const allTiles = 390

func isUpload(r discordtest.Request) bool {
	return r.Method == "POST" && strings.HasSuffix(r.Path, "/emojis") && r.Status == 201
}

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
	s := discordtest.New(t, inTwoServers)
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
	have, err := newUploader(api, s.AppID(), 0, discordtest.NewLog(t).Logger).list(t.Context())
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

// TestTilesAreUploadedOnce: an upload whose answer is lost, one that fails, and a rate limit
// are tried again, and no tile is there twice.
func TestTilesAreUploadedOnce(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	s.LoseNext("POST", "/emojis", 2)
	s.FailNext("POST", "/emojis", 500, 2)
	s.FailNext("POST", "/emojis", 429, 2)
	s.FailAfterNext("POST", "/emojis", 500, 1)
	r := mustReady(t, s, withTiles)
	mustUpload(t, s, r)
	have := mustListTiles(t, s)
	if len(have) != allTiles || len(have.missing()) > 0 {
		t.Errorf("there are %d tiles, %d are missing", len(have), len(have.missing()))
	}
	for _, v := range s.Violations() {
		if !strings.Contains(v, "already") { // an upload whose answer was lost
			t.Errorf("discord would not have it: %s", v)
		}
	}
}

func mustListTiles(t *testing.T, s *discordtest.Server) emojis {
	t.Helper()
	have, err := newUploader(mustCall(t, s), s.AppID(), 0, discordtest.NewLog(t).Logger).list(t.Context())
	must(t, err)
	return have
}

// TestTilesAreRefused: where Discord does not take them, squares stay, and nothing is tried
// again.
func TestTilesAreRefused(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	s.FailNext("POST", "/emojis", 403, 1)
	r := mustReady(t, s, withTiles)
	r.log.MustSay(t, "could not upload the tiles; squares")
	must(t, mustPlay(t, s, "🔳🔳🟩🔳🟩 SLATE"))
}

// TestNoRoomForTiles: an application that owns nearly 2000 emojis keeps them, and no upload is
// tried.
func TestNoRoomForTiles(t *testing.T) {
	t.Parallel()
	have := emojis{}
	for n := range maxEmojis - allTiles + 1 {
		have[fmt.Sprint("other", n)] = "1"
	}
	u := newUploader(nil, "1", 0, discordtest.NewLog(t).Logger)
	if err := u.uploadMissing(t.Context(), have, nil); err == nil || !strings.Contains(err.Error(), "1611 emojis of the 2000") {
		t.Errorf("got %v", err)
	}
}

// TestOtherProcessWaits: a process without shard 0 uploads nothing, and uses the tiles when
// they are there.
func TestOtherProcessWaits(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	log := discordtest.NewLog(t)
	api := mustCall(t, s)
	var set emojiSet
	done := make(chan struct{})
	go func() {
		defer close(done)
		newUploader(api, s.AppID(), time.Millisecond, log.Logger).keep(t.Context(), &set, false)
	}()
	mustSee(t, s, func(r discordtest.Request) bool { return strings.HasSuffix(r.Path, "/emojis") }, 1)
	if n := len(mustListTiles(t, s)); n != 0 {
		t.Errorf("%d were uploaded", n)
	}
	_, err := newUploader(api, "", 0, log.Logger).sync(t.Context(), false, func(int, int) {})
	must(t, err)
	<-done
	if len(set.known()) != allTiles {
		t.Errorf("%d tiles are known", len(set.known()))
	}
}

// TestSyncEmojis: the command uploads what is missing, and removes tiles of earlier versions
// only if it is asked to. Other emojis stay.
func TestSyncEmojis(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	u := newUploader(mustCall(t, s), s.AppID(), 0, discordtest.NewLog(t).Logger)
	u.isOld = func(name string) bool { return name == "B_green0" || name == "C_green0" }
	png, err := pictures.Emoji{Text: "A", Mark: marks.Green}.Draw()
	must(t, err)
	for _, name := range []string{"A_green1", "smile", "B_green0", "C_green0"} {
		_, err := u.call(t.Context(), "POST", discordgo.EndpointApplicationEmojis(s.AppID()), newEmoji{name, dataURI(png)})
		must(t, err)
	}
	var progress []int
	sync := func(removeOld bool, want EmojiReport) {
		t.Helper()
		got, err := u.sync(t.Context(), removeOld, func(done, of int) { progress = append(progress, done, of) })
		if got != want || err != nil {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	sync(false, EmojiReport{All: allTiles, Uploaded: allTiles - 1, Old: 2})
	if n := len(progress); n != 2*(allTiles-1) || progress[0] != 1 || progress[n-1] != allTiles-1 || progress[n-2] != allTiles-1 {
		t.Errorf("the progress is %v", progress)
	}
	sync(false, EmojiReport{All: allTiles, Old: 2})
	sync(true, EmojiReport{All: allTiles, Removed: 2})
	sync(true, EmojiReport{All: allTiles})
	have := mustListTiles(t, s)
	if have["smile"] == "" || have["B_green0"] != "" || len(have) != allTiles+1 {
		t.Errorf("%d emojis are left", len(have))
	}
}

// TestBoardsFitWithTiles: whatever is said under them, six rows of emojis fit in a message,
// with ids of 20 digits; and where they do not, there are squares.
func TestBoardsFitWithTiles(t *testing.T) {
	t.Parallel()
	ids, known := emojis{}, new(names)
	for _, set := range pictures.EmojiSets() {
		for _, e := range set {
			ids[e.Name()] = strings.Repeat("9", 20)
		}
	}
	known.emojis.now.Store(&ids)
	for _, contrast := range []bot.Colours{bot.StandardColours, bot.ContrastColours} {
		for _, text := range []string{"W", "10♠"} {
			for mark := range marks.Mark(3) {
				var lines []bot.Line
				for range 6 {
					line := bot.Line{Wide: text != "W"}
					for i := range 5 {
						line.Tiles = append(line.Tiles, bot.Tile{Text: text, Mark: mark, Apart: text != "W" && i > 2})
					}
					lines = append(lines, line)
				}
				w := writer{bot.Look{Colours: contrast}, known}
				board := w.content(lines)
				room := maxContent - units(board)
				if n := strings.Count(board, "<:"); n != 30 || room < 800 {
					t.Errorf("a board of %s has %d emojis and leaves room for %d", text, n, room)
				}
				full := append(slices.Clone(lines), bot.Text(strings.Repeat("x", room)))
				if got := w.content(full); strings.Contains(got, "<:") || !strings.HasPrefix(got, bot.Look{Colours: contrast}.Square(mark)) {
					t.Errorf("with a text of %d it begins %.40q", room, got)
				}
			}
		}
	}
}
