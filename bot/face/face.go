// Package face shows games. A [Face] makes lines, tiles and pictures of a match. This package does the common part;
// each kind does the rest in its own package.
package face

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/matches"
)

// Face is the players' view of a kind of game.
type Face struct {
	Phrases
	Display
}

// View is a match with everything else that its face shows.
type View struct {
	game.Match
	Left       []int     // as in [matches.Manager.Remaining]; nil if unknown
	Introduced bool      // shown under its [Face.Intro]
	Event      bot.Line  // the latest move
	Live       bool      // the board is the match's one message, and also shows the latest move and the hints
	Away       bool      // played in another community
	Race       game.Race // zero if the match is in no race, or the race is no longer stored
	Concealed  bool      // the answer is hidden, even from the match's player: see [matches.Manager.Conceals]; or the race never began
	Alone      bool      // a shared result would be for the player alone: in direct messages, and where replies are hidden from others
}

// listed reports whether the history of the viewing community has the match.
func (v View) listed() bool {
	return v.Status() != game.Playing && !v.Away && len(v.Named()) > 0
}

// LeftAfter returns the number of possible answers after some guesses, or -1 if unknown.
func (v View) LeftAfter(used int) int {
	if used >= len(v.Left) {
		return -1
	}
	return v.Left[used]
}

// View returns the match as [Face.Show] needs it. The error is one of [matches.Manager.Remaining], or of the store.
func (f Face) View(ctx context.Context, games *matches.Manager, m game.Match) (v View, err error) {
	v.Match, v.Event = m, f.Event(m)
	if v.Race, err = games.RaceOf(ctx, m); err != nil {
		return v, err
	}
	v.Concealed = games.Conceals(v.Race, m.Status()) || v.Race.Withdrawn()
	if !v.Concealed && (f.countsLeft(m.Status()) || m.HasCredit()) {
		v.Left, err = games.Remaining(ctx, m)
	}
	return v, err
}

// countsLeft reports whether a match with this status shows the number of possible answers.
func (f Face) countsLeft(s game.Status) bool { return f.LeftWhilePlaying == (s == game.Playing) }

// Faces are those of every kind of game, each once.
type Faces []Face

// Of returns the face of a kind, or the first face for an unknown kind.
func (all Faces) Of(k game.Kind) Face {
	i := slices.IndexFunc(all, func(f Face) bool { return f.Kind == k })
	return all[max(i, 0)]
}

// Titled adds the kind's name to a title. The word game needs no name.
func (f Face) Titled(title string) string {
	if f.Title == "" {
		return title
	}
	return f.Title + ": " + strings.ToLower(title)
}

// Name names the kind where players could mean another, such as on a button.
func (f Face) Name() string { return cmp.Or(f.Title, "Word game") }

// Audience is the audience of an open match.
func Audience(m game.Match) bot.Audience {
	if m.Mode.Personal() {
		return bot.Asker
	}
	return bot.Everyone
}

// OwnTitle names a match that one player plays alone. It is empty for a channel's match, and under an introduction that
// names the puzzle.
func OwnTitle(v View) string {
	switch name := PuzzleName(v.Match); {
	case name != "" && v.Introduced:
		return ""
	case name != "":
		return bot.Capital(name)
	case v.Mode == game.Racing:
		return "Your race"
	case v.Mode == game.Challenged:
		return "Challenge"
	case v.Mode.Personal():
		return "Solo"
	}
	return ""
}

// Intro is the first line of a new match. The difficulty is a word, or empty.
func (f Face) Intro(m game.Match, difficulty string) bot.Line {
	name := "A new game"
	if f.Title != "" {
		name += " of " + f.Title
	}
	if puzzle := PuzzleName(m); puzzle != "" {
		name = bot.Capital(strings.TrimPrefix(f.Title+", "+puzzle, ", "))
	}
	if difficulty != "" {
		name += ", " + difficulty
	}
	if !f.Guided {
		return bot.Text(bot.Bold(name+"."), " "+f.Task+": ", bot.Slash(f.Commands.Guess, f.Guess.Name, ""), ".")
	}
	return bot.Text(bot.Bold(name+"."), " "+f.Task+": ", bot.Slash(f.Commands.Guess, f.Guess.Name, f.Example(m.State)), ". How to play: ", bot.Slash(f.Commands.Rules), ".")
}

