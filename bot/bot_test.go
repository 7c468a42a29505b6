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
	var log bytes.Buffer
	cause := errors.New("disk on fire at sector 7")
	b := &Bot{Log: slog.New(slog.NewTextHandler(&log, nil)), Table: Table{Commands: []Command{{
		Name: "guess", Help: "Guess", Run: func(context.Context, Request) (Reply, error) { return Reply{}, cause },
	}}}}
	reply := b.Handle(t.Context(), Request{ID: "r42", Command: "guess", Args: map[string]string{"word": "crane"}})
	if reply.Audience != Asker || strings.Contains(reply.String(), "sector") || !strings.Contains(reply.String(), "r42") {
		t.Errorf("the player sees %q", reply)
	}
	if got := log.String(); !strings.Contains(got, "sector 7") || !strings.Contains(got, "request.id=r42") || strings.Contains(got, "crane") {
		t.Errorf("the log has %q", got)
	}
}

func TestPrintableName(t *testing.T) {
	for name, want := range map[string]string{"": "", " \t ": "", "Ana \n\x00 B\u202e.": "Ana B .", "Zoë 🎲": "Zoë 🎲"} {
		if got := (Request{Name: name}).PrintableName(); got != want {
			t.Errorf("%q is printed as %q, want %q", name, got, want)
		}
	}
}
