package discord

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"fivefold/bot"
)

// picture is one that is drawn, ready to be sent.
type picture struct {
	name, alt string
	png       []byte
}

// attachment says in the body of a message what a file that comes with it is.
type attachment struct {
	ID          int    `json:"id"` // the n of the part files[n]
	Name        string `json:"filename"`
	Description string `json:"description"` // the alt text
}

const (
	maxAlt = 1024
	// maxPicture is in bytes. Discord takes 10 MiB (2026-08), but nobody wants to
	// wait for a picture so large.
	maxPicture = 4 << 20
)

// picture draws the reply's picture, nil for none. One that cannot be drawn, or
// not before due fires, is left out: the lines say it all.
func (a *answerer) picture(ctx context.Context, i interaction, r bot.Reply, due <-chan time.Time) *picture {
	if r.Picture == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		p   *picture
		err error
	}
	drawn := make(chan result, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				drawn <- result{err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
			}
		}()
		p, err := newPicture(ctx, *r.Picture)
		drawn <- result{p, err}
	}()
	var done result
	select {
	case done = <-drawn:
	case <-due:
		done.err = errors.New("it takes too long")
	}
	if done.err != nil {
		a.log.Error("a picture was left out", "id", i.ID, "error", done.err)
		return nil
	}
	return done.p
}

func newPicture(ctx context.Context, p bot.Picture) (*picture, error) {
	if strings.TrimSpace(p.Name) == "" || strings.TrimSpace(p.Alt) == "" {
		return nil, errors.New("it has no name or no words")
	}
	png, err := p.Draw(ctx)
	if err != nil {
		return nil, err
	}
	if n := len(png); n < 1 || n > maxPicture {
		return nil, fmt.Errorf("%d bytes, must be 1 to %d", n, maxPicture)
	}
	return &picture{p.Name, clip(p.Alt, maxAlt), png}, nil
}

// with returns the body of a request that says what the JSON says and brings the
// picture, and the body's type. See discord.com/developers/docs/reference#uploading-files.
func (p *picture) with(payload []byte) (body []byte, kind string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, part := range []struct {
		disposition, kind string
		content           []byte
	}{
		{`form-data; name="payload_json"`, "application/json", payload},
		{multipart.FileContentDisposition("files[0]", p.name), "image/png", p.png},
	} {
		into, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {part.disposition}, "Content-Type": {part.kind}})
		if err != nil {
			return nil, "", err
		}
		if _, err := into.Write(part.content); err != nil {
			return nil, "", err
		}
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	return b.Bytes(), w.FormDataContentType(), nil
}

// pictureOf returns the picture that goes along with a body, nil for none.
func pictureOf(body any) *picture {
	switch b := body.(type) {
	case message:
		return b.picture
	case response:
		return pictureOf(b.Data)
	}
	return nil
}

// show adds the picture of a reply, if it has been drawn, and leaves out the
// lines that it shows.
func (m *message) show(p *picture, r bot.Reply) {
	if p == nil {
		return
	}
	unseen := slices.DeleteFunc(slices.Clone(r.Lines), func(l bot.Line) bool { return l.Pictured })
	m.plain, m.Content = m.Content, clip(draw(bot.Reply{Lines: unseen}), maxContent)
	m.Attachments = []attachment{{0, p.name, p.alt}}
	m.picture = p
}

// withoutPicture is the message as text alone.
func (m message) withoutPicture() message {
	m.Content, m.Attachments, m.picture = m.plain, []attachment{}, nil
	return m
}

// deliver sends a message, and sends it again as text alone where Discord refuses
// its picture: then nothing came of the first. Its error was logged.
func (a *answerer) deliver(i interaction, what string, m message, to func(context.Context, message) error) error {
	return a.send(i, what, func(ctx context.Context) error {
		err := to(ctx, m)
		if m.picture == nil || !isFault(err) {
			return err
		}
		a.log.Error("a picture was refused", "id", i.ID, "error", err)
		return to(ctx, m.withoutPicture())
	})
}
