package evilgame

import (
	"fmt"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/evil"
	"fivefold/game/wordle"
	"fivefold/solver/dodge"
	"fivefold/solver/grade"
)

func (*Game) Guesses(s game.State) []face.Guess {
	return face.Guesses(s.(evil.State).Turns(), wordle.Word.String, wordgame.LetterTiles)
}

// Judge also has the start, and says how few guesses would have won.
func (g *Game) Judge(s game.State, r game.Review) face.Judgements {
	all := face.Judge(r.(grade.Review[wordle.Word]), wordle.Word.String, wordgame.LetterTiles)
	if s != nil {
		started := g.rows(s.(evil.State))[:len(s.(evil.State).Seen())-s.Used()]
		all.About = append(started, bot.Text(sufficed(len(all.Solver), s)+"."))
	}
	return all
}

// rows are the tiles of the start and of each guess, with the number of words that it left.
func (g *Game) rows(s evil.State) (rows []bot.Line) {
	left, seen := g.left(s), s.Seen()
	for i, t := range seen {
		row := wordgame.LetterTiles(t)
		if t.Feedback != wordle.AllGreen {
			row = row.With(fmt.Sprintf(" · %d left", left[len(left)-len(seen)+i]))
		}
		rows = append(rows, row)
	}
	if len(seen) > s.Used() {
		rows[0] = rows[0].With(" · start")
	}
	return rows
}

// Boards also has the start.
func (g *Game) Boards(s game.State) []face.Board {
	if s == nil {
		return nil
	}
	return []face.Board{{Rows: g.rows(s.(evil.State))}}
}

// Draw shows how many words are left after each guess, and the outline of the next guess only.
func (g *Game) Draw(v face.View) face.Drawing {
	s := v.State.(evil.State)
	rows := g.rows(s)
	guesses := rows[len(rows)-s.Used():]
	for i, row := range guesses {
		guesses[i] = v.Signed(i, row)
	}
	drawn := face.Drawing{Board: bot.Lines(rows...)}
	switch v.Status() {
	case game.Playing:
		drawn.Rest = append(drawn.Rest, bot.Line{Tiles: make([]bot.Tile, wordle.Length)}, wordgame.Keyboard(s.Seen()))
	case game.Won:
		drawn.Meaning = sufficed(g.least(s), s)
	default:
		drawn.Meaning = bot.Plural(len(s.Left(g.answers)), "word") + " left"
	}
	return drawn
}

// sufficed says how few guesses would have won; "" for 0, which is unknown.
func sufficed(n int, s game.State) string {
	switch {
	case n == 0:
		return ""
	case n == s.Used() && s.Status() == game.Won:
		return "Nobody can do it in fewer"
	}
	return bot.Plural(n, "guess") + " would have sufficed"
}

func (*Game) HintLine(h game.Hint) bot.Line {
	s := h.Content.(dodge.Suggestion)
	reason := "That's " + bot.Plural(s.Fewest, "guess") + " from here, and nobody can do it in fewer."
	if s.Left == 1 {
		reason = "It's the only word left."
	}
	return bot.Text("Try ", bot.Spoiler(s.Word.String()), ". ", bot.Spoiler(reason))
}

func (*Game) Aside(state game.State) []bot.Block {
	s, _ := state.(evil.State)
	return []bot.Block{wordgame.Keyboard(s.Seen())}
}

func (g *Game) ExplainRules(err error) error {
	return bot.RefuseAs(g.Words.ExplainRules(err), map[error]bot.Line{
		evil.ErrStart:       bot.Text("That's the word of the start: its marks are on the board. ", bot.NoAttempt),
		game.ErrNothingFits: bot.Text("No word I may propose here is left, so I can't suggest one."),
	})
}
