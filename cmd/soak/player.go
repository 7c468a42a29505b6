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

// players is how many play at once, and pause the longest time between two guesses of one of them.
const (
	players = 24
	pause   = 50 * time.Millisecond
)

// How long a player waits: Discord shows after 3 s that the application did not respond, and
// nobody waits longer than finalWait for "thinking…" to end.
const (
	firstWait = 3500 * time.Millisecond
	finalWait = 20 * time.Second
	// updateWait is how long the update of a board may take after a press of its button was
	// acknowledged.
	updateWait = 2 * time.Second
)

// ask sends an interaction and returns what the player sees, or false if the player sees
// nothing.
func (w *world) ask(ctx context.Context, i discordtest.Interaction) (discordtest.Answer, bool) {
	w.asked.Add(1)
	waits, cancel := context.WithCancel(ctx)
	defer cancel()
	if !w.byHTTP {
		defer context.AfterFunc(w.bots[0].alive(), cancel)() // nothing comes from a dead process
	}
	call := w.discord.Invoke(i)
	answer, err := await(waits, firstWait, call.First)
	switch {
	case err == nil && answer.Type == 5:
		answer, err = await(waits, finalWait, call.Message)
	case err == nil && answer.Type == 6: // another call may show what a press of a board led to
		if final, err := await(waits, updateWait, call.Message); err == nil {
			answer = final
		}
	}
	if err != nil {
		if ctx.Err() == nil {
			w.missed.Add(1)
		}
		return answer, false
	}
	if strings.Contains(answer.Content, "went wrong on our side") {
		w.verdict.finding("apology", "to %s %s %v: %s", i.Command, i.CustomID, i.Options, answer.Content)
	}
	return answer, true
}

func await(ctx context.Context, atMost time.Duration, get func(context.Context) (discordtest.Answer, error)) (discordtest.Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	return get(ctx)
}

// journal is what the players know: every match that they started, and what became of
// each guess.
type journal struct {
	mu      sync.Mutex // protects matches; only its player uses a match until the world ends
	matches []*match
}

// match is a game as its player knows it.
type match struct {
	id            string // of the interaction that started it
	guild         string
	channel, user string
	solo          bool
	start         outcome
	guesses       []*guess
}

// guess is one interaction that guesses a word.
type guess struct {
	id      string
	word    string // in upper case
	outcome outcome
}

// outcome is what a player knows of a change.
type outcome uint8

const (
	unknown      outcome = iota // there was no answer, or one that does not say
	acknowledged                // it must be stored, once
	refused                     // it must not be stored
)

func (j *journal) begin(m *match) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.matches = append(j.matches, m)
}

// guessed are the words of a game. In half of the games the hidden word replaces one of them,
// but not the first.
var guessed = []string{"slate", "brick", "shave", "mound", "fuzzy", "grape"}

// player plays one game after the other, each in a channel of its own.
type player struct {
	*world
	number int
	games  int
	random *rand.Rand
}

// play has players play until ctx ends. It does not wait for that; wait returns when all players have
// finished what they were doing.
func (w *world) play(ctx context.Context) (wait func()) {
	var playing sync.WaitGroup
	for n := range players {
		p := &player{world: w, number: n, random: w.random(fmt.Sprint("player ", n))}
		playing.Go(func() {
			for ctx.Err() == nil {
				p.game(ctx)
			}
		})
	}
	return playing.Wait
}

// game plays one game. A guess without an answer is left open, and the next one is
// another word: so a word that is stored twice was counted twice.
func (p *player) game(ctx context.Context) {
	m := p.begin(ctx)
	if m.start != acknowledged {
		return // the next game is elsewhere
	}
	words := slices.Clone(guessed)
	if p.random.IntN(2) == 0 {
		words[1+p.random.IntN(5)] = hidden
	}
	for _, word := range words {
		time.Sleep(rand.N(pause))
		p.guess(ctx, m, word)
	}
	mode := map[bool]string{true: "solo", false: "together"}[m.solo]
	p.exchange(ctx, m, "wordle board", map[string]any{"mode": mode}, nil, func(text string, _ bool) {
		p.checkBoard(m, text)
	})
}