// Show shows a match: its board and, after its end, the outcome.
func (f Face) Show(v View) bot.Reply {
	drawn := f.Draw(v)
	reply := bot.Reply{Audience: Audience(v.Match), InPlace: true, Names: v.Names}
	reply.Heading, reply.Subtext = f.heading(v)
	if c := v.Race.Challenge; c != nil {
		reply = reply.Say(f.Given(v.Race.Starter, *c).Named(v.Race.Names))
	} else if v.Challenge != nil && v.Mode == game.Together {
		reply = reply.Say(f.Given(v.Starter, *v.Challenge))
	}
	reply = reply.Add(drawn.Board...).Say(f.live(v)...)
	switch {
	case v.Status() == game.Playing:
		reply = reply.Add(drawn.Below...).Say(hintsLeft(v.Match)...)
	case v.Concealed:
		reply = reply.Say(f.OutcomeIn(v))
	default:
		reply = reply.Say(f.Outcome(v.Match)).Add(drawn.Below...).Say(f.ending(v)...)
	}
	reply = reply.Add(bot.Rows(f.buttons(v)...)...)
	switch v.Status() {
	case game.Won:
		reply.Tone = bot.Happy
	case game.Lost:
		reply.Tone = bot.Sad
	}
	if f.Hides(v.Status()) {
		reply.Reveal = bot.RevealButton(f.Commands.Board, MatchArgs(v.Match))
	}
	return reply
}

// heading says what is shown and how it stands: "Word game · 4 guesses left".
func (f Face) heading(v View) (heading, subtext bot.Line) {
	title := cmp.Or(OwnTitle(v), f.Name())
	if v.Status() != game.Playing {
		return bot.Text(title), bot.Line{}
	}
	heading = bot.Text(title + " · " + bot.Plural(v.State.AttemptsLeft(), "guess") + " left")
	if v.Race.Version > 0 {
		subtext = bot.Text("It ", Clock(v.Race, v.Used() > 0))
	}
	return heading, subtext
}

// live returns the lines for live boards only: the latest move, and the hints that still help. See [View.Live].
func (f Face) live(v View) []bot.Line {
	if !v.Live || v.Status() != game.Playing {
		return nil
	}
	var lines []bot.Line
	if !v.Mode.Personal() && v.Event.Text != nil {
		lines = append(lines, v.Event)
	}
	for _, h := range v.Hints {
		if h.Kind == game.HintSuggestion && h.After < v.Used() {
			continue // given for an earlier guess
		}
		lines = append(lines, bot.Text(bot.Bold("Hint:"), " ", f.HintLine(h)))
	}
	return lines
}

// Event is the latest move of a match: "ben guessed CRONY."
func (f Face) Event(m game.Match) bot.Line {
	var hint game.Hint
	for _, h := range m.Hints { // a repeated suggestion stays the last in the list while other hints are newer
		if h.Version > hint.Version {
			hint = h
		}
	}
	used := len(m.Moves)
	switch {
	case m.Stop != nil:
		return bot.Text(m.Stop.Player, " stopped the game.")
	case m.Status() == game.Won:
		return bot.Text(m.Winner(), " found it: ", bot.Bold(f.Guessed(m.State, used)), "!")
	case used > 0 && m.Moves[used-1].Version > hint.Version:
		return bot.Text(m.Moves[used-1].Player, " guessed ", bot.Bold(f.Guessed(m.State, used)), ".")
	case hint.Version > 0:
		return bot.Text(hint.Player, " took a hint.")
	}
	return bot.Line{}
}

// FewGuesses is the number of guesses left from which on their limit affects the expected number.
const FewGuesses = 3

// Chart draws the games won by number of guesses as bars of text. At least one game was won.
func Chart(distribution [game.MaxAttempts]int) []bot.Line {
	const width = 12 // of the longest bar
	most := slices.Max(distribution[:])
	var lines []bot.Line
	for i, n := range distribution {
		row := fmt.Sprintf("%d |", i+1)
		if n > 0 {
			row += strings.Repeat("█", max(1, n*width/most))
		}
		lines = append(lines, bot.Mono(fmt.Sprintf("%s %d", row, n)))
	}
	return lines
}
