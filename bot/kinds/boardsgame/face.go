package boardsgame

import (
	"fmt"
	"strconv"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/boards"
	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/solver/multi"
)

func (*Game) Found(s game.State) (all []int) {
	own := s.(boards.State)
	for b := range own.Boards() {
		all = append(all, own.Found(b))
	}
	return all
}

// Guesses returns each guess with the best mark of each letter on the boards that were open.
func (*Game) Guesses(s game.State) []face.Guess {
	own := s.(boards.State)
	turns := own.Turns()
	for _, board := range own.All() {
		for n, t := range board {
			for i := range wordle.Length {
				turns[n].Feedback = turns[n].Feedback.With(i, max(turns[n].Feedback.Mark(i), t.Feedback.Mark(i)))
			}
		}
	}
	return face.Guesses(turns, wordle.Word.String, wordgame.LetterTiles)
}

func (g *Game) Judge(s game.State, r game.Review) face.Judgements {
	all, own := face.Judge(r.(grade.Review[wordle.Word]), wordle.Word.String, wordgame.LetterTiles), s.(boards.State)
	all.About = append(append(told(own, false), missed(own)...), bot.Text("Each guess below has its best marks on any open board:"))
	for i, guess := range g.Guesses(s) {
		all.Guesses[i].Tiles = guess.Tiles
	}
	return all
}

func (g *Game) Draw(v face.View) face.Drawing {
	s, open := v.State.(boards.State), v.Status() == game.Playing
	drawn := picture.WordBoards{Attempts: g.Attempts()}
	if !open {
		drawn.Attempts = s.Used()
	}
	for b, turns := range s.All() {
		drawn.Boards = append(drawn.Boards, picture.WordBoard{Found: s.Found(b), Rows: bot.Each(turns, func(t wordle.Turn) picture.WordRow {
			return picture.WordRow{Word: t.Guess.String(), Marks: t.Feedback}
		})})
	}
	var made, signed []bot.Line
	for i, t := range s.Turns() {
		word := bot.Text(t.Guess.String())
		made, signed = append(made, word), append(signed, v.Signed(i, word))
	}
	lines := told(s, open)
	if made != nil {
		lines = append(lines, bot.List(bot.Text("Guesses: "), made, ""))
	}
	shown := &bot.Picture{Name: "boards.png", Alt: bot.Words(nil, lines...), Draw: drawn.Draw, Instead: lines}
	board := []bot.Block{shown}
	if v.Several() {
		shown.Instead = lines[:len(lines)-1]
		board = append(board, bot.List(bot.Text("Guesses: "), signed, ""))
	}
	if !open && !v.Concealed {
		board = append(board, bot.Lines(missed(s)...)...)
	}
	return face.Drawing{Board: board}
}

// told describes each board in a line: "1: _ R _ _ E · has A (not 2)" or "2: CRANE in 3". If the game is open,
// the letters in no guess follow.
func told(s boards.State, open bool) (lines []bot.Line) {
	for b, turns := range s.All() {
		text := wordgame.Known(turns)
		if n := s.Found(b); n > 0 {
			text = fmt.Sprintf("%s in %d", s.Hidden(b), n)
		}
		lines = append(lines, bot.Text(fmt.Sprintf("%d: %s", b+1, text)))
	}
	if s.Used() > 0 && open {
		lines = append(lines, bot.Text("Not tried: "+wordgame.Untried(s.Turns())))
	}
	return lines
}

// missed names the words that were not found, with their boards. It is empty if all were.
func missed(s boards.State) (lines []bot.Line) {
	var words []bot.Line
	for b := range s.Boards() {
		if s.Found(b) == 0 {
			words = append(words, bot.Text(fmt.Sprintf("%s (%d)", s.Hidden(b), b+1)))
		}
	}
	return []bot.Line{bot.List(bot.Text("Not found: "), words, "")}[:min(1, len(words))]
}

func (g *Game) Boards(state game.State) (all []face.Board) {
	s, _ := state.(boards.State) // without guesses if it has not begun
	for b := range g.boards {
		n, turns := s.Found(b), s.Board(b)
		told := wordgame.Brief(turns)
		if n > 0 {
			told = fmt.Sprintf("✓ in %d", n)
		}
		all = append(all, face.Board{Head: fmt.Sprintf("%d %s", b+1, told), Rows: bot.Each(turns, wordgame.LetterTiles), Found: n > 0})
	}
	return all
}

func (*Game) Aside(state game.State) []bot.Block {
	s, _ := state.(boards.State)
	return bot.Lines(told(s, s.Status() == game.Playing)...)
}

// HintLine puts everything about the words in spoilers.
func (*Game) HintLine(h game.Hint) bot.Line {
	if l, ok := h.Content.(LetterHint); ok {
		return bot.Text(fmt.Sprintf("A letter on board %d: ", l.Board), bot.Spoiler(wordgame.Times(l.Letter, l.Times)))
	}
	s := h.Content.(multi.Suggestion)
	return bot.Text("Try ", bot.Spoiler(s.Word.String()), ". ", bot.Spoiler(reason(s)))
}

func reason(s multi.Suggestion) string {
	text := "It's on no board, but it tells you more."
	if numbers := bot.Each(s.Possible, func(b int) string { return strconv.Itoa(b + 1) }); len(numbers) > 0 {
		text = bot.Words(nil, bot.List(bot.Text("It could be the word on board "), numbers, "or"))
	}
	for _, b := range s.Possible {
		if s.Left[b] == 1 {
			text = fmt.Sprintf("It's the word on board %d.", b+1)
		}
	}
	switch {
	case s.Proven && s.Expected == 1: // nothing comes after it
		return text
	case s.Proven:
		return text + " It takes " + bot.Figure(s.Expected) + " more guesses on average; no word takes fewer."
	}
	return text + fmt.Sprintf(" It takes about %.1f more guesses on average.", s.Expected)
}

func (g *Game) ExplainRules(err error) error {
	return bot.RefuseAs(g.Words.ExplainRules(err), map[error]bot.Line{
		game.ErrNothingFits: bot.Text("No word I know fits one of the boards, so I can't suggest any. I can still give you a letter: ",
			bot.Slash(string(g.kind)+" hint", "kind", "letter"), "."),
	})
}
