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
	"fivefold/game/marks"
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
	Left       []game.Possible // as in [matches.Manager.Remaining]; nil if unknown
	New        bool            // has just been started: the task is shown
	Difficulty string          // of a new match, in a word; may be empty
	Live       bool            // the board is the match's one message, and also shows the latest move and the hints
	Away       bool            // played in another community
	Race       game.Race       // zero if the match is in no race, or the race is no longer stored
	Concealed  bool            // the answer is hidden, even from the match's player: see [matches.Manager.Conceals]; or the race never began
	Alone      bool            // a shared result would be for the player alone: in direct messages, and where replies are hidden from others
	Streak     int             // of daily puzzles, if this one has made it longer
}

// listed reports whether the history of the viewing community has the match.
func (v View) listed() bool {
	return v.Status() != game.Playing && !v.Away && len(v.Named()) > 0
}

// LeftAfter returns the number of possible answers after some guesses, on all boards, or -1 if unknown.
func (v View) LeftAfter(used int) int {
	if used >= len(v.Left) {
		return -1
	}
	return v.Left[used].Total()
}

// View returns the match as [Face.Show] needs it. The error is one of [matches.Manager.Remaining], or of the store.
func (f Face) View(ctx context.Context, games *matches.Manager, m game.Match) (v View, err error) {
	v.Match = m
	if v.Race, err = games.RaceOf(ctx, m); err != nil {
		return v, err
	}
	v.Concealed = games.Conceals(v.Race, m.Status()) || v.Race.Withdrawn()
	if countsLeft := f.LeftWhilePlaying == (m.Status() == game.Playing); !v.Concealed && (countsLeft || m.HasCredit()) {
		v.Left, err = games.Remaining(ctx, m)
	}
	return v, err
}

// Faces are those of every kind of game, each once.
type Faces []Face

