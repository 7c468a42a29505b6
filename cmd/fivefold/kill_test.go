package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/game/racetest"
)

const killChannels = 24

// killRounds returns how many rounds TestKill has. Under the race detector they are fewer, but
// enough for the guesses that it wants.
func killRounds() int {
	if racetest.Enabled {
		return 4
	}
	return 20
}

// TestKill kills the program while guesses pour in, starts it again on the same
// file, and looks for every guess that was acknowledged.
func TestKill(t *testing.T) {
	words := filepath.Join(t.TempDir(), "words.txt")
	if err := os.WriteFile(words, []byte("crane\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	discord := discordtest.New(t, discordtest.Options{})
	k := &killing{
		t: t, discord: discord,
		env: []string{
			"DISCORD_TOKEN=" + discord.Token(), "DISCORD_BASE_URL=" + discord.URL(),
			"FIVEFOLD_STORE=bolt:" + filepath.Join(t.TempDir(), "kill.db"), "FIVEFOLD_ANSWERS=" + words,
		},
		acknowledged: map[string][]string{},
	}
	rounds := killRounds()
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0)) // when to kill is left to chance
	for round := range rounds {
		// Every fourth round may be short, every fourth is long: the rounds together are never too short.
		k.round(round, 1+round%4*killChannels+random.IntN(killChannels))
	}
	k.round(rounds, 1) // checks the last one
	guesses := 0
	for _, words := range k.acknowledged {
		guesses += len(words)
	}
	t.Logf("%d rounds, %d acknowledged guesses in %d channels", rounds, guesses, len(k.acknowledged))
	if guesses < rounds*killChannels/2 {
		t.Errorf("only %d guesses were acknowledged: too few to have tested anything", guesses)
	}
}

// killing is the state of TestKill.
type killing struct {
	t        *testing.T
	discord  *discordtest.Server
	env      []string
	sessions int // that were ready so far

	mu           sync.Mutex          // protects acknowledged
	acknowledged map[string][]string // by channel, in upper case
}

// round starts the program, checks all that was acknowledged in the channels of
// the round before, has guesses made in new ones, and kills the program after
// some acknowledgements.
func (k *killing) round(round, killAfter int) {
	k.t.Helper()
	bot := process(k.t, "bot")
	bot.Env = append(bot.Env, k.env...)
	var log strings.Builder
	bot.Stderr = &log
	if err := bot.Start(); err != nil {
		k.t.Fatal(err)
	}
	defer func() {
		if k.t.Failed() {
			k.t.Logf("round %d:\n%s", round, log.String())
		}
	}()
	ctx, cancel := context.WithTimeout(k.t.Context(), 5*time.Minute)
	defer cancel()
	k.sessions++
	if err := k.discord.WaitReady(ctx, k.sessions); err != nil {
		k.t.Fatalf("round %d: the program does not connect: %v\n%s", round, err, log.String())
	}
	k.check(ctx)

	alive, dead := context.WithCancel(ctx)
	var acknowledgements atomic.Int64
	var playing sync.WaitGroup
	for c := range killChannels {
		channel := fmt.Sprintf("%d%03d", round+1, c)
		playing.Go(func() {
			k.play(alive, channel, func() {
				if acknowledgements.Add(1) == int64(killAfter) {
					dead()
					if err := bot.Process.Kill(); err != nil {
						k.t.Errorf("killing: %v", err)
					}
				}
			})
		})
	}
	playing.Wait()
	dead()
	if err := bot.Wait(); err == nil {
		k.t.Errorf("round %d: the program ended by itself", round)
	}
	k.discord.CloseGateway(4000, "the process is gone") // as Discord does when the line breaks
}

// play starts a game and guesses until there are no attempts left or the
// program is dead.
func (k *killing) play(alive context.Context, channel string, acknowledged func()) {
	ask := func(command string, options map[string]any) (string, bool) {
		answer, err := k.discord.Invoke(discordtest.Interaction{
			Guild: "77", Channel: channel, User: "1" + channel, Command: command, Options: options,
		}).Message(alive)
		if err != nil {
			if alive.Err() == nil && !errors.Is(err, discordtest.ErrNobodyConnected) {
				k.t.Errorf("%s in %s: %v", command, channel, err)
			}
			return "", false
		}
		return answer.Content, true
	}
	if _, ok := ask("wordle start", nil); !ok {
		return
	}
	for _, word := range []string{"slate", "brick", "shave", "mound", "fuzzy", "grape"} {
		content, ok := ask("guess", map[string]any{"word": word})
		if !ok {
			return
		}
		word = strings.ToUpper(word)
		if !strings.Contains(content, word) {
			k.t.Errorf("%s in %s is answered by %q", word, channel, content)
			return
		}
		k.mu.Lock()
		k.acknowledged[channel] = append(k.acknowledged[channel], word)
		k.mu.Unlock()
		acknowledged()
	}
}

// check looks at every board for what was acknowledged there. A guess that was
// in progress at the kill may be there too, or not.
func (k *killing) check(ctx context.Context) {
	k.t.Helper()
	for channel, want := range k.acknowledged {
		answer, err := k.discord.Invoke(discordtest.Interaction{
			Guild: "77", Channel: channel, User: "1" + channel, Command: "wordle board",
		}).Message(ctx)
		if err != nil {
			k.t.Fatalf("the board of %s: %v", channel, err)
		}
		var board []string
		for _, line := range strings.Split(answer.Content, "\n") {
			if _, word, ok := strings.Cut(line, " "); ok && strings.IndexAny(line, "🔳🟨🟩") == 0 {
				board = append(board, word)
			}
		}
		if len(board) < len(want) || len(board) > len(want)+1 || !slices.Equal(board[:len(want)], want) {
			k.t.Errorf("%s shows %v, but %v were acknowledged", channel, board, want)
		}
	}
}