// begin begins a game; each third one is solo.
func (p *player) begin(ctx context.Context) *match {
	p.games++
	place := fmt.Sprintf("%d%03d%05d", 1+p.number%3, p.number, p.games)
	m := &match{
		guild: fmt.Sprint("7", p.number%3), channel: "13" + place, user: "12" + fmt.Sprintf("%03d", p.number) + "0000000",
		solo: p.games%3 == 0,
	}
	options := map[string]any{}
	if m.solo {
		m.user = "12" + place // a player has one solo game at a time
		options["mode"] = "solo"
	}
	p.exchange(ctx, m, "wordle start", options, func(id string) {
		m.id = id
		p.journal.begin(m)
	}, func(text string, _ bool) {
		if strings.Contains(text, "6 attempts left") {
			m.start = acknowledged
		}
	})
	return m
}

// guess guesses a word.
func (p *player) guess(ctx context.Context, m *match, word string) {
	g := &guess{word: strings.ToUpper(word)}
	p.exchange(ctx, m, "guess", map[string]any{"word": word}, func(id string) {
		g.id, m.guesses = id, append(m.guesses, g)
	}, func(text string, answered bool) {
		if g.outcome = read(g, text, answered); g.outcome == acknowledged {
			p.saved.Add(1)
		}
	})
}

// again is of how many interactions one is delivered a second time, after its answer, as when a session is
// resumed. By HTTP, which has no sessions, the bot could not know that its second response was not taken.
const again = 20

// exchange waits until the program is there, sends it an interaction in a match, whose id before gets unless it is
// nil, and hands the answer to learn, all as one step for the journal.
func (p *player) exchange(ctx context.Context, m *match, command string, options map[string]any, before func(id string), learn func(text string, answered bool)) {
	// A client shows at once that the program is not there, and the player tries again when it is. By HTTP, the
	// balancer always is.
	if !p.byHTTP && p.discord.WaitConnected(ctx, 1) != nil || ctx.Err() != nil {
		return
	}
	p.hold.RLock()
	defer p.hold.RUnlock()
	i := discordtest.Interaction{ID: p.discord.NewID(), Guild: m.guild, Channel: m.channel, User: m.user, Command: command, Options: options}
	if before != nil {
		before(i.ID)
	}
	a, ok := p.ask(ctx, i)
	learn(a.Content, ok)
	if p.random.IntN(again) == 0 && !p.byHTTP {
		p.discord.Invoke(i)
	}
}

var (
	emoji  = regexp.MustCompile(`<:([A-Z])_(?:black|yellow|green)\d+:\d+>`)
	square = regexp.MustCompile(`[🔳🟨🟩]+`)
)

// rows returns the words in the rows of tiles in a text: of the bot's emojis, or squares before the word.
func rows(text string) (words []string) {
	for line := range strings.Lines(text) {
		if plain := square.ReplaceAllString(emoji.ReplaceAllString(line, "$1"), ""); plain != line {
			words = append(words, strings.TrimSpace(plain))
		}
	}
	return words
}

// read returns what an answer says about a guess.
func read(g *guess, text string, answered bool) outcome {
	switch {
	case !answered:
	case slices.Contains(rows(text), g.word):
		return acknowledged
	case strings.Contains(text, "No attempt was used"), strings.Contains(text, "not counted"):
		return refused
	}
	return unknown
}

// checkBoard compares a board with the guesses that were acknowledged.
func (p *player) checkBoard(m *match, text string) {
	shown := rows(text)
	if shown == nil {
		return // an apology, or a refusal
	}
	for _, g := range m.guesses {
		if g.outcome == acknowledged && !slices.Contains(shown, g.word) {
			p.verdict.finding(lost, "%s in %s was acknowledged, and the board shows\n%s", g.word, m.channel, text)
		}
	}
}
