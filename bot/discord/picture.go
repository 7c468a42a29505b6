package discord

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
)

// picture is a picture that has been drawn and can be sent.
type picture struct {
	name, alt string
	png       []byte
}

// attachment describes, in the body of a message, a file that comes with it or, in an edit,
// one that the message has and keeps.
type attachment struct {
	ID          any    `json:"id"` // the number n for the part files[n], or the id of the file that is kept, a string
	Name        string `json:"filename,omitempty"`
	Description string `json:"description,omitempty"` // the alt text
}

// file is a file that a message has, as Discord describes it. The zero one is none.
type file struct {
	ID          string `json:"id"`
	Name        string `json:"filename"`
	Description string `json:"description"`
}

// shows reports whether the file is the picture: its alt text says all that it shows.
func (f file) shows(p *picture) bool {
	return p != nil && f.Name == p.name && f.Description == p.alt && units(p.alt) < maxAlt // a longer one is cut
}

const (
	maxAlt = 1024
	// maxPicture is in bytes. Discord accepts 10 MiB (2026-08), but nobody wants
	// to wait for a picture of that size.
	maxPicture = 4 << 20
)

// drawPicture draws a picture and checks it.
func drawPicture(ctx context.Context, p bot.Picture, c bot.Colours) (*picture, error) {
	if strings.TrimSpace(p.Name) == "" || strings.TrimSpace(p.Alt) == "" {
		return nil, errors.New("its name or alt text is empty")
	}
	png, err := p.Draw(ctx, c)
	if err != nil {
		return nil, err
	}
	if n := len(png); n < 1 || n > maxPicture {
		return nil, fmt.Errorf("%d bytes, must be 1 to %d", n, maxPicture)
	}
	name := p.Name
	if c == bot.ContrastColours { // so that pictures of the same name and alt text are the same
		name = "contrast-" + name
	}
	return &picture{name, clip(p.Alt, maxAlt), png}, nil
}

// attach adds a picture to the message of some lines, and leaves out the lines
// that the picture shows.
func (m *message) attach(p *picture, lines []bot.Line, n *names) {
	rest := slices.DeleteFunc(slices.Clone(lines), func(l bot.Line) bool { return l.Pictured })
	m.plainText, m.Content = m.Content, writer{m.look, n}.content(rest)
	m.picture = p
	*m = m.uploading()
}

// keeping is the message as an edit of one that has the file: the file is kept if it is the
// picture, so that players do not see it load again.
func (m message) keeping(f file) message {
	if f.ID != "" && f.shows(m.picture) {
		m.Attachments, m.kept = []attachment{{ID: f.ID}}, true
	}
	return m
}

// uploading is the message with its picture as a new file.
func (m message) uploading() message {
	m.Attachments, m.kept = []attachment{{0, m.picture.name, m.picture.alt}}, false
	return m
}

// try makes a call with a message, and again with the picture uploaded or left out if Discord
// refuses what it is given.
func (m message) try(call func(message) error, log func(error)) error {
	err := call(m)
	again := func() bool { return m.picture != nil && calls.IsContentRefused(err) }
	if m.kept && again() {
		m = m.uploading()
		err = call(m)
	}
	if again() {
		log(err)
		return call(m.withoutPicture())
	}
	return err
}

// withoutPicture is the message as text alone.
func (m message) withoutPicture() message {
	m.Content, m.Attachments, m.picture = m.plainText, []attachment{}, nil
	return m
}

// File implements [calls.WithFile].
func (m message) File() (name string, content []byte) {
	if m.picture == nil || m.kept {
		return "", nil
	}
	return m.picture.name, m.picture.png
}

// File implements [calls.WithFile].
func (r response) File() (name string, content []byte) {
	m, _ := r.Data.(message)
	return m.File()
}
