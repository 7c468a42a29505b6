package discordtest

import (
	"bytes"
	"image/png"
	"slices"
	"strings"
)

// checkAttachments checks what a body says of files: each is one that comes with
// it, or one of those that the message had before.
func (k *checker) checkAttachments(where string, b *body, files, before []File) {
	k.atMost(where, len(files), maxFiles)
	for i, a := range b.attachments() {
		place := under(where, "attachments", i, "id")
		is := func(f File) bool { return f.id == a.id() }
		switch {
		case slices.ContainsFunc(files, is):
		case !slices.ContainsFunc(before, is):
			k.bad(place, "there is no file %s", a.id())
		case a.id() == string(a.ID):
			k.bad(place, "%s is a number, the id of a file that is kept must be a string", a.id())
		}
	}
}

// picturesLocked notes PNGs that cannot be shown, or have no alt text. Discord would
// take them; our rules do not.
func (s *Server) picturesLocked(c *incoming, files []File) {
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".png") && f.ContentType != "image/png" {
			continue
		}
		if _, _, err := f.Size(); err != nil {
			s.violateLocked("pictures: %s: %s: %v", c.name, f.Name, err)
		}
		if strings.TrimSpace(f.Description) == "" {
			s.violateLocked("pictures: %s: %s has no alt text", c.name, f.Name)
		}
	}
}

// Size returns a PNG's width and height in pixels, or an error for what is none.
func (f File) Size() (width, height int, err error) {
	picture, err := png.DecodeConfig(bytes.NewReader(f.Data))
	return picture.Width, picture.Height, err
}
