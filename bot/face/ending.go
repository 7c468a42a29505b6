package face

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/game"
)

// OutcomeWords says in a few words how a match ended.
func OutcomeWords(m game.Match) string {
	switch m.Status() {
	case game.Won:
		how := fmt.Sprintf("Won in %d of %d", m.Used(), m.Used()+m.State.AttemptsLeft())
		if m.Result().Helped() {
			how += " with hints"
		}
		return how
	case game.Lost:
		return "Lost"
	}
	return "Stopped"
}

// Hides reports whether the answer of a match with this status is a spoiler, so that players can play on.
func (f Face) Hides(s game.Status) bool { return s == game.Lost && f.PlaysOn }

// Outcome says how a match ended. Its answer may be in a spoiler: see [Face.Hides].
func (f Face) Outcome(m game.Match) bot.Line {
	was, answer := " The "+f.Noun+" was ", bot.Bold(m.State.Answer())
	switch m.Status() {
	case game.Won:
		return bot.Text(bot.Bold(OutcomeWords(m)+"!"), was, answer, ", found by ", m.Winner(), ".")
	case game.Lost:
		if f.Hides(game.Lost) {
			answer = bot.Spoiler(answer.Text)
		}
		return bot.Text(bot.Bold("Lost."), was, answer, ".")
	}
	line := bot.Text(bot.Bold("Stopped"), " by ", m.Stop.Player, "."+was, answer, ".")
	switch {
	case m.Challenge != nil && !m.Challenge.Shown():
		return bot.Text(bot.Bold("Removed"), " by ", m.Stop.Player, ".")
	case m.Mode.Raced() && m.Stop.Idle:
		return bot.Text(bot.Bold("Time is up."), was, answer, ".")
	case m.Stop.Idle:
		line = bot.Text(bot.Bold("Given up"), ": no moves for "+span(m.Idle())+"."+was, answer, ".")
	}
	if m.Result().CountsAsLost() {
		line = line.With(" It counts as lost.")
	}
	return line
}

// OutcomeIn is [Face.Outcome] without an answer that is still concealed.
func (f Face) OutcomeIn(v View) bot.Line {
	switch {
	case v.Race.Withdrawn():
		return bot.Text(bot.Bold("This race never started."))
	case !v.Concealed, v.Challenge != nil: // the challenge was removed
		return f.Outcome(v.Match)
	}
	line := bot.Text(bot.Bold("You gave up."))
	if v.Status() == game.Lost {
		line = bot.Text(bot.Bold("Not this time."))
	}
	if v.Race.Closed() { // its challenge was removed
		return line
	}
	return line.With(" You'll see the " + f.Noun + " when the " + ModeName(v.Mode) + " is over.")
}

// span writes a duration in whole units: "24 hours", "3 days".
func span(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 2*day:
		return bot.Plural(int(d/day), "day")
	case d >= time.Hour:
		return bot.Plural(int(d/time.Hour), "hour")
	}
	return bot.Plural(int(d/time.Minute), "minute")
}

// ending lists the hints that an ended match took, how to share it, and what to do next.
func (f Face) ending(v View) (lines []bot.Line) {
	if len(v.Hints) > 0 {
		lines = append(lines, f.hintsTaken(v.Hints))
	}
	lines = append(lines, credit(v)...)
	if v.Mode == game.Daily && v.Status() != game.Stopped {
		share := f.ShareLines(v.Match)
		lines = append(lines, bot.Text("To share, without the "+f.Noun+": ", share[0]))
		lines = append(lines, share[1:]...)
	}
	if v.Used() > 0 && v.Away {
		lines = append(lines, bot.Text("Its review is where you played it."))
	}
	return lines
}

// ShareLines describe a match without its answer.
func (f Face) ShareLines(m game.Match) []bot.Line {
	name := strings.TrimSpace("Fivefold " + f.Title)
	if number, daily := m.Puzzle.Daily(); daily {
		name += fmt.Sprintf(" %d", number)
	}
	if m.Mode == game.Practice {
		name += " (practice)"
	}
	lines := []bot.Line{bot.Text(name + ", " + Brief(m.Status() == game.Won, m.Used(), len(m.Hints), fmt.Sprintf("/%d", m.Used()+m.State.AttemptsLeft())))}
	for _, row := range f.Rows(m.State) {
		lines = append(lines, bot.Text(bot.Look{}.Squares(row)))
	}
	if len(m.Hints) > 0 {
		lines = append(lines, bot.Text("* with hints"))
	}
	return lines
}

// Brief is a result in a few characters, such as "4/6*": the guesses, or X for a loss, then the suffix of, then * for
// hints.
func Brief(won bool, guesses, hints int, of string) string {
	text := "X" + of
	if won {
		text = strconv.Itoa(guesses) + of
	}
	if hints > 0 {
		text += "*"
	}
	return text
}

func (f Face) hintsTaken(hints []game.Hint) bot.Line {
	type taken struct {
		by   game.PlayerID
		kind game.HintKind
	}
	var players []game.PlayerID
	count := map[taken]int{}
	for _, h := range hints {
		if !slices.Contains(players, h.Player) {
			players = append(players, h.Player)
		}
		count[taken{h.Player, h.Kind}]++
	}
	line, before := bot.Text("Hints: "), ""
	for _, p := range players {
		var kinds []string
		for _, k := range f.HintKinds {
			if n := count[taken{p, k}]; n > 0 {
				kinds = append(kinds, bot.Plural(n, string(k)))
			}
		}
		line, before = line.With(before, p, " "+strings.Join(kinds, ", ")), "; "
	}
	return line.With(".")
}
