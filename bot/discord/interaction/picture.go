package interaction

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/solver/parallel"
)

// Picture is a drawn picture, or a file.
type Picture struct {
	Name, Alt string
	content   []byte
}

// drawn reports whether it is a picture.
func (p *Picture) drawn() bool { return strings.HasSuffix(p.Name, ".png") }

// attachment describes, in the body of a message, a file that comes with it or, in an edit, a file that the message keeps.
type attachment struct {
	ID          string `json:"id"` // the n of the part files[n], or the id of the file that is kept
	Name        string `json:"filename,omitempty"`
	Description string `json:"description,omitempty"` // the alt text
}

// File is a file of a message, as Discord describes it. The zero File means no file.
type File struct {
	ID, Name, Description string
}

// Shows reports whether the file is the picture: the alt text says all that a picture shows.
func (f File) Shows(p *Picture) bool {
	return p != nil && f.Name == p.Name && f.Description == p.Alt && units(p.Alt) < bot.MaxAlt // a longer alt text is cut
}

// maxPicture and maxFile are in bytes. Discord accepts 10 MiB (2026-08), too much to wait for before a picture.
const maxPicture, maxFile = 4 << 20, 10 << 20

// Draw draws the picture of the reply to the interaction with the id. It returns nil if there is none, if it cannot be
// drawn, or if it is not ready by due: the lines are enough.
func (d *Deliverer) Draw(ctx context.Context, id string, r bot.Reply, due time.Time) (drawn *Picture) {
	picture := r.Picture()
	if picture == nil {
		return nil
	}
	ctx, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	defer bot.LogPanic(d.Log, id)
	permit, err := d.Permits.Acquire(ctx, parallel.Brief)
	if err == nil {
		defer permit.Release()
		drawn, err = drawPicture(*picture, r.Look.Colours == bot.ContrastColours)
	}
	if err != nil && !errors.Is(err, parallel.ErrBusy) {
		d.Log.Error("could not draw a picture", "id", id, "error", err)
	}
	return drawn
}

// drawPicture draws a picture and checks it.
func drawPicture(p bot.Picture, contrast bool) (*Picture, error) {
	if strings.TrimSpace(p.Name) == "" || strings.TrimSpace(p.Alt) == "" {
		return nil, errors.New("its name or alt text is empty")
	}
	drawn, most := &Picture{p.Name, clip(p.Alt, bot.MaxAlt), p.Draw(contrast)}, maxFile
	if drawn.drawn() {
		most = maxPicture
	}
	if n := len(drawn.content); n < 1 || n > most {
		return nil, fmt.Errorf("%d bytes, must be 1 to %d", n, most)
	}
	if contrast && drawn.drawn() { // so that pictures with the same name and alt text look the same
		drawn.Name = "contrast-" + p.Name
	}
	return drawn, nil
}

// Keeping returns the edit that turns a message with the file into m. If the file already shows m's picture, the edit keeps it, so
// that players don't see it load again.
func (m Message) Keeping(f File) Message {
	if f.ID != "" && f.Shows(m.Picture) {
		m.Attachments, m.Kept = []attachment{{ID: f.ID, Name: f.Name}}, true
	}
	return m
}

// uploading returns the message with its picture as a new file.
func (m Message) uploading() Message {
	m.Attachments, m.Kept = []attachment{{"0", m.Picture.Name, m.Picture.Alt}}, false
	return m
}

// Plainer returns the message to send after m was refused with err. If m kept a file, its picture is uploaded; otherwise the
// picture is left out, and err is logged. Plainer reports false if that cannot help.
func (m Message) Plainer(err error, log *slog.Logger, id string) (Message, bool) {
	switch {
	case m.Picture == nil || !calls.IsContentRefused(err):
		return m, false
	case m.Kept:
		return m.uploading(), true
	}
	log.Error("could not send a file", "id", id, "error", err)
	m.Components, m.Attachments, m.Picture = m.plain(), []attachment{}, nil
	return m, true
}

// File implements [calls.WithFile].
func (m Message) File() (name string, content []byte) {
	if m.Picture == nil || m.Kept {
		return "", nil
	}
	return m.Picture.Name, m.Picture.content
}

// File implements [calls.WithFile].
func (r Response) File() (name string, content []byte) {
	m, _ := r.Data.(Message)
	return m.File()
}
