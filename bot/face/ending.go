package face

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
)

// OutcomeWords says in a few words how a match ended.
func OutcomeWords(m game.Match) string {
	switch m.Status() {
	case game.Won:
		how := fmt.Sprintf("Won in %d of %d", m.Used(), m.Limit())
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

// AnswerWas comes before the answer of a game that did not find it.
func (f Face) AnswerWas() string { return cmp.Or(f.NotFound, "The "+f.Noun+" was ") }

// applause is for a match that one player won without hints, from the first guess to the last.
var applause = [...]string{"Uncanny!", "Brilliant!", "Sharp!", "Nicely done!", "Got it!", "Just in time!"}

// outcome says in a few words how a match ended, then the answer if that is still to be said, and what else there is to say.
func (f Face) outcome(v View) (how, answer, more bot.Line) {
	m := v.Match
	answer = bot.Text(f.AnswerWas(), bot.Bold(m.State.Answer()))
	switch {
	case v.Race.Withdrawn():
		return bot.Text("This race never started"), bot.Line{}, bot.Line{}
	case v.Concealed && v.Challenge == nil:
		if how = bot.Text("You gave up"); m.Status() == game.Lost {
			how = bot.Text("Not this time")
		}
		if !v.Race.Closed() { // otherwise its challenge was removed
			more = bot.Text("You'll see the answer when the " + ModeName(m.Mode) + " is over")
		}
		return how, bot.Line{}, more
	case m.Status() == game.Won:
		return f.found(v), bot.Line{}, bot.Line{}
	case m.Status() == game.Lost:
		if f.Hides(game.Lost) {
			answer.Text[1] = bot.Spoiler(m.State.Answer())
		}
		return bot.Text("So close!"), answer, bot.Line{}
	case m.Challenge != nil && !m.Challenge.Shown():
		return bot.Text("Removed by ", m.Stop.Player), bot.Line{}, bot.Line{}
	case m.Mode.Raced() && m.Stop.Idle:
		return bot.Text("Time's up"), answer, bot.Line{}
	case m.Stop.Idle:
		how, more = bot.Text("Given up"), bot.Text("No moves for "+span(m.Idle()))
	case m.Mode.Personal():
		how = bot.Text("Given up")
	default:
		how = bot.Text("Stopped by ", m.Stop.Player)
	}
	if m.Result().CountsAsLost() {
		more = bot.Join(more, bot.Text("Counts as lost"))
	}
	return how, answer, more
}

// found says how a match was won: "MAJOR in 4, found by ben" or, by one player alone, "Sharp! DAIRY in 3".
func (f Face) found(v View) bot.Line {
	what := v.State.Answer()
	if f.ShowsAnswer {
		what = f.Name()
	}
	what = fmt.Sprintf("%s in %d", what, v.Used())
	switch {
	case v.HasCredit():
		return bot.Text(what+", found by ", v.Winner()).Named(v.short())
	case v.Result().Helped():
		return bot.Text(what + ", with hints")
	}
	return bot.Text(applause[(v.Used()-1)*(len(applause)-1)/(v.Limit()-1)] + " " + what)
}

// Outcome says in one line how a match ended, without an answer that is still concealed. The answer may be in a spoiler:
// see [Face.Hides].
func (f Face) Outcome(v View) bot.Line {
	how, answer, more := f.outcome(v)
	return bot.Join(how, answer, more)
}

// end returns the heading and the subtext of an ended match. The meaning is the answer's, and may be empty.
func (f Face) end(v View, meaning string) (heading, subtext bot.Line) {
	heading, answer, more := f.outcome(v)
	if v.HasCredit() && v.Status() == game.Won {
		heading = heading.With(bot.Emoji(" 🎉"))
	}
	switch said := (bot.Span{Text: meaning}); {
	case f.ShowsAnswer:
		answer = bot.Line{}
	case v.Status() == game.Won:
		answer = bot.Text(said)
	case answer.Text != nil && meaning != "":
		if f.Hides(v.Status()) {
			said = bot.Spoiler(meaning)
		}
		answer = answer.With(": ", said)
	}
	return heading, bot.Join(Streak(v.Streak), answer, more)
}

// milestones are the streaks that get a word of their own.
var milestones = map[int]string{7: ": a whole week!", 30: ": a month of dailies!", 100: ": one hundred days!", 365: ": a year!"}

// Streak is a streak of daily puzzles in words. It is empty for less than two.
func Streak(days int) bot.Line {
	if days < 2 {
		return bot.Line{}
	}
	return bot.Text(bot.Emoji("🔥 "), fmt.Sprintf("Streak %d%s", days, milestones[days]))
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

// ending says who has ruled out what in an ended match, how many answers each guess left, and who took hints.
func (f Face) ending(v View) (lines []bot.Line) {
	var shares []bot.Line
	for i, c := range v.Credit(v.Left) {
		shares = append(shares, bot.Text(c.Player, []string{" ruled out ", " "}[min(i, 1)]+bot.Percent(c.Cut)))
	}
	if shares != nil {
		lines = append(lines, bot.List(bot.Line{}, shares, ""))
	}
	var left, hints bot.Line
	if !f.LeftWhilePlaying && v.Used() > 1 && len(v.Left) > v.Used() && v.Left[v.Used()].Bits() >= 0 {
		all := bot.Each(v.Left[1:v.Used()+1], func(p game.Possible) string { return strconv.Itoa(p.Total()) })
		left = bot.Text(strings.TrimSuffix(strings.Join(all, " → "), " → 0") + " " + f.Noun + "s left") // no board is open at the end
	}
	if len(v.Hints) > 0 && !v.Concealed {
		hints = bot.Text(bot.Plural(len(v.Hints), "hint"))
		if v.HasCredit() {
			hints = bot.List(hints.With(" by "), takers(v.Hints), "and")
		}
	}
	if small := bot.Join(left, hints); small.Text != nil {
		lines = append(lines, bot.Small(small))
	}
	return lines
}

// takers returns the players who took hints, each once.
func takers(hints []game.Hint) (all []game.PlayerID) {
	for _, h := range hints {
		if !slices.Contains(all, h.Player) {
			all = append(all, h.Player)
		}
	}
	return all
}

// ShareLines describe a match without its answer.
func (f Face) ShareLines(m game.Match) []bot.Line {
	name := strings.TrimSpace("Fivefold " + f.Title)
	if number, daily := m.Puzzle.Daily(); daily {
		name += fmt.Sprintf(" %d", number)
	}
	head := bot.Text(name + " · " + Score(m.Status() == game.Won, m.Used(), m.Limit(), len(m.Hints)))
	lines := f.Summary(m.State)
	if f.Found(m.State) == nil {
		lines = bot.Each(lines, func(row bot.Line) bot.Line { return bot.Text(bot.Look{}.Squares(row)) })
	}
	return append([]bot.Line{head}, lines...)
}

// Summary returns the tiles of each guess of a game or, of several boards, numbers that tell when each was found.
func (f Face) Summary(s game.State) []bot.Line {
	found := f.Found(s)
	if found == nil {
		return f.Rows(s)
	}
	return bot.Each(slices.Collect(slices.Chunk(found, 2)), func(row []int) bot.Line {
		return bot.Text(strings.Join(bot.Each(row, func(guess int) string { return numbers[guess] }), ""))
	})
}

// numbers stand for boards, by the number of the guess that found them.
var numbers = [marks.MostAttempts + 1]string{"🔳", "1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣", "🔟", "🕚", "🕛", "🕐"}

// Score is a result in a few words: "3/6", or "X/6 · 2 hints" for a loss.
func Score(won bool, guesses, limit, hints int) string {
	score := "X"
	if won {
		score = strconv.Itoa(guesses)
	}
	score += fmt.Sprintf("/%d", limit)
	if hints > 0 {
		score += " · " + bot.Plural(hints, "hint")
	}
	return score
}
