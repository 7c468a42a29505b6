package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// shown waits for the answer that everybody sees: on a slow machine it comes below one that only
// the player sees.
func shown(ctx context.Context, c *discordtest.Call) (discordtest.Answer, error) {
	answer, err := c.Message(ctx)
	if err == nil && strings.HasPrefix(answer.Content, "The answer is below") {
		return c.FollowedUp(ctx)
	}
	return answer, err
}

// TestBackupUnderLoad copies the store of a running bot while players guess: every copy
// passes the check and has every game that was finished before it.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	const copies, channels = 6, 8
	folder := t.TempDir()
	words := filepath.Join(folder, "words.txt")
	if err := os.WriteFile(words, []byte("crane\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	discord := discordtest.New(t, discordtest.Options{})
	socket := "FIVEFOLD_ADMIN=unix:" + socketPath(t)
	store := "FIVEFOLD_STORE=bolt:" + filepath.Join(folder, "test.db")
	bot, log := startBot(t, discord, strings.TrimPrefix(store, "FIVEFOLD_STORE="), socket, "FIVEFOLD_ANSWERS="+words)

	// Each channel plays game after game, of one guess that is wrong and one that is right,
	// and counts its acknowledged guesses.
	playing, stop := context.WithCancel(t.Context())
	var (
		players  sync.WaitGroup
		mu       sync.Mutex // protects the counts
		finished [channels]int
	)
	changed := sync.NewCond(&mu)
	count := func() [channels]int {
		mu.Lock()
		defer mu.Unlock()
		return finished
	}
	// more waits until a game has been finished after those counted before, or the players have failed.
	more := func(before [channels]int) {
		mu.Lock()
		defer mu.Unlock()
		for finished == before && !t.Failed() {
			changed.Wait()
		}
	}
	for c := range channels {
		channel := fmt.Sprintf("%d", 100+c)
		players.Go(func() {
			defer changed.Broadcast()
			for playing.Err() == nil {
				for _, i := range []discordtest.Interaction{
					{Command: "wordle start"},
					{Command: "guess", Options: map[string]any{"word": "slate"}},
					{Command: "guess", Options: map[string]any{"word": "crane"}},
				} {
					i.Guild, i.Channel, i.User = channel, channel, "9"+channel
					answer, err := shown(playing, discord.Invoke(i))
					if err != nil {
						if playing.Err() == nil {
							t.Errorf("%s: %v", i.Command, err)
						}
						return
					}
					if i.Options["word"] == "crane" && !strings.Contains(answer.Content, "Won in 2") {
						t.Errorf("the answer is %q", answer.Content)
					}
				}
				mu.Lock()
				finished[c]++
				mu.Unlock()
				changed.Broadcast()
			}
		})
	}
	type made struct {
		path   string
		before [channels]int // how many games were finished when it was begun
	}
	var all []made
	more(count())
	for n := range copies {
		m := made{filepath.Join(folder, fmt.Sprintf("copy%d.db", n)), count()}
		out, err := fivefold(t, []string{store, socket}, "backup", m.path)
		if err != nil || !strings.HasPrefix(out, "Copied to "+m.path) {
			t.Errorf("copy %d: %v: %s", n, err, out)
		}
		all = append(all, m)
		more(m.before)
	}
	stop()
	players.Wait()
	if err := errors.Join(bot.Process.Kill(), bot.Wait()); err == nil {
		t.Error("the bot has ended by itself")
	}
	if t.Failed() {
		t.Log(log)
		return
	}
	if first, last := all[0].before, all[copies-1].before; slices.Max(last[:]) == 0 || last == first {
		t.Errorf("there was no load: %v games before the first copy, %v before the last", first, last)
	}
	for _, m := range all {
		if info, err := os.Stat(m.path); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", m.path, info.Mode(), err)
		}
		if out, err := fivefold(t, nil, "check", m.path); err != nil || !strings.HasSuffix(out, "problems: 0\n") {
			t.Errorf("%s: %v: %s", m.path, err, out)
		}
		for c, games := range m.before {
			channel := fmt.Sprintf("%d", 100+c)
			exported, err := fivefold(t, []string{"FIVEFOLD_STORE=bolt:" + m.path}, "export", "results")
			if got := strings.Count(exported, ","+channel+","); err != nil || got < games {
				t.Errorf("%d games were finished in channel %s before the copy, and %s has %d: %v", games, channel, m.path, got, err)
			}
		}
	}
	for _, v := range discord.Violations() {
		t.Errorf("discord would not have it: %s", v)
	}
}
