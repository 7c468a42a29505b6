package discordtest

import (
	"bytes"
	"image/png"
	"slices"
	"strings"
)

// checkAttachments checks what a body says of files: each is one that comes with
// it, or one of those that the message had before.
func (k *checker) checkAttachments(where string, b *body, files []File, before []attachment) {
	k.atMost(where, len(files), maxFiles)
	for i, a := range b.Attachments.value {
		place := under(where, "attachments", i, "id")
		switch {
		case slices.ContainsFunc(files, func(f File) bool { return f.part == a.ID.text }):
		case !slices.ContainsFunc(before, func(old attachment) bool { return old.id == a.ID.text }):
			k.bad(place, "there is no file %s", a.ID.text)
		case a.ID.number:
			k.bad(place, "%s is a number, the id of a file that is kept must be a string", a.ID.text)
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

// Size returns a PNG's width and height in pixels, or an error for what cannot be
// shown as one.
func (f File) Size() (width, height int, err error) {
	picture, err := png.Decode(bytes.NewReader(f.Data))
	if err != nil {
		return 0, 0, err
	}
	size := picture.Bounds().Size()
	return size.X, size.Y, nil
}
