package picture

import (
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"regexp"
	"testing"

	"fivefold/game/marks"
)

func mustDrawEmoji(tb testing.TB, e Emoji) *image.NRGBA {
	tb.Helper()
	b := e.Draw()
	drawn := mustDecode(tb, b)
	if drawn.Bounds() != image.Rect(0, 0, emojiSize, emojiSize) || len(b) > 3000 {
		tb.Errorf("%s is %v large and takes %d bytes", e.Name(), drawn.Bounds(), len(b))
	}
	all := image.NewNRGBA(drawn.Bounds())
	for y := range emojiSize {
		for x := range emojiSize {
			all.Set(x, y, drawn.At(x, y))
		}
	}
	return all
}

// TestEmojis: Discord takes all emojis. Their names tell the tiles, and names and pictures differ.
func TestEmojis(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	const most = 2000 // that an application can have
	valid := regexp.MustCompile(`^[A-Za-z0-9_]{2,32}$`)
	names, pictures := map[string]Emoji{}, map[uint32]string{}
	all := crc32.NewIEEE()
	for _, set := range EmojiSets() {
		for _, e := range set {
			before, known := names[e.Name()]
			if known {
				if before.Contrast = e.Contrast; before != e || e.Text != "" && e.Key == Tile && e.Mark != marks.Black {
					t.Errorf("%+v and %+v are both %s", before, e, e.Name())
				}
				continue
			}
			names[e.Name()] = e
			drawn := mustDrawEmoji(t, e)
			sum := crc32.ChecksumIEEE(drawn.Pix)
			fmt.Fprint(all, e.Name(), sum)
			if same := pictures[sum]; same != "" || !valid.MatchString(e.Name()) {
				t.Errorf("%s looks like %q", e.Name(), same)
			}
			pictures[sum] = e.Name()
		}
	}
	t.Logf("%d emojis", len(names))
	if len(names) > most/2 {
		t.Errorf("%d emojis: two versions do not fit at the same time", len(names))
	}
	for want, e := range map[string]Emoji{
		"Ag": {Text: "A", Mark: marks.Green}, "Zx": {Text: "Z", Contrast: true}, "10hy": {Text: "10♥", Mark: marks.Yellow},
		"Qsx": {Text: "Q♠"}, "2cb": {Text: "2♣", Mark: marks.Yellow, Contrast: true}, "Mo": {Text: "M", Mark: marks.Green, Contrast: true},
		"Bu": {Text: "B", Key: Untried}, "Bn": {Text: "B", Key: Used, Contrast: true}, "e": {},
	} {
		if got := e.Name(); got != want+fmt.Sprint(emojiVersion) {
			t.Errorf("%+v is %s, want %s and the version", e, got, want)
		}
	}
	// A changed picture is uploaded only under a new version.
	const version, sum = 1, 0xb0230234
	if got := all.Sum32(); emojiVersion == version && got != sum {
		t.Errorf("the emojis have the checksum %#x, not %#x: if they shall look like that, raise emojiVersion, and change it here", got, sum)
	}
}

// backgrounds are those of Discord's themes (2026-08).
var backgrounds = map[string]color.NRGBA{
	"light":  {0xFF, 0xFF, 0xFF, 0xFF},
	"ash":    {0x32, 0x33, 0x39, 0xFF},
	"dark":   {0x1A, 0x1A, 0x1E, 0xFF},
	"onyx":   {0x07, 0x07, 0x09, 0xFF},
	"before": {0x31, 0x33, 0x38, 0xFF}, // the dark theme until 2025
}

// TestEmojiContrast: text on a face is readable, and an emoji stands out from every background: coloured tiles by their
// edge or face, black ones and keys by their text or face. What is faint has less, on the grounds that nothing is lost
// with it.
func TestEmojiContrast(t *testing.T) {
	for _, contrast := range []bool{false, true} {
		for _, e := range []Emoji{
			{Text: "I"}, {Text: "I", Mark: marks.Yellow}, {Text: "I", Mark: marks.Green}, {Text: "I", Key: Untried}, {Text: "I", Key: Used}, {},
		} {
			e.Contrast = contrast
			drawn := mustDrawEmoji(t, e)
			edge, face, text := drawn.NRGBAAt(emojiSize/2, 7), drawn.NRGBAAt(emojiSize/2, 22), drawn.NRGBAAt(emojiSize/2, emojiSize/2)
			parts, want := []color.NRGBA{edge, face}, 3.0
			switch {
			case e.Text == "":
				want = 2.5
			case e.Mark == marks.Black && e.Key != Used:
				parts, want = []color.NRGBA{face, text}, 4.5
			case e.Key == Used:
				parts = []color.NRGBA{text}
			}
			if got := contrastOf(face, text); face.A > 0 && got < 4.5 {
				t.Errorf("%s: the text has a contrast of %.2f", e.Name(), got)
			}
			for name, ground := range backgrounds {
				got := 0.0
				for _, part := range parts {
					if part.A == 0xFF {
						got = max(got, contrastOf(ground, part))
					}
				}
				if got < want {
					t.Errorf("%s on %s: the contrast is %.2f, want %.1f", e.Name(), name, got, want)
				}
			}
		}
	}
}
