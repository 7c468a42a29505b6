package commands_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/preferences"
	"fivefold/game"
)

// brokenLooks are records with unreadable looks.
type brokenLooks struct{ preferences.Records }

func (brokenLooks) PlayerLook(context.Context, game.PlayerID) ([]byte, error) {
	return nil, fmt.Errorf("of the test: %w", game.ErrDamaged)
}

// TestPreferencesTooLate: a request that has expired changes nothing.
func TestPreferencesTooLate(t *testing.T) {
	b := newBot(t, nil)
	r := bot.Request{
		ID: "late", Location: game.Location{Guild: "g", Channel: "c"}, Player: "ana", MayManageServer: true, Expires: time.Now().Add(-time.Second),
		Command: bot.NamePreferences, Args: map[string]string{"text": "true"},
	}
	if reply := b.Bot.Handle(t.Context(), b.Find(r.Command), r); reply.Problem != bot.TooLate {
		t.Errorf("got\n%s", reply)
	}
	r.Command, r.Args = bot.NameSettings, map[string]string{"hints": "off"}
	if reply := b.Bot.Handle(t.Context(), b.Find(r.Command), r); reply.Problem != bot.TooLate {
		t.Errorf("got\n%s", reply)
	}
	if look, err := b.parts.Preferences.PlayerLook(t.Context(), "ana"); look != (bot.Look{}) || err != nil {
		t.Errorf("the look is %+v, %v", look, err)
	}
	if data, err := b.parts.Settings.ServerChoice(t.Context(), "g"); data != nil || err != nil {
		t.Errorf("the server has %s, %v", data, err)
	}
}

// TestDamagedPreferences: an unreadable look is logged, games go on in the standard look, and a new choice repairs it.
func TestDamagedPreferences(t *testing.T) {
	b := newBot(t, nil)
	store := b.parts.Preferences
	b.parts.Preferences = preferences.Store{Records: brokenLooks{store.Records}}
	b.Bot = &bot.Bot{Table: commands.New(b.parts).Table(), Log: b.parts.Log, Look: b.parts.Preferences.PlayerLook}
	place := game.Location{Guild: "g", Channel: "c"}
	if reply := b.Ask(place, "ana", wordgame.Commands.Start, "mode", "solo"); !strings.Contains(reply.String(), "Find the five-letter word") {
		t.Errorf("got\n%s", reply)
	}
	if reply := b.Ask(place, "ana", bot.NamePreferences); reply.Problem != bot.Failed || !strings.Contains(b.log.String(), "of the test") {
		t.Errorf("got\n%s and the log\n%s", reply, b.log.String())
	}
	if reply := b.Ask(place, "ana", bot.NamePreferences, "text", "true"); !strings.Contains(reply.String(), "Screen reader text: on") {
		t.Errorf("got\n%s", reply)
	}
	b.log.Reset()
	if look, err := store.PlayerLook(t.Context(), "ana"); !look.Text || errors.Is(err, game.ErrDamaged) {
		t.Errorf("the look is %+v, %v", look, err)
	}
}
