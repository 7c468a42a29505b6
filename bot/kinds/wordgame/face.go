package wordgame

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
)

func (g *Game) Read(typed string) (listed bool, err error) {
	w, err := Read(typed)
	return g.lists.CanGuess(w) || g.allows(0, w) != nil, err // offensive words count as listed: they are refused without a question
}

func (*Game) Attempt(s game.State, typed string) int {
	w, err := wordle.ParseWord(typed)
	return 1 + slices.IndexFunc(s.(wordle.State).Turns(), func(t wordle.Turn) bool { return err == nil && t.Guess == w })
}

func (*Game) Tiles(typed string) face.TypedTiles {
	return face.TypedTiles{Texts: strings.Split(strings.ToUpper(typed), ""), Whole: true, Fits: typedWord.MatchString(typed)}
}

func (g *Game) Complete(current func() game.State, typed string) []bot.Choice {
	return CompleteWord(g.lists, typed, current)
}

func (*Game) Example(game.State) string { return "crane" }

func (*Game) Guesses(s game.State) []face.Guess {
	return face.Guesses(s.(wordle.State).Turns(), wordle.Word.String, LetterTiles)
}

func (*Game) Judge(_ game.State, r game.Review) face.Judgements {
	return face.Judge(r.(optimal.Review), wordle.Word.String, LetterTiles)
}

func (*Game) Draw(v face.View) face.Drawing {
	s := v.State.(wordle.State)
	drawn := face.Drawing{Board: bot.Lines(bot.Each(s.Turns(), LetterTiles)...)}
	if v.Status() == game.Playing {
		for range s.AttemptsLeft() {
			drawn.Board = append(drawn.Board, bot.Line{Tiles: make([]bot.Tile, wordle.Length)})
		}
		drawn.Below = []bot.Block{keyboard(s.Turns())}
		if s.Hard() {
			drawn.Below = append(drawn.Below, bot.Text("Hard mode: every clue must be used."))
		}
		return drawn
	}
	var counts []string
	for n := range s.Turns() {
		counts = append(counts, fmt.Sprint(v.LeftAfter(n+1)))
	}
	drawn.Below = bot.Lines(meaning(s, v.Status() == game.Lost)...)
	if len(counts) > 0 {
		drawn.Below = append(drawn.Below, bot.Text("Words left after each guess: ", strings.Join(counts, ", "), "."))
	}
	return drawn
}

// meaning is the meaning of the hidden word, if known, in a spoiler or not.
func meaning(s wordle.State, spoiler bool) []bot.Line {
	text := bot.Span{Text: s.Hidden().Meaning()}
	if text.Text == "" {
		return nil
	}
	if spoiler {
		text = bot.Spoiler(text.Text)
	}
	return []bot.Line{bot.Text("Meaning: ", text)}
}

// mostFurther is the most guesses in a lost game. A button has room for the nine before the last.
const mostFurther = 10

// PlayOn makes guesses in a lost game, without the rules of hard mode.
func (g *Game) PlayOn(lost game.State, typed []string) ([]bot.Line, bool, error) {
	s := lost.(wordle.State)
	turns := slices.Clone(s.Turns())
	lines := []bot.Line{bot.Text(bot.Bold("Playing on"), ", outside the count:")}
	for _, word := range typed {
		w, err := Read(word)
		if err == nil {
			err = g.allows(s.Hidden(), w)
		}
		if err != nil {
			return nil, false, err
		}
		turns = append(turns, wordle.Turn{Guess: w, Feedback: wordle.Score(w, s.Hidden())})
		lines = append(lines, LetterTiles(turns[len(turns)-1]))
	}
	switch {
	case turns[len(turns)-1].Guess == s.Hidden():
		lines = append(lines, bot.Text(bot.Bold(fmt.Sprintf("Found in %d.", len(turns)))))
	case len(typed) >= mostFurther:
		lines = append(lines, bot.Text("That is enough: the word was ", bot.Bold(s.Answer()), "."))
	default:
		return append(lines, letters(turns)...), false, nil
	}
	return append(lines, meaning(s, false)...), true, nil
}