// Of returns the face of a kind, or the first face for an unknown kind.
func (all Faces) Of(k game.Kind) Face {
	i := slices.IndexFunc(all, func(f Face) bool { return f.Kind == k })
	return all[max(i, 0)]
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

var tones = map[game.Status]bot.Tone{game.Won: bot.Happy, game.Lost: bot.Sad}

// Show shows a match: its board and, after its end, the outcome.
func (f Face) Show(v View) bot.Reply {
	drawn := f.Draw(v)
	reply := bot.Reply{Audience: Audience(v.Match), InPlace: true, Tone: tones[v.Status()], Names: v.Names, Blocks: drawn.Board}
	if v.Status() == game.Playing {
		reply.Heading, reply.Subtext = f.state(v.Match), f.about(v)
		reply = reply.Add(drawn.Rest...).Say(f.hints(v)...)
	} else {
		reply.Heading, reply.Subtext = f.end(v, drawn.Meaning)
		lines := f.ending(v)
		if slices.ContainsFunc(drawn.Board, func(b bot.Block) bool { _, row := b.(bot.Line); return row }) && lines != nil {
			reply = reply.Say(bot.Line{})
		}
		reply = reply.Say(lines...)
	}
	if f.Hides(v.Status()) {
		reply.Reveal = bot.RevealButton(f.Commands.Board, MatchArgs(v.Match))
	}
	return reply.Add(bot.Rows(f.buttons(v)...)...)
}

// Known is what a player knows of an open match while typing a guess: the guesses so far, and the keyboard.
func (f Face) Known(v View) (known []bot.Block) {
	drawn := f.Draw(v)
	all := bot.Reply{Blocks: drawn.Board}.Add(drawn.Rest...).WithoutPicture()
	for _, block := range all.Blocks {
		if line, _ := block.(bot.Line); !line.Outlines() {
			known = append(known, block)
		}
	}
	return append(known, bot.Small(bot.Plural(v.State.AttemptsLeft(), "guess")+" left"))
}

// state is the heading of an open match: "Word game · 4 guesses left".
func (f Face) state(m game.Match) bot.Line {
	name, mode := f.Name(), string(m.Mode)
	switch number, daily := m.Puzzle.Daily(); {
	case m.Mode == game.Practice:
		mode = fmt.Sprintf("puzzle %d", number)
	case daily:
		mode = fmt.Sprintf("daily %d", number)
	case m.Mode == game.Racing && f.Title == "":
		mode = "your race"
	}
	if m.Mode != game.Together {
		name = bot.Capital(strings.TrimSpace(f.Title + " " + mode))
	}
	if hard := m.State.Hard(); hard != marks.Off {
		name += " · " + hard.String()
	}
	return bot.Text(name + " · " + bot.Plural(m.State.AttemptsLeft(), "guess") + " left")
}

// about is the line below the heading of an open match: its challenge, what comes next, its task or what happened last,
// and the hints left.
func (f Face) about(v View) bot.Line {
	var hints bot.Line
	if left, limited := v.HintsLeft(); limited && left > 0 {
		hints = bot.Text(bot.Plural(left, "hint") + " left")
	}
	clock := bot.Line{}
	if v.Race.Version > 0 {
		clock = bot.Text("It ", Clock(v.Race, v.Used() > 0))
	}
	about := bot.Join(f.challenge(v), f.pace(v.Match))
	if about.Text == nil && v.New {
		about = bot.Text(f.Task)
		if !v.Mode.Personal() {
			about = about.With(" together")
		}
		if v.Difficulty != "" {
			about = bot.Join(about, bot.Text(v.Difficulty))
		}
	} else if about.Text == nil && v.Live && !v.Mode.Personal() {
		about = last(v.Match)
	}
	return bot.Join(about, clock, hints)
}

// challenge names the giver of a challenge, and the clue. It is empty for other matches.
func (f Face) challenge(v View) bot.Line {
	if c := v.Race.Challenge; c != nil {
		return f.Given(v.Race.Starter, *c, v.Status() != game.Playing).Named(v.Race.Names)
	}
	if v.Challenge != nil && v.Mode == game.Together {
		return f.Given(v.Starter, *v.Challenge, v.Status() != game.Playing)
	}
	return bot.Line{}
}

// Several reports whether several players have guessed.
func (v View) Several() bool {
	return slices.ContainsFunc(v.Moves, func(m game.Move) bool { return m.Player != v.Moves[0].Player })
}

// Signed returns the row of a guess with its player, if several players have guessed. Guesses count from 0.
func (v View) Signed(guess int, row bot.Line) bot.Line {
	by := v.Moves[guess].Player
	if !v.Several() {
		return row
	}
	if name := v.short()[by]; name != "" {
		return row.With(" · " + name)
	}
	return row.With(" · ", by)
}

// short returns the known names, each at most so long that a row, or a heading, fits on a phone with it.
func (v View) short() game.Names {
	const most = 16
	all := game.Names{}
	for p, name := range v.Names {
		if cut := []rune(name); len(cut) > most {
			name = string(cut[:most-1]) + "…"
		}
		all[p] = name
	}
	return all
}

// hints returns the hints that still help, on a live board.
func (f Face) hints(v View) (lines []bot.Line) {
	for _, h := range v.Hints {
		if v.Live && (h.Kind != game.HintSuggestion || h.After == v.Used()) { // otherwise it was given for an earlier guess
			lines = append(lines, bot.Text(bot.Bold("Hint:"), " ", f.HintLine(h)))
		}
	}
	return lines
}

// Event is the latest move of a match: "ben guessed CRONY."
func (f Face) Event(m game.Match) bot.Line {
	hint, used := latestHint(m), m.Used()
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

// last names the player of the latest move of an open match.
func last(m game.Match) bot.Line {
	hint, used := latestHint(m), m.Used()
	switch {
	case used > 0 && m.Moves[used-1].Version > hint.Version:
		return bot.Text("Last guess by ", m.Moves[used-1].Player)
	case hint.Version > 0:
		return bot.Text(hint.Player, " took a hint")
	}
	return bot.Line{}
}

// latestHint returns the zero hint without one. A repeated suggestion stays the last in the list while other hints are newer.
func latestHint(m game.Match) (latest game.Hint) {
	for _, h := range m.Hints {
		if h.Version > latest.Version {
			latest = h
		}
	}
	return latest
}
