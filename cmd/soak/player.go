package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"time"

	"fivefold/bot/discord/discordtest"
)

// guessed are the words of a game. In half of the games the hidden word replaces one of them,
// but not the first.
var guessed = []string{"slate", "brick", "shave", "mound", "fuzzy", "grape"}

// player plays one game after the other, each in a channel of its own.
type player struct {
	*world
	number int
	games  int
	random *rand.Rand
	// pause is the longest time between two guesses.
	pause time.Duration
	// note, if set, is called with every guess, before and after it is asked.
	note func(m *match, g *guess)
}

// play has players play until ctx ends. It does not wait for that; wait returns when all
// players have finished what they were doing.
func (w *world) play(ctx context.Context, players int, pause time.Duration, note func(*match, *guess)) (wait func()) {
	var playing sync.WaitGroup
	for n := range players {
		p := &player{world: w, number: n, random: w.random(fmt.Sprint("player ", n)), pause: pause, note: note}
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
	p.games++
	place := fmt.Sprintf("%d%03d%05d", 1+p.number%3, p.number, p.games)
	m := &match{
		id: p.newID(), guild: fmt.Sprint("7", p.number%cmp.Or(p.guilds, 3)), channel: "13" + place, user: "12" + fmt.Sprintf("%03d", p.number) + "0000000",
		solo: p.games%3 == 0,
	}
	if m.solo {
		m.user = "12" + place // a player has one solo game at a time
	}
	options := map[string]any{}
	if m.solo {
		options["mode"] = "solo"
	}
	ask := func(id, command string, options map[string]any) (string, bool) {
		a, ok := p.ask(ctx, discordtest.Interaction{ID: id, Guild: m.guild, Channel: m.channel, User: m.user, Command: command, Options: options})
		return a.Content, ok
	}
	p.journal.begin(m)
	text, ok := ask(m.id, "wordle start", options)
	if !ok || !strings.Contains(text, "6 attempts left") {
		return // the next game is elsewhere
	}
	m.start = acknowledged
	words := append([]string(nil), guessed...)
	if p.random.IntN(2) == 0 {
		words[1+p.random.IntN(5)] = hidden
	}
	for _, word := range words {
		if ctx.Err() != nil {
			return
		}
		if p.pause > 0 {
			time.Sleep(rand.N(p.pause))
		}
		g := &guess{id: p.newID(), word: strings.ToUpper(word), asked: time.Now()}
		m.guesses = append(m.guesses, g)
		if p.note != nil {
			p.note(m, g)
		}
		text, ok := ask(g.id, "guess", map[string]any{"word": word})
		p.learn(g, text, ok)
		if p.note != nil {
			p.note(m, g)
		}
		if strings.Contains(text, "Won in") || strings.Contains(text, "Lost") {
			break
		}
	}
	if text, ok := ask(p.newID(), "wordle board", map[string]any{"mode": mode(m)}); ok {
		p.checkBoard(m, text)
	}
}

func mode(m *match) string {
	if m.solo {
		return "solo"
	}
	return "together"
}

// learn notes what an answer says about a guess.
func (w *world) learn(g *guess, text string, answered bool) {
	g.outcome = read(g, text, answered)
	if g.outcome == acknowledged {
		w.saved.Add(1)
		if w.guesses != nil {
			w.guesses.beat()
		}
	}
}

// tile matches a tile that is one of the bot's emojis.
var tile = regexp.MustCompile(`<:([A-Z])_(black|yellow|green)\d+:\d+>`)

// inSquares returns a text with rows of tiles as they are without the bot's emojis: squares,
// and the word.
func inSquares(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		word := ""
		line = tile.ReplaceAllStringFunc(line, func(t string) string {
			m := tile.FindStringSubmatch(t)
			word += m[1]
			return map[string]string{"black": "🔳", "yellow": "🟨", "green": "🟩"}[m[2]]
		})
		if word != "" {
			line = strings.TrimSuffix(line, "\n") + " " + word + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// read returns what an answer says about a guess.
func read(g *guess, text string, answered bool) outcome {
	text = inSquares(text)
	switch {
	case !answered:
		return unknown
	case strings.Contains(text, "🔳") || strings.Contains(text, "🟨") || strings.Contains(text, "🟩"):
		for line := range strings.Lines(text) {
			if _, word, ok := strings.Cut(strings.TrimSpace(line), " "); ok && strings.IndexAny(line, "🔳🟨🟩") == 0 && word == g.word {
				return acknowledged
			}
		}
	case strings.Contains(text, "No attempt was used"), strings.Contains(text, "not counted"):
		return refused
	}
	return unknown
}

// checkBoard compares a board with the guesses that were acknowledged.
func (p *player) checkBoard(m *match, text string) {
	text = inSquares(text)
	if !strings.ContainsAny(text, "🔳🟨🟩") {
		return // an apology, or a refusal
	}
	for _, g := range m.guesses {
		if n := strings.Count(text, g.word+"\n"); g.outcome == acknowledged && n != 1 && read(g, text, true) != acknowledged {
			p.verdict.finding(lost, "%s in %s was acknowledged, and the board shows\n%s", g.word, m.channel, text)
		}
	}
}
