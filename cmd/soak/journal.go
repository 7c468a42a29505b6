package main

import "sync"

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
