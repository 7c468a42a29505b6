package face

import (
	"fmt"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/solver/grade"
)

// Judgements are a review in words.
type Judgements struct {
	About   []bot.Line // the finished game
	Guesses []Judgement
	Solver  []string // the solver's guesses; nil if unknown
}

// Judgement is the review of one guess.
type Judgement struct {
	Tiles bot.Line
	Text  string // "150 left · skill 89 · luck 21"
	// Better is a better guess. It is empty without one, and for a guess that found the answer.
	Better string
}

// Line is the judgement in words. With hide, the better guess is a spoiler.
func (j Judgement) Line(hide bool) bot.Line {
	switch {
	case j.Better == "":
		return bot.Text(j.Text)
	case hide:
		return bot.Text(j.Text+" · better: ", bot.Spoiler(j.Better))
	}
	return bot.Text(j.Text + " · better: " + j.Better)
}

// Judge puts a review into words: the answers left after each guess, its skill and luck, and a better guess.
func Judge[G comparable](r grade.Review[G], write func(G) string, tiles func(marks.Turn[G]) bot.Line) (all Judgements) {
	for _, g := range r.Guesses {
		j := Judgement{Tiles: tiles(g.Turn), Text: fmt.Sprintf("%d left · ", g.After) + SkillAndLuck(g.Skill, g.Luck, g.Proven)}
		switch {
		case g.Feedback == marks.AllGreen && g.Luck == game.NoLuck:
			j.Text = "Found it!"
		case g.Feedback == marks.AllGreen:
			j.Text = fmt.Sprintf("Found it! Luck %.0f", g.Luck)
		case g.Best == g.Guess && g.Proven:
			j.Text = fmt.Sprintf("Best guess! %d left", g.After) + luckWords(g.Luck)
		case g.Best != g.Guess:
			j.Better = write(g.Best)
		}
		all.Guesses = append(all.Guesses, j)
	}
	for _, t := range r.Line {
		all.Solver = append(all.Solver, write(t.Guess))
	}
	return all
}

// SkillAndLuck writes a skill and a luck: "skill 93 · luck 61", or "skill about 93" for an unproven skill.
func SkillAndLuck(skill, luck float64, proven bool) string {
	about := ""
	if !proven {
		about = "about "
	}
	return fmt.Sprintf("skill %s%.0f", about, skill) + luckWords(luck)
}

func luckWords(luck float64) string {
	if luck == game.NoLuck {
		return ""
	}
	return fmt.Sprintf(" · luck %.0f", luck)
}
