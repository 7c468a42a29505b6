package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"fivefold/bot/discord/discordtest"
)

const (
	players   = 24                      // how many play at once
	pause     = 50 * time.Millisecond   // the longest time between two guesses of a player
	firstWait = 3500 * time.Millisecond // Discord shows after 3 s that the application did not respond
	finalWait = 20 * time.Second        // until "thinking…" ends
	hidden    = "crane"                 // in every game, so that players can win; not while load is measured
)

// ask sends an interaction and returns what the player sees, or false for nothing.
func (w *world) ask(ctx context.Context, i discordtest.Interaction) (answer discordtest.Answer, ok bool) {
	w.asked.Add(1)
	waits, cancel := context.WithCancel(ctx)
	defer cancel()
	if !w.byHTTP {
		defer context.AfterFunc(w.bots[0].alive(), cancel)() // nothing comes from a dead process
	}
	call := w.discord.Invoke(i)
	first, stop := context.WithTimeout(waits, firstWait)
	defer stop()
	_, err := call.First(first)
	if err == nil {
		final, stop := context.WithTimeout(waits, finalWait)
		defer stop()
		answer, err = call.Message(final)
	}
	if err != nil {
		if ctx.Err() == nil {
			w.missed.Add(1)
		}
		return answer, false
	}
	if strings.Contains(answer.Content, "went wrong on our side") {
		w.finding("apology", "to %s %v: %s", i.Command, i.Options, answer.Content)
	}
	return answer, true
}

// match is a game as its player knows it.
type match struct {
	id                   string // of the interaction that started it
	guild, channel, user string
	solo                 bool
	started              bool // whether the start was acknowledged
	guesses              []*guess
}

// guess is one interaction that guesses a word.
type guess struct {
	id      string
	word    string // in upper case
	outcome outcome
}

// outcome is what a player knows of a guess.
type outcome uint8

const (
	unknown      outcome = iota // there was no answer, or one that does not say
	acknowledged                // it must be stored, once
	refused                     // it must not be stored
)

// guessed are the words of a game. In half of the games the hidden word replaces one of them, but not the first.
var guessed = []string{"slate", "brick", "shave", "mound", "fuzzy", "grape"}

// play has players play until ctx ends. It does not wait for that; wait returns when all players have
// finished what they were doing.
func (w *world) play(ctx context.Context) (wait func()) {
	var playing sync.WaitGroup
	for n := range players {
		random := rand.New(rand.NewPCG(w.seed, uint64(n)))
		playing.Go(func() {
			for games := 1; ctx.Err() == nil; games++ {
				w.game(ctx, n, games, random)
			}
		})
	}
	return playing.Wait
}

// game has a player play a game in a channel of its own; each third one is solo. A guess without an answer is left open,
// and the next one is another word: so a word that is stored twice was counted twice.
func (w *world) game(ctx context.Context, player, games int, random *rand.Rand) {
	place := fmt.Sprintf("%d%03d%05d", 1+player%3, player, games)
	m := &match{guild: fmt.Sprint("7", player%3), channel: "13" + place, user: fmt.Sprintf("12%03d0000000", player), solo: games%3 == 0}
	start := discordtest.Interaction{Command: "wordle start", Options: map[string]any{}}
	if m.solo {
		m.user = "12" + place // a player has one solo game at a time
		start.Options["mode"] = "solo"
	}
	if !w.reachable(ctx) {
		return
	}
	m.id = w.discord.NewID()
	w.journal[player] = append(w.journal[player], m)
	m.started = strings.Contains(w.exchange(ctx, random, m, m.id, start), "6 guesses left")
	if !m.started {
		return // the next game is elsewhere
	}
	words := slices.Clone(guessed)
	if random.IntN(2) == 0 {
		words[1+random.IntN(5)] = hidden
	}
	for _, word := range words {
		time.Sleep(rand.N(pause))
		if !w.reachable(ctx) {
			return
		}
		g := &guess{id: w.discord.NewID(), word: strings.ToUpper(word)}
		m.guesses = append(m.guesses, g)
		text := w.exchange(ctx, random, m, g.id, discordtest.Interaction{Command: "guess", Options: map[string]any{"word": word}})
		if g.outcome = read(g.word, text); g.outcome == acknowledged {
			w.saved.Add(1)
		}
	}
}

// reachable waits until the program is there, as players do who see that it is not. By HTTP, the balancer always is.
func (w *world) reachable(ctx context.Context) bool {
	return (w.byHTTP || w.discord.WaitConnected(ctx, 1) == nil) && ctx.Err() == nil
}

// exchange sends an interaction in a match and returns the answer, empty for none. Some are delivered a second time, as when
// a session is resumed. By HTTP, which has no sessions, the bot could not know that its second response was not taken.
func (w *world) exchange(ctx context.Context, random *rand.Rand, m *match, id string, i discordtest.Interaction) string {
	i.ID, i.Guild, i.Channel, i.User = id, m.guild, m.channel, m.user
	a, _ := w.ask(ctx, i)
	if random.IntN(20) == 0 && !w.byHTTP {
		w.discord.Invoke(i)
	}
	return a.Content
}

// tiles matches what is before the word in a row: squares, or the bot's emojis, which have its letters.
var tiles = regexp.MustCompile(`<:([A-Z])[bgoxy]\d:\d+>|[🔳🟨🟩]+`)

// read returns what an answer says about a guess.
func read(word, text string) outcome {
	for line := range strings.Lines(text) {
		row, _, _ := strings.Cut(line, " · ") // the player's name follows
		if plain := tiles.ReplaceAllString(row, "$1"); plain != row && strings.TrimSpace(plain) == word {
			return acknowledged
		}
	}
	if strings.Contains(text, "No guess was used") || strings.Contains(text, "not counted") {
		return refused
	}
	return unknown
}
