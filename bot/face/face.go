// Package face shows games: what each kind looks like as lines, tiles and pictures,
// what its commands are called, and its words for what a player cannot do.
package face

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/matches"
)

// Face is how a kind of game looks and speaks: what it says of any game, and what it makes of one.
type Face struct {
	Phrases
	Display
}

// View is a match and the numbers that its face shows with it.
type View struct {
	game.Match
	Left       []int     // as in [matches.Manager.Left]; nil if that is not known
	Introduced bool      // the match is shown under its [Face.Intro]
	Event      bot.Line  // what was done last
	Live       bool      // the board is the one message about the match: it also says what was done last, and shows the hints
	Away       bool      // it was played in another community than the one in which it is shown
	Race       game.Race // of a match in a race; zero once it is no longer kept
	Concealed  bool      // the answer is not shown, even to its own player: see [matches.Manager.Conceals]; or the race never began
	Alone      bool      // there is nobody to share it with: in direct messages, and where only the player sees the replies
}

// listed reports whether the match is in the history of where it is shown.
func (v View) listed() bool {
	return v.Status() != game.Playing && !v.Away && len(v.Named()) > 0
}

// LeftAfter returns how many answers were possible after a number of guesses, -1 if that is not known.
func (v View) LeftAfter(used int) int {
	if used >= len(v.Left) {
		return -1
	}
	return v.Left[used]
}

// View returns what [Face.Show] needs to show a match. The error is one of [matches.Manager.Left], or of the store.
func (f Face) View(ctx context.Context, games *matches.Manager, m game.Match) (v View, err error) {
	v.Match, v.Event = m, f.Event(m)
	if v.Race, err = games.RaceOf(ctx, m); err != nil {
		return v, err
	}
	v.Concealed = games.Conceals(v.Race, m.Status()) || v.Race.Withdrawn()
	if !v.Concealed && (f.ShowsLeft(m.Status()) || m.HasCredit()) {
		v.Left, err = games.Left(ctx, m)
	}
	return v, err
}

// Faces are those of every kind of game, each once.
type Faces []Face

// Of returns the face of a kind; the first one for a kind that has none.
func (all Faces) Of(k game.Kind) Face {
	i := slices.IndexFunc(all, func(f Face) bool { return f.Kind == k })
	return all[max(i, 0)]
}

// Titled is a title that names the kind, unless that needs no name.
func (f Face) Titled(title string) string {
	if f.Title == "" {
		return title
	}
	return f.Title + ": " + strings.ToLower(title)
}

// Name names the kind where another could be meant, such as on a button.
func (f Face) Name() string { return cmp.Or(f.Title, "Word game") }

// Audience is who sees a match that is being played.
func Audience(m game.Match) bot.Audience {
	if m.Mode.Personal() {
		return bot.Asker
	}
	return bot.Everyone
}

// OwnTitle names a match that one player plays alone. It is empty for a channel's match,
// and for a daily puzzle under its introduction, which names it.
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

// Intro is the first line of a match that has just begun, rated in a word or "".
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

// Show shows a match: the board, and after its end how the game went.
func (f Face) Show(v View) bot.Reply {
	drawn := f.Draw(v)
	reply := bot.Reply{Audience: Audience(v.Match), InPlace: true, Buttons: f.buttons(v), Picture: drawn.Picture}
	if title := OwnTitle(v); title != "" {
		line := bot.Text(bot.Bold(title))
		if v.Race.Version > 0 && v.Status() == game.Playing {
			line = line.With(" ", Clock(v.Race, v.Used() > 0))
		}
		line.Pictured = reply.Picture != nil
		reply.Lines = append(reply.Lines, line)
	}
	if c := v.Race.Challenge; c != nil {
		reply.Lines = append(reply.Lines, f.Given(v.Race.Starter, *c))
	} else if v.Challenge != nil && v.Mode == game.Together {
		reply.Lines = append(reply.Lines, f.Given(v.Starter, *v.Challenge))
	}
	reply.Lines = slices.Concat(reply.Lines, drawn.Board, f.live(v))
	switch {
	case v.Status() == game.Playing:
		reply.Lines = slices.Concat(reply.Lines, drawn.Below, hintsLeft(v.Match))
		if v.Mode.Personal() {
			reply.Lines = append(reply.Lines, bot.Text("Only you see this game."))
		}
	case v.Concealed:
		reply.Lines = append(reply.Lines, f.OutcomeIn(v))
	default:
		reply.Lines = slices.Concat(reply.Lines, []bot.Line{f.Outcome(v.Match)}, drawn.Below, f.ending(v))
	}
	if f.Hides(v.Status()) {
		reply.Reveal = bot.RevealButton(f.Commands.Board, MatchArgs(v.Match))
	}
	return reply
}

// Clock says when a race starts and ends; only the latter once a guess was made.
func Clock(r game.Race, guessed bool) bot.Line {
	at := func(at time.Time) bot.Span { return bot.When(at, at.UTC().Format("at 15:04:05 UTC")) }
	switch {
	case r.Begins.IsZero():
		return bot.Text("starts when ", r.Starter, fmt.Sprintf(" says so, or %.0f seconds after a second player has joined.", game.Countdown.Seconds()))
	case !guessed && r.Challenge == nil:
		return bot.Text("starts ", at(r.Begins), " and ends ", at(r.Ends), ".")
	}
	return bot.Text("ends ", at(r.Ends), ".")
}

// SkillAndLuck writes a skill and a luck: "skill 93 · luck 61", or "skill about 93" if it is not proven.
func SkillAndLuck(skill, luck float64, proven bool) string {
	about := ""
	if !proven {
		about = "about "
	}
	return fmt.Sprintf("skill %s%.0f · luck %.0f", about, skill, luck)
}

// FewGuesses is the greatest number of guesses left at which the risk of not finding the word
// or board within the limit makes a difference to the guesses expected.
const FewGuesses = 3

// Chart draws the games won by number of guesses as bars of text. At least one was won.
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