// keyboard shows what the guesses say of each letter.
func keyboard(turns []wordle.Turn) *bot.Keyboard {
	best, tried := map[byte]marks.Mark{}, map[byte]bool{}
	for _, t := range turns {
		for i := range wordle.Length {
			letter := t.Guess.Letter(i)
			tried[letter] = true
			best[letter] = max(best[letter], t.Feedback.Mark(i))
		}
	}
	k := bot.Keyboard{Words: letters(turns)}
	times := copies(turns)
	for _, row := range []string{"QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"} {
		k.Rows = append(k.Rows, bot.Each([]byte(row), func(letter byte) bot.Key {
			return bot.Key{Text: string(letter), Tried: tried[letter], Mark: best[letter], Times: times[letter]}
		}))
	}
	return &k
}

// letters lists the letters by what the tiles show of them, for players who can't see tiles.
func letters(turns []wordle.Turn) (lines []bot.Line) {
	var green [wordle.Length]byte
	not := map[byte]string{} // by tried letter: the places where it is not, in any order
	for _, t := range turns {
		for i := range green {
			letter, place := t.Guess.Letter(i), strconv.Itoa(i+1)
			if t.Feedback.Mark(i) == wordle.Green {
				green[i], place = letter, ""
			}
			not[letter] = strings.ReplaceAll(not[letter], place, "") + place
		}
	}
	var placed, yellow, untried []string
	for i, letter := range green {
		if letter != 0 {
			placed = append(placed, fmt.Sprintf("%c (%d)", letter, i+1))
		}
	}
	for letter := byte('A'); letter <= 'Z'; letter++ {
		places, tried := not[letter]
		if !tried {
			untried = append(untried, string(letter))
		} else if copies(turns)[letter] > strings.Count(string(green[:]), string(letter)) { // one more copy is elsewhere
			elsewhere := strings.Split(places, "")
			slices.Sort(elsewhere)
			yellow = append(yellow, fmt.Sprintf("%c (not %s)", letter, strings.Join(elsewhere, ",")))
		}
	}
	if placed != nil {
		lines = append(lines, bot.Text("In place: ", strings.Join(placed, ", ")))
	}
	if yellow != nil {
		lines = append(lines, bot.Text("In the word: ", strings.Join(yellow, ", ")))
	}
	if untried != nil {
		lines = append(lines, bot.Text("Not tried: ", strings.Join(untried, " ")))
	}
	return lines
}

// HintLine puts everything about the word in spoilers, even the number of words left and of copies of a letter.
func (*Game) HintLine(h game.Hint) bot.Line {
	switch content := h.Content.(type) {
	case LetterHint:
		letter := content.Letter
		if content.Times > 1 {
			letter += fmt.Sprintf(", %d times", content.Times)
		}
		return bot.Text("A letter of the word: ", bot.Spoiler(letter), ".")
	case PositionHint:
		return bot.Text(fmt.Sprintf("Position %d is ", content.Position), bot.Spoiler(content.Letter), ".")
	}
	s := h.Content.(optimal.Suggestion)
	return bot.Text("Try ", bot.Spoiler(s.Word.String()), ". ", bot.Spoiler(reason(s)))
}

func reason(s optimal.Suggestion) string {
	if s.Remaining == 1 {
		return "It is the only word left."
	}
	reason := "It looks best, but that is not proven"
	average := bot.Figure(float64(s.Total) / float64(s.Remaining))
	switch {
	case s.Proven && s.Total == 0:
		reason = "No word is sure to win any more"
	case s.Proven:
		reason = "Best word, proven: " + average + " more guesses on average"
	case s.Total > 0:
		reason = "About " + average + " more guesses on average; not proven to be the best"
	}
	reason += fmt.Sprintf(" (%d words left).", s.Remaining)
	if !s.Possible {
		reason += " It cannot be the answer itself."
	}
	return reason
}

// LetterTiles is the row of one guess.
func LetterTiles(t wordle.Turn) bot.Line {
	var line bot.Line
	for i := range wordle.Length {
		line.Tiles = append(line.Tiles, bot.Tile{Text: string(t.Guess.Letter(i)), Mark: t.Feedback.Mark(i)})
	}
	return line
}

var typedWord = regexp.MustCompile(`^\pL{0,5}$`)

func (*Game) Aside(state game.State) []bot.Block {
	s, _ := state.(wordle.State)
	return []bot.Block{keyboard(s.Turns())}
}
