package bot

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

func TestUnknownErrorsAreLoggedNotShown(t *testing.T) {
	cause := errors.New("disk on fire at sector 7")
	for name, run := range map[string]func(context.Context, Request) (Reply, error){
		"an error": func(context.Context, Request) (Reply, error) { return Reply{}, cause },
		"a panic":  func(context.Context, Request) (Reply, error) { panic(cause) },
	} {
		var log bytes.Buffer
		b := &Bot{Log: slog.New(slog.NewTextHandler(&log, nil))}
		reply := b.Handle(t.Context(), Command{Name: "guess", Run: run}, Request{ID: "r42", Command: "guess", Args: map[string]string{"word": "crane"}})
		if reply.Audience != Asker || strings.Contains(reply.String(), "sector") || !strings.Contains(reply.String(), "r42") {
			t.Errorf("%s: the player sees %q", name, reply)
		}
		if got := log.String(); !strings.Contains(got, "sector 7") || !strings.Contains(got, "id=r42") || strings.Contains(got, "crane") {
			t.Errorf("%s: the log has %q", name, got)
		}
	}
}

func TestPrintableName(t *testing.T) {
	for name, want := range map[string]string{"": "", " \t ": "", "Ana \n\x00 B\u202e.": "Ana B .", "Zoë 🎲": "Zoë 🎲", "Z\xff": "Z\ufffd", strings.Repeat("ë", 40): strings.Repeat("ë", 32)} {
		r := Request{Name: name, Global: name + "!"}
		if got := r.PrintableName(); got != want {
			t.Errorf("%q is printed as %q, want %q", name, got, want)
		}
		if o := r.Origin(); o.Name != want || o.Global != strings.TrimSpace(want+"!") && len(want) < 32 {
			t.Errorf("%q asks as %q and %q", name, o.Name, o.Global)
		}
	}
}
